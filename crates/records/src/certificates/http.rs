//! Calls of certificates and of their public verification.

use super::model::{CertificateError, CertificateState, REASON_MAX, state};
use super::service::{self, Overview, Printed, Verification};
use super::store::Model;
use crate::Records;
use atalaya_assistance::media::http::files::disposition;
use atalaya_cases::evidence::{Seal, stamps};
use atalaya_cases::evidence_keys::http::SignatureView;
use atalaya_kernel::{ConferenceId, Language};
use atalaya_rest::address::{ClientAddress, subscriber};
use atalaya_rest::caller::{AdminOrCustomer, ConferenceSide};
use atalaya_rest::extract::{Json, Path, Query};
use atalaya_rest::problem::{FieldError, Problem};
use atalaya_rest::ratelimit::RateLimiter;
use atalaya_rest::response::ApiResult;
use axum::extract::State;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};
use std::net::IpAddr;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

mod archive;

/// Verifications a minute from one address (CERT-13).
const VERIFICATIONS_A_MINUTE: usize = 20;

#[derive(Clone)]
struct Door {
    deps: Records,
    limit: RateLimiter<IpAddr>,
}

pub fn routes(deps: Records) -> OpenApiRouter {
    let limit = RateLimiter::new(deps.sources.clock(), VERIFICATIONS_A_MINUTE, TimeDelta::minutes(1));
    let public = OpenApiRouter::new().routes(routes!(verify)).with_state(Door { deps: deps.clone(), limit });
    OpenApiRouter::new()
        .routes(routes!(print_certificate))
        .routes(routes!(list_certificates))
        .routes(routes!(void_certificate))
        .routes(routes!(archive::get_upload))
        .with_state(deps)
        .merge(public)
}

impl From<CertificateError> for Problem {
    fn from(error: CertificateError) -> Self {
        match error {
            CertificateError::NotFound => Problem::not_found("CERTIFICATE_NOT_FOUND"),
            CertificateError::Reason(code) => Problem::invalid([FieldError::new("reason", code).param("max", REASON_MAX)]),
            CertificateError::FilesExpired => Problem::new(StatusCode::GONE, "MEDIA_EXPIRED"),
            CertificateError::Conference(error) => error.into(),
            cause => Problem::internal(cause),
        }
    }
}

#[derive(Clone, Copy, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
struct PrintQuery {
    /// 1: shown by the browser instead of saved.
    inline: Option<u8>,
    /// The case's language without it.
    language: Option<Language>,
}

/// The certificate of a conference as PDF. A new one is issued when something happened since the last; else the same
/// bytes come again.
///
/// Errors: `CONFERENCE_NOT_FOUND` (404).
#[utoipa::path(get, path = "/api/v1/print-cert/{id}", tag = "certificates", operation_id = "print_cert",
    params(("id" = Uuid, Path), PrintQuery),
    responses((status = 200, description = "The certificate", content_type = "application/pdf")), security(("session" = [])))]
async fn print_certificate(
    State(deps): State<Records>,
    ConferenceSide(caller): ConferenceSide,
    Path(id): Path<ConferenceId>,
    Query(query): Query<PrintQuery>,
) -> ApiResult<Response> {
    let printed = service::print(&deps, &caller, id, query.language).await?;
    Ok(document(printed, query.inline != Some(1)))
}

/// A printed certificate as an answer.
pub fn document(printed: Printed, attachment: bool) -> Response {
    let mut response = printed.pdf.into_response();
    let headers = response.headers_mut();
    let name = format!("certificado-{}.pdf", printed.expedient_number);
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/pdf"));
    headers.insert(header::CONTENT_DISPOSITION, disposition(&name, attachment));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-store"));
    response
}

/// A certificate on the wire.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct CertificateView {
    #[serde(rename = "_id")]
    id: Uuid,
    number: String,
    code: String,
    issued_at: DateTime<Utc>,
    issued_by: String,
    state: CertificateState,
    void_reason: Option<String>,
    voided_at: Option<DateTime<Utc>>,
    /// Its verification page within this server.
    url: String,
}

impl CertificateView {
    fn of(row: &Model, files_gone: bool) -> Self {
        Self {
            id: row.id,
            number: row.number.clone(),
            code: row.code.clone(),
            issued_at: row.issued_at,
            issued_by: row.issuer_name.clone(),
            state: state(row.voided_at.is_some(), files_gone),
            void_reason: row.void_reason.clone(),
            voided_at: row.voided_at,
            url: service::path_of(row),
        }
    }
}

/// A time stamp of an authority.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct TimestampView {
    authority: String,
    serial: String,
    at: DateTime<Utc>,
    /// Of a qualified trust service provider.
    qualified: bool,
}

impl From<&stamps::Proof> for TimestampView {
    fn from(proof: &stamps::Proof) -> Self {
        let stamped = &proof.stamped;
        Self {
            authority: stamped.authority.clone(),
            serial: stamped.serial.clone(),
            at: stamped.at,
            qualified: stamped.qualified,
        }
    }
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct SealView {
    head: String,
    root: String,
    sealed_at: DateTime<Utc>,
    /// Events under the seal.
    events: i32,
    media: i32,
    timestamp: Option<TimestampView>,
}

impl SealView {
    fn of(seal: &Seal, proof: Option<&stamps::Proof>) -> Self {
        Self {
            head: seal.head.clone(),
            root: seal.root.clone(),
            sealed_at: seal.at,
            events: seal.seq,
            media: seal.leaves - 1,
            timestamp: proof.map(TimestampView::from),
        }
    }
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ChainView {
    valid: bool,
    /// The first event that does not fit.
    broken_at: Option<i32>,
}

#[derive(Serialize, ToSchema)]
struct CertificatesBody {
    certificates: Vec<CertificateView>,
    seal: Option<SealView>,
    chain: ChainView,
}

/// Certificates, seal and chain of a conference, newest certificate first.
///
/// Errors: `CONFERENCE_NOT_FOUND` (404).
#[utoipa::path(get, path = "/api/v1/certificates/{conferenceId}", tag = "certificates", operation_id = "certificates",
    params(("conferenceId" = Uuid, Path)), responses((status = 200, body = CertificatesBody)), security(("session" = [])))]
async fn list_certificates(
    State(deps): State<Records>,
    ConferenceSide(caller): ConferenceSide,
    Path(id): Path<ConferenceId>,
) -> ApiResult<Json<CertificatesBody>> {
    let Overview { certificates, seal, chain, files_gone } = service::overview(&deps, &caller, id).await?;
    Ok(Json(CertificatesBody {
        certificates: certificates.iter().map(|row| CertificateView::of(row, files_gone)).collect(),
        seal: seal.as_ref().map(|(seal, proof)| SealView::of(seal, proof.as_ref())),
        chain: ChainView { valid: chain.is_ok(), broken_at: chain.err() },
    }))
}

#[derive(Deserialize, ToSchema)]
struct VoidBody {
    /// 1 to 250 characters.
    #[serde(default)]
    reason: String,
}

#[derive(Serialize, ToSchema)]
struct VoidedBody {
    certificate: CertificateView,
}

/// Takes a certificate back; its verification page says so from then on.
///
/// Errors: `CERTIFICATE_NOT_FOUND` (404), `INVALID_FIELDS` (422).
#[utoipa::path(post, path = "/api/v1/certificate-void/{id}", tag = "certificates", operation_id = "certificate_void",
    params(("id" = Uuid, Path)), request_body = VoidBody, responses((status = 200, body = VoidedBody)),
    security(("session" = [])))]
async fn void_certificate(
    State(deps): State<Records>,
    AdminOrCustomer(caller): AdminOrCustomer,
    Path(id): Path<Uuid>,
    Json(body): Json<VoidBody>,
) -> ApiResult<Json<VoidedBody>> {
    let (row, files_gone) = service::void(&deps, &caller, id, &body.reason).await?;
    Ok(Json(VoidedBody { certificate: CertificateView::of(&row, files_gone) }))
}

/// A file that a certificate speaks of.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct VerifiedMedia {
    n: usize,
    /// PICTURE, VIDEO or DOCUMENT.
    #[serde(rename = "type")]
    media_type: String,
    sha256: String,
    /// Of a recording, when it began.
    captured_at: DateTime<Utc>,
}

/// What anybody with the code is told.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct VerifiedCertificate {
    number: String,
    code: String,
    issued_at: DateTime<Utc>,
    company: String,
    /// Masked.
    expedient: String,
    state: CertificateState,
    /// SHA-256 of the document as it was issued; `null` for those of versions that did not note it.
    sha256: Option<String>,
    head: String,
    root: String,
    sealed_at: DateTime<Utc>,
    /// Events under the seal.
    events: i32,
    timestamp: Option<TimestampView>,
    /// `null` for seals of versions before there was a key.
    signature: Option<SignatureView>,
    media: Vec<VerifiedMedia>,
}

#[derive(Serialize, ToSchema)]
struct VerificationBody {
    certificate: VerifiedCertificate,
}

/// What a certificate's code stands for; no personal data beyond that.
///
/// Errors: `CERTIFICATE_NOT_FOUND` (404) for an unknown or malformed code, `TOO_MANY_TRIES` (429) over 20 a minute.
#[utoipa::path(get, path = "/api/v1/verification/{code}", tag = "certificates", operation_id = "verification",
    params(("code" = String, Path)), responses((status = 200, body = VerificationBody)), security(()))]
async fn verify(
    State(door): State<Door>,
    ClientAddress(address): ClientAddress,
    Path(code): Path<String>,
) -> ApiResult<Json<VerificationBody>> {
    door.limit.hit(subscriber(address)).map_err(|seconds| Problem::too_many("TOO_MANY_TRIES", seconds))?;
    let Verification { certificate, state, seal, proof, key, sha256, media } = service::verification(&door.deps, &code).await?;
    let media = media.iter().zip(1..).map(|(link, n)| VerifiedMedia {
        n,
        media_type: link.text("type").unwrap_or("DOCUMENT").to_owned(),
        sha256: link.text("sha256").unwrap_or_default().to_owned(),
        captured_at: link.text("startedAt").and_then(|at| at.parse().ok()).unwrap_or(link.at),
    });
    let verified = VerifiedCertificate {
        media: media.collect(),
        number: certificate.number,
        code: certificate.code,
        issued_at: certificate.issued_at,
        company: certificate.company_name,
        expedient: certificate.expedient_masked,
        state,
        sha256,
        signature: seal.signed.zip(key).map(|(signed, key)| SignatureView::of(signed, key)),
        events: seal.seq,
        head: seal.head,
        root: seal.root,
        sealed_at: seal.at,
        timestamp: proof.as_ref().map(TimestampView::from),
    };
    Ok(Json(VerificationBody { certificate: verified }))
}
