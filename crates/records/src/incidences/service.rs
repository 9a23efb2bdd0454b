//! Sending, answering and changing incidences, each in one transaction with its log, messages and notifications.

use super::notices::{self, Event, People};
use super::observer::Changed;
use super::pictures::{self, Picture};
use crate::Records;
use crate::diagnostics::{self, Sender};
use crate::tickets::model::{
    Change, IncidenceError, Kind, NewImage, NewIncidence, Sent, Standing, Status, is_recent, moves, shown_number,
};
use crate::tickets::{self, Entry, EntryKind, Image, Incidence, NewLog, Scope};
use atalaya_cases::conferences::model::expedient_key;
use atalaya_cases::conferences::{self, Conference};
use atalaya_db::Tx;
use atalaya_kernel::{CompanyId, ConferenceId, IncidenceId, UserId, collate};
use atalaya_outreach::notifications::Told;
use atalaya_rest::caller::Caller;
use chrono::{DateTime, Utc};
use uuid::Uuid;

/// Accepts what the modal sends: a new incidence, or an answer to an existing one. Returns the incidence.
///
/// Errors: those of [`create`] and [`change`].
pub async fn send(
    deps: &Records,
    caller: &Caller,
    sent: Sent,
    files: &[NewImage],
    user_agent: Option<String>,
) -> Result<Incidence, IncidenceError> {
    match sent {
        Sent::New(new) => create(deps, caller, new, files, user_agent).await,
        Sent::Answer(id, text) => change(deps, caller, id, Change { answer: text, ..Change::default() }, files).await,
    }
}

/// Writes a new incidence, which starts as SIN_ATENDER, with the diagnostics of its conference (INCID-9).
///
/// Errors: `CONFERENCE_NOT_FOUND` (also another tenant's), [`IncidenceError::ConferenceOld`], `MEDIA_ERASED` for an erased
/// conference, those of [`pictures::read`].
async fn create(
    deps: &Records,
    caller: &Caller,
    new: NewIncidence,
    files: &[NewImage],
    user_agent: Option<String>,
) -> Result<Incidence, IncidenceError> {
    let sender = Sender { user_agent, told: new.browser.clone(), network: new.network.clone() };
    let about = match new.conference {
        Some(id) => Some(recent(deps, caller, id).await?),
        None => None,
    };
    let adjuster = match &about {
        Some(row) => diagnostics::adjuster_of(deps, row, (caller.user, &sender)).await?,
        None => None,
    };
    let people = People::of(deps, caller.user, caller.company).await?;
    let pictures = pictures::read(files).await?;
    let id = deps.sources.uuid();
    let (key, wrapped) = pictures::new_key(deps, id).await?;
    let images = pictures::keep(deps, id, None, &key, pictures).await?;
    let written = async {
        let tx = deps.db.write().await?;
        let mut row = bare(deps, caller, &new, id, wrapped);
        row.image_count = i32::try_from(images.len()).unwrap_or(i32::MAX);
        match new.conference {
            Some(conference) => {
                let found = conferences::lock_living(&tx, conference).await?;
                take_over(&mut row, &found, caller);
                let found = diagnostics::about(deps, &tx, &found, &sender, adjuster.as_deref()).await?;
                row.diagnostics = serde_json::to_value(found).ok();
            }
            None => row.diagnostics = serde_json::to_value(diagnostics::general(&sender, row.created_at)).ok(),
        }
        row.number = tickets::next_number(&tx).await?;
        row.search = searched(&row, &people);
        tickets::insert(&tx, row.clone()).await?;
        tickets::insert_images(&tx, images.clone()).await?;
        let mut lines = vec![NewLog { action: "created", from: None, to: Some(row.status.into()) }];
        lines.extend(image_line(images.len()));
        tickets::append_logs(&tx, &deps.sources, id, caller.user, lines).await?;
        let told = notices::notify(deps, &tx, &row, &people, caller.user, Event::New).await?;
        tx.commit().await?;
        Ok::<_, IncidenceError>((row, told))
    };
    finish(deps, written.await, &images).await
}

/// Announces what was committed to screens and dispatcher; deletes the images of what was not.
async fn finish(
    deps: &Records,
    written: Result<(Incidence, Told), IncidenceError>,
    images: &[Image],
) -> Result<Incidence, IncidenceError> {
    match written {
        Ok((row, told)) => {
            deps.outreach.announce(told);
            deps.outbox.wake();
            tracing::info!(incidence.id = %row.id, status = i16::from(row.status), "incidence written");
            Ok(row)
        }
        Err(error) => {
            pictures::forget(deps, images).await;
            Err(error)
        }
    }
}

/// The conference, if the caller sees it and it is recent enough (INCID-4).
async fn recent(deps: &Records, caller: &Caller, id: ConferenceId) -> Result<Conference, IncidenceError> {
    let row = conferences::get(deps.db.read(), conferences::Scope::of(caller), id).await?;
    match is_recent(row.created_at, deps.sources.now()) {
        true => Ok(row),
        false => Err(IncidenceError::ConferenceOld),
    }
}

fn bare(deps: &Records, caller: &Caller, new: &NewIncidence, id: Uuid, wrapped: Vec<u8>) -> Incidence {
    let now = deps.sources.now();
    let expedient = new.expedient.clone().filter(|_| new.kind == Kind::General);
    Incidence {
        id,
        company_id: caller.company.0,
        author_id: caller.user.0,
        last_by: caller.user.0,
        conference_id: None,
        number: 0,
        image_count: 0,
        answer_count: 0,
        kind: new.kind,
        reason: new.reason,
        status: Status::Unattended,
        comments: new.comments.clone(),
        search: String::new(),
        expedient_key: expedient.as_deref().map(expedient_key),
        expedient_number: expedient,
        phone_number: new.phone.clone(),
        data_key: Some(wrapped),
        diagnostics: None,
        created_at: now,
        updated_at: now,
        last_answer_at: None,
        archived_at: None,
    }
}

/// Copies the conference's data into an incidence. The repair side does not see the client's phone number.
fn take_over(row: &mut Incidence, conference: &Conference, caller: &Caller) {
    row.conference_id = Some(conference.id);
    row.expedient_number = Some(conference.expedient_number.clone());
    row.expedient_key = Some(conference.expedient_key.clone());
    if row.phone_number.is_none() && !caller.role.is_repair_side() {
        row.phone_number = Some(conference.phone_number.clone());
    }
}

/// The text that lists are searched by.
fn searched(row: &Incidence, people: &People) -> String {
    let number = shown_number(row.number);
    let expedient = row.expedient_number.as_deref().unwrap_or_default();
    collate::search_text(&[&number, expedient, &people.author.display_name(), &people.company, &row.comments])
}

fn image_line(images: usize) -> Option<NewLog> {
    let to = i16::try_from(images).ok().filter(|n| *n > 0)?;
    Some(NewLog { action: "image", from: None, to: Some(to) })
}

/// Answers, notes and moves an incidence of the caller's scope: all that is asked for, or nothing. Its author reopens an
/// archived one by answering (INCID-10, INCID-11).
///
/// Errors: [`IncidenceError::NotFound`] (also another tenant's), [`IncidenceError::NotesForbidden`],
/// [`IncidenceError::Move`], [`IncidenceError::Missing`] when an author reopens without an answer, `MEDIA_ERASED` for images of
/// an erased one, those of [`pictures::read`].
pub async fn change(
    deps: &Records,
    caller: &Caller,
    id: IncidenceId,
    wish: Change,
    files: &[NewImage],
) -> Result<Incidence, IncidenceError> {
    let scope = Scope::of(caller);
    let before = tickets::get(deps.db.read(), scope, id).await?;
    let decided = decide(&before, caller, &wish, !files.is_empty())?;
    let people = People::of(deps, UserId(before.author_id), CompanyId(before.company_id)).await?;
    let pictures = pictures::read(files).await?;
    let entry = deps.sources.uuid();
    let images = seal(deps, &before, entry, pictures).await?;
    let written = async {
        let tx = deps.db.write().await?;
        let mut row = tickets::lock(&tx, scope, id).await?;
        // Somebody else may have moved it meanwhile; the decision must still hold.
        if row.status != before.status && decide(&row, caller, &wish, !files.is_empty())? != decided {
            return Err(IncidenceError::Move);
        }
        let event = write(deps, &tx, &mut row, caller.user, (&wish, decided), (entry, &images)).await?;
        let told = match event {
            Some(event) => {
                for observer in &deps.observers {
                    observer.changed(&tx, &deps.sources, &changed(&row, event)).await?;
                }
                notices::notify(deps, &tx, &row, &people, caller.user, event).await?
            }
            None => Told::none(),
        };
        tx.commit().await?;
        Ok((row, told))
    };
    finish(deps, written.await, &images).await
}

/// The change as observers learn of it.
fn changed(row: &Incidence, event: Event) -> Changed {
    let Event::Changed { answered, status } = event else { unreachable!("only a change is told as one") };
    Changed {
        incidence: row.id,
        company: CompanyId(row.company_id),
        conference: row.conference_id,
        number: shown_number(row.number),
        expedient: row.expedient_number.clone(),
        status: row.status.into(),
        status_changed: status.is_some(),
        answered,
    }
}

async fn seal(deps: &Records, row: &Incidence, entry: Uuid, pictures: Vec<Picture>) -> Result<Vec<Image>, IncidenceError> {
    if pictures.is_empty() {
        return Ok(Vec::new());
    }
    let key = pictures::unwrap(deps, row.id, row.data_key.as_deref()).await?;
    pictures::keep(deps, row.id, Some(entry), &key, pictures).await
}

/// The new status that follows from the request, if any.
fn decide(row: &Incidence, caller: &Caller, wish: &Change, images: bool) -> Result<Option<Status>, IncidenceError> {
    let standing = Standing { admin: caller.is_admin(), author: row.author_id == caller.user.0 };
    if wish.note.is_some() && !standing.admin {
        return Err(IncidenceError::NotesForbidden);
    }
    let answers = wish.answer.is_some() || images;
    let present = row.status;
    match wish.status {
        Some(status) if !moves(present, standing).contains(&status) => Err(IncidenceError::Move),
        Some(_) if !standing.admin && !answers => Err(IncidenceError::Missing(vec!["answer"])),
        Some(status) => Ok(Some(status)),
        None if present == Status::Archived && answers && !standing.admin => match standing.author {
            true => Ok(Some(Status::Reopened)),
            // Nobody reads answers to an archived incidence.
            false => Err(IncidenceError::Move),
        },
        None => Ok(None),
    }
}

/// Writes entries, images, status and log; returns the event to notify others of. Nobody is notified of a note.
async fn write(
    deps: &Records,
    tx: &Tx,
    row: &mut Incidence,
    by: UserId,
    (wish, status): (&Change, Option<Status>),
    (entry, images): (Uuid, &[Image]),
) -> Result<Option<Event>, IncidenceError> {
    let now = deps.sources.now();
    let mut lines = Vec::new();
    let answered = wish.answer.is_some() || !images.is_empty();
    if answered {
        let text = wish.answer.clone().unwrap_or_default();
        tickets::insert_entry(tx, new_entry(entry, row.id, by, (EntryKind::Answer, text), now)).await?;
        tickets::insert_images(tx, images.to_vec()).await?;
        row.answer_count += 1;
        row.image_count += i32::try_from(images.len()).unwrap_or(0);
        row.last_answer_at = Some(now);
        lines.push(NewLog { action: "answer", from: None, to: None });
        lines.extend(image_line(images.len()));
    }
    if let Some(note) = &wish.note {
        let id = deps.sources.uuid();
        tickets::insert_entry(tx, new_entry(id, row.id, by, (EntryKind::Note, note.clone()), now)).await?;
        lines.push(NewLog { action: "note", from: None, to: None });
    }
    if let Some(status) = status {
        lines.push(NewLog { action: "status", from: Some(row.status.into()), to: Some(status.into()) });
        row.status = status;
        row.archived_at = (status == Status::Archived).then_some(now);
    }
    let told = answered || status.is_some();
    if told {
        row.last_by = by.0;
        row.updated_at = now;
        tickets::update(tx, row.clone()).await?;
    }
    tickets::append_logs(tx, &deps.sources, row.id, by, lines).await?;
    Ok(told.then_some(Event::Changed { answered, status }))
}

fn new_entry(id: Uuid, of: Uuid, by: UserId, (kind, text): (EntryKind, String), at: DateTime<Utc>) -> Entry {
    Entry { id, incidence_id: of, author_id: by.0, kind, text, at }
}

/// An incidence of the caller's scope, which is marked as read.
///
/// Errors: [`IncidenceError::NotFound`].
pub async fn open(deps: &Records, caller: &Caller, id: IncidenceId) -> Result<Incidence, IncidenceError> {
    let row = tickets::get(deps.db.read(), Scope::of(caller), id).await?;
    let read = tickets::readings(deps.db.read(), caller.user, &[row.id]).await?;
    if read.get(&row.id).is_none_or(|at| *at < row.updated_at) {
        let tx = deps.db.write().await?;
        tickets::mark_read(&tx, &deps.sources, caller.user, row.id).await?;
        tx.commit().await?;
    }
    Ok(row)
}
