//! Queries on `open_socket` and `server_node`.

use super::entity::{ActiveModel, Column, Entity, Model, node};
use super::model::{OpenSocket, alive_since};
use crate::{Identity, IdentityResult};
use atalaya_db::{DbError, DbResult, Tx};
use atalaya_kernel::{CompanyId, NodeId, Status, UserId};
use chrono::{DateTime, Utc};
use sea_orm::sea_query::{Condition, OnConflict, Query};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect, QueryTrait,
};
use uuid::Uuid;

/// Rows of nodes that are there. Our own is, however long its last beat is ago.
fn counted(mine: NodeId, now: DateTime<Utc>) -> Condition {
    let alive = node::Entity::find().select_only().column(node::Column::Id);
    let alive = alive.filter(node::Column::BeatAt.gt(alive_since(now)));
    Condition::any().add(Column::NodeId.eq(mine.0)).add(Column::NodeId.in_subquery(alive.into_query()))
}

/// Active users of a company who have a registered socket, by id.
pub(crate) async fn online(d: &Identity, company: CompanyId) -> IdentityResult<Vec<UserId>> {
    use crate::users::entity as user;
    let active = Status::ALL.into_iter().filter(|status| status.user_may_log_in()).map(i16::from);
    let active = user::Entity::find()
        .select_only()
        .column(user::Column::Id)
        .filter(user::Column::Parent.eq(company.0))
        .filter(user::Column::Status.is_in(active));
    let found = Entity::find()
        .select_only()
        .column(Column::UserId)
        .distinct()
        .filter(Column::CompanyId.eq(company.0))
        .filter(Column::RegisteredAt.is_not_null())
        .filter(Column::UserId.in_subquery(active.into_query()))
        .filter(counted(d.node, d.sources.now()))
        .order_by_asc(Column::UserId)
        .into_tuple::<Uuid>()
        .all(d.db.read());
    Ok(found.await.map_err(DbError::from)?.into_iter().map(UserId::from).collect())
}

/// Users of a company with a socket, registered or not.
pub(crate) async fn listening(d: &Identity, company: CompanyId) -> IdentityResult<Vec<UserId>> {
    let found = Entity::find()
        .select_only()
        .column(Column::UserId)
        .distinct()
        .filter(Column::CompanyId.eq(company.0))
        .filter(counted(d.node, d.sources.now()))
        .into_tuple::<Uuid>()
        .all(d.db.read());
    Ok(found.await.map_err(DbError::from)?.into_iter().map(UserId::from).collect())
}

pub(crate) async fn insert(tx: &Tx, node: NodeId, socket: &OpenSocket, now: DateTime<Utc>) -> DbResult<()> {
    let row = ActiveModel {
        id: Set(socket.id.clone()),
        node_id: Set(node.0),
        user_id: Set(socket.user.0),
        company_id: Set(socket.company.0),
        session_id: Set(socket.session.0),
        connected_at: Set(now),
        registered_at: Set(None),
    };
    Entity::insert(row).exec_without_returning(&**tx).await?;
    Ok(())
}

pub(crate) async fn find(d: &Identity, id: &str) -> DbResult<Option<OpenSocket>> {
    let found = Entity::find_by_id(id).filter(counted(d.node, d.sources.now())).one(d.db.read()).await?;
    Ok(found.map(to_socket))
}

fn to_socket(row: Model) -> OpenSocket {
    OpenSocket { id: row.id, user: row.user_id.into(), company: row.company_id.into(), session: row.session_id.into() }
}

/// Writes that this node is there.
pub(crate) async fn beat(tx: &Tx, id: NodeId, now: DateTime<Utc>) -> DbResult<()> {
    let row = node::ActiveModel { id: Set(id.0), started_at: Set(now), beat_at: Set(now) };
    let again = OnConflict::column(node::Column::Id).update_column(node::Column::BeatAt).to_owned();
    node::Entity::insert(row).on_conflict(again).exec_without_returning(&**tx).await?;
    Ok(())
}

/// Forgets nodes that have not beaten lately, with their sockets.
pub(crate) async fn sweep_dead(tx: &Tx, mine: NodeId, now: DateTime<Utc>) -> DbResult<()> {
    let dead = node::Entity::delete_many().filter(node::Column::BeatAt.lte(alive_since(now)));
    dead.filter(node::Column::Id.ne(mine.0)).exec(&**tx).await?;
    let known = Query::select().column(node::Column::Id).from(node::Entity).to_owned();
    Entity::delete_many().filter(Column::NodeId.not_in_subquery(known)).exec(&**tx).await?;
    Ok(())
}
