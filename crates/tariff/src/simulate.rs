//! `atalaya billing simulate FILE`: the tariff tried on a file, for accountants (issue 6). No database is touched.
//!
//! The file is that of the pricing vectors: `{examples: […]}`, or one example alone. Answers the same shape: each
//! example's name and its `expected` fields, calculated.

use crate::{
    Accepted, Customer, Line, LineCode, Month, Nothing, Outcome, Session, TableFault, TariffError, VatRegime, statement,
};
use chrono::{DateTime, Datelike, FixedOffset, TimeDelta, Utc};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Maximum number of sessions that all `generate` fields of a file stand for.
const MOST_GENERATED: u32 = 1_000_000;
/// Seconds of a session at most: a leap year.
const MOST_SECONDS: i64 = 366 * 86_400;
/// Years in which sessions may begin.
const YEARS: std::ops::RangeInclusive<i32> = 1970..=9999;

/// What is wrong with a file; names the example.
#[derive(Debug, thiserror::Error)]
pub enum SimulationError {
    #[error("the file is not in the format of pricing examples: {0}")]
    Format(#[from] serde_json::Error),
    #[error("{example}: price {price}: {fault}")]
    Table { example: String, price: String, fault: TableFault },
    #[error("{example}: session of {conference}: seconds must not be below 0")]
    Negative { example: String, conference: String },
    #[error("{example}: session of {conference}: longer than a year, or outside the years 1970 to 9999")]
    Beyond { example: String, conference: String },
    #[error("{example}: at most {MOST_GENERATED} sessions can be generated")]
    TooMany { example: String },
    #[error("{example}: {error}")]
    Tariff { example: String, error: TariffError },
}

#[derive(Deserialize)]
#[serde(untagged)]
enum File {
    Many { examples: Vec<Example> },
    One(Box<Example>),
}

#[derive(Deserialize)]
struct Example {
    #[serde(default)]
    name: String,
    year: i32,
    month: u32,
    customer: CustomerInput,
    prices: Vec<Accepted>,
    sessions: Sessions,
}

#[derive(Deserialize)]
struct CustomerInput {
    created_at: DateTime<FixedOffset>,
    #[serde(rename = "pay_startAt", default)]
    pay_start_at: Option<DateTime<FixedOffset>>,
    #[serde(rename = "postalCode", default)]
    postal_code: String,
    /// Status active (2) unless said otherwise.
    #[serde(default)]
    status: Option<u8>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Sessions {
    Listed(Vec<SessionInput>),
    Generated { generate: Generate },
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct SessionInput {
    conference_id: String,
    expedient_number: String,
    start: DateTime<FixedOffset>,
    seconds: i64,
    #[serde(default)]
    guests: Vec<i64>,
}

/// `count` sessions, the i-th (from 0) at `first` + i·`everyMinutes`, numbered from 1 in the ids' `%05d`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Generate {
    count: u32,
    seconds: i64,
    first: DateTime<FixedOffset>,
    every_minutes: u32,
    conference_id: String,
    expedient_number: String,
}

/// The answer: one per example, in the file's order.
#[derive(Debug, Serialize)]
pub struct Simulation {
    pub examples: Vec<Simulated>,
}

#[derive(Debug, Serialize)]
pub struct Simulated {
    pub name: String,
    pub expected: Value,
}

/// Calculates every example of a file. Errors name the example and what is wrong with it.
pub fn simulate(file: &str) -> Result<Simulation, SimulationError> {
    let examples = match serde_json::from_str(file)? {
        File::Many { examples } => examples,
        File::One(example) => vec![*example],
    };
    let mut left = MOST_GENERATED;
    Ok(Simulation { examples: examples.into_iter().map(|example| one(example, &mut left)).collect::<Result<_, _>>()? })
}

fn one(example: Example, left: &mut u32) -> Result<Simulated, SimulationError> {
    let Example { name, year, month, customer, prices, sessions } = example;
    let named = |error| SimulationError::Tariff { example: name.clone(), error };
    for price in &prices {
        let wrong = |fault| SimulationError::Table { example: name.clone(), price: price.id.clone(), fault };
        price.table.check().map_err(wrong)?;
    }
    let sessions = sessions.listed(&name, left)?;
    let month = Month::new(year, month).map_err(named)?;
    let customer = Customer {
        pay_start: customer.pay_start_at.unwrap_or(customer.created_at).to_utc(),
        regime: VatRegime::of_postal_code(&customer.postal_code),
        active: customer.status.is_none_or(|status| status == 2),
    };
    let outcome = statement(month, &customer, &prices, &sessions).map_err(named)?;
    Ok(Simulated { expected: shown(month, &outcome), name })
}

impl Sessions {
    fn listed(self, example: &str, left: &mut u32) -> Result<Vec<Session>, SimulationError> {
        let sessions = match self {
            Self::Listed(listed) => listed.into_iter().map(SessionInput::session).collect::<Vec<_>>(),
            Self::Generated { generate } => {
                let rest = left.checked_sub(generate.count);
                *left = rest.ok_or_else(|| SimulationError::TooMany { example: example.to_owned() })?;
                let sessions = (0..generate.count).map(|nth| generate.session(nth)).collect::<Option<_>>();
                let conference = generate.conference_id;
                sessions.ok_or_else(|| SimulationError::Beyond { example: example.to_owned(), conference })?
            }
        };
        for session in &sessions {
            let (example, conference) = (example.to_owned(), session.conference.clone());
            let mut lengths = session.guests.iter().chain([&session.seconds]);
            if lengths.clone().any(|seconds| *seconds < 0) {
                return Err(SimulationError::Negative { example, conference });
            }
            if lengths.any(|seconds| *seconds > MOST_SECONDS) || !YEARS.contains(&session.start.year()) {
                return Err(SimulationError::Beyond { example, conference });
            }
        }
        Ok(sessions)
    }
}

impl SessionInput {
    fn session(self) -> Session {
        Session {
            conference: self.conference_id,
            expedient: self.expedient_number,
            start: self.start.to_utc(),
            seconds: self.seconds,
            guests: self.guests,
        }
    }
}

impl Generate {
    /// `None` beyond the calendar.
    fn session(&self, nth: u32) -> Option<Session> {
        let numbered = |pattern: &str| pattern.replace("%05d", &format!("{:05}", nth + 1));
        let after = TimeDelta::try_minutes(i64::from(nth) * i64::from(self.every_minutes))?;
        let start: DateTime<Utc> = self.first.to_utc().checked_add_signed(after)?;
        Some(Session {
            conference: numbered(&self.conference_id),
            expedient: numbered(&self.expedient_number),
            start,
            seconds: self.seconds,
            guests: Vec::new(),
        })
    }
}

/// The names of the vectors' `expected`.
fn shown(month: Month, outcome: &Outcome) -> Value {
    let period = month.name();
    let invoice = match outcome {
        Outcome::None(Nothing::Trial) => {
            return json!({"period": period, "invoice": null, "why": "trial: payment has not started"});
        }
        Outcome::None(Nothing::NothingToInvoice { connections }) => {
            return json!({"period": period, "connections": connections, "invoice": null, "why": "nothing to invoice"});
        }
        Outcome::Invoice(invoice) => invoice,
    };
    json!({
        "period": period,
        "connections": invoice.connections,
        "lines": invoice.lines.iter().map(line).collect::<Vec<_>>(),
        "subtotal": invoice.subtotal,
        "discountPercent": invoice.discount,
        "net": invoice.net,
        "minimum": invoice.minimum,
        "base": invoice.base,
        "vatRate": f64::from(invoice.vat_rate.0) / 100.0,
        "vat": invoice.vat,
        "total": invoice.total,
    })
}

fn line(line: &Line) -> Value {
    match line {
        Line::Consumption { code, price_id, quantity, unit, amount } => {
            json!({"code": code_name(*code), "priceId": price_id, "quantity": quantity, "unit": unit, "amount": amount})
        }
        Line::Discount { percent, amount } => {
            json!({"code": "discount", "percent": percent, "amount": amount})
        }
        Line::Minimum { amount, days, days_in_month, minimum } => {
            json!({"code": "minimum", "amount": amount, "days": days, "daysInMonth": days_in_month, "minimum": minimum})
        }
    }
}

fn code_name(code: LineCode) -> &'static str {
    match code {
        LineCode::Connection => "connection",
        LineCode::OtherConnections => "otherConnections",
        LineCode::ExceededMinute => "exceededMinute",
        LineCode::GuestMinute => "guestMinute",
        LineCode::Discount => "discount",
        LineCode::Minimum => "minimum",
    }
}
