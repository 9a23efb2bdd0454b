//! A list as a workbook (CASE-24).

use super::model::DurationState;
use super::rows::{self, ConferenceRow};
use super::store::Reader;
use crate::Cases;
use crate::conferences::ConferenceError;
use atalaya_content::languages::text;
use atalaya_kernel::{Language, Role};
use atalaya_rest::xlsx::{Cell, Column};
use chrono::{DateTime, Utc};
use futures::{Stream, stream};

/// Heading (key of namespace `conferences`) and width of each column; the last ones are the administrator's.
const COLUMNS: &[(&str, u8)] = &[
    ("date", 17),
    ("expedient", 18),
    ("customer", 28),
    ("user", 22),
    ("contact", 22),
    ("phone", 16),
    ("address", 40),
    ("city", 20),
    ("plate", 12),
    ("durationSeconds", 14),
    ("duration", 24),
    ("cancelledBy", 22),
    ("files", 10),
];
const DERIVED: &[(&str, u8)] = &[("browser", 14), ("os", 16), ("observations", 28), ("geo", 16), ("pictures", 8), ("videos", 8)];

/// The columns under translated headings.
pub(super) fn columns(admin: bool, language: Language) -> Vec<Column> {
    let heading = |(key, width): &(&'static str, u8)| Column::new(text(language, "conferences", key), *width);
    let derived = if admin { DERIVED } else { &[] };
    COLUMNS.iter().chain(derived).map(heading).collect()
}

/// The lines of a list, a batch at a time.
pub(super) fn lines(
    deps: Cases,
    reader: Reader,
    role: Role,
    (language, now): (Language, DateTime<Utc>),
) -> impl Stream<Item = Result<Vec<Vec<Cell>>, ConferenceError>> + Send {
    stream::try_unfold((deps, reader), move |(deps, mut reader)| async move {
        let found = reader.next(deps.db.read()).await?;
        if found.is_empty() {
            return Ok::<_, ConferenceError>(None);
        }
        let rows = rows::plain(&deps, &found, role, now).await?;
        let lines: Vec<Vec<Cell>> = rows.iter().map(|row| line(row, language)).collect();
        Ok(Some((lines, (deps, reader))))
    })
}

fn line(row: &ConferenceRow, language: Language) -> Vec<Cell> {
    let of = &row.conference;
    let mut cells = vec![
        Cell::time(of.created_at),
        Cell::text(&of.expedient_number),
        Cell::text(&of.customer_name),
        Cell::text(&of.user_name),
        Cell::optional(of.contact_person.as_deref()),
        Cell::text(&of.phone_number),
        Cell::optional(of.full_address.as_deref().or(of.address.as_deref())),
        Cell::optional(of.city.as_deref()),
        Cell::optional(of.car_id.as_deref()),
        of.duration.map_or(Cell::Empty, |seconds| Cell::Number(seconds as f64)),
        Cell::text(duration(row, language)),
        Cell::optional(canceller(row, language)),
        Cell::Number(f64::from(row.files)),
    ];
    if let Some(derived) = &row.derived {
        cells.extend([
            Cell::optional(derived.browser.as_deref()),
            Cell::optional(derived.os.as_deref()),
            Cell::text(text(language, "conferences", observation_key(derived.observations))),
            Cell::Flag(derived.geolocation),
            Cell::Number(f64::from(derived.pictures)),
            Cell::Number(f64::from(derived.videos)),
        ]);
    }
    cells
}

/// What the screen shows for the duration.
fn duration(row: &ConferenceRow, language: Language) -> String {
    let key = match row.duration_state {
        DurationState::Seconds => return format!("{} s", row.conference.duration.unwrap_or_default()),
        DurationState::LessThanTen => "lt10",
        DurationState::Pending | DurationState::NotExpired => "pending",
        DurationState::NoSession => "noSession",
    };
    text(language, "conferences", key).to_owned()
}

/// Who cancelled it; one of ours where the name is not known any more.
fn canceller(row: &ConferenceRow, language: Language) -> Option<&str> {
    let name = row.cancelled_by.as_deref()?;
    Some(if name.is_empty() { text(language, "call", "sideStaff") } else { name })
}

fn observation_key(state: &str) -> &'static str {
    match state {
        "pending" => "obsPending",
        "correct" => "obsCorrect",
        "noLink" => "obsNoLink",
        "noLegal" => "obsNoLegal",
        "permissions" => "obsPermissions",
        _ => "obsUnknown",
    }
}
