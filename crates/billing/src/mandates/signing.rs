//! Signing a mandate, on the screen or by a paper, and what is kept to show it later (DOMAIN §3.2).

use super::model::{DOCUMENT_MAX, Mandate, Method, Signature, scheme_name};
use super::service::{get, note, pdf};
use super::store;
use crate::documents::service as documents;
use crate::{Billing, BillingResult};
use atalaya_blobs::{BlobName, DataKey};
use atalaya_identity::audit::Action;
use atalaya_identity::auth::service::Origin;
use atalaya_identity::companies::accounts;
use atalaya_identity::companies::legal;
use atalaya_kernel::{CompanyId, calendar};
use atalaya_rest::{Caller, FieldError, Problem};
use bytes::Bytes;
use chrono::{DateTime, NaiveDate, Utc};
use serde_json::json;
use uuid::Uuid;

/// The kind of kept documents that mandates were signed by.
const EVIDENCE: &str = "mandate";

/// A paper signed by hand.
pub(crate) struct SignedPaper {
    pub name: String,
    pub bytes: Bytes,
    /// The day that stands on it; without one, today.
    pub signed_on: Option<NaiveDate>,
    pub place: Option<String>,
}

/// Signs a mandate: on the screen, or by a paper that was uploaded.
///
/// Errors: 404 `MANDATE_NOT_FOUND`, 409 `MANDATE_ENDED`, 409 `MANDATE_OUTDATED` when the account is another one by now,
/// 409 `MANDATE_SIGNED` when it is signed already (administrators may still bring a paper, also another one), 422 at `file` and
/// at `signedAt` with `DATE_IN_FUTURE`, `DATE_BEFORE_MANDATE`.
pub(crate) async fn sign(
    d: &Billing,
    caller: &Caller,
    origin: &Origin,
    id: Uuid,
    paper: Option<SignedPaper>,
) -> BillingResult<Mandate> {
    let mandate = get(d, caller, id).await?;
    if !mandate.status.stands() {
        return Err(Problem::conflict("MANDATE_ENDED").into());
    }
    // What a debtor signed is evidence: only the administration replaces it.
    let replaces = paper.is_some() && caller.is_admin();
    if mandate.signed_at.is_some() && !replaces {
        return Err(Problem::conflict("MANDATE_SIGNED").into());
    }
    let party = accounts::find(&d.identity, mandate.company).await?;
    if party.account.as_ref().map(|account| account.id) != Some(mandate.account) {
        return Err(Problem::conflict("MANDATE_OUTDATED").into());
    }
    let now = d.sources.now();
    let signed_at = paper.as_ref().map(|paper| signed_at(paper, &mandate, now)).transpose()?.flatten();
    let shown = pdf(d, &mandate).await?;
    let pdf_sha256 = atalaya_blobs::Digest::of(&shown).sha256_hex();
    let kept = documents::prepare(d, EVIDENCE, d.sources.uuid(), format!("{}.pdf", mandate.umr), &shown).await?;
    let mut signature = Signature {
        method: Method::Acceptance,
        user_id: caller.user.0,
        ip: origin.address.to_string(),
        user_agent: origin.user_agent.clone(),
        pdf_sha256,
        pdf_id: Some(kept.subject_id),
        scheme: Some(scheme_name(mandate.scheme).to_owned()),
        place: None,
        document_sha256: None,
        legal_id: legal_in_force(d, mandate.company).await?,
    };
    let mut signed = store::Signed { at: now, evidence: json!(null), document_name: None, document_key: None, replaces };
    if let Some(paper) = paper {
        signature.method = Method::Document;
        let key = DataKey::generate(&d.sources);
        // A name of its own: the former paper stays until this one is written down.
        let stored = format!("{}/{}", d.sources.uuid(), paper.name);
        let kept = d.blobs.put(&paper_name(id, &stored)?, &key, &paper.bytes).await.map_err(Problem::internal)?;
        signature.document_sha256 = Some(kept.sha256_hex());
        signed.document_key = Some(d.master.wrap(&key, &owner(id), &d.sources));
        signed.document_name = Some(stored);
        signed.at = signed_at.or(mandate.signed_at).unwrap_or(now);
        signature.place = paper.place;
    }
    signed.evidence = serde_json::to_value(&signature).map_err(Problem::internal)?;
    let tx = d.db.write().await?;
    let former = store::document(&*tx, id).await?.map(|(_, stored)| stored).filter(|_| signed.document_name.is_some());
    if !store::sign(&tx, id, signed).await? {
        return Err(Problem::conflict("MANDATE_SIGNED").into());
    }
    documents::keep_in(&tx, kept).await?;
    note(d, &tx, Action::MandateSigned, &mandate, Some((caller, origin))).await?;
    tx.commit().await?;
    if let Some(former) = former
        && let Err(error) = d.blobs.delete(&paper_name(id, &former)?).await
    {
        tracing::warn!(mandate = mandate.umr, %error, "a replaced paper is left over");
    }
    get(d, caller, id).await
}

/// When a paper says that it was signed. It names the mandate's reference, so that it cannot be older than the mandate.
fn signed_at(paper: &SignedPaper, mandate: &Mandate, now: DateTime<Utc>) -> Result<Option<DateTime<Utc>>, Problem> {
    let wrong = |code: &'static str| Problem::invalid([FieldError::new("signedAt", code)]);
    let Some(day) = paper.signed_on else { return Ok(None) };
    if day > calendar::day(now) {
        return Err(wrong("DATE_IN_FUTURE"));
    }
    if day < calendar::day(mandate.created_at) {
        return Err(wrong("DATE_BEFORE_MANDATE"));
    }
    Ok(Some(calendar::start_of(day)))
}

/// The terms that the company stands by today.
async fn legal_in_force(d: &Billing, company: CompanyId) -> BillingResult<Option<Uuid>> {
    let history = legal::history(&d.identity, company).await?;
    Ok(history.iter().rev().find(|entry| entry.expires_at.is_none()).map(|entry| entry.legal_id))
}

/// The document that was shown when the mandate was signed, the very bytes.
///
/// Errors: 404 `MANDATE_NOT_FOUND`, 404 `MANDATE_DOCUMENT_NOT_FOUND` while nothing was signed.
pub(crate) async fn evidence(d: &Billing, caller: &Caller, id: Uuid) -> BillingResult<(String, Vec<u8>)> {
    let missing = || Problem::not_found("MANDATE_DOCUMENT_NOT_FOUND");
    let mandate = get(d, caller, id).await?;
    let kept = mandate.signature.and_then(|signature| signature.pdf_id).ok_or_else(missing)?;
    let pdf = documents::kept(d, EVIDENCE, kept).await?.ok_or_else(missing)?;
    Ok((pdf.name, pdf.bytes))
}

fn owner(id: Uuid) -> String {
    format!("mandate:{id}")
}

/// Where a paper lies, by what its mandate says: the upload's id and the file's name.
fn paper_name(mandate: Uuid, stored: &str) -> BillingResult<BlobName> {
    let upload = stored.split_once('/').map_or("signed", |(upload, _)| upload);
    Ok(BlobName::new(format!("mandates/{mandate}/{upload}")).map_err(Problem::internal)?)
}

/// The signed paper that was uploaded. Errors: 404 `MANDATE_NOT_FOUND`, 404 `MANDATE_DOCUMENT_NOT_FOUND`.
pub(crate) async fn paper(d: &Billing, caller: &Caller, id: Uuid) -> BillingResult<(String, Bytes)> {
    get(d, caller, id).await?;
    let missing = || Problem::not_found("MANDATE_DOCUMENT_NOT_FOUND");
    let (wrapped, stored) = store::document(d.db.read(), id).await?.ok_or_else(missing)?;
    let key = d.master.unwrap(&wrapped, &owner(id)).map_err(Problem::internal)?;
    let name = stored.split_once('/').map_or(stored.as_str(), |(_, name)| name).to_owned();
    let reader = d.blobs.get(&paper_name(id, &stored)?, &key).await.map_err(Problem::internal)?;
    Ok((name, reader.read_all(DOCUMENT_MAX as u64).await.map_err(Problem::internal)?))
}
