//! Queries on the tables of campaigns.

use super::entity::{campaign, recipient};
use super::model::{Campaign, NewCampaign, Progress, State, join, split};
use crate::marketing;
use atalaya_db::{DbResult, Tx};
use atalaya_identity::users::AddressesOf;
use atalaya_kernel::{CampaignId, Language, OutboxId, UserId};
use atalaya_messaging::{MessageState, Outbox};
use chrono::{DateTime, Utc};
use sea_orm::sea_query::Expr;
use sea_orm::{
    ActiveValue::Set, ColumnTrait, Condition, ConnectionTrait, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder, QuerySelect,
};
use uuid::Uuid;

/// Rows in one statement: databases limit the number of parameters.
const ROWS_AT_ONCE: usize = 500;

pub(super) struct Row<'a> {
    pub id: CampaignId,
    pub author: UserId,
    pub new: &'a NewCampaign,
    pub fingerprint: String,
    pub total: u64,
    pub now: DateTime<Utc>,
}

pub(super) async fn insert(tx: &Tx, row: Row<'_>) -> DbResult<()> {
    let Row { id, author, new, fingerprint, total, now } = row;
    let row = campaign::ActiveModel {
        id: Set(id.0),
        author_id: Set(author.0),
        subject: Set(new.subject.clone()),
        text: Set(new.text.clone()),
        roles: Set(join(&new.audience.roles)),
        language: Set(new.audience.language.map(|language| language.code().to_owned())),
        status: Set(State::Scheduled.name().to_owned()),
        idempotency_key: Set(new.key.clone()),
        fingerprint: Set(fingerprint),
        last_email: Set(None),
        total: Set(i64::try_from(total).unwrap_or(i64::MAX)),
        send_at: Set(new.send_at),
        next_at: Set(new.send_at),
        created_at: Set(now),
        started_at: Set(None),
        ended_at: Set(None),
    };
    campaign::Entity::insert(row).exec_without_returning(&**tx).await?;
    Ok(())
}

pub(super) async fn find(db: &impl ConnectionTrait, id: CampaignId) -> DbResult<Option<Campaign>> {
    Ok(campaign::Entity::find_by_id(id.0).one(db).await?.map(to_campaign))
}

/// The campaign that this administrator created with this key.
pub(super) async fn find_by_key(db: &impl ConnectionTrait, author: UserId, key: &str) -> DbResult<Option<Campaign>> {
    let query = campaign::Entity::find().filter(campaign::Column::AuthorId.eq(author.0));
    Ok(query.filter(campaign::Column::IdempotencyKey.eq(key)).one(db).await?.map(to_campaign))
}

/// A page of all campaigns, the newest first, and how many there are.
pub(super) async fn page(db: &impl ConnectionTrait, offset: u64, limit: u64) -> DbResult<(Vec<Campaign>, u64)> {
    let total = campaign::Entity::find().count(db).await?;
    let query = campaign::Entity::find().order_by_desc(campaign::Column::CreatedAt).order_by_desc(campaign::Column::Id);
    let rows = query.offset(offset).limit(limit).all(db).await?;
    Ok((rows.into_iter().map(to_campaign).collect(), total))
}

/// Scheduled or running.
fn open() -> Condition {
    Condition::all().add(campaign::Column::Status.is_in([State::Scheduled.name(), State::Running.name()]))
}

/// Campaigns whose next messages are due, the longest waiting first.
pub(super) async fn list_due(db: &impl ConnectionTrait, now: DateTime<Utc>) -> DbResult<Vec<CampaignId>> {
    let query = campaign::Entity::find().select_only().column(campaign::Column::Id).filter(open());
    let query = query.filter(campaign::Column::NextAt.lte(now)).order_by_asc(campaign::Column::NextAt);
    let ids: Vec<Uuid> = query.limit(50).into_tuple().all(db).await?;
    Ok(ids.into_iter().map(CampaignId).collect())
}

/// Ends an open campaign. Answers false when it was already over.
pub(super) async fn end(tx: &Tx, id: CampaignId, state: State, now: DateTime<Utc>) -> DbResult<bool> {
    let done = campaign::Entity::update_many()
        .col_expr(campaign::Column::Status, Expr::value(state.name()))
        .col_expr(campaign::Column::EndedAt, Expr::value(Some(now)))
        .filter(campaign::Column::Id.eq(id.0))
        .filter(open())
        .exec(&**tx)
        .await?;
    Ok(done.rows_affected == 1)
}

/// Writes its progress.
pub(super) async fn advance(tx: &Tx, campaign: &Campaign, last: &str, next: DateTime<Utc>, now: DateTime<Utc>) -> DbResult<()> {
    campaign::Entity::update_many()
        .col_expr(campaign::Column::Status, Expr::value(State::Running.name()))
        .col_expr(campaign::Column::StartedAt, Expr::value(Some(campaign.started_at.unwrap_or(now))))
        .col_expr(campaign::Column::LastEmail, Expr::value(Some(last.to_owned())))
        .col_expr(campaign::Column::NextAt, Expr::value(next))
        .filter(campaign::Column::Id.eq(campaign.id.0))
        .exec(&**tx)
        .await?;
    Ok(())
}

pub(super) async fn insert_recipients(
    tx: &Tx,
    campaign: CampaignId,
    written: Vec<(String, Option<OutboxId>)>,
    now: DateTime<Utc>,
) -> DbResult<()> {
    for some in written.chunks(ROWS_AT_ONCE) {
        let row = |(email, message): &(String, Option<OutboxId>)| recipient::ActiveModel {
            campaign_id: Set(campaign.0),
            email: Set(email.clone()),
            message_id: Set(message.map(Uuid::from)),
            at: Set(now),
        };
        recipient::Entity::insert_many(some.iter().map(row)).exec_without_returning(&**tx).await?;
    }
    Ok(())
}

/// The outcome of its messages.
pub(super) async fn progress(db: &impl ConnectionTrait, id: CampaignId) -> DbResult<Progress> {
    let of = || recipient::Entity::find().filter(recipient::Column::CampaignId.eq(id.0));
    let in_states = |states: &[MessageState]| of().filter(recipient::Column::MessageId.in_subquery(Outbox::ids_in(states)));
    let refused = of().filter(recipient::Column::MessageId.is_null()).count(db).await?;
    Ok(Progress {
        written: of().count(db).await?,
        sent: in_states(&[MessageState::Sent, MessageState::Delivered]).count(db).await?,
        failed: refused + in_states(&[MessageState::Failed]).count(db).await?,
        captured: in_states(&[MessageState::Captured]).count(db).await?,
        left: marketing::count_left(db, id).await?,
    })
}

fn to_campaign(row: campaign::Model) -> Campaign {
    let language = row.language.as_deref().and_then(Language::parse);
    Campaign {
        id: CampaignId(row.id),
        author: row.author_id,
        subject: row.subject,
        text: row.text,
        audience: AddressesOf { roles: split(&row.roles), language },
        state: State::stored(&row.status),
        fingerprint: row.fingerprint,
        last_email: row.last_email,
        total: row.total,
        send_at: row.send_at,
        next_at: row.next_at,
        created_at: row.created_at,
        started_at: row.started_at,
        ended_at: row.ended_at,
    }
}
