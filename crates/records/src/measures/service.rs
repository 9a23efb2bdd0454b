//! Changing what is measured on a picture, and reading it.

use super::geometry::Frame;
use super::model::{self, MeasureChange, MeasuredPlane, ShapeKind, Wrong};
use super::store::{self, Measures};
use super::svg;
use crate::Records;
use atalaya_assistance::media_items::{self, MediaType};
use atalaya_cases::conferences::service::publish_track;
use atalaya_cases::conferences::{self, ConferenceError, Scope};
use atalaya_cases::evidence::chain::sha256_hex;
use atalaya_cases::evidence::{Actor, NewTrack};
use atalaya_cases::live::LiveEvent;
use atalaya_db::{DbError, DbResult};
use atalaya_kernel::events::TrackType;
use atalaya_kernel::{ConferenceId, MediaId};
use atalaya_rest::caller::Caller;
use chrono::{DateTime, Utc};
use serde::Serialize;
use serde_json::{Value, json};
use utoipa::ToSchema;
use uuid::Uuid;

/// Why nothing is measured.
#[derive(Debug, thiserror::Error)]
pub enum MeasureError {
    /// `MEDIA_NOT_FOUND` (404)
    #[error("no such picture for this caller")]
    NotFound,
    /// `MEDIA_EXPIRED` (410)
    #[error("the picture is no longer kept")]
    Expired,
    /// `INVALID_FIELDS` (422)
    #[error("fields are wrong")]
    Invalid(Vec<Wrong>),
    /// `TOO_MANY_TRIES` (429)
    #[error("too many changes")]
    TooMany { retry_after_s: u64 },
    #[error(transparent)]
    Conference(#[from] ConferenceError),
    /// The marker could not be set, which is a bug of ours.
    #[error(transparent)]
    Marker(#[from] atalaya_pdf::PdfError),
}

impl From<DbError> for MeasureError {
    fn from(error: DbError) -> Self {
        Self::Conference(error.into())
    }
}

/// What is measured on a picture, on the wire.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MeasureView {
    pub media_id: Uuid,
    /// Grows with each change; 0 before the first.
    pub revision: i32,
    pub planes: Vec<MeasuredPlane>,
    /// SHA-256 of the layer, in hex, as the chain holds it; null before the first change.
    pub sha256: Option<String>,
    /// The layer as SVG, over the whole picture; null when nothing is measured.
    pub url: Option<String>,
    /// Who changed it last.
    pub by: Option<Uuid>,
    pub at: Option<DateTime<Utc>>,
}

impl MeasureView {
    fn empty(media_id: Uuid) -> Self {
        Self { media_id, revision: 0, planes: Vec::new(), sha256: None, url: None, by: None, at: None }
    }
}

impl From<Measures> for MeasureView {
    fn from(measures: Measures) -> Self {
        let url = format!("/uploads/{}.measures.svg?revision={}", measures.media, measures.revision);
        Self {
            media_id: measures.media,
            revision: measures.revision,
            sha256: Some(measures.sha256),
            url: Some(url).filter(|_| !measures.planes.is_empty()),
            by: Some(measures.by),
            at: Some(measures.at),
            planes: measures.planes,
        }
    }
}

/// What is measured on a conference's pictures. Errors: `CONFERENCE_NOT_FOUND`.
pub async fn list(deps: &Records, caller: &Caller, id: ConferenceId) -> Result<Vec<MeasureView>, ConferenceError> {
    conferences::get(deps.db.read(), Scope::of(caller), id).await?;
    Ok(of_conference(deps, id).await?)
}

/// The same for whoever may read the conference already: copies of a person's data, programs.
pub async fn of_conference(deps: &Records, id: ConferenceId) -> DbResult<Vec<MeasureView>> {
    Ok(store::list(deps.db.read(), id).await?.into_iter().map(MeasureView::from).collect())
}

/// Changes what is measured on a picture, during the call or after it, and appends that to the chain (MEASURE-6).
///
/// Errors: `MEDIA_NOT_FOUND`, `MEDIA_EXPIRED`, `MEDIA_ERASED`; `INVALID_FIELDS` about `measure`.
pub async fn change(
    deps: &Records,
    caller: &Caller,
    picture: MediaId,
    change: MeasureChange,
) -> Result<MeasureView, MeasureError> {
    let found = media_items::find(deps.db.read(), Scope::of(caller), picture).await?;
    let (item, row) = found.ok_or(MeasureError::NotFound)?;
    let id = ConferenceId(row.id);
    let side = |side: Option<i32>| side.and_then(|side| u32::try_from(side).ok());
    let is_picture = item.media_type == MediaType::Picture;
    let size = side(item.width).zip(side(item.height)).filter(|_| is_picture).ok_or(MeasureError::NotFound)?;
    if row.erased_at.is_some() {
        return Err(ConferenceError::MediaErased.into());
    }
    if item.expired_at.is_some() || atalaya_cases::lifetimes::is_expired(deps, &row).await? {
        return Err(MeasureError::Expired);
    }
    let frame = Frame { width: size.0, height: size.1 };
    let tx = deps.db.write().await?;
    conferences::lock_living(&tx, id).await?;
    let before = store::find(&*tx, picture.0).await?;
    let planes = before.as_ref().map_or(&[][..], |measures| measures.planes.as_slice());
    let mut changed = model::apply(planes, change, frame).map_err(|wrong| MeasureError::Invalid(under("measure", wrong)))?;
    if item.lens.as_deref().is_some_and(model::is_wide_name) {
        changed.iter_mut().for_each(|plane| plane.wide = true);
    }
    if changed == planes {
        return Ok(before.map_or_else(|| MeasureView::empty(picture.0), MeasureView::from));
    }
    let layer = svg::of(&changed, size.0, size.1);
    let measures = Measures {
        media: picture.0,
        revision: before.map_or(0, |measures| measures.revision) + 1,
        sha256: sha256_hex(layer.as_bytes()),
        planes: changed,
        svg: layer,
        by: caller.user.0,
        at: deps.sources.now(),
    };
    store::put(&tx, &deps.sources, id, &measures).await?;
    let track = NewTrack::new(TrackType::MeasureChanged, Actor::User(caller.user), told(&measures));
    let track = conferences::append(&tx, deps, id, track).await?;
    tx.commit().await?;
    publish_track(deps, id, &track).await;
    let view = MeasureView::from(measures);
    deps.live.publish(id, LiveEvent::new("measure", json!({"measure": view})));
    Ok(view)
}

/// What the chain and the webhooks tell: the digest of the layer, and every value in whole units, because the chain's numbers
/// are whole.
fn told(measures: &Measures) -> Value {
    let whole = |value: f64| value.round().clamp(0.0, 9e15) as i64;
    let shapes = measures.planes.iter().flat_map(|plane| &plane.shapes);
    let values: Vec<Value> = shapes
        .map(|shape| {
            let unit = if shape.kind == ShapeKind::Area { "mm2" } else { "mm" };
            json!({"value": whole(shape.value), "error": whole(shape.error.ceil()), "unit": unit})
        })
        .collect();
    json!({"mediaId": measures.media.to_string(), "revision": measures.revision, "sha256": measures.sha256, "values": values})
}

fn under(field: &str, wrong: Vec<Wrong>) -> Vec<Wrong> {
    wrong.into_iter().map(|one| Wrong { field: format!("{field}.{}", one.field), ..one }).collect()
}

/// A layer as a file.
pub struct Layer {
    pub media: Uuid,
    pub svg: String,
    pub sha256: String,
    pub at: DateTime<Utc>,
    pub planes: Vec<MeasuredPlane>,
}

fn layer_of(measures: Measures) -> Option<Layer> {
    let Measures { media, svg, sha256, at, planes, .. } = measures;
    (!planes.is_empty()).then_some(Layer { media, svg, sha256, at, planes })
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
