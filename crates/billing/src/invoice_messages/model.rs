//! What can be said of an invoice. Pure.

use atalaya_rest::FieldError;
use chrono::{DateTime, NaiveDate, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

const REASON_MAX: usize = 500;

/// What the recipient did with it; names as on the wire and in the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = InvoiceMessageStatus)]
pub(super) enum Status {
    Accepted,
    Rejected,
    Paid,
}

impl Status {
    const ALL: [Self; 3] = [Self::Accepted, Self::Rejected, Self::Paid];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Accepted => "accepted",
            Self::Rejected => "rejected",
            Self::Paid => "paid",
        }
    }

    pub(super) fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.name() == name)
    }
}

/// What is said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Said {
    pub status: Status,
    /// On which it happened.
    pub day: NaiveDate,
    pub reason: Option<String>,
}

/// A message as it is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Message {
    pub id: Uuid,
    pub said: Said,
    /// The recipient's principal wrote it himself; else an administrator, what came by another way.
    pub by_customer: bool,
    pub user: Uuid,
    pub at: DateTime<Utc>,
}

/// Checks what is said of an invoice of `issued`.
///
/// Errors: `DATE_IN_FUTURE`, `DATE_BEFORE_ISSUE` on `day`; `TOO_LONG` and, of what is rejected, `REQUIRED` on `reason`.
pub(super) fn checked(said: Said, issued: NaiveDate, today: NaiveDate) -> Result<Said, Vec<FieldError>> {
    let reason = said.reason.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
    let mut wrong = Vec::new();
    if said.day > today {
        wrong.push(FieldError::new("day", "DATE_IN_FUTURE"));
    } else if said.day < issued {
        wrong.push(FieldError::new("day", "DATE_BEFORE_ISSUE"));
    }
    match &reason {
        None if said.status == Status::Rejected => wrong.push(FieldError::new("reason", "REQUIRED")),
        Some(text) if text.chars().count() > REASON_MAX => {
            wrong.push(FieldError::new("reason", "TOO_LONG").param("max", REASON_MAX));
        }
        _ => {}
    }
    if wrong.is_empty() { Ok(Said { reason, ..said }) } else { Err(wrong) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(text: &str) -> NaiveDate {
        text.parse().expect("a day")
    }

    // EINV-16
    #[test]
    fn a_rejection_has_a_reason_and_every_day_lies_between_issue_and_today() {
        let say = |status, at: &str, reason: Option<&str>| {
            let said = Said { status, day: day(at), reason: reason.map(str::to_owned) };
            let found = checked(said, day("2026-11-02"), day("2026-11-10"));
            let named =
                |errors: Vec<FieldError>| errors.iter().map(|one| format!("{} {}", one.field, one.code)).collect::<Vec<_>>();
            found.map(|said| said.reason).map_err(named)
        };
        let wrong = |field: &str, code: &str| Err(vec![format!("{field} {code}")]);
        assert_eq!(say(Status::Accepted, "2026-11-02", Some("  ")), Ok(None));
        assert_eq!(say(Status::Rejected, "2026-11-10", Some(" Importe ")), Ok(Some("Importe".to_owned())));
        assert_eq!(say(Status::Rejected, "2026-11-10", None), wrong("reason", "REQUIRED"));
        assert_eq!(say(Status::Paid, "2026-11-11", None), wrong("day", "DATE_IN_FUTURE"));
        assert_eq!(say(Status::Paid, "2026-11-01", None), wrong("day", "DATE_BEFORE_ISSUE"));
        assert_eq!(say(Status::Accepted, "2026-11-02", Some(&"x".repeat(501))), wrong("reason", "TOO_LONG"));
        assert!(Status::ALL.into_iter().all(|status| Status::parse(status.name()) == Some(status)));
    }
}
