//! What a ZIP holds beside the files, so that anybody can check them without us: manifest, offline verifier, certificate.
//!
//! *Invariant:* the manifest says nothing that its own events, its signatures or the files beside it do not prove.

use super::model::CertificateError;
use super::{service, store};
use crate::Records;
use atalaya_assistance::media::entity::media_item;
use atalaya_blobs::zip::{Zip, ZipEntry};
use atalaya_blobs::{BlobName, DataKey};
use atalaya_cases::conferences::ConferenceError;
use atalaya_cases::conferences::entity::Model as Conference;
use atalaya_cases::evidence::{self, Link, Seal, stamps};
use atalaya_cases::evidence_keys::service::moment;
use atalaya_cases::evidence_keys::{self, Key};
use atalaya_kernel::{ConferenceId, Language};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use serde_json::{Value, json};
use std::collections::{HashMap, HashSet};

/// The format of the manifest; a change of meaning gets another name.
pub const FORMAT: &str = "atalaya-evidence-1";
pub const MANIFEST: &str = "manifest.json";
pub const VERIFIER: &str = "verificador.html";
const VERIFIER_HTML: &str = include_str!("verificador.html");

/// Everything of a conference as an archive: its files, the certificate when one was issued, verifier and manifest.
///
/// Errors: those of the database and of rendering the certificate; files are opened when their turn comes.
pub async fn archive(deps: &Records, row: &Conference, key: &DataKey) -> Result<Zip, CertificateError> {
    let (db, id, now) = (deps.db.read(), ConferenceId(row.id), deps.sources.now());
    // Read in this order, a concurrent change can only add what the earlier reads do not mention.
    let certificate = store::latest(db, id).await?.filter(|row| row.voided_at.is_none());
    let seal = sealed(deps, id).await?;
    let links = evidence::links(db, id).await?;
    let last = links.last().map_or(0, |link| link.seq);
    let mut values = evidence::erasable_values(db, id).await?;
    values.retain(|value| value.seq <= last);
    let known: HashSet<&str> = links.iter().filter(|l| l.is_media()).filter_map(|l| l.text("mediaId")).collect();
    let mut items = atalaya_assistance::media::list(db, id).await?;
    items.retain(|item| known.contains(item.id.to_string().as_str()));
    let mut zip = of_files(deps, row, key, &mut items).await?;
    let paths: HashMap<String, String> =
        items.iter().map(|item| item.id.to_string()).zip(zip.names().map(str::to_owned)).collect();
    let certificate = match certificate {
        Some(issued) => add_certificate(deps, row, issued, &mut zip).await?,
        None => Value::Null,
    };
    zip.push(ZipEntry::of_bytes(VERIFIER, now, Bytes::from_static(VERIFIER_HTML.as_bytes())));
    let proof = match &seal {
        Some(seal) => stamps::proof(db, seal.id).await?,
        None => None,
    };
    let keys = evidence_keys::list(db).await?;
    let manifest = json!({
        "format": FORMAT,
        "conference": links.first().map(conference),
        "events": links.iter().map(|l| json!({"canonical": l.canonical, "prev": l.prev, "hash": l.hash})).collect::<Vec<_>>(),
        "values": values.iter().map(value).collect::<Vec<_>>(),
        "media": links.iter().filter(|l| l.is_media()).map(|link| media(link, &paths)).collect::<Vec<_>>(),
        "seal": seal.as_ref().map(seal_value),
        "timestamp": proof.as_ref().map(stamp_value),
        "keys": keys.iter().map(key_value).collect::<Vec<_>>(),
        "certificate": certificate,
    });
    let text = serde_json::to_vec_pretty(&manifest).expect("a manifest is plain data");
    zip.push(ZipEntry::of_bytes(MANIFEST, now, Bytes::from(text)));
    Ok(zip)
}

/// The last seal, made anew when something happened since, so that it vouches for all that the archive tells. What was never
/// sealed is not sealed for an archive's sake.
async fn sealed(deps: &Records, id: ConferenceId) -> Result<Option<Seal>, CertificateError> {
    let db = deps.db.read();
    let Some(seal) = evidence::latest_seal(db, id).await? else { return Ok(None) };
    if seal.seq >= store::last_fact(db, id).await? {
        return Ok(Some(seal));
    }
    let tx = deps.db.write().await?;
    atalaya_db::lock_row(&tx, "conference", id.0).await?;
    let seal = evidence::seal(&tx, deps, id).await?;
    tx.commit().await?;
    Ok(Some(seal))
}

/// The files alone, for those who may not read the chain's values: the repair side.
///
/// Errors: those of the database, `MEDIA_EXPIRED`; files are opened when their turn comes.
pub async fn files_only(deps: &Records, row: &Conference, key: &DataKey) -> Result<Zip, CertificateError> {
    let mut items = atalaya_assistance::media::list(deps.db.read(), ConferenceId(row.id)).await?;
    of_files(deps, row, key, &mut items).await
}

/// An archive of the items that are still kept; removes the others from the list.
async fn of_files(
    deps: &Records,
    row: &Conference,
    key: &DataKey,
    items: &mut Vec<media_item::Model>,
) -> Result<Zip, CertificateError> {
    items.retain(|item| item.expired_at.is_none());
    // They have expired, but the hourly job has not recorded that in the chain yet.
    if !items.is_empty() && atalaya_cases::lifetimes::is_expired(deps, row).await? {
        return Err(CertificateError::FilesExpired);
    }
    let files: Result<Vec<ZipEntry>, CertificateError> = items.iter().map(|item| file(deps, item, key)).collect();
    Ok(Zip::new(files?))
}

fn file(deps: &Records, item: &media_item::Model, key: &DataKey) -> Result<ZipEntry, CertificateError> {
    let blob = BlobName::new(item.blob_name.clone()).map_err(ConferenceError::from)?;
    let size = u64::try_from(item.size_bytes).unwrap_or(0);
    let content = (deps.blobs.clone(), blob, key.clone());
    Ok(ZipEntry::of_blob(item.original_file_name.clone(), size, item.captured_at, content))
}

async fn add_certificate(
    deps: &Records,
    row: &Conference,
    issued: store::Model,
    zip: &mut Zip,
) -> Result<Value, CertificateError> {
    let language = Language::parse(&issued.language).unwrap_or_default();
    let (number, code, at) = (issued.number.clone(), issued.code.clone(), issued.issued_at);
    let (key, signature) = (issued.fingerprint.clone(), issued.signature.clone());
    let pdf = service::pdf(deps, issued, row.clone(), language).await?;
    let sha256 = evidence::chain::sha256_hex(&pdf);
    zip.push(ZipEntry::of_bytes("certificado.pdf", at, Bytes::from(pdf)));
    Ok(json!({
        "number": number, "code": code, "path": zip.names().last(), "sha256": sha256, "issuedAt": moment(at), "key": key,
        "signature": signature,
    }))
}

fn conference(created: &Link) -> Value {
    let of = |key: &str| created.data.get(key);
    json!({"conferenceId": of("conferenceId"), "expedientNumber": of("expedientNumber"), "type": of("type")})
}

fn value(v: &evidence::ErasableValue) -> Value {
    json!({"seq": v.seq, "field": v.field, "salt": v.salt, "value": v.value, "commitment": v.commitment})
}

/// A file as its event describes it. Without a path it is no longer kept; its hash stays.
fn media(link: &Link, paths: &HashMap<String, String>) -> Value {
    json!({
        "seq": link.seq, "path": link.text("mediaId").and_then(|id| paths.get(id)), "name": link.data.get("name"),
        "type": link.data.get("type"), "sha256": link.data.get("sha256"), "bytes": link.data.get("bytes"),
    })
}

fn seal_value(seal: &Seal) -> Value {
    let (key, signature) = seal.signed.as_ref().map(|signed| (&signed.fingerprint, &signed.signature)).unzip();
    json!({
        "seq": seal.seq, "head": seal.head, "root": seal.root, "at": moment(seal.at), "key": key, "signature": signature,
    })
}

fn key_value(key: &Key) -> Value {
    json!({
        "key": key.fingerprint, "publicKey": key.public_key, "since": moment(key.since), "until": key.until.map(moment),
        "stolenOn": key.stolen_on, "previous": key.previous, "endorsement": key.endorsement,
    })
}

fn stamp_value(proof: &stamps::Proof) -> Value {
    json!({
        "root": proof.root, "index": proof.index, "size": proof.size,
        "path": proof.path.iter().map(hex::encode).collect::<Vec<_>>(), "token": STANDARD.encode(&proof.stamped.token),
    })
}
