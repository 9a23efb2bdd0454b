//! Signing a mandate, on the screen or by a paper, and what is kept to show it later.

use super::model::{CreditorTold, DOCUMENT_MAX, Mandate, Method, Signature};
use super::service::{get, is_another_s, issuer, note, pdf};
use super::{MandateError, store};
use crate::{Billing, BillingError, BillingResult, documents};
use atalaya_blobs::{BlobName, DataKey};
use atalaya_identity::audit::Action;
use atalaya_identity::auth::service::Origin;
use atalaya_identity::companies::accounts;
use atalaya_identity::terms_acceptance as legal;
use atalaya_kernel::{CompanyId, calendar};
use atalaya_rest::Caller;
use bytes::Bytes;
use chrono::{DateTime, NaiveDate, Utc};
use serde_json::json;
use uuid::Uuid;

/// The kind of kept documents that mandates were signed by.
const EVIDENCE: &str = "mandate";

/// A paper signed by the debtor.
pub(crate) struct SignedPaper {
    pub name: String,
    pub bytes: Bytes,
    /// The day written on it; without one, today.
    pub signed_on: Option<NaiveDate>,
    pub place: Option<String>,
}

/// Signs a mandate: on the screen, or by a paper that was uploaded.
///
/// Errors: [`MandateError`] `NotFound`, `Ended`, `Outdated`; `Signed` (administrators may still upload a paper, also another
/// one); `SignedInFuture`, `SignedBeforeMandate`.
pub(crate) async fn sign(
    d: &Billing,
    caller: &Caller,
    origin: &Origin,
    id: Uuid,
    paper: Option<SignedPaper>,
) -> BillingResult<Mandate> {
    let mandate = get(d, caller, id).await?;
    if !mandate.status.stands() {
        return Err(MandateError::Ended.into());
    }
    // What a debtor signed is evidence: only the administration replaces it.
    let replaces = paper.is_some() && caller.is_admin();
    if mandate.signed_at.is_some() && !replaces {
        return Err(MandateError::Signed.into());
    }
    let party = accounts::find(&d.identity, mandate.company).await?;
    if party.account.as_ref().map(|account| account.id) != Some(mandate.account) || is_another_s(&mandate) {
        return Err(MandateError::Outdated.into());
    }
    let now = d.sources.now();
    let signed_at = paper.as_ref().map(|paper| signed_at(paper, &mandate, now)).transpose()?.flatten();
    let (platform, creditor) = issuer(d).await?;
    let shown = pdf(d, &mandate).await?;
    let pdf_sha256 = atalaya_blobs::Digest::of(&shown).sha256_hex();
    let kept = documents::prepare(d, EVIDENCE, d.sources.uuid(), format!("{}.pdf", mandate.umr), &shown).await?;
    let mut signature = Signature {
        method: Method::Acceptance,
        user_id: caller.user.0,
        ip: origin.address.to_string(),
        user_agent: origin.user_agent.clone(),
        pdf_sha256,
        pdf_id: Some(kept.subject),
        scheme: Some(mandate.scheme.name().to_owned()),
        place: None,
        document_sha256: None,
        legal_id: legal_in_force(d, mandate.company).await?,
        notice_days: Some(mandate.notice_days(d.settings.sepa.notice_days)),
        creditor: Some(CreditorTold { name: platform.company.name.clone(), id: creditor.as_str().to_owned() }),
    };
    let mut signed = store::Signed { at: now, evidence: json!(null), document_name: None, document_key: None, replaces };
    if let Some(paper) = paper {
        signature.method = Method::Document;
        let key = DataKey::generate(&d.sources);
        // A name of its own: the former paper stays until the row names this one.
        let stored = format!("{}/{}", d.sources.uuid(), paper.name);
        let kept = d.blobs.put(&paper_name(id, &stored)?, &key, &paper.bytes).await.map_err(BillingError::internal)?;
        signature.document_sha256 = Some(kept.sha256_hex());
        signed.document_key = Some(d.master.wrap(&key, &owner(id), &d.sources).await?);
        signed.document_name = Some(stored);
        signed.at = signed_at.or(mandate.signed_at).unwrap_or(now);
        signature.place = paper.place;
    }
    signed.evidence = serde_json::to_value(&signature).map_err(BillingError::internal)?;
    let tx = d.db.write().await?;
    let former = store::document(&*tx, id).await?.map(|(_, stored)| stored).filter(|_| signed.document_name.is_some());
    if !store::sign(&tx, id, signed).await? {
        return Err(MandateError::Signed.into());
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

/// The day of signature according to a paper. The paper names the mandate's reference, so it cannot be older than the mandate.
fn signed_at(paper: &SignedPaper, mandate: &Mandate, now: DateTime<Utc>) -> Result<Option<DateTime<Utc>>, MandateError> {
    let Some(day) = paper.signed_on else { return Ok(None) };
    if day > calendar::day(now) {
        return Err(MandateError::SignedInFuture);
    }
    if day < calendar::day(mandate.created_at) {
        return Err(MandateError::SignedBeforeMandate);
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
/// Errors: [`MandateError`] `NotFound`, `DocumentNotFound` while nothing was signed.
pub(crate) async fn evidence(d: &Billing, caller: &Caller, id: Uuid) -> BillingResult<(String, Vec<u8>)> {
    let missing = MandateError::DocumentNotFound;
    let mandate = get(d, caller, id).await?;
    let kept = mandate.signature.and_then(|signature| signature.pdf_id).ok_or(missing.clone())?;
    let pdf = documents::kept(d, EVIDENCE, kept).await?.ok_or(missing.clone())?;
    Ok((pdf.name, pdf.bytes))
}

fn owner(id: Uuid) -> String {
    format!("mandate:{id}")
}

/// The storage name of a paper, from the upload's id and the file's name in its mandate.
fn paper_name(mandate: Uuid, stored: &str) -> BillingResult<BlobName> {
    let upload = stored.split_once('/').map_or("signed", |(upload, _)| upload);
    BlobName::new(format!("mandates/{mandate}/{upload}")).map_err(BillingError::internal)
}

/// The signed paper that was uploaded. Errors: [`MandateError`] `NotFound`, `DocumentNotFound`.
pub(crate) async fn paper(d: &Billing, caller: &Caller, id: Uuid) -> BillingResult<(String, Bytes)> {
    get(d, caller, id).await?;
    let missing = MandateError::DocumentNotFound;
    let (wrapped, stored) = store::document(d.db.read(), id).await?.ok_or(missing.clone())?;
    let key = d.master.unwrap(&wrapped, &owner(id)).await?;
    let name = stored.split_once('/').map_or(stored.as_str(), |(_, name)| name).to_owned();
    let reader = d.blobs.get(&paper_name(id, &stored)?, &key).await.map_err(BillingError::internal)?;
    Ok((name, reader.read_all(DOCUMENT_MAX as u64).await.map_err(BillingError::internal)?))
}
