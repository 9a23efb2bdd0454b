//! The activity log as its readers see it: who may read which entries, and how they are worded.

use crate::directory::User;
use crate::{IdentityError, IdentityResult};
use atalaya_content::languages::headings;
use atalaya_kernel::{CompanyId, Language, Role, Status, UserId, calendar};
pub(crate) use atalaya_ledger::{Filter, Logged};
use atalaya_rest::Caller;
use atalaya_rest::xlsx::{self, Cell, WorkbookError};
use chrono::{DateTime, Datelike, Days, NaiveDate, TimeDelta, Utc};
use serde::Serialize;
use serde_json::Value;
use std::collections::HashMap;
use uuid::Uuid;

/// The company whose entries a reader gets; `None` is all. Administrators all, principals their own (AUDIT-2).
///
/// Errors: [`IdentityError::RoleNotAllowed`], [`IdentityError::CompanyNotFound`] for another tenant's.
pub(crate) fn scope(caller: &Caller, wished: Option<CompanyId>) -> IdentityResult<Option<CompanyId>> {
    if caller.is_admin() {
        return Ok(wished);
    }
    if !caller.role.is_principal() {
        return Err(IdentityError::RoleNotAllowed);
    }
    match wished {
        Some(other) if other != caller.company => Err(IdentityError::CompanyNotFound),
        _ => Ok(Some(caller.company)),
    }
}

/// A bound of a time range: a date-time, or a day of Europe/Madrid; both ends are inclusive (AUDIT-3).
///
/// Answers the first moment inside for a beginning, the first moment outside for an end. Errors: 422 about `field`.
pub(crate) fn bound(field: &'static str, text: &str, is_end: bool) -> IdentityResult<Option<DateTime<Utc>>> {
    if text.is_empty() {
        return Ok(None);
    }
    let known = |year: i32| (1900..=9999).contains(&year);
    let parsed = DateTime::parse_from_rfc3339(text).ok();
    if let Some(at) = parsed.filter(|at| known(at.year())) {
        let after = if is_end { TimeDelta::milliseconds(1) } else { TimeDelta::zero() };
        return Ok(at.to_utc().checked_add_signed(after));
    }
    let day: Option<NaiveDate> = text.parse().ok().filter(|day: &NaiveDate| known(day.year()));
    let day = day.and_then(|day| day.checked_add_days(Days::new(u64::from(is_end))));
    day.map(|day| Some(calendar::start_of(day))).ok_or_else(|| IdentityError::invalid(field, "INVALID"))
}

/// An entry on the wire.
#[derive(Serialize, utoipa::ToSchema)]
#[schema(as = AuditLog)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LogView {
    #[serde(rename = "_id")]
    id: Uuid,
    at: DateTime<Utc>,
    /// Key of the text in the namespace `audit`.
    action: String,
    /// Null for a link or the system.
    actor: Option<ActorView>,
    #[schema(value_type = Option<i16>)]
    actor_role: Option<Role>,
    company: LogCompanyView,
    /// Whose account it is about; null when it is about the company.
    user: Option<LogUserView>,
    /// Where the request came from. Hidden from principals when the platform's people acted.
    address: Option<String>,
    #[schema(value_type = Object)]
    detail: Value,
}

#[derive(Serialize, utoipa::ToSchema)]
#[schema(as = AuditActor)]
struct ActorView {
    #[serde(rename = "_id")]
    id: UserId,
    /// As it was then.
    name: String,
}

#[derive(Serialize, utoipa::ToSchema)]
#[schema(as = AuditCompany)]
struct LogCompanyView {
    #[serde(rename = "_id")]
    id: CompanyId,
    company: String,
}

#[derive(Serialize, utoipa::ToSchema)]
#[schema(as = AuditUser)]
#[serde(rename_all = "camelCase")]
struct LogUserView {
    #[serde(rename = "_id")]
    id: UserId,
    name: String,
    user_name: String,
}

/// Names of those whom entries mention.
pub(crate) struct Names {
    pub users: HashMap<UserId, User>,
    pub companies: HashMap<CompanyId, String>,
}

impl LogView {
    pub(crate) fn new(entry: Logged, names: &Names, reader: &Caller) -> Self {
        let actor_role = entry.actor.and_then(|(_, role)| role);
        let platform = matches!(actor_role, Some(Role::Admin | Role::PasswordOperator));
        let company = names.companies.get(&entry.company).cloned().unwrap_or_default();
        let user = |id: UserId| match names.users.get(&id) {
            Some(user) => LogUserView { id, name: user.display_name(), user_name: user.user_name.clone() },
            None => LogUserView { id, name: String::new(), user_name: String::new() },
        };
        Self {
            id: entry.id,
            at: entry.at,
            action: entry.action,
            actor: entry.actor.map(|(id, _)| ActorView { id, name: entry.actor_name }),
            actor_role,
            company: LogCompanyView { id: entry.company, company },
            user: entry.user.map(user),
            address: entry.address.filter(|_| reader.is_admin() || !platform),
            detail: entry.detail,
        }
    }
}

/// The entries as a workbook.
pub(crate) fn workbook(language: Language, logs: &[LogView], now: DateTime<Utc>) -> Result<Vec<u8>, WorkbookError> {
    const HEADINGS: &[(&str, u8)] = &[
        ("sheetAt", 18),
        ("sheetAction", 36),
        ("sheetActor", 28),
        ("sheetActorRole", 18),
        ("sheetCompany", 28),
        ("sheetUser", 30),
        ("sheetAddress", 18),
        ("sheetDetail", 50),
    ];
    let cells = |log: &LogView| {
        let action = crate::audit::Action::ALL.iter().find(|action| action.name() == log.action);
        vec![
            Cell::time(log.at),
            Cell::text(action.map_or(log.action.as_str(), |action| headings::text(language, "audit", action.name()))),
            Cell::text(log.actor.as_ref().map_or(headings::text(language, "audit", "system"), |actor| &actor.name)),
            Cell::optional(log.actor_role.map(|role| headings::role(language, role))),
            Cell::text(&log.company.company),
            Cell::optional(log.user.as_ref().map(|user| &user.user_name)),
            Cell::optional(log.address.as_ref()),
            Cell::text(told(language, &log.action, &log.detail)),
        ]
    };
    let rows: Vec<Vec<Cell>> = logs.iter().map(cells).collect();
    xlsx::workbook(&headings::columns(language, "audit", HEADINGS), &rows, now)
}

/// An entry's facts in one line of words: `Campos: Nombre, Teléfono`. What has no word, such as the id of a row, is left out.
fn told(language: Language, action: &str, detail: &Value) -> String {
    let Value::Object(facts) = detail else { return String::new() };
    let fact = |(name, fact): (&String, &Value)| {
        let label = label(language, name)?;
        let words = said(language, action, name, fact);
        (!words.is_empty()).then(|| format!("{label}: {words}"))
    };
    facts.iter().filter_map(fact).collect::<Vec<_>>().join("; ")
}

/// The word for a fact or a changed field.
fn label(language: Language, name: &str) -> Option<&'static str> {
    let of = |namespace, key: &str| headings::find(language, namespace, key);
    of("audit", &format!("field_{name}")).or_else(|| of("users", name)).or_else(|| of("companies", name))
}

fn said(language: Language, action: &str, name: &str, fact: &Value) -> String {
    let number = fact.as_i64().and_then(|number| i16::try_from(number).ok());
    let role = || number.and_then(|number| Role::try_from(number).ok()).map(|role| headings::role(language, role));
    let status = || number.and_then(|number| Status::try_from(number).ok()).map(|status| headings::status(language, status));
    let word = match (action, name) {
        ("ROLE_CHANGED", "from" | "to") | ("USER_CREATED" | "COMPANY_CREATED" | "INVITED" | "INVITATION_RENEWED", "type") => {
            role()
        }
        ("USER_ACTIVATED" | "USER_DEACTIVATED" | "COMPANY_STATUS_CHANGED", "from" | "to") => status(),
        (_, "type") => return String::new(),
        (_, "kind") => fact.as_str().and_then(|kind| headings::find(language, "audit", &format!("kind_{kind}"))),
        (_, "method") => fact.as_str().and_then(|method| headings::find(language, "audit", &format!("method_{method}"))),
        _ => None,
    };
    match (word, fact) {
        (Some(word), _) => word.to_owned(),
        (None, Value::Bool(yes)) => headings::text(language, "common", if *yes { "yes" } else { "no" }).to_owned(),
        (None, Value::String(field)) if name == "fields" => label(language, field).unwrap_or_default().to_owned(),
        (None, Value::String(text)) => text.clone(),
        (None, Value::Number(number)) => number.to_string(),
        (None, Value::Array(parts)) => {
            let parts = parts.iter().map(|part| said(language, action, name, part)).filter(|part| !part.is_empty());
            parts.collect::<Vec<_>>().join(", ")
        }
        (None, Value::Null | Value::Object(_)) => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn facts_are_words_without_keys_and_ids() {
        let told = |action, detail| told(Language::Es, action, &detail);
        assert_eq!(told("USER_CHANGED", json!({"fields": ["name", "phone", "of_tomorrow"]})), "Campos: Nombre, Teléfono");
        assert_eq!(told("ROLE_CHANGED", json!({"from": 3, "to": 2})), "Antes: Usuario; Después: Cliente");
        assert_eq!(told("SUPPORT_CHANGED", json!({"support": true})), "Soporte: Sí");
        assert_eq!(told("LOGGED_IN", json!({"method": "passkey"})), "Método: llave de acceso");
        let campaign = json!({"campaignId": "018f3b2a-0000-7000-8000-00000000dead", "recipients": 3});
        assert_eq!(told("CAMPAIGN_CREATED", campaign), "Destinatarios: 3");
        assert_eq!((told("X", json!({})), told("X", json!({"unheard": 1, "sender": null}))), (String::new(), String::new()));
    }

    // AUDIT-3
    #[test]
    fn ranges_are_inclusive_and_days_are_madrid_s() {
        let from = |text| bound("from", text, false).unwrap().map(|at| at.to_rfc3339());
        let to = |text| bound("to", text, true).unwrap().map(|at| at.to_rfc3339());
        assert_eq!(from("").as_deref(), None);
        assert_eq!(from("2026-11-20").as_deref(), Some("2026-11-19T23:00:00+00:00"));
        assert_eq!(to("2026-11-20").as_deref(), Some("2026-11-20T23:00:00+00:00"));
        assert_eq!(from("2026-07-01").as_deref(), Some("2026-06-30T22:00:00+00:00"));
        assert_eq!(from("2026-03-29").as_deref(), Some("2026-03-28T23:00:00+00:00"), "the day the clocks go forward");
        assert_eq!(from("2026-11-20T10:00:00Z").as_deref(), Some("2026-11-20T10:00:00+00:00"));
        assert_eq!(to("2026-11-20T10:00:00+01:00").as_deref(), Some("2026-11-20T09:00:00.001+00:00"));
        assert!(matches!(bound("to", "yesterday", true), Err(IdentityError::Invalid(wrong)) if wrong[0].field == "to"));
    }
}
