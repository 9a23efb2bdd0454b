//! The text of a certificate: what the chain and the rows beside it say up to one event (CERT-1).
//!
//! *Invariant:* nothing here depends on the time of the request: only events up to the certificate's `seq` count, and its
//! own time is the time of issue (CERT-8).

mod integrity;
mod links;
mod positions;
mod sections;
mod words;

use super::store::Model as Certificate;
use crate::Records;
use atalaya_assistance::client_devices;
use atalaya_assistance::media_items::{self, MediaItem};
use atalaya_assistance::places::{self, Known};
use atalaya_cases::conferences::{Conference, ConferenceError};
use atalaya_cases::connections::{self, Stay};
use atalaya_cases::evidence::{self, Seal, Track, stamps::Proof};
use atalaya_cases::evidence_keys::{self, PublicKey};
use atalaya_kernel::events::TrackType;
use atalaya_kernel::{ConferenceId, Language};
use atalaya_messaging::Message;
use atalaya_pdf::{Document, Words as PageWords};
use std::collections::HashMap;
use uuid::Uuid;
use words::Words;

/// Everything a certificate describes.
pub(super) struct Case {
    pub certificate: Certificate,
    pub conference: Conference,
    /// Up to the certificate's last event.
    pub tracks: Vec<Track>,
    pub messages: Vec<Message>,
    pub stays: Vec<Stay>,
    pub media: HashMap<String, MediaItem>,
    /// What the client's devices call themselves, by participant.
    pub devices: HashMap<String, String>,
    /// Titles of legal texts by their ids.
    pub legal_titles: HashMap<String, String>,
    /// What was known about places when it was issued.
    pub known: Known,
    pub seal: Seal,
    pub proof: Option<Proof>,
    /// The key that signed the seal.
    pub key: Option<PublicKey>,
    /// The address in the QR code (CERT-7).
    pub url: String,
}

impl Case {
    fn of_type(&self, types: &'static [TrackType]) -> impl Iterator<Item = &Track> {
        self.tracks.iter().filter(move |track| types.contains(&track.track_type))
    }

    fn first(&self, track_type: TrackType) -> Option<&Track> {
        self.tracks.iter().find(|track| track.track_type == track_type)
    }
}

/// Where a certificate is verified.
pub(super) fn verification_url(deps: &Records, code: &str) -> String {
    format!("{}{}", deps.public_url, verification_path(code))
}

/// The same within this server.
pub(super) fn verification_path(code: &str) -> String {
    format!("/verificar/{code}")
}

/// Reads everything that a certificate describes; its seal may not be committed yet.
pub(super) async fn gather(
    deps: &Records,
    certificate: Certificate,
    conference: Conference,
    seal: Seal,
) -> Result<Case, ConferenceError> {
    let (db, id) = (deps.db.read(), ConferenceId(conference.id));
    let mut tracks = evidence::list(db, id).await?;
    tracks.retain(|track| track.seq <= certificate.seq);
    let mut messages = deps.outbox.for_conference(db, id).await?;
    messages.retain(|message| message.created_at <= certificate.issued_at);
    messages.sort_by_key(|message| message.created_at);
    let proof = match certificate.stamp_id {
        Some(_) => evidence::stamps::proof(db, seal.id).await?,
        None => None,
    };
    let media = media_items::list(db, id).await?;
    let known = places::service::known_at(deps, &conference, certificate.issued_at).await?;
    Ok(Case {
        known,
        key: signing_key(deps, &seal).await?,
        legal_titles: legal_titles(deps, &tracks).await?,
        stays: connections::list_stays(db, id).await?,
        devices: client_devices::device_names(db, id).await?,
        media: media.into_iter().map(|item| (item.id.to_string(), item)).collect(),
        url: verification_url(deps, &certificate.code),
        tracks,
        messages,
        seal,
        proof,
        certificate,
        conference,
    })
}

/// The public key that signed a seal.
async fn signing_key(deps: &Records, seal: &Seal) -> Result<Option<PublicKey>, ConferenceError> {
    let Some(signed) = &seal.signed else { return Ok(None) };
    let keys = evidence_keys::list(deps.db.read()).await?;
    let found = keys.iter().find(|key| key.fingerprint == signed.fingerprint);
    Ok(found.and_then(|key| PublicKey::of_base64(&key.public_key)))
}

async fn legal_titles(deps: &Records, tracks: &[Track]) -> Result<HashMap<String, String>, ConferenceError> {
    let mut titles = HashMap::new();
    for track in tracks {
        let Some(id) = track.data.get("documentId").and_then(|v| v.as_str()) else { continue };
        let Ok(uuid) = id.parse::<Uuid>() else { continue };
        if titles.contains_key(id) {
            continue;
        }
        if let Some(text) = atalaya_content::legal::service::find(&deps.content, uuid).await? {
            titles.insert(id.to_owned(), text.title);
        }
    }
    Ok(titles)
}

/// The document in one language.
pub(super) fn document(case: &Case, language: Language) -> Document {
    let words = Words(language);
    let of = |key: &'static str| words.of(key).to_owned();
    Document {
        language: language.code().to_owned(),
        title: of("title"),
        subtitle: words
            .of("subtitle")
            .replace("{expedient}", &case.conference.expedient_number)
            .replace("{company}", &case.certificate.company_name),
        number: case.certificate.number.clone(),
        issued_at: case.certificate.issued_at,
        code: case.certificate.code.clone(),
        url: case.url.clone(),
        words: PageWords { page: of("page"), code: of("code"), qr: of("qr") },
        sections: sections::all(case, &words),
    }
}
