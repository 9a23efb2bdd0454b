//! Days: one root over all seals of a day and the root of the day before it, so that whoever kept one root holds everything
//! up to it in place (EVID-50).

use super::super::entity::{day, day_leaf, day_stamp, seal};
use super::super::merkle::{self, Hash};
use super::stamps::Stamped;
use crate::Cases;
use crate::evidence_keys::service::{moment, sign};
use crate::evidence_keys::{Signed, Statement};
use atalaya_db::{DbResult, Tx};
use atalaya_kernel::Sources;
use chrono::{DateTime, Days, NaiveDate, NaiveTime, TimeDelta, Utc};
use sea_orm::sea_query::Query;
use sea_orm::{ActiveModelTrait, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect, Select, Set};
use std::collections::HashMap;
use uuid::Uuid;

/// The root before the first day's.
const GENESIS: Hash = [0; 32];
/// How long after midnight a day is closed: by then every transaction of the day has ended.
const GRACE: TimeDelta = TimeDelta::minutes(10);
/// Rows of one statement.
const ROWS: usize = 500;

/// A closed day.
#[derive(Clone, Debug, PartialEq)]
pub struct Day {
    pub id: Uuid,
    pub day: NaiveDate,
    /// Seals of the day.
    pub seals: i32,
    /// The root before it, lower-case hex.
    pub previous: String,
    /// RFC 6962 root of [the root before it, each seal's root in order], lower-case hex.
    pub root: String,
    pub at: DateTime<Utc>,
    pub signed: Signed,
}

impl Day {
    /// Leaves of its tree.
    pub fn leaves(&self) -> i32 {
        self.seals + 1
    }
}

impl From<day::Model> for Day {
    fn from(row: day::Model) -> Self {
        Self {
            id: row.id,
            day: row.day.parse().unwrap_or_default(),
            seals: row.size - 1,
            previous: row.previous,
            root: row.root,
            at: row.at,
            signed: Signed { fingerprint: row.fingerprint, signature: row.signature },
        }
    }
}

/// The day to which a seal goes that was made on `made`, after `last` was closed: a day never gets another seal.
fn day_for(made: NaiveDate, last: Option<NaiveDate>) -> NaiveDate {
    last.map_or(made, |last| made.max(last + Days::new(1)))
}

/// The midnight after a day, UTC.
fn end_of(day: NaiveDate) -> DateTime<Utc> {
    (day + Days::new(1)).and_time(NaiveTime::MIN).and_utc()
}

/// Whether a day is over for every seal of it.
fn is_over(day: NaiveDate, now: DateTime<Utc>) -> bool {
    now >= end_of(day) + GRACE
}

/// Seals that belong to no day yet, oldest first.
fn open_seals() -> Select<seal::Entity> {
    let placed = Query::select().column(day_leaf::Column::SealId).from(day_leaf::Entity).to_owned();
    let open = seal::Entity::find().filter(seal::Column::Id.not_in_subquery(placed));
    open.order_by_asc(seal::Column::At).order_by_asc(seal::Column::Id)
}

/// The last closed day.
pub async fn latest(db: &impl ConnectionTrait) -> DbResult<Option<Day>> {
    Ok(day::Entity::find().order_by_desc(day::Column::Day).one(db).await?.map(Day::from))
}

/// Closes the earliest day that is over and has seals. Answers it, or nothing when there is none. The transaction fails as a
/// duplicate when another process has closed it meanwhile.
pub async fn close_next(tx: &Tx, deps: &Cases) -> DbResult<Option<Day>> {
    let now = deps.sources.now();
    let last = latest(&**tx).await?;
    let Some(first) = open_seals().one(&**tx).await? else { return Ok(None) };
    let closing = day_for(first.at.date_naive(), last.as_ref().map(|last| last.day));
    if !is_over(closing, now) {
        return Ok(None);
    }
    let seals = open_seals().filter(seal::Column::At.lt(end_of(closing))).all(&**tx).await?;
    let before = last.as_ref().and_then(|last| merkle::parse(&last.root)).unwrap_or(GENESIS);
    let leaves: Vec<Hash> =
        std::iter::once(before).chain(seals.iter().map(|seal| merkle::parse(&seal.root).unwrap_or_default())).collect();
    let (previous, root) = (hex::encode(before), hex::encode(merkle::root(&leaves)));
    let (name, size, at) = (closing.to_string(), leaves.len().to_string(), moment(now));
    let signed = sign(tx, deps, Statement::Day([&name, &previous, &size, &root, &at])).await?;
    let row = day::ActiveModel {
        id: Set(deps.sources.uuid()),
        day: Set(name),
        size: Set(i32::try_from(leaves.len()).unwrap_or(i32::MAX)),
        previous: Set(previous),
        root: Set(root),
        fingerprint: Set(signed.fingerprint),
        signature: Set(signed.signature),
        at: Set(now),
    };
    let row = row.insert(&**tx).await?;
    let leaf = |(position, seal): (i32, &seal::Model)| day_leaf::ActiveModel {
        id: Set(deps.sources.uuid()),
        day_id: Set(row.id),
        seal_id: Set(seal.id),
        position: Set(position),
    };
    // The first leaf is the root before it.
    let places: Vec<_> = (1..).zip(&seals).map(leaf).collect();
    for part in places.chunks(ROWS) {
        day_leaf::Entity::insert_many(part.to_vec()).exec_without_returning(&**tx).await?;
    }
    Ok(Some(row.into()))
}

/// Closed days, newest first, before a day if one is given.
pub async fn list(db: &impl ConnectionTrait, before: Option<NaiveDate>, limit: u64) -> DbResult<Vec<Day>> {
    let mut query = day::Entity::find();
    if let Some(before) = before {
        query = query.filter(day::Column::Day.lt(before.to_string()));
    }
    let rows = query.order_by_desc(day::Column::Day).limit(limit).all(db).await?;
    Ok(rows.into_iter().map(Day::from).collect())
}

/// The time stamps of these days.
pub async fn stamps_of(db: &impl ConnectionTrait, days: &[Day]) -> DbResult<HashMap<Uuid, Stamped>> {
    let rows = day_stamp::Entity::find().filter(day_stamp::Column::DayId.is_in(days.iter().map(|day| day.id))).all(db).await?;
    let of = |row: day_stamp::Model| {
        let stamped = Stamped {
            token: row.token,
            serial: row.serial,
            at: row.at,
            authority: row.authority,
            policy: row.policy,
            qualified: row.qualified,
        };
        (row.day_id, stamped)
    };
    Ok(rows.into_iter().map(of).collect())
}

/// Days without a time stamp, oldest first, each with its root.
pub async fn unstamped(db: &impl ConnectionTrait, limit: u64) -> DbResult<Vec<(Uuid, Hash)>> {
    let stamped = Query::select().column(day_stamp::Column::DayId).from(day_stamp::Entity).to_owned();
    let query = day::Entity::find().filter(day::Column::Id.not_in_subquery(stamped)).order_by_asc(day::Column::Day);
    let rows = query.limit(limit).all(db).await?;
    Ok(rows.into_iter().filter_map(|row| Some((row.id, merkle::parse(&row.root)?))).collect())
}

/// Writes the time stamp of a day. The transaction fails as a duplicate when it has one.
pub async fn stamp(tx: &Tx, sources: &Sources, day: Uuid, stamped: Stamped) -> DbResult<()> {
    let row = day_stamp::ActiveModel {
        id: Set(sources.uuid()),
        day_id: Set(day),
        serial: Set(stamped.serial),
        authority: Set(stamped.authority),
        policy: Set(stamped.policy),
        token: Set(stamped.token),
        qualified: Set(stamped.qualified),
        at: Set(stamped.at),
        created_at: Set(sources.now()),
    };
    row.insert(&**tx).await?;
    Ok(())
}

/// A seal's day with the path from its root to the day's.
#[derive(Clone, Debug)]
pub struct Proof {
    pub day: Day,
    pub index: usize,
    /// RFC 6962 §2.1.1, lowest first.
    pub path: Vec<Hash>,
}

/// The day of a seal, once that is closed.
pub async fn proof(db: &impl ConnectionTrait, seal_id: Uuid) -> DbResult<Option<Proof>> {
    let Some(own) = day_leaf::Entity::find().filter(day_leaf::Column::SealId.eq(seal_id)).one(db).await? else {
        return Ok(None);
    };
    let Some(row) = day::Entity::find_by_id(own.day_id).one(db).await? else { return Ok(None) };
    let places = day_leaf::Entity::find().filter(day_leaf::Column::DayId.eq(row.id));
    let places = places.order_by_asc(day_leaf::Column::Position).all(db).await?;
    let within = Query::select()
        .column(day_leaf::Column::SealId)
        .from(day_leaf::Entity)
        .and_where(day_leaf::Column::DayId.eq(row.id))
        .to_owned();
    let seals = seal::Entity::find().filter(seal::Column::Id.in_subquery(within)).all(db).await?;
    let roots: HashMap<Uuid, Hash> = seals.into_iter().filter_map(|seal| Some((seal.id, merkle::parse(&seal.root)?))).collect();
    let mut leaves = vec![merkle::parse(&row.previous).unwrap_or_default()];
    leaves.extend(places.iter().map(|place| roots.get(&place.seal_id).copied().unwrap_or_default()));
    let index = usize::try_from(own.position).unwrap_or(0);
    Ok(Some(Proof { day: row.into(), index, path: merkle::path(&leaves, index) }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn date(text: &str) -> NaiveDate {
        text.parse().unwrap()
    }

    // EVID-50
    #[test]
    fn a_day_is_closed_ten_minutes_after_midnight_and_never_again() {
        let at = |text: &str| text.parse::<DateTime<Utc>>().unwrap();
        assert!(!is_over(date("2026-11-26"), at("2026-11-26T23:59:59Z")));
        assert!(!is_over(date("2026-11-26"), at("2026-11-27T00:09:59Z")));
        assert!(is_over(date("2026-11-26"), at("2026-11-27T00:10:00Z")));
        assert_eq!(day_for(date("2026-11-26"), None), date("2026-11-26"));
        assert_eq!(day_for(date("2026-11-26"), Some(date("2026-11-20"))), date("2026-11-26"), "days without seals have no root");
        assert_eq!(day_for(date("2026-11-26"), Some(date("2026-11-26"))), date("2026-11-27"), "a late seal goes to the next day");
    }
}
