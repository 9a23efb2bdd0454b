//! The tariff tried on a file of examples: the same function as `atalaya billing simulate`.

use atalaya_rest::{FieldError, Problem};
use atalaya_tariff::simulate::{Simulated, SimulationError, simulate};
use atalaya_tariff::{TableFault, TariffError};
use serde_json::Value;

/// Errors: `SIMULATION_INVALID` (422) with the example's name as field.
pub(super) fn run(file: &Value) -> Result<Vec<Simulated>, Problem> {
    simulate(&file.to_string()).map(|done| done.examples).map_err(refused)
}

fn refused(error: SimulationError) -> Problem {
    let reason = error.to_string();
    let (field, code) = match error {
        SimulationError::Format(_) => ("file".to_owned(), "FORMAT_INVALID"),
        SimulationError::Table { example, fault, .. } => match fault {
            TableFault::Negative(_) => (example, "NEGATIVE"),
            TableFault::TiersNotRising => (example, "TIERS_NOT_RISING"),
            TableFault::PercentFalling => (example, "PERCENT_FALLING"),
        },
        SimulationError::Negative { example, .. } => (example, "SESSION_NEGATIVE"),
        SimulationError::Beyond { example, .. } => (example, "SESSION_BEYOND"),
        SimulationError::TooMany { example } => (example, "TOO_MANY_SESSIONS"),
        SimulationError::Tariff { example, error: TariffError::NoSuchMonth { .. } } => (example, "MONTH_INVALID"),
        SimulationError::Tariff { example, error: TariffError::TooMuch } => (example, "TOO_MUCH"),
    };
    Problem::unprocessable("SIMULATION_INVALID").field_error(FieldError::new(field, code).param("reason", reason))
}
