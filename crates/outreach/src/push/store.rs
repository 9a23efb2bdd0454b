//! Queries on devices and what is on its way to them.

use super::entity::{delivery, subscription};
use atalaya_db::{DbResult, Tx};
use atalaya_kernel::{Language, Status, UserId};
use chrono::{DateTime, Utc};
use sea_orm::sea_query::{Expr, SimpleExpr};
use sea_orm::{ColumnTrait, ConnectionTrait, EntityTrait, FromQueryResult, QueryFilter, QueryOrder, QuerySelect, Set};
use uuid::Uuid;

/// Devices whose owner may log in and whose log-in nobody ended: what is sent to others would reach a lost telephone or
/// somebody who has left.
fn alive() -> SimpleExpr {
    let numbers = |fits: fn(Status) -> bool| {
        let all: Vec<String> = Status::ALL.into_iter().filter(|s| fits(*s)).map(|s| i16::from(s).to_string()).collect();
        all.join(", ")
    };
    Expr::cust(format!(
        "push_subscription.user_id IN (SELECT u.id FROM app_user u JOIN company c ON c.id = u.parent \
           WHERE u.status IN ({}) AND c.status IN ({})) \
         AND push_subscription.session_key NOT IN (SELECT session.session_key FROM session WHERE session.ended_at IS NOT NULL)",
        numbers(Status::user_may_log_in),
        numbers(Status::company_admits_log_in)
    ))
}

/// A device that a message goes to.
#[derive(FromQueryResult)]
struct Reached {
    id: Uuid,
    language: Option<String>,
}

/// The devices of these users, each with its owner's language.
pub(crate) async fn reachable(db: &impl ConnectionTrait, users: &[UserId]) -> DbResult<Vec<(Uuid, Language)>> {
    let mut all = Vec::new();
    for some in users.chunks(500) {
        let language = Expr::cust("(SELECT app_user.language FROM app_user WHERE app_user.id = push_subscription.user_id)");
        let rows = subscription::Entity::find()
            .select_only()
            .column(subscription::Column::Id)
            .expr_as(language, "language")
            .filter(subscription::Column::UserId.is_in(some.iter().map(|id| id.0)))
            .filter(alive())
            .order_by_asc(subscription::Column::Id)
            .into_model::<Reached>()
            .all(db)
            .await?;
        let language = |row: &Reached| row.language.as_deref().and_then(Language::parse).unwrap_or_default();
        all.extend(rows.iter().map(|row| (row.id, language(row))));
    }
    Ok(all)
}

/// Something that is to be sent.
pub(crate) struct NewDelivery {
    pub id: Uuid,
    pub batch: Uuid,
    pub subscription: Uuid,
    pub payload: String,
    pub kind: &'static str,
    pub tag: String,
    pub due_at: DateTime<Utc>,
    pub expires_at: DateTime<Utc>,
}

pub(crate) async fn insert_deliveries(tx: &Tx, new: Vec<NewDelivery>) -> DbResult<()> {
    let rows: Vec<_> = new
        .into_iter()
        .map(|new| delivery::ActiveModel {
            id: Set(new.id),
            batch_id: Set(new.batch),
            subscription_id: Set(new.subscription),
            payload: Set(new.payload),
            kind: Set(new.kind.to_owned()),
            tag: Set(new.tag),
            attempts: Set(0),
            due_at: Set(new.due_at),
            expires_at: Set(new.expires_at),
        })
        .collect();
    for some in rows.chunks(500) {
        delivery::Entity::insert_many(some.to_vec()).exec_without_returning(&**tx).await?;
    }
    Ok(())
}

/// Takes back what has not been sent yet under a tag. Answers how much that was.
pub(crate) async fn withdraw(tx: &Tx, tag: &str) -> DbResult<u64> {
    Ok(delivery::Entity::delete_many().filter(delivery::Column::Tag.eq(tag)).exec(&**tx).await?.rows_affected)
}
