//! Queries on `open_socket` and `server_node`.

use super::entity::{ActiveModel, Column, Entity, node};
use super::model::{OpenSocket, alive_since};
use crate::{Identity, IdentityResult, directory, sessions};
use atalaya_checks::browser::browser_and_system;
use atalaya_db::{DbError, DbResult, Reads, Tx};
use atalaya_kernel::{CompanyId, NodeId, Role, SessionId, UserId};
use chrono::{DateTime, Utc};
use sea_orm::sea_query::{Condition, Expr, IntoColumnRef, OnConflict, Query};
use sea_orm::{ActiveValue::Set, ColumnTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect, QueryTrait};
use uuid::Uuid;

/// Rows of live nodes. Our own counts, however old its last heartbeat.
fn counted(mine: NodeId, now: DateTime<Utc>) -> Condition {
    let alive = node::Entity::find().select_only().column(node::Column::Id);
    let alive = alive.filter(node::Column::BeatAt.gt(alive_since(now)));
    Condition::any().add(Column::NodeId.eq(mine.0)).add(Column::NodeId.in_subquery(alive.into_query()))
}

/// Active users of a company who have a registered socket, by id.
pub(crate) async fn online(d: &Identity, company: CompanyId) -> IdentityResult<Vec<UserId>> {
    let found = Entity::find()
        .select_only()
        .column(Column::UserId)
        .distinct()
        .filter(Column::CompanyId.eq(company.0))
        .filter(Column::RegisteredAt.is_not_null())
        .filter(Column::UserId.in_subquery(directory::users_that_may_log_in(Some(company), None)))
        .filter(counted(d.node, d.sources.now()))
        .order_by_asc(Column::UserId)
        .tuples::<(Uuid,)>(d.db.read());
    Ok(found.await.map_err(DbError::from)?.into_iter().map(|(id,)| UserId(id)).collect())
}

/// Active users of these companies with one of these roles who have a registered socket, each once, with their company.
pub(crate) async fn online_of(d: &Identity, companies: &[CompanyId], roles: &[Role]) -> IdentityResult<Vec<(CompanyId, UserId)>> {
    let mut all = Vec::new();
    // In parts, because statements take a limited number of parameters.
    for part in companies.chunks(1000) {
        let found = Entity::find()
            .select_only()
            .column(Column::CompanyId)
            .column(Column::UserId)
            .distinct()
            .filter(Column::CompanyId.is_in(part.iter().map(|id| id.0)))
            .filter(Column::RegisteredAt.is_not_null())
            .filter(Column::UserId.in_subquery(directory::users_that_may_log_in(None, Some(roles))))
            .filter(counted(d.node, d.sources.now()))
            .tuples::<(Uuid, Uuid)>(d.db.read());
        let found = found.await.map_err(DbError::from)?;
        all.extend(found.into_iter().map(|(company, user)| (CompanyId(company), UserId(user))));
    }
    Ok(all)
}

/// Users of a company with a socket, registered or not.
pub(crate) async fn listening(d: &Identity, company: CompanyId) -> IdentityResult<Vec<UserId>> {
    let found = Entity::find()
        .select_only()
        .column(Column::UserId)
        .distinct()
        .filter(Column::CompanyId.eq(company.0))
        .filter(counted(d.node, d.sources.now()))
        .tuples::<(Uuid,)>(d.db.read());
    Ok(found.await.map_err(DbError::from)?.into_iter().map(|(id,)| UserId(id)).collect())
}

/// Operators of a company with a socket from a phone or tablet.
pub(crate) async fn mobile_operators(d: &Identity, company: CompanyId) -> IdentityResult<Vec<UserId>> {
    let operators = [Role::RepairerOperator, Role::WorkshopOperator];
    let found = Entity::find()
        .select_only()
        .column(Column::UserId)
        .column(Column::SessionId)
        .filter(Column::CompanyId.eq(company.0))
        .filter(Column::UserId.in_subquery(directory::users_that_may_log_in(Some(company), Some(&operators))))
        .filter(counted(d.node, d.sources.now()))
        .tuples::<(Uuid, Uuid)>(d.db.read());
    let mut users = Vec::new();
    for (user, session) in found.await.map_err(DbError::from)? {
        let agent = sessions::agent_of(d.db.read(), session.into()).await?.unwrap_or_default();
        if matches!(browser_and_system(&agent).1, "Android" | "iOS") {
            users.push(user.into());
        }
    }
    Ok(users)
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

/// Whose a registered socket is.
pub(crate) async fn find_owner(d: &Identity, id: &str) -> DbResult<Option<UserId>> {
    let found = Entity::find_by_id(id).filter(Column::RegisteredAt.is_not_null()).filter(counted(d.node, d.sources.now()));
    Ok(found.row(d.db.read()).await?.map(|row| row.user_id.into()))
}

/// Registers a socket of this user; whether there is one.
pub(crate) async fn register(tx: &Tx, id: &str, user: UserId, now: DateTime<Utc>) -> DbResult<bool> {
    let set = Entity::update_many().col_expr(Column::RegisteredAt, Expr::value(now)).filter(Column::Id.eq(id));
    Ok(set.filter(Column::UserId.eq(user.0)).exec(&**tx).await?.rows_affected == 1)
}

/// Deletes every registration of a user; answers how many there were.
pub(crate) async fn forget(tx: &Tx, user: UserId) -> DbResult<u64> {
    let set = Entity::update_many().col_expr(Column::RegisteredAt, Expr::value(None::<DateTime<Utc>>));
    let set = set.filter(Column::UserId.eq(user.0)).filter(Column::RegisteredAt.is_not_null());
    Ok(set.exec(&**tx).await?.rows_affected)
}

/// The oldest sockets of a user beyond `keep`.
pub(crate) async fn surplus(tx: &Tx, user: UserId, keep: u64) -> DbResult<Vec<String>> {
    let ids = Entity::find().select_only().column(Column::Id).filter(Column::UserId.eq(user.0));
    // SQLite has no offset without a limit.
    let ids = ids.order_by_desc(Column::ConnectedAt).order_by_desc(Column::Id).offset(keep).limit(1000);
    Ok(ids.into_tuple().all(&**tx).await?)
}

pub(crate) async fn delete(tx: &Tx, ids: &[String]) -> DbResult<()> {
    Entity::delete_many().filter(Column::Id.is_in(ids)).exec(&**tx).await?;
    Ok(())
}

/// Deletes a node with its sockets, because it stops.
pub(crate) async fn delete_node(tx: &Tx, id: NodeId) -> DbResult<()> {
    Entity::delete_many().filter(Column::NodeId.eq(id.0)).exec(&**tx).await?;
    node::Entity::delete_by_id(id.0).exec(&**tx).await?;
    Ok(())
}

/// Whose sockets are meant.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Scope {
    User(UserId),
    Company(CompanyId),
    Node(NodeId),
}

/// Sessions with sockets although their log-in has ended, or their user or company may no longer log in.
pub(crate) async fn dead_sessions(d: &Identity, scope: Scope) -> DbResult<Vec<SessionId>> {
    let scoped = match scope {
        Scope::User(id) => Column::UserId.eq(id.0),
        Scope::Company(id) => Column::CompanyId.eq(id.0),
        Scope::Node(id) => Column::NodeId.eq(id.0),
    };
    let (session, company) = (Column::SessionId.as_column_ref(), Column::CompanyId.as_column_ref());
    let found = Entity::find()
        .select_only()
        .column(Column::SessionId)
        .distinct()
        .filter(scoped)
        .filter(sessions::is_dead(session.into_column_ref(), company.into_column_ref(), d.sources.now()))
        .tuples::<(Uuid,)>(d.db.read());
    Ok(found.await?.into_iter().map(|(id,)| SessionId(id)).collect())
}

/// Stores this node's heartbeat.
pub(crate) async fn beat(tx: &Tx, id: NodeId, now: DateTime<Utc>) -> DbResult<()> {
    let row = node::ActiveModel { id: Set(id.0), started_at: Set(now), beat_at: Set(now) };
    let again = OnConflict::column(node::Column::Id).update_column(node::Column::BeatAt).to_owned();
    node::Entity::insert(row).on_conflict(again).exec_without_returning(&**tx).await?;
    Ok(())
}

/// Deletes nodes without a recent heartbeat, with their sockets.
pub(crate) async fn sweep_dead(tx: &Tx, mine: NodeId, now: DateTime<Utc>) -> DbResult<()> {
    let dead = node::Entity::delete_many().filter(node::Column::BeatAt.lte(alive_since(now)));
    if dead.filter(node::Column::Id.ne(mine.0)).exec(&**tx).await?.rows_affected == 0 {
        return Ok(());
    }
    let known = Query::select().column(node::Column::Id).from(node::Entity).to_owned();
    Entity::delete_many().filter(Column::NodeId.not_in_subquery(known)).exec(&**tx).await?;
    Ok(())
}
