//! What only an administrator may change of a company. From others these keys are not even read (COMPANY-4). Pure.

use super::form::sent;
use crate::insurers::model::parse_ids;
use atalaya_checks::creditor;
use atalaya_kernel::{CompanyKind, InsuranceId, Status};
use atalaya_rest::FieldError;
use chrono::{DateTime, Datelike, NaiveDate, Utc};
use serde::Deserialize;
use serde_json::Value;

/// Days that media may be kept at most: ten years.
const RETENTION_MAX: i64 = 3650;
/// Characters of the entry in the commercial registry.
const REGISTRY_MAX: usize = 500;

/// As received, of any type: an invalid value from somebody who may not set it is no error.
#[derive(Clone, Debug, Default, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct PrivilegedInput {
    #[schema(value_type = Option<i16>, minimum = 0, maximum = 5)]
    pub status: Option<Value>,
    /// A moment, or a day in Madrid; null clears it.
    #[serde(rename = "pay_startAt", deserialize_with = "sent")]
    #[schema(value_type = Option<String>)]
    pub pay_start_at: Option<Option<Value>>,
    #[serde(deserialize_with = "sent")]
    #[schema(value_type = Option<i32>)]
    pub retention_days: Option<Option<Value>>,
    /// Ids of the insurance companies a customer works for.
    #[schema(value_type = Option<Vec<String>>)]
    pub insurers: Option<Value>,
    /// Of the platform company: its entry in the commercial registry.
    #[serde(deserialize_with = "sent")]
    #[schema(value_type = Option<String>)]
    pub registry_data: Option<Option<Value>>,
    #[serde(deserialize_with = "sent")]
    #[schema(value_type = Option<String>)]
    pub bic: Option<Option<Value>>,
    /// Of the SEPA creditor identifier: three letters or digits.
    #[serde(deserialize_with = "sent")]
    #[schema(value_type = Option<String>)]
    pub creditor_suffix: Option<Option<Value>>,
}

/// The same, understood. `None`: unchanged.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Privileged {
    pub status: Option<Status>,
    pub pay_start_at: Option<Option<DateTime<Utc>>>,
    pub retention_days: Option<Option<i32>>,
    pub insurers: Option<Vec<InsuranceId>>,
    pub registry_data: Option<Option<String>>,
    pub bic: Option<Option<String>>,
    pub creditor_suffix: Option<Option<String>>,
}

/// Understands every key and answers all mistakes together. The status of the platform company never changes, and only
/// it has the data of an issuer; only customers have insurance companies.
///
/// Codes: `INVALID`, `DATE_INVALID`, `NUMBER_RANGE`, `TOO_LONG`, `BIC_INCORRECT`, `SUFFIX_INCORRECT`.
pub fn check(input: &PrivilegedInput, kind: CompanyKind) -> Result<Privileged, Vec<FieldError>> {
    let mut errors = Vec::new();
    let mut found = Privileged {
        retention_days: keep(&mut errors, input.retention_days.as_ref().map(|days| nullable(days.as_ref(), retention))),
        ..Privileged::default()
    };
    if kind == CompanyKind::Platform {
        found.registry_data = keep(&mut errors, input.registry_data.as_ref().map(|text| nullable(text.as_ref(), registry)));
        found.bic = keep(&mut errors, input.bic.as_ref().map(|text| nullable(text.as_ref(), bic)));
        found.creditor_suffix = keep(&mut errors, input.creditor_suffix.as_ref().map(|text| nullable(text.as_ref(), suffix)));
    } else {
        found.status = keep(&mut errors, input.status.as_ref().map(status));
        found.pay_start_at = keep(&mut errors, input.pay_start_at.as_ref().map(|at| nullable(at.as_ref(), pay_start)));
    }
    if kind == CompanyKind::Customer {
        found.insurers = keep(&mut errors, input.insurers.as_ref().map(parse_ids));
    }
    if errors.is_empty() { Ok(found) } else { Err(errors) }
}

fn keep<T>(errors: &mut Vec<FieldError>, result: Option<Result<T, FieldError>>) -> Option<T> {
    match result? {
        Ok(value) => Some(value),
        Err(error) => {
            errors.push(error);
            None
        }
    }
}

/// Null and the empty text both mean: none.
fn nullable<T>(value: Option<&Value>, read: fn(&Value) -> Result<T, FieldError>) -> Result<Option<T>, FieldError> {
    match value {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) if text.trim().is_empty() => Ok(None),
        Some(value) => read(value).map(Some),
    }
}

fn status(value: &Value) -> Result<Status, FieldError> {
    let number = value.as_i64().and_then(|number| i16::try_from(number).ok());
    number.and_then(|number| Status::try_from(number).ok()).ok_or_else(|| FieldError::new("status", "INVALID"))
}

/// Years a payment may start in; others are slips of the keyboard, which databases and workbooks read differently.
const PAY_START_YEARS: std::ops::RangeInclusive<i32> = 2000..=2200;

fn pay_start(value: &Value) -> Result<DateTime<Utc>, FieldError> {
    let text = value.as_str().unwrap_or_default();
    let moment = DateTime::parse_from_rfc3339(text).ok().map(|at| at.to_utc());
    let day = || text.parse::<NaiveDate>().ok().map(atalaya_kernel::calendar::start_of);
    let start = moment.or_else(day).filter(|start| PAY_START_YEARS.contains(&start.year()));
    start.ok_or_else(|| FieldError::new("pay_startAt", "DATE_INVALID"))
}

fn retention(value: &Value) -> Result<i32, FieldError> {
    let days = value.as_i64().filter(|days| (1..=RETENTION_MAX).contains(days)).and_then(|days| i32::try_from(days).ok());
    days.ok_or_else(|| FieldError::new("retentionDays", "NUMBER_RANGE").param("min", 1).param("max", RETENTION_MAX))
}

fn registry(value: &Value) -> Result<String, FieldError> {
    let text = value.as_str().ok_or_else(|| FieldError::new("registryData", "INVALID"))?.trim();
    if text.chars().count() > REGISTRY_MAX {
        return Err(FieldError::new("registryData", "TOO_LONG").param("max", REGISTRY_MAX));
    }
    if text.chars().any(|c| c.is_control() && c != '\n') {
        return Err(FieldError::new("registryData", "CHARACTERS_NOT_ALLOWED"));
    }
    Ok(text.to_owned())
}

fn bic(value: &Value) -> Result<String, FieldError> {
    creditor::bic(value.as_str().unwrap_or_default()).ok_or_else(|| FieldError::new("bic", "BIC_INCORRECT"))
}

fn suffix(value: &Value) -> Result<String, FieldError> {
    creditor::suffix(value.as_str().unwrap_or_default()).ok_or_else(|| FieldError::new("creditorSuffix", "SUFFIX_INCORRECT"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn of(value: Value, kind: CompanyKind) -> Result<Privileged, Vec<String>> {
        let input: PrivilegedInput = serde_json::from_value(value).expect("any value is read");
        check(&input, kind).map_err(|errors| errors.into_iter().map(|error| error.field.into_owned()).collect())
    }

    #[test]
    fn good_values_are_understood() {
        let id = "018f3b2a-0000-7000-8000-000000000001";
        let found = of(
            json!({"status": 5, "pay_startAt": "2026-12-01", "retentionDays": null, "insurers": [id, id]}),
            CompanyKind::Customer,
        )
        .unwrap();
        assert_eq!(found.status, Some(Status::Unpaid));
        assert_eq!(found.pay_start_at.unwrap().unwrap().to_rfc3339(), "2026-11-30T23:00:00+00:00", "midnight in Madrid");
        assert_eq!(found.retention_days, Some(None));
        assert_eq!(found.insurers.unwrap().len(), 1);
        assert_eq!(of(json!({}), CompanyKind::Customer), Ok(Privileged::default()));
    }

    #[test]
    fn all_mistakes_are_told_together() {
        let wrong = json!({"status": "2", "pay_startAt": "tomorrow", "retentionDays": 0, "insurers": ["x"]});
        assert_eq!(
            of(wrong, CompanyKind::Customer),
            Err(["retentionDays", "status", "pay_startAt", "insuranceCompanies"].map(Into::into).into())
        );
        assert!(of(json!({"status": 6}), CompanyKind::Repairer).is_err());
        assert!(of(json!({"retentionDays": 3651}), CompanyKind::Repairer).is_err());
    }

    // COMPANY-5
    #[test]
    fn an_issuer_s_data_are_the_platform_s() {
        let issuer = json!({"bic": "caixesbb xxx", "creditorSuffix": "0a1", "registryData": "Tomo 1", "status": 1});
        let found = of(issuer.clone(), CompanyKind::Platform).unwrap();
        assert_eq!(found.bic, Some(Some("CAIXESBBXXX".into())));
        assert_eq!(found.creditor_suffix, Some(Some("0A1".into())));
        assert_eq!(found.status, None);
        let found = of(issuer, CompanyKind::Customer).unwrap();
        assert_eq!((found.bic, found.status), (None, Some(Status::Inactive)));
        let wrong = json!({"bic": "X", "creditorSuffix": "ÑÑÑ", "registryData": 7});
        assert_eq!(of(wrong, CompanyKind::Platform).unwrap_err().len(), 3);
    }
}
