//! Calls of expedients.

use super::model::Note;
use super::{service, store};
use crate::Records;
use crate::incidences::{self, view::IncidenceRow};
use atalaya_assistance::media::MediaView;
use atalaya_assistance::media_items::{self, MediaItem};
use atalaya_cases::conferences::ConferenceError;
use atalaya_cases::lists::rows::ConferenceRow;
use atalaya_client_files::FileRequest;
use atalaya_rest::caller::{Caller, ConferenceSide};
use atalaya_rest::extract::{Json, Path};
use atalaya_rest::response::{ApiResult, NoContent};
use axum::extract::State;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

pub fn routes(deps: Records) -> OpenApiRouter {
    OpenApiRouter::new().routes(routes!(get_expedient)).routes(routes!(add_note)).routes(routes!(delete_note)).with_state(deps)
}

/// What somebody wrote about a case.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct NoteView {
    #[serde(rename = "_id")]
    id: Uuid,
    text: String,
    user_name: String,
    created_at: DateTime<Utc>,
    /// The caller wrote it.
    own: bool,
}

impl NoteView {
    fn of(note: Note, caller: &Caller) -> Self {
        let own = note.user == caller.user;
        Self { id: note.id, text: note.text, user_name: note.user_name, created_at: note.created_at, own }
    }
}

/// Everything of one case.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ExpedientBody {
    /// As the latest conference writes it.
    expedient_number: String,
    /// Newest first.
    conferences: Vec<ConferenceRow>,
    /// In order of arrival.
    media: Vec<MediaView>,
    /// Requests for files, newest first.
    requests: Vec<FileRequest>,
    /// Newest first.
    notes: Vec<NoteView>,
    /// Support tickets about the case, the latest change first.
    incidences: Vec<IncidenceRow>,
}

/// Everything of one case number that the caller may see; white space and case of the number do not matter.
///
/// Errors: `EXPEDIENT_NOT_FOUND` (404).
#[utoipa::path(get, path = "/api/v1/expedient/{expedientNumber}", tag = "expedients", operation_id = "get_expedient",
    params(("expedientNumber" = String, Path)), responses((status = 200, body = ExpedientBody)), security(("session" = [])))]
async fn get_expedient(
    State(deps): State<Records>,
    ConferenceSide(caller): ConferenceSide,
    Path(number): Path<String>,
) -> ApiResult<Json<ExpedientBody>> {
    let (key, found) = service::open(&deps, &caller, &number).await?;
    let ids: Vec<Uuid> = found.iter().map(|row| row.id).collect();
    let files = media_items::list_of(deps.db.read(), &ids, store::FILES).await.map_err(ConferenceError::from)?;
    let by_id: HashMap<Uuid, _> = found.iter().map(|row| (row.id, row)).collect();
    let view = |item: &MediaItem| {
        let row = by_id.get(&item.conference_id);
        MediaView::of(item, row.map_or("", |row| row.expedient_number.as_str()), row.and_then(|row| row.media_seen_at))
    };
    let notes = store::notes(deps.db.read(), &service::companies(&found), &key).await.map_err(ConferenceError::from)?;
    Ok(Json(ExpedientBody {
        expedient_number: found[0].expedient_number.clone(),
        conferences: service::rows(&deps, &caller, &found).await?,
        media: files.iter().map(view).collect(),
        requests: service::requests(&deps, &found).await?,
        notes: notes.into_iter().map(|note| NoteView::of(note, &caller)).collect(),
        incidences: incidences::view::of_expedient(&deps, &caller, &key).await?,
    }))
}

#[derive(Deserialize, ToSchema)]
struct NewNoteBody {
    /// 1 to 1000 characters.
    #[serde(default)]
    text: String,
}

#[derive(Serialize, ToSchema)]
struct NoteBody {
    note: NoteView,
}

/// Writes a note about a case, for everybody of the company who sees the case.
///
/// Errors: `EXPEDIENT_NOT_FOUND` (404); `INVALID_FIELDS` (422) about `text`.
#[utoipa::path(post, path = "/api/v1/expedient-notes/{expedientNumber}", tag = "expedients", operation_id = "add_note",
    params(("expedientNumber" = String, Path)), request_body = NewNoteBody, responses((status = 200, body = NoteBody)),
    security(("session" = [])))]
async fn add_note(
    State(deps): State<Records>,
    ConferenceSide(caller): ConferenceSide,
    Path(number): Path<String>,
    Json(body): Json<NewNoteBody>,
) -> ApiResult<Json<NoteBody>> {
    let note = service::add_note(&deps, &caller, &number, &body.text).await?;
    Ok(Json(NoteBody { note: NoteView::of(note, &caller) }))
}

/// Deletes a note: one's own; principals and administrators any of theirs.
///
/// Errors: `NOTE_NOT_FOUND` (404), `ROLE_NOT_ALLOWED` (403) for a colleague's.
#[utoipa::path(post, path = "/api/v1/expedient-note-delete/{id}", tag = "expedients", operation_id = "delete_note",
    params(("id" = Uuid, Path)), responses((status = 204)), security(("session" = [])))]
async fn delete_note(
    State(deps): State<Records>,
    ConferenceSide(caller): ConferenceSide,
    Path(id): Path<Uuid>,
) -> ApiResult<NoContent> {
    service::remove_note(&deps, &caller, id).await?;
    Ok(NoContent)
}
