//! What a ZIP holds beside the files, so that anybody can check them without us: manifest, offline verifier, certificate.
//!
//! *Invariant:* the manifest says nothing that its own events, its signatures or the files beside it do not prove.

use super::model::CertificateError;
use super::{service, store};
use crate::{Records, drawings, measures};
use atalaya_assistance::media_items::{self, MediaItem};
use atalaya_blobs::zip::{Zip, ZipEntry};
use atalaya_blobs::{BlobName, DataKey};
use atalaya_cases::conferences::{Conference, ConferenceError};
use atalaya_cases::evidence::{self, ErasableValue, Link, Seal, days, stamps};
use atalaya_cases::evidence_keys::service::moment;
use atalaya_cases::evidence_keys::{self, Key};
use atalaya_kernel::events::TrackType;
use atalaya_kernel::{ConferenceId, Language};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use chrono::{DateTime, Utc};
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
    let mut items = media_items::list(db, id).await?;
    items.retain(|item| known.contains(item.id.to_string().as_str()));
    let mut zip = of_files(deps, row, key, &mut items).await?;
    let paths: HashMap<String, String> =
        items.iter().map(|item| item.id.to_string()).zip(zip.names().map(str::to_owned)).collect();
    let layers = add_layers(deps, id, &links, &items, &mut zip).await?;
    let certificate = match certificate {
        Some(issued) => add_certificate(deps, row, issued, &mut zip).await?,
        None => Value::Null,
    };
    zip.push(ZipEntry::of_bytes(VERIFIER, now, Bytes::from_static(VERIFIER_HTML.as_bytes())));
    let proof = match &seal {
        Some(seal) => stamps::proof(db, seal.id).await?,
        None => None,
    };
    let day = match &seal {
        Some(seal) => days::proof(db, seal.id).await?,
        None => None,
    };
    let keys = evidence_keys::list(db).await?;
    let manifest = json!({
        "format": FORMAT,
        "conference": links.first().map(|created| conference(created, &values)),
        "events": links.iter().map(|l| json!({"canonical": l.canonical, "prev": l.prev, "hash": l.hash})).collect::<Vec<_>>(),
        "values": values.iter().map(value).collect::<Vec<_>>(),
        "media": links.iter().filter(|l| l.is_media()).map(|link| media(link, &paths, &values)).collect::<Vec<_>>(),
        "drawings": layers,
        "seal": seal.as_ref().map(seal_value),
        "timestamp": proof.as_ref().map(stamp_value),
        "day": day.as_ref().map(day_value),
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
    let mut items = media_items::list(deps.db.read(), ConferenceId(row.id)).await?;
    of_files(deps, row, key, &mut items).await
}

/// An archive of the items that are still kept; removes the others from the list.
async fn of_files(deps: &Records, row: &Conference, key: &DataKey, items: &mut Vec<MediaItem>) -> Result<Zip, CertificateError> {
    items.retain(|item| item.expired_at.is_none());
    // They have expired, but the hourly job has not recorded that in the chain yet.
    if !items.is_empty() && atalaya_cases::lifetimes::is_expired(deps, row).await? {
        return Err(CertificateError::FilesExpired);
    }
    let files: Result<Vec<ZipEntry>, CertificateError> = items.iter().map(|item| file(deps, item, key)).collect();
    Ok(Zip::new(files?))
}

fn file(deps: &Records, item: &MediaItem, key: &DataKey) -> Result<ZipEntry, CertificateError> {
    let blob = BlobName::new(item.blob_name.clone()).map_err(ConferenceError::from)?;
    let size = u64::try_from(item.size_bytes).unwrap_or(0);
    let content = (deps.blobs.clone(), blob, key.clone());
    Ok(ZipEntry::of_blob(item.original_file_name.clone(), size, item.captured_at, content))
}

/// A layer that lies beside its picture: whose picture, what the event is called, what is added to the picture's name.
struct Beside {
    event: TrackType,
    suffix: &'static str,
    media: uuid::Uuid,
    svg: String,
    sha256: String,
    at: DateTime<Utc>,
}

/// Everything that is drawn and measured on a conference's pictures.
async fn layers_of(deps: &Records, id: ConferenceId) -> Result<Vec<Beside>, CertificateError> {
    let drawn = drawings::layers(deps, id).await?.into_iter().map(|layer| Beside {
        event: TrackType::DrawingChanged,
        suffix: "marcas",
        media: layer.media,
        svg: layer.svg,
        sha256: layer.sha256,
        at: layer.at,
    });
    let measured = measures::layers(deps, id).await?.into_iter().map(|layer| Beside {
        event: TrackType::MeasureChanged,
        suffix: "medidas",
        media: layer.media,
        svg: layer.svg,
        sha256: layer.sha256,
        at: layer.at,
    });
    Ok(drawn.chain(measured).collect())
}

/// The layers, each as a file of its own beside its picture, with the event that tells its digest (DRAW-11, MEASURE-9). What
/// changed meanwhile is left out.
async fn add_layers(
    deps: &Records,
    id: ConferenceId,
    links: &[Link],
    items: &[MediaItem],
    zip: &mut Zip,
) -> Result<Vec<Value>, CertificateError> {
    let mut told = Vec::new();
    for layer in layers_of(deps, id).await? {
        let event =
            links.iter().find(|link| link.event_type == layer.event.wire() && link.text("sha256") == Some(layer.sha256.as_str()));
        let item = items.iter().find(|item| item.id == layer.media);
        let Some((event, item)) = event.zip(item) else { continue };
        let name = item.original_file_name.rsplit_once('.').map_or(item.original_file_name.as_str(), |(stem, _)| stem);
        zip.push(ZipEntry::of_bytes(format!("{name}-{}.svg", layer.suffix), layer.at, Bytes::from(layer.svg)));
        told.push(json!({"seq": event.seq, "path": zip.names().last(), "sha256": layer.sha256}));
    }
    Ok(told)
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

fn conference(created: &Link, values: &[ErasableValue]) -> Value {
    let of = |key: &str| fact(created, values, key);
    json!({"conferenceId": of("conferenceId"), "expedientNumber": of("expedientNumber"), "type": of("type")})
}

/// A fact of an event: plain as in chains of earlier versions, or by its commitment until it is erased (EVID-55).
fn fact(link: &Link, values: &[ErasableValue], key: &str) -> Value {
    if let Some(plain) = link.data.get(key) {
        return plain.clone();
    }
    let value = values.iter().find(|value| value.seq == link.seq && value.field == key);
    value.map_or(Value::Null, |value| json!(value.value))
}

fn value(v: &ErasableValue) -> Value {
    json!({"seq": v.seq, "field": v.field, "salt": v.salt, "value": v.value, "commitment": v.commitment})
}

/// A file as its event describes it. Without a path it is no longer kept; its hash stays.
fn media(link: &Link, paths: &HashMap<String, String>, values: &[ErasableValue]) -> Value {
    json!({
        "seq": link.seq, "path": link.text("mediaId").and_then(|id| paths.get(id)), "name": fact(link, values, "name"),
        "type": link.data.get("type"), "sha256": link.data.get("sha256"), "bytes": link.data.get("bytes"),
        "deviceKey": link.data.get("deviceKey"), "deviceSignature": link.data.get("deviceSignature"),
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

fn day_value(proof: &days::Proof) -> Value {
    let day = &proof.day;
    json!({
        "day": day.day, "previous": day.previous, "root": day.root, "at": moment(day.at), "key": day.signed.fingerprint,
        "signature": day.signed.signature, "index": proof.index, "size": day.leaves(),
        "path": proof.path.iter().map(hex::encode).collect::<Vec<_>>(),
    })
}

fn stamp_value(proof: &stamps::Proof) -> Value {
    json!({
        "root": proof.root, "index": proof.index, "size": proof.size,
        "path": proof.path.iter().map(hex::encode).collect::<Vec<_>>(), "token": STANDARD.encode(&proof.stamped.token),
    })
}
