//! The client's answer to the notice, and the keys that come with it: ours for the device, and the device's own for its pictures.

use super::service::{Origin, find, notice, require_room, require_usable};
use crate::Assistance;
use crate::client_devices as devices;
use atalaya_cases::conferences::model::{ConferenceError, Wrong};
use atalaya_cases::conferences::service::publish_track;
use atalaya_cases::evidence::{Actor, NewTrack};
use atalaya_cases::evidence_keys::PublicKey;
use atalaya_cases::{conferences, dictated_code, lifetimes};
use atalaya_kernel::events::TrackType;
use atalaya_kernel::{ClientLanguage, CompanyId, ConferenceId};
use serde::Deserialize;
use serde_json::json;
use utoipa::ToSchema;

/// The client's answer to the notice.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LegalAnswer {
    pub accept: bool,
    pub document_id: String,
    pub version: i32,
    pub language: ClientLanguage,
    /// The public half of the key that this device made for its pictures: base64 of the DER, P-256. Anything else counts as
    /// none (EVID-60).
    #[serde(default)]
    pub device_key: Option<String>,
}

/// What a device is given that accepted the notice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Accepted {
    pub client_key: String,
    /// The device signs its pictures for this conference (EVID-60).
    pub conference: ConferenceId,
}

/// Records the answer; accepting gives this device its key. Declining can be taken back.
///
/// Errors: `LINK_UNKNOWN`, `CONFERENCE_CLOSED`, `LINK_EXPIRED`, `INVALID_FIELDS` when another text was shown.
pub async fn answer(
    deps: &Assistance,
    hash: &str,
    answer: &LegalAnswer,
    origin: &Origin,
) -> Result<Option<Accepted>, ConferenceError> {
    let row = find(deps, hash).await?;
    require_usable(deps, &row)?;
    let id = ConferenceId(row.id);
    let company = atalaya_identity::companies::service::get_company(&deps.identity, CompanyId(row.company_id)).await?;
    let retention_days = lifetimes::retention_days(company.retention_days);
    let notice = notice(deps, &row, answer.language, retention_days, &company).await?;
    if notice.document_id.to_string() != answer.document_id || notice.version != answer.version {
        return Err(ConferenceError::Invalid(vec![Wrong { field: "documentId", code: "LEGAL_TEXT_CHANGED", max: None }]));
    }
    let mut data = json!({
        "documentId": notice.document_id.to_string(), "documentSha256": notice.sha256, "language": notice.language.code(),
        "version": notice.version,
    });
    let tx = deps.db.write().await?;
    let row = conferences::lock_living(&tx, id).await?;
    // Closed meanwhile: a key that comes after the seal would vouch for nothing.
    require_usable(deps, &row)?;
    require_room(&row)?;
    let key = if answer.accept {
        let key = deps.sources.hex::<32>();
        let identity = format!("client:{}", deps.sources.hex::<4>());
        let public = answer.device_key.as_deref().and_then(PublicKey::of_base64).map(|key| key.base64());
        if let Some(public) = &public {
            data["devicePublicKey"] = public.as_str().into();
        }
        devices::insert_device(&tx, &deps.sources, id, dictated_code::digest(&key), identity, public).await?;
        Some(key)
    } else {
        None
    };
    let track_type = if answer.accept { TrackType::LegalAccepted } else { TrackType::LegalRejected };
    let track = origin.onto(NewTrack::new(track_type, Actor::Client, data));
    let track = conferences::append(&tx, deps, id, track).await?;
    tx.commit().await?;
    publish_track(deps, id, &track).await;
    Ok(key.map(|client_key| Accepted { client_key, conference: id }))
}
