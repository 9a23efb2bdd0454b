//! Freezing a call at a picture, and changing what is drawn on it.

use super::model::{self, DrawingChange, DrawnMark, Wrong};
use super::store::{self, Drawing};
use super::svg;
use crate::Records;
use atalaya_assistance::calls::say;
use atalaya_assistance::client_page::service as client;
use atalaya_assistance::media::thumbnails;
use atalaya_assistance::media_items::{self, MediaType};
use atalaya_blobs::BlobName;
use atalaya_cases::conferences::service::{publish_track, require_live};
use atalaya_cases::conferences::{self, ConferenceError, Scope, vault};
use atalaya_cases::evidence::chain::sha256_hex;
use atalaya_cases::evidence::{Actor, NewTrack};
use atalaya_cases::live::LiveEvent;
use atalaya_db::{DbError, DbResult};
use atalaya_kernel::events::TrackType;
use atalaya_kernel::{ConferenceId, MediaId};
use atalaya_rest::caller::Caller;
use chrono::{DateTime, Utc};
use futures::TryStreamExt;
use serde::Serialize;
use serde_json::json;
use utoipa::ToSchema;
use uuid::Uuid;

/// Longest side of the picture that the client's page gets, in pixels: more than its screen, less than its camera.
const CLIENT_SIDE: u32 = 1_600;

/// Why a picture is not frozen or a drawing not changed.
#[derive(Debug, thiserror::Error)]
pub enum DrawingError {
    /// `MEDIA_NOT_FOUND` (404)
    #[error("no such picture for this caller")]
    NotFound,
    /// `INVALID_FIELDS` (422)
    #[error("fields are wrong")]
    Invalid(Vec<Wrong>),
    /// `PICTURE_NOT_FROZEN` (404)
    #[error("the call is not frozen")]
    NotFrozen,
    /// `TOO_MANY_TRIES` (429)
    #[error("too many changes")]
    TooMany { retry_after_s: u64 },
    #[error(transparent)]
    Conference(#[from] ConferenceError),
}

impl From<DbError> for DrawingError {
    fn from(error: DbError) -> Self {
        Self::Conference(error.into())
    }
}

/// The marks of a picture on the wire.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DrawingView {
    pub media_id: Uuid,
    /// Grows with each change; 0 before the first.
    pub revision: i32,
    pub marks: Vec<DrawnMark>,
    /// SHA-256 of the layer, in hex, as the chain holds it; null before the first change.
    pub sha256: Option<String>,
    /// The layer as SVG, over the whole picture; null when nothing is drawn.
    pub url: Option<String>,
    /// Who changed it last.
    pub by: Option<Uuid>,
    pub at: Option<DateTime<Utc>>,
}

impl DrawingView {
    fn empty(media_id: Uuid) -> Self {
        Self { media_id, revision: 0, marks: Vec::new(), sha256: None, url: None, by: None, at: None }
    }
}

impl From<Drawing> for DrawingView {
    fn from(drawing: Drawing) -> Self {
        let url = format!("/uploads/{}.svg?revision={}", drawing.media, drawing.revision);
        Self {
            media_id: drawing.media,
            revision: drawing.revision,
            sha256: Some(drawing.sha256),
            url: Some(url).filter(|_| !drawing.marks.is_empty()),
            by: Some(drawing.by),
            at: Some(drawing.at),
            marks: drawing.marks,
        }
    }
}

/// The picture that a call is frozen at.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FrozenView {
    pub media_id: Uuid,
    /// Who froze it.
    pub by: Uuid,
    pub at: DateTime<Utc>,
}

/// What the client's page shows of it.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ClientFrozenView {
    pub media_id: Uuid,
    pub revision: i32,
    pub marks: Vec<DrawnMark>,
}

/// At which picture a call is frozen; a call that is over is at none.
async fn frozen_now(deps: &Records, id: ConferenceId) -> Result<Option<FrozenView>, ConferenceError> {
    if conferences::get(deps.db.read(), Scope::All, id).await?.closed {
        return Ok(None);
    }
    let frozen = store::frozen(deps.db.read(), id).await?;
    Ok(frozen.map(|frozen| FrozenView { media_id: frozen.media, by: frozen.by, at: frozen.at }))
}

/// What is frozen and drawn in a conference. Errors: `CONFERENCE_NOT_FOUND`.
pub async fn list(
    deps: &Records,
    caller: &Caller,
    id: ConferenceId,
) -> Result<(Option<FrozenView>, Vec<DrawingView>), ConferenceError> {
    conferences::get(deps.db.read(), Scope::of(caller), id).await?;
    let drawings = store::list(deps.db.read(), id).await?;
    Ok((frozen_now(deps, id).await?, drawings.into_iter().map(DrawingView::from).collect()))
}

/// Freezes a call at one of its pictures, or lets it live again, and notifies both sides (DRAW-1).
///
/// Errors: `CONFERENCE_NOT_FOUND`, `CONFERENCE_CLOSED`, `LINK_EXPIRED`, `MEDIA_ERASED`; `INVALID_FIELDS` about `mediaId`, which
/// is to be a picture of this conference that is still kept.
pub async fn freeze(
    deps: &Records,
    caller: &Caller,
    id: ConferenceId,
    picture: Option<MediaId>,
) -> Result<Option<FrozenView>, DrawingError> {
    require_live(deps, Scope::of(caller), id).await?;
    let tx = deps.db.write().await?;
    conferences::lock_living(&tx, id).await?;
    match picture {
        None => store::unfreeze(&tx, id).await?,
        Some(picture) => {
            let found = media_items::find(&*tx, Scope::of(caller), picture).await?;
            let fits = found.is_some_and(|(item, row)| {
                let is_picture = item.media_type == MediaType::Picture;
                row.id == id.0 && is_picture && item.expired_at.is_none() && item.width.is_some()
            });
            if !fits {
                return Err(DrawingError::Invalid(vec![Wrong { field: "mediaId".into(), code: "INVALID", max: None }]));
            }
            store::freeze(&tx, &deps.sources, id, picture, caller.user).await?;
        }
    }
    tx.commit().await?;
    let frozen = frozen_now(deps, id).await?;
    deps.live.publish(id, LiveEvent::new("frozen", json!({"frozen": frozen})));
    say(deps, id, json!({"t": "frozen"})).await;
    Ok(frozen)
}

/// Changes what is drawn on a picture of a call that goes on, and appends that to the chain (DRAW-7).
///
/// Errors: `MEDIA_NOT_FOUND`, `CONFERENCE_CLOSED`, `LINK_EXPIRED`, `MEDIA_ERASED`; `INVALID_FIELDS` about `drawing`.
pub async fn change(
    deps: &Records,
    caller: &Caller,
    picture: MediaId,
    change: DrawingChange,
) -> Result<DrawingView, DrawingError> {
    let found = media_items::find(deps.db.read(), Scope::of(caller), picture).await?;
    let (item, row) = found.ok_or(DrawingError::NotFound)?;
    let id = ConferenceId(row.id);
    require_live(deps, Scope::of(caller), id).await?;
    let side = |side: Option<i32>| side.and_then(|side| u32::try_from(side).ok());
    let is_picture = item.media_type == MediaType::Picture && item.expired_at.is_none();
    let size = side(item.width).zip(side(item.height)).filter(|_| is_picture).ok_or(DrawingError::NotFound)?;
    let tx = deps.db.write().await?;
    if conferences::lock_living(&tx, id).await?.closed {
        return Err(ConferenceError::Closed.into());
    }
    let before = store::find(&*tx, picture.0).await?;
    let marks = before.as_ref().map_or(&[][..], |drawing| drawing.marks.as_slice());
    let changed = model::apply(marks, change).map_err(|wrong| DrawingError::Invalid(under("drawing", wrong)))?;
    if changed == marks {
        return Ok(before.map_or_else(|| DrawingView::empty(picture.0), DrawingView::from));
    }
    let layer = svg::of(&changed, size.0, size.1);
    let drawing = Drawing {
        media: picture.0,
        revision: before.map_or(0, |drawing| drawing.revision) + 1,
        sha256: sha256_hex(layer.as_bytes()),
        marks: changed,
        svg: layer,
        by: caller.user.0,
        at: deps.sources.now(),
    };
    store::put(&tx, &deps.sources, id, &drawing).await?;
    let data = json!({
        "mediaId": picture.to_string(), "revision": drawing.revision, "marks": drawing.marks.len(), "sha256": drawing.sha256,
    });
    let track = NewTrack::new(TrackType::DrawingChanged, Actor::User(caller.user), data);
    let track = conferences::append(&tx, deps, id, track).await?;
    tx.commit().await?;
    publish_track(deps, id, &track).await;
    let view = DrawingView::from(drawing);
    deps.live.publish(id, LiveEvent::new("drawing", json!({"drawing": view})));
    say(deps, id, json!({"t": "drawing", "mediaId": view.media_id, "revision": view.revision})).await;
    Ok(view)
}

fn under(field: &str, wrong: Vec<Wrong>) -> Vec<Wrong> {
    wrong.into_iter().map(|one| Wrong { field: format!("{field}.{}", one.field), ..one }).collect()
}

/// What the client's page shows of a frozen call; `None` while the picture is live (DRAW-2).
///
/// Errors: `LINK_UNKNOWN`, `CLIENT_KEY_INVALID`, `DEVICE_AT_DOOR`.
pub async fn for_client(deps: &Records, hash: &str, key: Option<&str>) -> Result<Option<ClientFrozenView>, ConferenceError> {
    let id = inside(deps, hash, key).await?;
    let Some(frozen) = frozen_now(deps, id).await? else { return Ok(None) };
    let drawing = store::find(deps.db.read(), frozen.media_id).await?;
    let (revision, marks) = drawing.map_or((0, Vec::new()), |drawing| (drawing.revision, drawing.marks));
    Ok(Some(ClientFrozenView { media_id: frozen.media_id, revision, marks }))
}

/// The frozen picture as a JPEG for a phone.
///
/// Errors: those of [`for_client`]; `PICTURE_NOT_FROZEN` while the picture is live, or when it cannot be drawn.
pub async fn picture_for_client(deps: &Records, hash: &str, key: Option<&str>) -> Result<Vec<u8>, DrawingError> {
    let id = inside(deps, hash, key).await?;
    let frozen = frozen_now(deps, id).await?.ok_or(DrawingError::NotFrozen)?;
    let found = media_items::find(deps.db.read(), Scope::All, MediaId(frozen.media_id)).await?;
    let (item, row) = found.ok_or(DrawingError::NotFrozen)?;
    let key = vault::unwrap(deps, id, row.data_key.as_deref()).await?;
    let blob = BlobName::new(item.preview_blob.unwrap_or(item.blob_name)).map_err(ConferenceError::from)?;
    let reader = deps.blobs.get(&blob, &key).await.map_err(ConferenceError::from)?;
    let parts: Vec<bytes::Bytes> = reader.stream().try_collect().await.map_err(ConferenceError::from)?;
    thumbnails::scale(parts.concat().into(), CLIENT_SIDE).await.map_err(|_| DrawingError::NotFrozen)
}

/// The conference that a device of the client is in.
async fn inside(deps: &Records, hash: &str, key: Option<&str>) -> Result<ConferenceId, ConferenceError> {
    let id = ConferenceId(client::find(deps, hash).await?.id);
    client::require_inside(deps, id, key).await?;
    Ok(id)
}

/// A layer as a file.
pub struct Layer {
    pub media: Uuid,
    pub svg: String,
    pub sha256: String,
    pub at: DateTime<Utc>,
}

fn layer_of(drawing: Drawing) -> Option<Layer> {
    let Drawing { media, svg, sha256, at, marks, .. } = drawing;
    (!marks.is_empty()).then_some(Layer { media, svg, sha256, at })
}

/// The layers of a conference's pictures, for its archive and its report.
pub async fn layers(deps: &Records, id: ConferenceId) -> DbResult<Vec<Layer>> {
    Ok(store::list(deps.db.read(), id).await?.into_iter().filter_map(layer_of).collect())
}

/// The layer of a picture that the caller may see.
pub async fn layer(deps: &Records, caller: &Caller, picture: MediaId) -> Result<Option<Layer>, ConferenceError> {
    let found = media_items::find(deps.db.read(), Scope::of(caller), picture).await?;
    if found.is_none() || caller.role.is_repair_side() {
        return Ok(None);
    }
    Ok(store::find(deps.db.read(), picture.0).await?.and_then(layer_of))
}
