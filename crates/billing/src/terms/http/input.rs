//! What an administrator sends: a new price table, a new legal text. All that is wrong is told at once.

use atalaya_content::legal::{LegalKind, NewLegal};
use atalaya_kernel::{CompanyId, Language, calendar};
use atalaya_outreach::notifications::html;
use atalaya_rest::{FieldError, Problem};
use atalaya_tariff::{Cents, Discount, Euros, PriceTable, TableFault};
use chrono::{DateTime, NaiveDate, Utc};
use serde::Deserialize;
use serde_json::Value;
use utoipa::ToSchema;

/// Euros of one price at most.
const MOST_EUROS: i64 = 100_000;
/// Minutes of a limit at most: ten weeks.
const MOST_MINUTES: i64 = 100_000;
const MOST_TIERS: usize = 50;
const TITLE_MAX: usize = 150;
const HTML_MAX: usize = 200_000;

/// A price table to be put beside the others; amounts in euros with at most two decimals.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
#[schema(as = NewPrice)]
#[derive(Default)]
pub(super) struct PriceInput {
    #[schema(value_type = f64)]
    connection: Value,
    #[schema(value_type = f64)]
    other_connections: Value,
    /// Null is no limit.
    #[schema(value_type = Option<i64>)]
    minute_limit: Value,
    #[schema(value_type = f64)]
    exceeded_minute: Value,
    #[schema(value_type = f64)]
    guest_minute: Value,
    #[schema(value_type = f64)]
    min_payment: Value,
    /// `[{to, percent}]`.
    #[schema(value_type = Vec<Object>)]
    discounts: Value,
    /// A moment or a day of Madrid, not in the past; now without it.
    #[schema(value_type = Option<String>)]
    valid_from: Value,
    /// Whom alone it is offered to.
    #[schema(value_type = Option<String>)]
    company_id: Value,
}

/// A table that keeps its rules, but for whether the company exists.
pub(super) struct CheckedPrice {
    pub table: PriceTable,
    pub company: Option<CompanyId>,
    pub valid_from: DateTime<Utc>,
}

impl PriceInput {
    /// Errors: 422 with every wrong field.
    pub fn check(&self, now: DateTime<Utc>) -> Result<CheckedPrice, Problem> {
        let mut errors = Vec::new();
        let mut amount = |field: &'static str, value: &Value| match amount(value) {
            Ok(cents) => cents,
            Err(code) => {
                errors.push(FieldError::new(field, code).param("max", MOST_EUROS));
                Cents(0)
            }
        };
        let mut table = PriceTable {
            connection: amount("connection", &self.connection),
            other_connections: amount("otherConnections", &self.other_connections),
            minute_limit: None,
            exceeded_minute: amount("exceededMinute", &self.exceeded_minute),
            guest_minute: amount("guestMinute", &self.guest_minute),
            min_payment: amount("minPayment", &self.min_payment),
            discounts: Vec::new(),
        };
        match whole(&self.minute_limit) {
            Ok(minutes) => table.minute_limit = minutes,
            Err(code) => errors.push(FieldError::new("minuteLimit", code).param("max", MOST_MINUTES)),
        }
        match tiers(&self.discounts) {
            Ok(discounts) => table.discounts = discounts,
            Err(code) => errors.push(FieldError::new("discounts", code).param("max", MOST_TIERS)),
        }
        match table.check() {
            Ok(()) | Err(TableFault::Negative(_)) => {}
            Err(TableFault::TiersNotRising) => errors.push(FieldError::new("discounts", "TIERS_NOT_RISING")),
            Err(TableFault::PercentFalling) => errors.push(FieldError::new("discounts", "PERCENT_FALLING")),
        }
        let valid_from = moment(&self.valid_from, now).unwrap_or_else(|code| {
            errors.push(FieldError::new("validFrom", code));
            now
        });
        let company = match &self.company_id {
            Value::Null => None,
            value => match value.as_str().and_then(|id| id.parse().ok()) {
                Some(id) => Some(id),
                None => {
                    errors.push(FieldError::new("companyId", "COMPANY_NOT_FOUND"));
                    None
                }
            },
        };
        if errors.is_empty() { Ok(CheckedPrice { table, company, valid_from }) } else { Err(Problem::invalid(errors)) }
    }
}

fn amount(value: &Value) -> Result<Cents, &'static str> {
    if value.is_null() {
        return Err("REQUIRED");
    }
    match Euros::deserialize(value) {
        Err(_) => Err("AMOUNT_INVALID"),
        Ok(Euros(cents)) if cents < Cents(0) => Err("NEGATIVE"),
        Ok(Euros(cents)) if cents > Cents(MOST_EUROS * 100) => Err("TOO_LARGE"),
        Ok(Euros(cents)) => Ok(cents),
    }
}

fn whole(value: &Value) -> Result<Option<i64>, &'static str> {
    match (value, value.as_i64()) {
        (Value::Null, _) => Ok(None),
        (_, None) => Err("WHOLE_NUMBER"),
        (_, Some(..0)) => Err("NEGATIVE"),
        (_, Some(minutes)) if minutes > MOST_MINUTES => Err("TOO_LARGE"),
        (_, minutes) => Ok(minutes),
    }
}

fn tiers(value: &Value) -> Result<Vec<Discount>, &'static str> {
    if value.is_null() {
        return Ok(Vec::new());
    }
    let tiers = Vec::<Discount>::deserialize(value).map_err(|_| "TIERS_INVALID")?;
    if tiers.len() > MOST_TIERS { Err("TOO_MANY") } else { Ok(tiers) }
}

/// A moment or a day of Madrid; now without one, and for any moment of today that has passed.
fn moment(value: &Value, now: DateTime<Utc>) -> Result<DateTime<Utc>, &'static str> {
    let text = match value {
        Value::Null => return Ok(now),
        Value::String(text) if text.trim().is_empty() => return Ok(now),
        Value::String(text) => text.trim(),
        _ => return Err("DATE_INVALID"),
    };
    let day = text.parse::<NaiveDate>().map(calendar::start_of);
    let at = day.or_else(|_| DateTime::parse_from_rfc3339(text).map(|at| at.to_utc())).map_err(|_| "DATE_INVALID")?;
    if at < calendar::start_of(calendar::day(now)) { Err("DATE_PAST") } else { Ok(at.max(now)) }
}

/// A legal text to be put beside the others.
#[derive(Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
#[schema(as = NewLegal)]
pub(super) struct LegalInput {
    /// `1` general conditions, `2` particular conditions.
    #[serde(rename = "type")]
    #[schema(value_type = i16)]
    kind: Value,
    #[schema(value_type = String)]
    title: Value,
    /// Sanitised before it is kept.
    #[schema(value_type = String)]
    html: Value,
    /// A new version begins in Spanish.
    #[schema(value_type = String)]
    language: Value,
    /// A moment or a day of Madrid, not in the past; now without it.
    #[schema(value_type = Option<String>)]
    in_force_from: Value,
    /// A version that is there gets a further language.
    #[schema(value_type = Option<i32>)]
    version: Value,
}

impl LegalInput {
    /// Errors: 422 with every wrong field.
    pub fn check(&self, now: DateTime<Utc>) -> Result<NewLegal, Problem> {
        let mut errors = Vec::new();
        let kind = self.kind.as_i64().and_then(|kind| LegalKind::parse(i16::try_from(kind).ok()?));
        let kind = kind.filter(|kind| kind.is_condition());
        if kind.is_none() {
            errors.push(FieldError::new("type", "INVALID"));
        }
        let title = self.title.as_str().unwrap_or_default().trim().to_owned();
        if title.is_empty() {
            errors.push(FieldError::new("title", "REQUIRED"));
        } else if title.chars().count() > TITLE_MAX {
            errors.push(FieldError::new("title", "TOO_LONG").param("max", TITLE_MAX));
        } else if title.chars().any(|c| c.is_control() || matches!(c, '<' | '>')) {
            errors.push(FieldError::new("title", "CHARACTERS_NOT_ALLOWED"));
        }
        let sent = self.html.as_str().unwrap_or_default();
        let html = if sent.len() > HTML_MAX { String::new() } else { html::sanitise(sent) };
        if sent.len() > HTML_MAX {
            errors.push(FieldError::new("html", "TOO_LONG").param("max", HTML_MAX));
        } else if html::is_blank(&html) {
            errors.push(FieldError::new("html", "REQUIRED"));
        }
        let language = self.language.as_str().and_then(Language::parse);
        if language.is_none() {
            errors.push(FieldError::new("language", "LANGUAGE_UNKNOWN"));
        }
        let version = match &self.version {
            Value::Null => None,
            value => {
                let version = value.as_i64().and_then(|version| i32::try_from(version).ok());
                if version.is_none() {
                    errors.push(FieldError::new("version", "LEGAL_VERSION_UNKNOWN"));
                }
                version
            }
        };
        let in_force_from = moment(&self.in_force_from, now).unwrap_or_else(|code| {
            errors.push(FieldError::new("inForceFrom", code));
            now
        });
        match (kind, language) {
            (Some(kind), Some(language)) if errors.is_empty() => {
                Ok(NewLegal { kind, version, language: language.into(), title, html, in_force_from })
            }
            _ => Err(Problem::invalid(errors)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn now() -> DateTime<Utc> {
        DateTime::parse_from_rfc3339("2026-11-20T09:00:00Z").unwrap().to_utc()
    }

    fn price(change: Value) -> Result<CheckedPrice, Vec<(String, String)>> {
        let mut body = json!({"connection": 6, "otherConnections": 3.5, "minuteLimit": 10, "exceededMinute": 0.35,
            "guestMinute": 0.2, "minPayment": 30, "discounts": [{"to": 100, "percent": 5}, {"to": 50, "percent": 0}]});
        body.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
        let input: PriceInput = serde_json::from_value(body).unwrap();
        let wrong = |problem: Problem| {
            problem.errors().iter().map(|error| (error.field.to_string(), error.code.to_string())).collect::<Vec<_>>()
        };
        input.check(now()).map_err(wrong)
    }

    fn refused(change: Value) -> Vec<(String, String)> {
        price(change).err().unwrap()
    }

    #[test]
    fn tables_are_read_in_euros() {
        let checked = price(json!({})).ok().unwrap();
        assert_eq!((checked.table.other_connections, checked.table.exceeded_minute), (Cents(350), Cents(35)));
        assert_eq!((checked.table.minute_limit, checked.company, checked.valid_from), (Some(10), None, now()));
        assert_eq!(price(json!({"minuteLimit": null})).ok().unwrap().table.minute_limit, None);
        let day = price(json!({"validFrom": "2026-12-01"})).ok().unwrap().valid_from;
        assert_eq!(day.to_rfc3339(), "2026-11-30T23:00:00+00:00");
        assert_eq!(price(json!({"validFrom": "2026-11-20"})).ok().unwrap().valid_from, now(), "today is now");
    }

    // TERMS-2
    #[test]
    fn every_wrong_field_is_told() {
        let all = refused(json!({"connection": null, "otherConnections": 0.005, "minuteLimit": 1.5, "exceededMinute": -1,
            "guestMinute": "x", "minPayment": 1e9, "discounts": "no", "validFrom": "2026-11-19", "companyId": "x"}));
        let expected = [
            ("connection", "REQUIRED"),
            ("otherConnections", "AMOUNT_INVALID"),
            ("exceededMinute", "NEGATIVE"),
            ("guestMinute", "AMOUNT_INVALID"),
            ("minPayment", "TOO_LARGE"),
            ("minuteLimit", "WHOLE_NUMBER"),
            ("discounts", "TIERS_INVALID"),
            ("validFrom", "DATE_PAST"),
            ("companyId", "COMPANY_NOT_FOUND"),
        ];
        assert_eq!(all, expected.map(|(field, code)| (field.to_owned(), code.to_owned())));
        for (tiers, code) in [
            (json!([{"to": 50, "percent": 5}, {"to": 100, "percent": 1}]), "PERCENT_FALLING"),
            (json!([{"to": 50, "percent": 5}, {"to": 50, "percent": 9}]), "TIERS_NOT_RISING"),
            (json!([{"to": 0, "percent": 5}]), "TIERS_NOT_RISING"),
            (json!([{"to": 1.5, "percent": 5}]), "TIERS_INVALID"),
            (json!([{"to": 9, "percent": 100.5}]), "TIERS_INVALID"),
        ] {
            assert_eq!(refused(json!({"discounts": tiers})), [("discounts".to_owned(), code.to_owned())]);
        }
    }
}
