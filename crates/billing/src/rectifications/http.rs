//! Rectifying and annulling invoices; administrators only.

use super::calculation::Wanted;
use super::{RectificationError, service};
use crate::Billing;
use crate::invoices::http::view::InvoiceBody;
use atalaya_identity::auth::service::Origin;
use atalaya_kernel::InvoiceId;
use atalaya_rest::{AdminOnly, ApiResult, Created, FieldError, Json, Path, Problem, RequestLanguage};
use atalaya_tariff::{Cents, Euros, Ground, Relief, ReliefFault};
use axum::extract::State;
use serde::Deserialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// Characters of a reason, and of what a line is for.
const REASON_MAX: usize = 500;
/// Lines of differences at most.
const LINES_MAX: usize = 50;

pub(crate) fn routes(d: Billing) -> OpenApiRouter {
    OpenApiRouter::new().routes(routes!(rectify)).routes(routes!(cancel)).with_state(d)
}

impl From<RectificationError> for Problem {
    fn from(error: RectificationError) -> Problem {
        let code = error.code();
        match error {
            RectificationError::NotRectifiable | RectificationError::TooOld => Problem::conflict(code),
            RectificationError::AmountZero { field }
            | RectificationError::AmountTooLow { field }
            | RectificationError::AmountTooHigh { field } => Problem::invalid([FieldError::new(field, code)]),
            RectificationError::Relief(faults) => Problem::invalid(faults.into_iter().map(relief_fault)),
            RectificationError::AmountOutOfRange { field, max_euros } => {
                Problem::invalid([FieldError::new(field, code).param("min", -max_euros).param("max", max_euros)])
            }
        }
    }
}

fn relief_fault(fault: ReliefFault) -> FieldError {
    let error = FieldError::new(fault.field, fault.code);
    match fault.day {
        Some(day) => error.param("day", day.format("%d/%m/%Y")),
        None => error,
    }
}

/// What a rectifying invoice does.
#[derive(Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
#[schema(as = RectificationKind)]
enum RectificationKind {
    /// Adds or takes off some of the taxable base.
    Differences,
    /// Brings the whole invoice back to nothing.
    ToZero,
}

/// Which law lets an invoice be rectified; it decides the type of the record.
#[derive(Clone, Copy, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
#[schema(as = RectificationCause)]
enum Cause {
    /// Amount, price, discount or recipient were wrong: R1.
    #[default]
    Error,
    /// The recipient is insolvent (art. 80.Three): R2, by an accountant's decision.
    Insolvency,
    /// A bad debt (art. 80.Four): R3, by an accountant's decision.
    BadDebt,
    /// The invoice lacked something that art. 6 wants: R4.
    Other,
}

impl Cause {
    fn invoice_type(self) -> &'static str {
        match self {
            Self::Error => "R1",
            Self::Insolvency => "R2",
            Self::BadDebt => "R3",
            Self::Other => "R4",
        }
    }
}

/// A difference.
#[derive(Deserialize, ToSchema)]
#[schema(as = RectificationLine)]
struct LineInput {
    /// What it is for.
    description: String,
    /// Of the taxable base, with its sign.
    amount: Euros,
}

#[derive(Deserialize, ToSchema)]
#[schema(as = Rectification)]
struct RectifyInput {
    /// Why, as printed; 500 characters at most.
    reason: String,
    kind: RectificationKind,
    #[serde(default)]
    cause: Cause,
    /// Difference of the taxable base with its sign; of `differences`, instead of `lines`.
    #[serde(default)]
    amount: Option<Euros>,
    #[serde(default)]
    lines: Option<Vec<LineInput>>,
    /// Of `to-zero`: the month may then be invoiced anew.
    #[serde(default)]
    reissue: bool,
    /// What art. 80 asks for, of `insolvency` and `bad-debt`.
    #[serde(default)]
    relief: Relief,
}

impl RectifyInput {
    fn check(self) -> Result<Wanted, Problem> {
        let mut errors = Vec::new();
        let reason = self.reason.trim().to_owned();
        errors.extend(text_fault("reason".into(), &reason));
        let to_zero = self.kind == RectificationKind::ToZero;
        let mut lines: Vec<(String, Cents)> = Vec::new();
        let field = if self.lines.is_some() { "lines" } else { "amount" };
        match (self.amount, self.lines) {
            _ if to_zero => {}
            (_, Some(given)) if given.len() > LINES_MAX => {
                errors.push(FieldError::new("lines", "TOO_MANY").param("max", LINES_MAX));
            }
            (_, Some(given)) => {
                for (at, line) in given.into_iter().enumerate() {
                    let description = line.description.trim().to_owned();
                    errors.extend(text_fault(format!("lines.{at}.description"), &description));
                    lines.push((description, line.amount.0));
                }
            }
            (Some(amount), None) => lines.push((reason.clone(), amount.0)),
            (None, None) => {}
        }
        if !to_zero && lines.is_empty() && errors.is_empty() {
            errors.push(FieldError::new(field, "REQUIRED"));
        }
        let invoice_type = self.cause.invoice_type();
        // The invoice stands: its month is not invoiced anew.
        if self.reissue && Ground::of(invoice_type).is_some() {
            errors.push(FieldError::new("reissue", "INVALID"));
        }
        match errors.is_empty() {
            true => Ok(Wanted { reason, invoice_type, to_zero, reissue: self.reissue, lines, field, relief: self.relief }),
            false => Err(Problem::invalid(errors)),
        }
    }
}

fn text_fault(field: String, text: &str) -> Option<FieldError> {
    if text.is_empty() {
        return Some(FieldError::new(field, "REQUIRED"));
    }
    (text.chars().count() > REASON_MAX).then(|| FieldError::new(field, "TOO_LONG").param("max", REASON_MAX))
}

/// Issues a rectifying invoice of the series R, which is answered; the original keeps what it says.
///
/// Errors: `INVOICE_NOT_FOUND` (404); `INVOICE_NOT_RECTIFIABLE`, `INVOICE_IN_REMITTANCE`, `INVOICE_TOO_OLD`,
/// `ISSUER_INCOMPLETE`, `ISSUE_DATE_BACKWARDS` (409); `INVALID_FIELDS` (422) on `reason`, `amount`, `lines` with
/// `REQUIRED`, `TOO_LONG`, `AMOUNT_ZERO`, `AMOUNT_TOO_LOW`, `AMOUNT_TOO_HIGH`, on `reissue` with `INVALID`, and on the fields of
/// `relief` with `REQUIRED`, `TOO_LONG`, `DATE_IN_FUTURE`, `DATE_BEFORE_OPERATION`, `DATE_BEFORE_ORDER`, `TOO_EARLY`,
/// `DEADLINE_PASSED`.
#[utoipa::path(post, path = "/api/v1/invoice-rectify/{id}", tag = "invoices", operation_id = "invoice_rectify",
    params(("id" = String, Path)), request_body = RectifyInput,
    responses((status = 201, body = InvoiceBody), (status = 401), (status = 403), (status = 404), (status = 409), (status = 422)),
    security(("session" = [])))]
async fn rectify(
    State(d): State<Billing>,
    caller: AdminOnly,
    origin: Origin,
    RequestLanguage(language): RequestLanguage,
    Path(id): Path<InvoiceId>,
    Json(input): Json<RectifyInput>,
) -> ApiResult<Created<InvoiceBody>> {
    let wanted = input.check()?;
    let made = service::rectify(&d, &caller, &origin, id, &wanted).await?;
    Ok(Created(InvoiceBody::of(&d, made, language).await?))
}

#[derive(Deserialize, ToSchema)]
#[schema(as = InvoiceCancellation)]
struct CancelInput {
    /// The month may be invoiced anew; so unless said otherwise.
    #[serde(default = "yes")]
    reissue: bool,
}

fn yes() -> bool {
    true
}

/// Annuls an invoice that was issued by mistake and never sent. Its number stays used; the tax office gets a record of it.
///
/// Errors: `INVOICE_NOT_FOUND` (404); `INVOICE_SENT`, `INVOICE_STATUS_REFUSED` (409).
#[utoipa::path(post, path = "/api/v1/invoice-cancel/{id}", tag = "invoices", operation_id = "invoice_cancel",
    params(("id" = String, Path)), request_body = Option<CancelInput>,
    responses((status = 200, body = InvoiceBody), (status = 401), (status = 403), (status = 404), (status = 409)),
    security(("session" = [])))]
async fn cancel(
    State(d): State<Billing>,
    caller: AdminOnly,
    origin: Origin,
    RequestLanguage(language): RequestLanguage,
    Path(id): Path<InvoiceId>,
    input: Option<Json<CancelInput>>,
) -> ApiResult<Json<InvoiceBody>> {
    let reissue = input.is_none_or(|Json(input)| input.reissue);
    let invoice = service::cancel(&d, &caller, &origin, id, reissue).await?;
    Ok(Json(InvoiceBody::of(&d, invoice, language).await?))
}
