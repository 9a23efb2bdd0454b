//! Appending to and reading from the chain.

pub mod days;
pub mod links;
pub mod range;
pub mod repeats;
pub mod seals;
pub mod stamps;

use super::chain::{self, GENESIS};
use super::entity::{event, head, value};
use super::projection::Projection;
use crate::Cases;
use async_trait::async_trait;
use atalaya_db::{Db, DbResult, Reads, Tx, lock_row};
use atalaya_kernel::events::TrackType;
use atalaya_kernel::{CompanyId, ConferenceId, Sources, UserId};
use chrono::{DateTime, Utc};
use sea_orm::{ActiveModelTrait, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect, Set};
use serde_json::{Map, Value};
use std::collections::HashMap;
use std::fmt;
use uuid::Uuid;

/// Who did it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Actor {
    User(UserId),
    Client,
    System,
}

impl fmt::Display for Actor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Actor::User(id) => write!(f, "user:{id}"),
            Actor::Client => f.write_str("client"),
            Actor::System => f.write_str("system"),
        }
    }
}

/// A track about to be written.
#[derive(Clone, Debug)]
pub struct NewTrack {
    pub track_type: TrackType,
    pub actor: Actor,
    /// Plain facts; numbers must be integers.
    pub data: Value,
    /// Personal values: `ip` enters the chain as the commitment `ipC` (EVID-6).
    pub erasable: Vec<(&'static str, String)>,
}

impl NewTrack {
    pub fn new(track_type: TrackType, actor: Actor, data: Value) -> Self {
        Self { track_type, actor, data, erasable: Vec::new() }
    }

    pub fn erasable(mut self, field: &'static str, value: impl Into<String>) -> Self {
        self.erasable.push((field, value.into()));
        self
    }
}

/// A written track. `data` holds the plain facts, and the personal values while they are not erased.
#[derive(Clone, Debug, PartialEq)]
pub struct Track {
    pub seq: i32,
    pub track_type: TrackType,
    pub actor: String,
    pub at: DateTime<Utc>,
    pub data: Map<String, Value>,
    pub hash: String,
}

/// The tracks that an erased conference still accepts: certificates, and the end of what a restored backup left open. None
/// of them holds personal data.
fn outlives_erasure(new: &NewTrack) -> bool {
    use TrackType::{CertificateIssued, ConferenceClosed, Disconnected, RecordingStopped};
    let kept = matches!(new.track_type, CertificateIssued | ConferenceClosed | Disconnected | RecordingStopped);
    kept && new.erasable.is_empty()
}

/// The conference that a track is about, as far as observers are told of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subject {
    pub conference: ConferenceId,
    pub company: CompanyId,
    pub expedient_number: String,
    /// Its personal data are erased.
    pub erased: bool,
}

/// Learns of every track in the transaction that appends it; an error undoes the change.
#[async_trait]
pub trait Observer: Send + Sync {
    async fn appended(&self, tx: &Tx, sources: &Sources, subject: &Subject, track: &Track) -> DbResult<()>;
}

/// Appends a track under the conference's lock and folds it into the conference's projection; not when the conference is
/// erased, then there is none.
pub async fn append_if_living(tx: &Tx, deps: &Cases, conference_id: ConferenceId, new: NewTrack) -> DbResult<Option<Track>> {
    let sources = &deps.sources;
    lock_row(tx, "conference", conference_id.0).await?;
    let row = head::Entity::find_by_id(conference_id.0)
        .one(&**tx)
        .await?
        .ok_or_else(|| sea_orm::DbErr::RecordNotFound("conference".into()))?;
    if row.erased_at.is_some() && !outlives_erasure(&new) {
        return Ok(None);
    }
    debug_assert!(chain::only_integers(&new.data), "the chain holds integers only: {:?}", new.data);
    let mut data = match new.data {
        Value::Object(map) => map,
        _ => Map::new(),
    };
    data.extend(repeats::take(tx, conference_id, new.track_type).await?);
    let (seq, at) = (row.last_seq + 1, sources.now());
    let mut shown = data.clone();
    for (field, text) in &new.erasable {
        let salt = sources.bytes::<16>();
        let commitment = chain::commitment(&salt, text);
        value::ActiveModel {
            id: Set(sources.uuid()),
            conference_id: Set(conference_id.0),
            seq: Set(seq),
            field: Set((*field).to_string()),
            salt: Set(hex::encode(salt)),
            value: Set(text.clone()),
            commitment: Set(commitment.clone()),
        }
        .insert(&**tx)
        .await?;
        data.insert(format!("{field}C"), Value::String(commitment));
        shown.insert((*field).to_string(), Value::String(text.clone()));
    }
    let actor = new.actor.to_string();
    let prev = if row.chain_head.is_empty() { GENESIS.to_string() } else { row.chain_head.clone() };
    let hash = chain::event_hash(&prev, &chain::event_value(seq, at, new.track_type.wire(), &actor, &data));
    event::ActiveModel {
        id: Set(sources.uuid()),
        conference_id: Set(conference_id.0),
        seq: Set(seq),
        at: Set(at),
        event_type: Set(new.track_type.wire().to_string()),
        actor: Set(actor.clone()),
        data: Set(chain::canonical(&Value::Object(data))),
        prev: Set(prev),
        hash: Set(hash.clone()),
    }
    .insert(&**tx)
    .await?;
    let track = Track { seq, track_type: new.track_type, actor, at, data: shown, hash: hash.clone() };
    let mut projection = Projection::stored(&row.projection);
    projection.apply(&track);
    let sealed = seals::seals_now(tx, conference_id, track.track_type, row.closed).await?;
    let subject = Subject {
        conference: conference_id,
        company: CompanyId(row.company_id),
        expedient_number: row.expedient_number.clone(),
        erased: row.erased_at.is_some(),
    };
    for observer in &deps.observers {
        observer.appended(tx, sources, &subject, &track).await?;
    }
    let mut update: head::ActiveModel = row.into();
    update.last_seq = Set(seq);
    update.chain_head = Set(hash);
    update.stage = Set(projection.stage());
    update.projection = Set(serde_json::to_value(&projection).expect("a projection is plain data"));
    update.update(&**tx).await?;
    if sealed {
        seals::seal(tx, deps, conference_id).await?;
    }
    Ok(Some(track))
}

/// The tracks of a conference in order.
pub async fn list(db: &impl ConnectionTrait, conference_id: ConferenceId) -> DbResult<Vec<Track>> {
    let events = events(db, conference_id).await?;
    let values = value::Entity::find().filter(value::Column::ConferenceId.eq(conference_id.0)).rows(db).await?;
    let mut by_seq: HashMap<i32, Vec<value::Model>> = HashMap::new();
    for row in values {
        by_seq.entry(row.seq).or_default().push(row);
    }
    Ok(events.into_iter().filter_map(|row| to_track(row, &by_seq)).collect())
}

/// Conferences asked about at once at most.
const BATCH: usize = 500;

/// Who closed these conferences, of those that somebody closed.
pub async fn closers(db: &impl ConnectionTrait, ids: &[Uuid]) -> DbResult<HashMap<Uuid, UserId>> {
    let mut closers = HashMap::new();
    for batch in ids.chunks(BATCH) {
        let query = event::Entity::find()
            .select_only()
            .columns([event::Column::ConferenceId, event::Column::Actor])
            .filter(event::Column::ConferenceId.is_in(batch.iter().copied()))
            .filter(event::Column::EventType.eq(TrackType::ConferenceClosed.wire()));
        let found: Vec<(Uuid, String)> = query.tuples(db).await?;
        closers.extend(found.into_iter().filter_map(|(id, actor)| Some((id, actor.strip_prefix("user:")?.parse().ok()?))));
    }
    Ok(closers)
}

async fn events(db: &impl ConnectionTrait, conference_id: ConferenceId) -> DbResult<Vec<event::Model>> {
    Ok(event::Entity::find()
        .filter(event::Column::ConferenceId.eq(conference_id.0))
        .order_by_asc(event::Column::Seq)
        .rows(db)
        .await?)
}

fn to_track(row: event::Model, values: &HashMap<i32, Vec<value::Model>>) -> Option<Track> {
    let mut data: Map<String, Value> = serde_json::from_str(&row.data).ok()?;
    for value in values.get(&row.seq).into_iter().flatten() {
        data.remove(&format!("{}C", value.field));
        data.insert(value.field.clone(), Value::String(value.value.clone()));
    }
    Some(Track {
        seq: row.seq,
        track_type: TrackType::parse(&row.event_type)?,
        actor: row.actor,
        at: row.at,
        data,
        hash: row.hash,
    })
}

/// Recomputes every hash of a conference's chain.
///
/// Answers the head, or the `seq` of the first event that does not match or is missing at the end (EVID-5).
pub async fn verify(db: &impl ConnectionTrait, conference_id: ConferenceId) -> DbResult<Result<String, i32>> {
    let mut prev = GENESIS.to_string();
    let events = events(db, conference_id).await?;
    let next = events.len() as i32 + 1;
    for (i, row) in events.into_iter().enumerate() {
        let Ok(data) = serde_json::from_str::<Map<String, Value>>(&row.data) else { return Ok(Err(row.seq)) };
        let hash = chain::event_hash(&prev, &chain::event_value(row.seq, row.at, &row.event_type, &row.actor, &data));
        if row.seq != i as i32 + 1 || row.prev != prev || row.hash != hash {
            return Ok(Err(row.seq));
        }
        prev = hash;
    }
    let stored = head::Entity::find_by_id(conference_id.0).row(db).await?;
    let whole = stored.is_none_or(|row| row.last_seq == next - 1 && (row.chain_head == prev || next == 1));
    Ok(if whole { Ok(prev) } else { Err(next) })
}

/// The ids of all conferences.
pub async fn all_ids(db: &Db) -> DbResult<Vec<ConferenceId>> {
    let ids = head::Entity::find().select_only().column(head::Column::Id).into_tuple::<Uuid>();
    Ok(ids.all(db.read()).await?.into_iter().map(ConferenceId).collect())
}

/// The result of examining every conference.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Examined {
    pub conferences: usize,
    /// Conferences whose stored summary differed from their tracks and was corrected.
    pub mended: usize,
    /// Conferences whose chain does not verify.
    pub broken: usize,
}

/// Rebuilds every conference's projection and recomputes its chain, one short transaction each.
pub async fn examine_all(db: &Db) -> DbResult<Examined> {
    let mut examined = Examined::default();
    for id in all_ids(db).await? {
        let tx = db.write().await?;
        examined.mended += usize::from(!rebuild(&tx, id).await?);
        tx.commit().await?;
        examined.broken += usize::from(verify(db.read(), id).await?.is_err());
        examined.conferences += 1;
    }
    Ok(examined)
}

/// Folds the tracks again and corrects the stored projection when it differs. Answers whether it was already right.
pub async fn rebuild(tx: &Tx, conference_id: ConferenceId) -> DbResult<bool> {
    lock_row(tx, "conference", conference_id.0).await?;
    let Some(row) = head::Entity::find_by_id(conference_id.0).one(&**tx).await? else { return Ok(true) };
    let mut fresh = Projection::default();
    for track in list(&**tx, conference_id).await? {
        fresh.apply(&track);
    }
    if Projection::stored(&row.projection) == fresh && row.stage == fresh.stage() {
        return Ok(true);
    }
    let mut update: head::ActiveModel = row.into();
    update.stage = Set(fresh.stage());
    update.projection = Set(serde_json::to_value(&fresh).expect("a projection is plain data"));
    update.update(&**tx).await?;
    Ok(false)
}
