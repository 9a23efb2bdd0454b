//! Time stamps: each covers one tree of the roots of new seals (CERT-17).

use super::super::entity::{seal, stamp, stamp_leaf};
use super::super::merkle::{self, Hash};
use atalaya_db::{DbResult, Tx};
use atalaya_kernel::Sources;
use chrono::{DateTime, Utc};
use sea_orm::sea_query::Query;
use sea_orm::{ActiveModelTrait, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect, Set};
use std::collections::HashMap;
use uuid::Uuid;

/// At most this many seals under one time stamp.
const BATCH: u64 = 10_000;

/// A seal that has no time stamp yet.
#[derive(Clone, Copy, Debug)]
pub struct Unstamped {
    pub seal: Uuid,
    pub root: Hash,
}

/// Seals without a time stamp, oldest first.
pub async fn unstamped(db: &impl ConnectionTrait) -> DbResult<Vec<Unstamped>> {
    let stamped = Query::select().column(stamp_leaf::Column::SealId).from(stamp_leaf::Entity).to_owned();
    let rows = seal::Entity::find()
        .filter(seal::Column::Id.not_in_subquery(stamped))
        .order_by_asc(seal::Column::At)
        .order_by_asc(seal::Column::Id)
        .limit(BATCH)
        .all(db)
        .await?;
    let of = |row: seal::Model| Some(Unstamped { seal: row.id, root: merkle::parse(&row.root)? });
    Ok(rows.into_iter().filter_map(of).collect())
}

/// An authority's answer.
#[derive(Clone, Debug)]
pub struct Stamped {
    /// DER of the token (RFC 3161 `TimeStampToken`).
    pub token: Vec<u8>,
    /// Hex.
    pub serial: String,
    pub at: DateTime<Utc>,
    pub authority: String,
    pub policy: String,
    pub qualified: bool,
}

/// Writes a time stamp over these seals, in this order. The transaction fails as a duplicate when another process has
/// stamped one of them meanwhile.
pub async fn insert(tx: &Tx, sources: &Sources, seals: &[Unstamped], root: &Hash, stamped: Stamped) -> DbResult<()> {
    let row = stamp::ActiveModel {
        id: Set(sources.uuid()),
        size: Set(i32::try_from(seals.len()).unwrap_or(i32::MAX)),
        root: Set(hex::encode(root)),
        serial: Set(stamped.serial),
        authority: Set(stamped.authority),
        policy: Set(stamped.policy),
        token: Set(stamped.token),
        qualified: Set(stamped.qualified),
        at: Set(stamped.at),
        created_at: Set(sources.now()),
    };
    let row = row.insert(&**tx).await?;
    let leaf = |position: i32, unstamped: &Unstamped| stamp_leaf::ActiveModel {
        id: Set(sources.uuid()),
        stamp_id: Set(row.id),
        seal_id: Set(unstamped.seal),
        position: Set(position),
    };
    let leaves: Vec<_> = (0..).zip(seals).map(|(position, unstamped)| leaf(position, unstamped)).collect();
    for part in leaves.chunks(500) {
        stamp_leaf::Entity::insert_many(part.to_vec()).exec_without_returning(&**tx).await?;
    }
    Ok(())
}

/// A seal's time stamp with the path from its root to the stamped root.
#[derive(Clone, Debug)]
pub struct Proof {
    pub stamp: Uuid,
    /// Root of the tree of roots, lower-case hex, which the authority stamped.
    pub root: String,
    pub index: usize,
    pub size: usize,
    /// RFC 6962 §2.1.1, lowest first.
    pub path: Vec<Hash>,
    pub stamped: Stamped,
}

/// The time stamp of a seal, if there is one.
pub async fn proof(db: &impl ConnectionTrait, seal_id: Uuid) -> DbResult<Option<Proof>> {
    let Some(own) = stamp_leaf::Entity::find().filter(stamp_leaf::Column::SealId.eq(seal_id)).one(db).await? else {
        return Ok(None);
    };
    let Some(row) = stamp::Entity::find_by_id(own.stamp_id).one(db).await? else { return Ok(None) };
    let roots = roots_under(db, own.stamp_id).await?;
    let index = usize::try_from(own.position).unwrap_or(0);
    Ok(Some(Proof {
        stamp: row.id,
        root: row.root,
        index,
        size: roots.len(),
        path: merkle::path(&roots, index),
        stamped: Stamped {
            token: row.token,
            serial: row.serial,
            at: row.at,
            authority: row.authority,
            policy: row.policy,
            qualified: row.qualified,
        },
    }))
}

/// Which time stamp a seal has.
pub async fn stamp_of(db: &impl ConnectionTrait, seal_id: Uuid) -> DbResult<Option<Uuid>> {
    let leaf = stamp_leaf::Entity::find().filter(stamp_leaf::Column::SealId.eq(seal_id)).one(db).await?;
    Ok(leaf.map(|leaf| leaf.stamp_id))
}

/// The roots under a time stamp, in the order of its tree.
async fn roots_under(db: &impl ConnectionTrait, stamp_id: Uuid) -> DbResult<Vec<Hash>> {
    let leaves = stamp_leaf::Entity::find()
        .filter(stamp_leaf::Column::StampId.eq(stamp_id))
        .order_by_asc(stamp_leaf::Column::Position)
        .all(db)
        .await?;
    let within = Query::select()
        .column(stamp_leaf::Column::SealId)
        .from(stamp_leaf::Entity)
        .and_where(stamp_leaf::Column::StampId.eq(stamp_id))
        .to_owned();
    let seals = seal::Entity::find().filter(seal::Column::Id.in_subquery(within)).all(db).await?;
    let roots: HashMap<Uuid, String> = seals.into_iter().map(|row| (row.id, row.root)).collect();
    Ok(leaves.iter().filter_map(|leaf| merkle::parse(roots.get(&leaf.seal_id)?)).collect())
}
