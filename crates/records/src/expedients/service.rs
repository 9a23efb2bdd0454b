//! Writing and deleting notes of a case.

use super::error::ExpedientError;
use super::model::Note;
use super::store::{self, NewNote};
use crate::Records;
use atalaya_cases::conferences::model::expedient_key;
use atalaya_cases::conferences::{self, Conference, ConferenceError, Scope};
use atalaya_cases::lists;
use atalaya_client_files::requests::service as file_requests;
use atalaya_client_files::{FileRequest, FilesError};
use atalaya_identity::users;
use atalaya_kernel::{CompanyId, ConferenceId, Role, limits};
use atalaya_rest::caller::Caller;
use uuid::Uuid;

/// Maximum number of conferences of one case.
const CONFERENCES: u64 = 200;

/// The conferences of a case within the caller's scope, newest first, and its key.
///
/// Errors: `EXPEDIENT_NOT_FOUND` when there is none.
pub async fn open(deps: &Records, caller: &Caller, number: &str) -> Result<(String, Vec<Conference>), ExpedientError> {
    let key = expedient_key(number);
    let found = conferences::list_of_case(deps.db.read(), Scope::of(caller), &key, CONFERENCES).await?;
    if key.is_empty() || found.is_empty() { Err(ExpedientError::NotFound) } else { Ok((key, found)) }
}

/// The companies of these conferences.
pub fn companies(conferences: &[Conference]) -> Vec<Uuid> {
    let mut all: Vec<Uuid> = conferences.iter().map(|row| row.company_id).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// The conferences as lists show them.
pub async fn rows(
    deps: &Records,
    caller: &Caller,
    found: &[Conference],
) -> Result<Vec<lists::rows::ConferenceRow>, ConferenceError> {
    lists::rows::complete(deps, found, caller.role, deps.sources.now()).await
}

/// The requests for files of these conferences, newest first.
pub async fn requests(deps: &Records, found: &[Conference]) -> Result<Vec<FileRequest>, FilesError> {
    let mut all = Vec::new();
    for row in found.iter().filter(|row| row.files_requested) {
        all.extend(file_requests::of_conference(deps, row).await?);
    }
    all.sort_by_key(|request| std::cmp::Reverse((request.created_at, request.id)));
    Ok(all)
}

/// Writes a note: into the caller's company, an administrator's into the case's latest company.
///
/// Errors: `EXPEDIENT_NOT_FOUND`; `INVALID_FIELDS` about `text` (REQUIRED, TOO_LONG over 1000 characters); `MEDIA_ERASED`
/// when the case is being erased.
pub async fn add_note(deps: &Records, caller: &Caller, number: &str, text: &str) -> Result<Note, ExpedientError> {
    let (key, found) = open(deps, caller, number).await?;
    let text = text.trim();
    if text.is_empty() {
        return Err(ExpedientError::Text("REQUIRED"));
    }
    if text.chars().count() > limits::EXPEDIENT_NOTE_MAX {
        return Err(ExpedientError::Text("TOO_LONG"));
    }
    if text.chars().any(|c| c.is_control() && c != '\n' && c != '\t') {
        return Err(ExpedientError::Text("CHARACTERS_NOT_ALLOWED"));
    }
    let note = NewNote {
        id: deps.sources.uuid(),
        company: CompanyId(found[0].company_id),
        user: caller.user,
        user_name: users::service::display_name(&deps.identity, caller.user).await?,
        key,
        text: text.to_owned(),
        at: deps.sources.now(),
    };
    Ok(write(deps, note, &found).await?)
}

/// Writes the note if its company has a conference of the case that is not erased; the notes were erased with the last one.
async fn write(deps: &Records, note: NewNote, found: &[Conference]) -> Result<Note, ConferenceError> {
    let tx = deps.db.write().await?;
    let mut living = false;
    for row in found.iter().filter(|row| row.company_id == note.company.0) {
        living = match conferences::lock_living(&tx, ConferenceId(row.id)).await {
            Err(ConferenceError::MediaErased) => false,
            other => other.map(|_| true)?,
        };
        if living {
            break;
        }
    }
    if !living {
        return Err(ConferenceError::MediaErased);
    }
    let row = store::insert_note(&tx, note).await?;
    tx.commit().await?;
    Ok(row)
}

/// Deletes a note: one's own, or as principal of its company, or as administrator.
///
/// Errors: `NOTE_NOT_FOUND`, `ROLE_NOT_ALLOWED` for a colleague's.
pub async fn remove_note(deps: &Records, caller: &Caller, id: Uuid) -> Result<(), ExpedientError> {
    let tenant = (!caller.is_admin()).then_some(caller.company);
    let note = store::find_note(deps.db.read(), tenant, id).await?.ok_or(ExpedientError::NoteNotFound)?;
    if caller.role == Role::Worker && note.user != caller.user {
        return Err(ExpedientError::RoleNotAllowed);
    }
    Ok(erase(deps, note.id).await?)
}

async fn erase(deps: &Records, id: Uuid) -> Result<(), ConferenceError> {
    let tx = deps.db.write().await?;
    store::delete_note(&tx, id).await?;
    tx.commit().await?;
    Ok(())
}
