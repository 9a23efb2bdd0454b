//! Issuing, printing, voiding and verifying certificates.

use super::document::{self, verification_path};
use super::model::{CertificateError, CertificateState, REASON_MAX, read_code, state};
use super::store::{self, Model};
use crate::Records;
use atalaya_blobs::{BlobError, BlobName, DataKey};
use atalaya_cases::conferences::service::publish_track;
use atalaya_cases::conferences::{self, Conference, ConferenceError, Scope, vault};
use atalaya_cases::evidence::{self, Actor, Link, NewTrack, Seal, stamps};
use atalaya_cases::evidence_keys::service::moment;
use atalaya_cases::evidence_keys::{self, Key, Statement};
use atalaya_db::Tx;
use atalaya_identity::audit::{Action, Entry};
use atalaya_identity::{audit, companies, users};
use atalaya_kernel::events::TrackType;
use atalaya_kernel::{CompanyId, ConferenceId, Language};
use atalaya_rest::caller::Caller;
use futures::TryStreamExt;
use serde_json::json;
use uuid::Uuid;

/// How often a certificate is set anew because something happened meanwhile.
const TRIES: usize = 8;

/// The current certificate of a case: the last one, or a new one when something happened since (CERT-8).
///
/// Errors: `CONFERENCE_NOT_FOUND`.
pub async fn current(deps: &Records, caller: &Caller, id: ConferenceId) -> Result<(Model, Conference), CertificateError> {
    let row = conferences::get(deps.db.read(), Scope::of(caller), id).await?;
    if let Some(standing) = store::standing(deps.db.read(), id).await? {
        return Ok((standing, row));
    }
    let issuer_name = users::service::display_name(&deps.identity, caller.user).await.map_err(ConferenceError::from)?;
    let issuing = companies::service::platform(&deps.identity).await.map_err(ConferenceError::from)?;
    let issuer = Issuer { name: issuer_name, company: issuing.map(|company| (company.name, company.cif)) };
    let _turn = deps.issuing.lock().await;
    for _ in 0..TRIES {
        let draft = match prepare(deps, caller, id, &issuer).await? {
            Prepared::Standing(certificate, row) => return Ok((*certificate, *row)),
            Prepared::Draft(draft) => *draft,
        };
        // Outside of any transaction: setting a long case takes seconds, in which nobody else could write (CERT-25).
        let language = Language::parse(&draft.certificate.language).unwrap_or_default();
        let case = document::gather(deps, draft.certificate.clone(), draft.row.clone(), draft.seal.clone()).await?;
        let pdf = render(case, language).await?;
        if let Some(issued) = issue(deps, caller, &draft, &pdf, language).await? {
            return Ok(issued);
        }
    }
    Err(CertificateError::Interrupted)
}

/// Who issues: the person who asked, and the company that runs the installation with its tax id (CERT-31).
struct Issuer {
    name: String,
    company: Option<(String, Option<String>)>,
}

/// A certificate as it will be, if nothing happens to its case or to the year's numbers while it is set.
struct Draft {
    certificate: Model,
    row: Conference,
    seal: Seal,
}

enum Prepared {
    Standing(Box<Model>, Box<Conference>),
    Draft(Box<Draft>),
}

/// Seals the case and drafts its certificate.
async fn prepare(deps: &Records, caller: &Caller, id: ConferenceId, issuer: &Issuer) -> Result<Prepared, CertificateError> {
    let tx = deps.db.write().await?;
    atalaya_db::lock_row(&tx, "conference", id.0).await?;
    let row = conferences::reload(&tx, id).await?;
    if let Some(standing) = store::standing(&*tx, id).await? {
        return Ok(Prepared::Standing(Box::new(standing), Box::new(row)));
    }
    let seq = store::last_fact(&*tx, id).await?;
    let seal = match evidence::latest_seal(&*tx, id).await? {
        Some(seal) if seal.seq >= seq => seal,
        _ => evidence::seal(&tx, deps, id).await?,
    };
    let stamp_id = stamps::stamp_of(&*tx, seal.id).await?;
    let (issued_by, issuer_name, issuing) = (caller.user, issuer.name.clone(), issuer.company.clone());
    let new = store::New { conference: row.clone(), seal_id: seal.id, stamp_id, seq, issued_by, issuer_name, issuing };
    let certificate = store::draft(&*tx, &deps.sources, new).await?;
    tx.commit().await?;
    Ok(Prepared::Draft(Box::new(Draft { certificate, row, seal })))
}

/// Issues a drafted certificate; `None` when something happened since, and another must be set.
async fn issue(
    deps: &Records,
    caller: &Caller,
    draft: &Draft,
    pdf: &[u8],
    language: Language,
) -> Result<Option<(Model, Conference)>, CertificateError> {
    let id = ConferenceId(draft.row.id);
    let tx = deps.db.write().await?;
    atalaya_db::lock_row(&tx, "conference", id.0).await?;
    let row = conferences::reload(&tx, id).await?;
    if let Some(standing) = store::standing(&*tx, id).await? {
        return Ok(Some((standing, row)));
    }
    let same = store::last_fact(&*tx, id).await? == draft.certificate.seq
        && stamps::stamp_of(&*tx, draft.seal.id).await? == draft.certificate.stamp_id
        && row.data_key == draft.row.data_key;
    if !same {
        return Ok(None);
    }
    let Some(certificate) = store::insert(&tx, draft.certificate.clone()).await? else { return Ok(None) };
    // Stored before the commit: if that fails, nothing is issued.
    keep(deps, &certificate, &row, language, pdf).await?;
    let pdf_sha256 = evidence::chain::sha256_hex(pdf);
    let certificate = sign(&tx, deps, certificate, &draft.seal, &pdf_sha256).await?;
    let data = json!({
        "number": certificate.number, "seq": draft.seal.seq, "head": draft.seal.head, "root": draft.seal.root,
        "pdfSha256": pdf_sha256,
    });
    let track = NewTrack::new(TrackType::CertificateIssued, Actor::User(caller.user), data);
    let track = conferences::append(&tx, deps, id, track).await?;
    tx.commit().await?;
    publish_track(deps, id, &track).await;
    tracing::info!(conference.id = %id, certificate.number, "certificate issued");
    Ok(Some((certificate, row)))
}

/// Signs a certificate that is being issued (EVID-40).
async fn sign(tx: &Tx, deps: &Records, row: Model, seal: &Seal, pdf_sha256: &str) -> Result<Model, CertificateError> {
    let (conference, seq, issued_at) = (row.conference_id.to_string(), seal.seq.to_string(), moment(row.issued_at));
    let values: [&str; 7] = [&conference, &row.number, &seq, &seal.head, &seal.root, pdf_sha256, &issued_at];
    let signed = evidence_keys::service::sign(tx, deps, Statement::Certificate(values)).await?;
    Ok(store::sign(tx, row, signed).await?)
}

/// A printed certificate.
pub struct Printed {
    pub pdf: Vec<u8>,
    pub expedient_number: String,
}

/// The certificate of a case as PDF, in the case's language unless another is asked for.
///
/// Errors: `CONFERENCE_NOT_FOUND`.
pub async fn print(
    deps: &Records,
    caller: &Caller,
    id: ConferenceId,
    language: Option<Language>,
) -> Result<Printed, CertificateError> {
    let (certificate, row) = current(deps, caller, id).await?;
    let language = language.or_else(|| Language::parse(&certificate.language)).unwrap_or_default();
    let expedient_number = row.expedient_number.clone();
    Ok(Printed { pdf: pdf(deps, certificate, row, language).await?, expedient_number })
}

/// The PDF of an issued certificate. It is kept beside the media under the conference's key, so that it stays the same
/// byte for byte; when that key is destroyed, it is rendered again from what is left (CERT-10, CERT-16).
pub async fn pdf(deps: &Records, certificate: Model, row: Conference, language: Language) -> Result<Vec<u8>, CertificateError> {
    if let Some((name, key)) = place(deps, &certificate, &row, language).await? {
        match deps.blobs.get(&name, &key).await {
            Ok(reader) => {
                let parts: Vec<bytes::Bytes> = reader.stream().try_collect().await.map_err(ConferenceError::from)?;
                return Ok(parts.concat());
            }
            Err(BlobError::NotFound) => {}
            // Another document under the same number would be worse than none.
            Err(error) => return Err(ConferenceError::from(error).into()),
        }
    }
    let seal = evidence::find_seal(deps.db.read(), certificate.seal_id).await?.ok_or(CertificateError::NotFound)?;
    let _turn = deps.issuing.lock().await;
    let pdf = render(document::gather(deps, certificate.clone(), row.clone(), seal).await?, language).await?;
    keep(deps, &certificate, &row, language, &pdf).await?;
    Ok(pdf)
}

type Place = Option<(BlobName, DataKey)>;

/// Where a certificate's PDF is kept, and with which key; `None` when that is destroyed.
async fn place(deps: &Records, certificate: &Model, row: &Conference, language: Language) -> Result<Place, CertificateError> {
    let id = ConferenceId(row.id);
    let name = vault::blob_name(id, &format!("{}.{}.pdf", certificate.number, language.code()))?;
    match vault::unwrap(deps, id, row.data_key.as_deref()).await {
        Err(error @ ConferenceError::Blob(BlobError::TokenUnavailable(_))) => Err(error.into()),
        key => Ok(key.ok().map(|key| (name, key))),
    }
}

/// Renders a certificate's PDF.
async fn render(case: document::Case, language: Language) -> Result<Vec<u8>, CertificateError> {
    let document = document::document(&case, language);
    let set = tokio::task::spawn_blocking(move || atalaya_pdf::render(&document)).await;
    Ok(set.map_err(|_| CertificateError::Interrupted)??)
}

/// Stores a certificate's PDF while its key exists, replacing one whose issue failed.
async fn keep(
    deps: &Records,
    certificate: &Model,
    row: &Conference,
    language: Language,
    pdf: &[u8],
) -> Result<(), CertificateError> {
    if let Some((name, key)) = place(deps, certificate, row, language).await? {
        deps.blobs.put(&name, &key, pdf).await.map_err(ConferenceError::from)?;
    }
    Ok(())
}

/// A conference's evidence as its owners see it.
pub struct Overview {
    pub certificates: Vec<Model>,
    pub seal: Option<(Seal, Option<stamps::Proof>)>,
    /// The head, or the `seq` of the first event that does not verify.
    pub chain: Result<String, i32>,
    pub files_gone: bool,
}

/// Certificates, seal and chain of a conference. Errors: `CONFERENCE_NOT_FOUND`.
pub async fn overview(deps: &Records, caller: &Caller, id: ConferenceId) -> Result<Overview, CertificateError> {
    let db = deps.db.read();
    let row = conferences::get(db, Scope::of(caller), id).await?;
    let seal = match evidence::latest_seal(db, id).await? {
        Some(seal) => {
            let proof = stamps::proof(db, seal.id).await?;
            Some((seal, proof))
        }
        None => None,
    };
    Ok(Overview {
        certificates: store::list(db, id).await?,
        seal,
        chain: evidence::verify(db, id).await?,
        files_gone: files_gone(deps, &row).await?,
    })
}

/// Whether the files that a certificate describes are no longer kept.
pub async fn files_gone(deps: &Records, row: &Conference) -> Result<bool, ConferenceError> {
    if row.media_expired_at.is_some() || row.erased_at.is_some() || row.data_key.is_none() {
        return Ok(true);
    }
    let company = companies::service::get_company(&deps.identity, CompanyId(row.company_id)).await?;
    Ok(atalaya_cases::lifetimes::media_expired(row.created_at, company.retention_days, deps.sources.now()))
}

/// What anybody with the code may see (CERT-11).
pub struct Verification {
    pub certificate: Model,
    pub state: CertificateState,
    pub seal: Seal,
    pub proof: Option<stamps::Proof>,
    /// The key that signed the seal.
    pub key: Option<Key>,
    /// SHA-256 of the document as it was issued.
    pub sha256: Option<String>,
    /// The events by which media entered the chain, up to the seal.
    pub media: Vec<Link>,
}

/// Looks a certificate up by its code, typed as people type, and recomputes the chain up to its seal.
///
/// Errors: `CERTIFICATE_NOT_FOUND`.
pub async fn verification(deps: &Records, typed: &str) -> Result<Verification, CertificateError> {
    let db = deps.db.read();
    let code = read_code(typed).ok_or(CertificateError::NotFound)?;
    let (certificate, row) = store::find_by_code(db, &code).await?.ok_or(CertificateError::NotFound)?;
    let seal = evidence::find_seal(db, certificate.seal_id).await?.ok_or(CertificateError::NotFound)?;
    let proof = stamps::proof(db, seal.id).await?;
    let mut media = evidence::links(db, ConferenceId(row.id)).await?;
    let sha256 = issued_sha256(&media, &certificate.number);
    media.retain(|link| link.seq <= seal.seq);
    let whole = seal.covers(&media);
    media.retain(Link::is_media);
    let mut state = state(certificate.voided_at.is_some(), files_gone(deps, &row).await?);
    if !whole {
        tracing::error!(conference.id = %row.id, certificate.number, seal.seq, "the events do not match their seal");
        // A void certificate stays void: nobody should rely on it either way.
        state = if state == CertificateState::Void { state } else { CertificateState::Broken };
    }
    let keys = evidence_keys::list(db).await?;
    let key = seal.signed.as_ref().and_then(|signed| keys.into_iter().find(|key| key.fingerprint == signed.fingerprint));
    Ok(Verification { certificate, state, seal, proof, key, sha256, media })
}

/// The hash of a certificate's document, as the event of its issue tells it.
fn issued_sha256(links: &[Link], number: &str) -> Option<String> {
    let mut issues = links.iter().filter(|link| link.event_type == TrackType::CertificateIssued.wire());
    issues.find(|link| link.text("number") == Some(number))?.text("pdfSha256").map(str::to_owned)
}

/// Voids a certificate, with a reason. Idempotent (CERT-15).
///
/// Errors: `CERTIFICATE_NOT_FOUND`, `INVALID_FIELDS` for `reason` (1 to 250 characters).
pub async fn void(deps: &Records, caller: &Caller, id: Uuid, reason: &str) -> Result<(Model, bool), CertificateError> {
    let reason = reason.trim();
    match reason.chars().count() {
        0 => return Err(CertificateError::Reason("REQUIRED")),
        n if n > REASON_MAX => return Err(CertificateError::Reason("TOO_LONG")),
        _ => {}
    }
    let found = store::find(deps.db.read(), Scope::of(caller), id).await?;
    let (certificate, row) = found.ok_or(CertificateError::NotFound)?;
    let gone = files_gone(deps, &row).await?;
    if certificate.voided_at.is_some() {
        return Ok((certificate, gone));
    }
    let tx = deps.db.write().await?;
    let certificate = store::void(&tx, certificate, caller.user, reason.to_owned(), deps.sources.now()).await?;
    let entry = Entry::company(Action::CertificateVoided, CompanyId(row.company_id))
        .by(caller)
        .detail(json!({"number": certificate.number}));
    audit::service::record(&deps.identity, &tx, entry).await.map_err(ConferenceError::from)?;
    tx.commit().await?;
    Ok((certificate, gone))
}

/// Where a certificate is verified, within this server.
pub fn path_of(certificate: &Model) -> String {
    verification_path(&certificate.code)
}
