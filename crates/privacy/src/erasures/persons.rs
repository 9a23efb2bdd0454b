//! The rights of an end client: finding, exporting and erasing their data (RETAIN-17 to RETAIN-20).

use super::entity::{erasure, privacy_request};
use super::error::PrivacyError;
use super::{erasure as erasing, store};
use crate::Privacy;
use atalaya_cases::conferences::model::Wrong;
use atalaya_cases::conferences::{Conference, Scope};
use atalaya_checks::{contact, phone};
use atalaya_identity::audit::{Action, Entry, service as audit};
use atalaya_identity::users;
use atalaya_kernel::{CompanyId, ConferenceId};
use atalaya_rest::caller::Caller;
use serde_json::json;
use uuid::Uuid;

/// Minimum length of a search.
const SEARCH_MIN: usize = 7;
/// Maximum number of conferences of one person.
pub const CONFERENCES_MAX: u64 = 500;
/// Maximum length of a reason.
pub const REASON_MAX: usize = 250;

/// The person who is meant, normalised.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Subject {
    /// E.164.
    Phone(String),
    Email(String),
}

impl Subject {
    /// Reads a phone or e-mail address as typed.
    ///
    /// Errors: `search` `REQUIRED`, `TOO_SHORT` under seven characters, `PHONE_INVALID`, `EMAIL_INVALID`.
    pub fn parse(text: &str) -> Result<Self, PrivacyError> {
        let text = text.trim();
        let wrong = |code| PrivacyError::Invalid(vec![Wrong { field: "search", code, max: None }]);
        match () {
            () if text.is_empty() => Err(wrong("REQUIRED")),
            () if text.chars().count() < SEARCH_MIN => Err(wrong("TOO_SHORT")),
            () if text.contains('@') => {
                if contact::is_email(text) {
                    Ok(Self::Email(text.to_owned()))
                } else {
                    Err(wrong("EMAIL_INVALID"))
                }
            }
            () => phone::to_e164(text).map(Self::Phone).map_err(|_| wrong("PHONE_INVALID")),
        }
    }

    pub fn as_str(&self) -> &str {
        match self {
            Self::Phone(text) | Self::Email(text) => text,
        }
    }

    pub fn masked(&self) -> String {
        match self {
            Self::Phone(text) => phone::mask(text),
            Self::Email(text) => contact::mask_email(text),
        }
    }
}

/// A reason of 1 to 250 characters.
pub fn reason(text: &str) -> Result<String, PrivacyError> {
    let text = text.trim();
    let wrong = |code, max| Err(PrivacyError::Invalid(vec![Wrong { field: "reason", code, max }]));
    match text.chars().count() {
        0 => wrong("REQUIRED", None),
        n if n > REASON_MAX => wrong("TOO_LONG", Some(REASON_MAX)),
        _ => Ok(text.to_owned()),
    }
}

/// A company's conferences with a person, newest first; erased conferences belong to nobody.
pub async fn find(
    deps: &Privacy,
    caller: &Caller,
    company: CompanyId,
    subject: &Subject,
) -> Result<Vec<Conference>, PrivacyError> {
    Ok(store::list_of_person(deps.db.read(), Scope::of(caller), company, subject, CONFERENCES_MAX).await?)
}

/// The kind of request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Export,
    Erasure,
}

/// Writes the request into the company's register and the activity log.
pub async fn record(
    deps: &Privacy,
    caller: &Caller,
    company: CompanyId,
    subject: &Subject,
    (kind, reason): (Kind, Option<String>),
    conferences: usize,
) -> Result<Uuid, PrivacyError> {
    let by_name = users::service::display_name(&deps.identity, caller.user).await?;
    let (name, action) = match kind {
        Kind::Export => ("export", Action::PersonExported),
        Kind::Erasure => ("erasure", Action::PersonErased),
    };
    let row = privacy_request::Model {
        id: deps.sources.uuid(),
        company_id: company.0,
        by_id: caller.user.0,
        by_name,
        kind: name.into(),
        subject: subject.masked(),
        reason,
        conferences: i32::try_from(conferences).unwrap_or(i32::MAX),
        at: deps.sources.now(),
    };
    let tx = deps.db.write().await?;
    let row = store::insert_request(&tx, row).await?;
    let detail = json!({"conferences": conferences, "requestId": row.id.to_string()});
    audit::record(&deps.identity, &tx, Entry { detail, ..Entry::company(action, company).by(caller) }).await?;
    tx.commit().await?;
    Ok(row.id)
}

/// Erases every conference of a person at a company. After an interruption, asking again erases the rest.
///
/// Errors: `PERSON_UNKNOWN` (404), `CONFERENCE_OPEN` (409, then nothing is erased), those of [`erasing::erase`].
pub async fn erase(
    deps: &Privacy,
    caller: &Caller,
    company: CompanyId,
    subject: &Subject,
    reason: String,
) -> Result<Vec<erasure::Model>, PrivacyError> {
    let rows = find(deps, caller, company, subject).await?;
    match () {
        () if rows.is_empty() => return Err(PrivacyError::PersonUnknown),
        () if rows.iter().any(|row| !row.closed) => return Err(PrivacyError::Open),
        () => {}
    }
    let request = record(deps, caller, company, subject, (Kind::Erasure, Some(reason.clone())), rows.len()).await?;
    let mut erasures = Vec::with_capacity(rows.len());
    for row in rows {
        erasures.push(erasing::erase(deps, caller, ConferenceId(row.id), &reason, Some(request)).await?);
    }
    Ok(erasures)
}

#[cfg(test)]
mod tests {
    use super::*;

    // RETAIN-17
    #[test]
    fn a_person_is_a_whole_phone_or_address() {
        assert_eq!(Subject::parse(" 600 123 456 ").ok(), Some(Subject::Phone("+34600123456".into())));
        assert_eq!(Subject::parse("ana@x.es").ok(), Some(Subject::Email("ana@x.es".into())));
        for (text, code) in
            [("", "REQUIRED"), ("600123", "TOO_SHORT"), ("ana@ana", "EMAIL_INVALID"), ("maría p", "PHONE_INVALID")]
        {
            let Err(PrivacyError::Invalid(wrong)) = Subject::parse(text) else { panic!("{text}") };
            assert_eq!((wrong[0].field, wrong[0].code), ("search", code), "{text}");
        }
    }

    // RETAIN-8
    #[test]
    fn a_reason_is_given_and_bounded() {
        assert!(reason(&"ñ".repeat(249)).is_ok() && reason(&"ñ".repeat(250)).is_ok());
        assert!(reason("  ").is_err() && reason(&"ñ".repeat(251)).is_err());
    }
}
