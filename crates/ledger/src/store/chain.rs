//! The chain in the database. *Invariant:* whoever appends holds the lock of the chain's end until the commit.

use crate::chain::{GENESIS, Link, Opened, Stored, commitment};
use crate::entity::{ActiveModel, Column, Entity, Model, head};
use atalaya_db::{Db, DbResult, Tx, lock_row};
use atalaya_kernel::Sources;
use sea_orm::sea_query::Expr;
use sea_orm::{ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect};
use uuid::Uuid;

/// Entries read or placed at a time.
const STEP: u64 = 1_000;

/// The end of the chain: place and hash of its last entry; 0 and zeros before the first.
pub async fn head(connection: &impl ConnectionTrait) -> DbResult<(i64, String)> {
    let found = head::Entity::find_by_id(Uuid::nil()).one(connection).await?;
    Ok(found.map_or_else(|| (0, GENESIS.to_owned()), |head| (head.seq, head.hash)))
}

/// Gives a new entry its place and hash, after the last one of everybody else.
pub(super) async fn place(tx: &Tx, sources: &Sources, row: &mut Model) -> DbResult<()> {
    lock_row(tx, "audit_chain", Uuid::nil()).await?;
    let (mut seq, mut hash) = head(&**tx).await?;
    if seq == 0 {
        (seq, hash) = place_earlier(tx, sources).await?;
    }
    set_place(sources, row, seq + 1, &hash);
    move_head(tx, row).await
}

/// Gives the entries from before the chain their places, in the order in which they were written.
///
/// For the start; does nothing once the chain has begun.
pub async fn begin(db: &Db, sources: &Sources) -> DbResult<()> {
    if head(db.read()).await?.0 > 0 {
        return Ok(());
    }
    let tx = db.write().await?;
    lock_row(&tx, "audit_chain", Uuid::nil()).await?;
    if head(&*tx).await?.0 == 0 {
        place_earlier(&tx, sources).await?;
    }
    tx.commit().await
}

async fn place_earlier(tx: &Tx, sources: &Sources) -> DbResult<(i64, String)> {
    let (mut seq, mut hash) = (0, GENESIS.to_owned());
    loop {
        let query = Entity::find().filter(Column::Seq.is_null()).order_by_asc(Column::At).order_by_asc(Column::Id);
        let rows = query.limit(STEP).all(&**tx).await?;
        let Some(last) = rows.len().checked_sub(1) else { return Ok((seq, hash)) };
        for (at, mut row) in rows.into_iter().enumerate() {
            seq += 1;
            set_place(sources, &mut row, seq, &hash);
            hash = row.hash.clone().unwrap_or_default();
            if at == last {
                move_head(tx, &row).await?;
            }
            let placed = ActiveModel {
                seq: Set(row.seq),
                hash: Set(row.hash),
                name_salt: Set(row.name_salt),
                name_commitment: Set(row.name_commitment),
                address_salt: Set(row.address_salt),
                address_commitment: Set(row.address_commitment),
                ..Default::default()
            };
            Entity::update_many().set(placed).filter(Column::Id.eq(row.id)).exec(&**tx).await?;
        }
    }
}

async fn move_head(tx: &Tx, last: &Model) -> DbResult<()> {
    head::Entity::update_many()
        .col_expr(head::Column::Seq, Expr::value(last.seq))
        .col_expr(head::Column::Hash, Expr::value(last.hash.clone()))
        .filter(head::Column::Id.eq(Uuid::nil()))
        .exec(&**tx)
        .await?;
    Ok(())
}

fn set_place(sources: &Sources, row: &mut Model, seq: i64, prev: &str) {
    let salt = sources.hex::<16>();
    row.name_commitment = Some(commitment(&salt, &row.actor_name));
    row.name_salt = Some(salt);
    if let Some(address) = &row.address {
        let salt = sources.hex::<16>();
        row.address_commitment = Some(commitment(&salt, address));
        row.address_salt = Some(salt);
    }
    row.seq = Some(seq);
    row.hash = Some(link(row, seq).hash(prev));
}

fn link(row: &Model, seq: i64) -> Link {
    Link {
        seq,
        id: row.id,
        at: row.at,
        action: row.action.clone(),
        actor: row.actor_id,
        role: row.actor_role,
        name: row.name_commitment.clone().unwrap_or_default(),
        company: row.company_id,
        user: row.user_id,
        address: row.address_commitment.clone(),
        detail: row.detail.clone(),
    }
}

/// The next entries after a place, up to another.
pub async fn after(db: &Db, seq: i64, end: i64) -> DbResult<Vec<Stored>> {
    let query = Entity::find().filter(Column::Seq.gt(seq)).filter(Column::Seq.lte(end));
    let rows = query.order_by_asc(Column::Seq).limit(STEP).all(db.read()).await?;
    let stored = |row: Model| Stored {
        link: link(&row, row.seq.unwrap_or_default()),
        hash: row.hash.unwrap_or_default(),
        name: Opened { value: Some(row.actor_name), salt: row.name_salt },
        address: Opened { value: row.address, salt: row.address_salt },
    };
    Ok(rows.into_iter().map(stored).collect())
}

/// The first entry that has no place.
pub async fn outside(db: &Db) -> DbResult<Option<Uuid>> {
    let query = Entity::find().select_only().column(Column::Id).filter(Column::Seq.is_null());
    Ok(query.order_by_asc(Column::At).order_by_asc(Column::Id).into_tuple().one(db.read()).await?)
}
