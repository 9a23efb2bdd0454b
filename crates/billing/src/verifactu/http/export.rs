//! The records of a period, as a file.

use crate::Billing;
use crate::http::file;
use crate::verifactu::export::{Period, export};
use atalaya_rest::caller::AdminOnly;
use atalaya_rest::extract::Query;
use atalaya_rest::response::ApiResult;
use atalaya_rest::{FieldError, Problem};
use axum::extract::State as Deps;
use axum::response::Response;
use chrono::NaiveDate;
use serde::Deserialize;
use utoipa::IntoParams;

/// Characters of a request's reference at most, as the schema has it.
const REFERENCE_MAX: usize = 18;

/// Which records.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub(super) struct ExportQuery {
    /// The first day on which they were made, `2026-10-01`.
    from: String,
    /// The last one.
    to: String,
    /// That of the inspection's request, 18 characters at most.
    reference: Option<String>,
}

impl ExportQuery {
    fn check(self) -> Result<(Period, Option<String>), Problem> {
        let mut errors = Vec::new();
        let mut day = |field: &'static str, text: &str| {
            let day = text.trim().parse::<NaiveDate>().ok();
            if day.is_none() {
                errors.push(FieldError::new(field, "INVALID"));
            }
            day
        };
        let (from, to) = (day("from", &self.from), day("to", &self.to));
        if let (Some(from), Some(to)) = (from, to)
            && to < from
        {
            errors.push(FieldError::new("to", "INVALID"));
        }
        let reference = self.reference.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
        if reference.as_ref().is_some_and(|text| text.chars().count() > REFERENCE_MAX) {
            errors.push(FieldError::new("reference", "TOO_LONG").param("max", REFERENCE_MAX));
        }
        match (from, to) {
            (Some(from), Some(to)) if errors.is_empty() => Ok((Period { from, to }, reference)),
            _ => Err(Problem::invalid(errors)),
        }
    }
}

/// The records that were made in a period as the XML in which they are sent to the tax office, in the order of the chain; several
/// documents, of 1,000 records each, come in a ZIP.
///
/// Errors: `RECORD_NOT_FOUND` (404) when none was made in it, `INVALID_FIELDS` (422) about `from`, `to`, `reference`.
#[utoipa::path(get, path = "/api/v1/verifactu-export", tag = "verifactu", operation_id = "export_verifactu_records",
    params(ExportQuery),
    responses((status = 200, description = "The records", content_type = "application/xml")), security(("session" = [])))]
pub(super) async fn export_records(
    Deps(d): Deps<Billing>,
    _: AdminOnly,
    Query(query): Query<ExportQuery>,
) -> ApiResult<Response> {
    let (period, reference) = query.check()?;
    let exported = export(&d, period, reference.as_deref()).await?;
    let kind = if exported.several { "application/zip" } else { "application/xml" };
    Ok(file(exported.bytes, kind, "attachment", &exported.name))
}
