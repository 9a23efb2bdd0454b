//! Erasing one conference, with proof (RETAIN-8 to RETAIN-14).
//!
//! One transaction removes the personal values and the key, writes proof and activity log, and appends a line to the
//! register outside the database before it commits. The files are deleted afterwards; without the key nobody can open them.

use super::entity::erasure::Model as Proof;
use super::error::PrivacyError;
use super::register::{Line, Register};
use super::{expiry, store};
use crate::Privacy;
use atalaya_assistance::media_items;
use atalaya_cases::conferences::model::ConferenceError;
use atalaya_cases::conferences::{self, Conference, Scope};
use atalaya_cases::evidence;
use atalaya_cases::live::LiveEvent;
use atalaya_content::languages::text;
use atalaya_db::{Db, DbResult, Tx, lock_row};
use atalaya_identity::audit::{Action, Entry, service as audit};
use atalaya_identity::users;
use atalaya_kernel::{CompanyId, ConferenceId, Language, Sources};
use atalaya_rest::caller::Caller;
use atalaya_rest::page::Slice;
use chrono::{DateTime, SubsecRound, Utc};
use serde_json::json;
use std::collections::HashSet;
use uuid::Uuid;

/// Erases a conference of the caller's. Erasing it again wipes again and answers the first proof (RETAIN-13).
///
/// Errors: `CONFERENCE_NOT_FOUND` (404), `CONFERENCE_OPEN` (409), `ERASURE_REGISTER_UNAVAILABLE` (503).
pub async fn erase(
    deps: &Privacy,
    caller: &Caller,
    id: ConferenceId,
    reason: &str,
    request: Option<Uuid>,
) -> Result<Proof, PrivacyError> {
    conferences::get(deps.db.read(), Scope::of(caller), id).await?;
    let by_name = users::service::display_name(&deps.identity, caller.user).await?;
    let tx = deps.db.write().await?;
    lock_row(&tx, "conference", id.0).await?;
    let row = conferences::reload(&tx, id).await?;
    if row.erased_at.is_some()
        && let Some(proof) = store::find_erasure(&*tx, id.0).await?
    {
        wipe(&tx, &deps.sources, row, proof.at).await?;
        tx.commit().await?;
        delete_files(deps).await;
        forget_pages(deps).await;
        return Ok(proof);
    }
    if !row.closed {
        return Err(PrivacyError::Open);
    }
    let mut proof = Proof {
        id: deps.sources.uuid(),
        conference_id: id.0,
        company_id: row.company_id,
        by_id: Some(caller.user.0),
        request_id: request,
        by_name,
        reason: reason.to_owned(),
        head: row.chain_head.clone(),
        register: String::new(),
        events: row.last_seq,
        media: i32::try_from(media_items::count_of(&*tx, id.0).await?).unwrap_or(i32::MAX),
        // In the precision that every database engine keeps, so that proof and register agree.
        at: deps.sources.now().trunc_subsecs(3),
    };
    let line = Line::of(&proof);
    proof.register = line.digest();
    let company = CompanyId(row.company_id);
    wipe(&tx, &deps.sources, row, proof.at).await?;
    store::insert_erasure(&tx, proof.clone()).await?;
    let entry = Entry::company(Action::ConferenceErased, company).by(caller);
    let detail = json!({"conferenceId": id.to_string(), "erasureId": proof.id.to_string()});
    audit::record(&deps.identity, &tx, Entry { detail, ..entry }).await?;
    let register = deps.erasures.clone();
    tokio::task::spawn_blocking(move || register.append(&[line])).await.map_err(std::io::Error::other)??;
    tx.commit().await?;
    tracing::info!(conference.id = %id, "conference erased");
    deps.live.publish(id, LiveEvent::new("erased", json!({})));
    delete_files(deps).await;
    forget_pages(deps).await;
    Ok(proof)
}

/// Empties the database's log, which holds the rows as they were (RETAIN-22).
async fn forget_pages(deps: &Privacy) {
    match deps.db.empty_log().await {
        Ok(true) => {}
        Ok(false) => tracing::warn!("the database's log is in use; the hourly job empties it of what was erased"),
        Err(error) => tracing::warn!(%error, "the database's log could not be emptied; the hourly job tries again"),
    }
}

/// Erases a conference whose terms are over; nobody asked for it, and nothing is written twice when it runs again.
pub async fn end(deps: &Privacy, id: ConferenceId) -> Result<(), PrivacyError> {
    let tx = deps.db.write().await?;
    lock_row(&tx, "conference", id.0).await?;
    let row = conferences::reload(&tx, id).await?;
    if row.erased_at.is_some() || !row.closed {
        return Ok(());
    }
    let mut proof = Proof {
        id: deps.sources.uuid(),
        conference_id: id.0,
        company_id: row.company_id,
        by_id: None,
        request_id: None,
        by_name: String::new(),
        reason: text(Language::default(), "privacy", "termOver").to_owned(),
        head: row.chain_head.clone(),
        register: String::new(),
        events: row.last_seq,
        media: i32::try_from(media_items::count_of(&*tx, id.0).await?).unwrap_or(i32::MAX),
        at: deps.sources.now().trunc_subsecs(3),
    };
    let line = Line::of(&proof);
    proof.register = line.digest();
    wipe(&tx, &deps.sources, row, proof.at).await?;
    store::insert_erasure(&tx, proof).await?;
    let register = deps.erasures.clone();
    tokio::task::spawn_blocking(move || register.append(&[line])).await.map_err(std::io::Error::other)??;
    tx.commit().await?;
    Ok(())
}

async fn delete_files(deps: &Privacy) {
    if let Err(error) = expiry::delete_files(&deps.blobs, &deps.spool, &deps.db, &deps.sources).await {
        tracing::warn!(%error, "erased files are deleted when the storage answers again; nobody can open them");
    }
}

/// The repeatable part of an erasure: removes values and key, and records the files to delete.
async fn wipe(tx: &Tx, sources: &Sources, row: Conference, at: DateTime<Utc>) -> DbResult<()> {
    let id = ConferenceId(row.id);
    let mut names = vec![(format!("conferences/{id}"), true)];
    for recording in atalaya_assistance::calls::list_recordings(&**tx, id).await? {
        names.push((format!("spool/{}", recording.id), true));
    }
    for incidence in atalaya_records::incidences::ids_about(tx, id).await? {
        names.push((atalaya_records::incidences::pictures::folder(incidence), true));
    }
    media_items::delete_later(tx, sources, id, names).await?;
    store::wipe(tx, sources, row, at).await?;
    // Lists show a summary of the tracks, which hold less now.
    evidence::rebuild(tx, id).await?;
    Ok(())
}

/// Executes the erasures of the register that the database lacks, after a restored backup or a crash (RETAIN-15).
///
/// Answers how many conferences were erased. Conferences that the database does not have are ignored.
pub async fn replay(db: &Db, sources: &Sources, lines: &[Line]) -> Result<usize, ConferenceError> {
    let ids: Vec<Uuid> = lines.iter().map(|line| line.conference_id).collect();
    let due: HashSet<Uuid> = conferences::not_erased(db.read(), &ids).await?.into_iter().collect();
    let mut done = HashSet::new();
    for line in lines.iter().filter(|line| due.contains(&line.conference_id)) {
        if !done.insert(line.conference_id) {
            continue;
        }
        let tx = db.write().await?;
        lock_row(&tx, "conference", line.conference_id).await?;
        let row = conferences::reload(&tx, ConferenceId(line.conference_id)).await?;
        if row.erased_at.is_some() {
            continue;
        }
        let proof = Proof {
            id: line.id,
            conference_id: line.conference_id,
            company_id: row.company_id,
            by_id: None,
            request_id: None,
            by_name: String::new(),
            reason: String::new(),
            head: line.head.clone(),
            register: line.digest(),
            events: line.events,
            media: line.media,
            at: line.at,
        };
        wipe(&tx, sources, row, proof.at).await?;
        store::insert_erasure(&tx, proof).await?;
        tx.commit().await?;
    }
    Ok(done.len())
}

/// Replays the register at the start, before anything is served.
pub async fn recover(deps: &Privacy) -> Result<usize, PrivacyError> {
    let register = deps.erasures.clone();
    let lines = tokio::task::spawn_blocking(move || register.read()).await.map_err(std::io::Error::other)??;
    let erased = replay(&deps.db, &deps.sources, &lines).await?;
    if erased > 0 {
        forget_pages(deps).await;
    }
    Ok(erased)
}

/// How many erasures and requests of persons there are.
pub async fn totals(deps: &Privacy) -> Result<(u64, u64), PrivacyError> {
    let none = Slice { offset: 0, limit: 0 };
    let (_, erasures) = store::list_erasures(deps.db.read(), None, none).await?;
    let (_, requests) = store::list_requests(deps.db.read(), None, none).await?;
    Ok((erasures, requests))
}

/// The differences between register and database.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Agreement {
    pub erasures: usize,
    /// In the register, but not erased in the database.
    pub not_done: usize,
    /// Erased in the database, but not in the register: restoring a backup would bring them back.
    pub not_registered: usize,
}

/// Compares register and database.
pub async fn compare(db: &Db, register: &Register) -> Result<Agreement, PrivacyError> {
    let lines: HashSet<Uuid> = register.read()?.into_iter().map(|line| line.conference_id).collect();
    let erased: HashSet<Uuid> = store::erased_ids(db.read()).await?.into_iter().collect();
    let ids: Vec<Uuid> = lines.iter().copied().collect();
    Ok(Agreement {
        erasures: erased.len(),
        not_done: conferences::not_erased(db.read(), &ids).await?.len(),
        not_registered: erased.difference(&lines).count(),
    })
}
