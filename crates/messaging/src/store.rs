//! Queries on the `outbox` table.

use crate::attachments::{self, AttachmentFile, AttachmentInfo};
use crate::ceiling::{self, SmsCeiling};
use crate::control;
use crate::dispatch::LANES;
use crate::entity::{ActiveModel, Column, Entity, Model};
use crate::model::{Channel, Message, MessageError, MessageState, NewMessage, Providers, TO_CLIENT};
use crate::secrets::{self, Seal, Sealing, sha256_hex};
use atalaya_db::{Db, DbResult, Engine, Tx};
use atalaya_kernel::{CompanyId, ConferenceId, OutboxId, Sources};
use chrono::{DateTime, TimeDelta, Utc};
use sea_orm::sea_query::{Expr, Func, LockBehavior, LockType, SelectStatement};
use sea_orm::{ActiveModelTrait, ActiveValue::Set, ColumnTrait, Condition, EntityTrait, ExprTrait};
use sea_orm::{ConnectionTrait, PaginatorTrait, QueryFilter, QueryOrder, QuerySelect, QueryTrait, Select, UpdateMany};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use tokio::sync::Notify;
use uuid::Uuid;

/// Writes and reads the outbox. Cheap to clone.
#[derive(Clone)]
pub struct Outbox {
    sources: Sources,
    providers: Providers,
    ceiling: Option<SmsCeiling>,
    sealing: Sealing,
    wake: Arc<[Notify; LANES]>,
}

/// The filter of an administrator's list.
#[derive(Clone, Debug, Default)]
pub struct OutboxFilter {
    pub channel: Option<Channel>,
    /// The whole recipient.
    pub to: Option<String>,
    pub state: Option<MessageState>,
    pub limit: u64,
}

impl Outbox {
    pub fn new(sources: Sources, providers: Providers) -> Self {
        Self { sources, providers, ceiling: None, sealing: None, wake: Arc::default() }
    }

    /// Keeps the secrets of messages under this seal.
    pub fn with_seal(mut self, seal: Arc<dyn Seal>) -> Self {
        self.sealing = Some(seal);
        self
    }

    /// Another outbox on the same tables, whose messages stay in it.
    pub fn unsent(&self, sources: Sources) -> Self {
        Self { sealing: self.sealing.clone(), ..Self::new(sources, Providers::none()) }
    }

    /// Counts the SMS of each company against these ceilings, or against the company's own (SMS-10).
    pub fn with_ceiling(mut self, ceiling: SmsCeiling) -> Self {
        self.ceiling = Some(ceiling);
        self
    }

    pub(crate) fn ceiling(&self) -> Option<SmsCeiling> {
        self.ceiling
    }

    /// Writes the message in the caller's transaction.
    ///
    /// Its state is `Captured` at once when no provider carries the channel, else `Queued`.
    /// Errors: [`MessageError::Header`], [`MessageError::Recipient`], [`MessageError::Attachment`],
    /// [`MessageError::Ceiling`] (the caller then rolls back, or goes on without the message), a database error.
    pub async fn enqueue(&self, tx: &Tx, mut new: NewMessage) -> Result<Message, MessageError> {
        new.check()?;
        if let (Channel::Sms, Some(ceiling), Some(company)) = (new.channel, self.ceiling, new.company_id) {
            ceiling::pass(tx, &self.sources, ceiling, company).await?;
        }
        let now = self.sources.now();
        let carried = self.providers.get(new.channel).is_some();
        let state = if carried { MessageState::Queued } else { MessageState::Captured };
        let id: OutboxId = self.sources.id();
        let (text_sha256, secret) = (sha256_hex(new.text.as_bytes()), secrets::hide(&self.sealing, id.0, &mut new));
        let files = new.attachments;
        let row = ActiveModel {
            id: Set(id.0),
            channel: Set(new.channel.name().to_owned()),
            purpose: Set(new.purpose.to_owned()),
            to_address: Set(new.to),
            sender: Set(new.sender),
            subject: Set(new.subject),
            text: Set(new.text),
            html: Set(new.html),
            link: Set(new.link),
            unsubscribe: Set(new.unsubscribe),
            state: Set(state.name().to_owned()),
            provider_id: Set(None),
            error: Set(None),
            conference_id: Set(new.conference_id.map(Into::into)),
            company_id: Set(new.company_id.map(Into::into)),
            attempts: Set(0),
            created_at: Set(now),
            next_attempt_at: Set(carried.then_some(now)),
            locked_until: Set(None),
            sent_at: Set(None),
            provider: Set(None),
            reason: Set(None),
            delivered_at: Set(None),
            failed_at: Set(None),
            fallback_of: Set(new.fallback_of.map(Into::into)),
            secret: Set(secret),
            text_sha256: Set(Some(text_sha256)),
            shown_to: Set(None),
        };
        let row = row.insert(&**tx).await.map_err(atalaya_db::DbError::from)?;
        attachments::store::insert(tx, &self.sources, id, files).await?;
        Ok(self.message(row))
    }

    /// Wakes this process's dispatcher; call it after the commit.
    pub fn wake(&self) {
        for lane in self.wake.iter() {
            lane.notify_one();
        }
    }

    pub(crate) async fn woken(&self, lane: usize) {
        self.wake[lane].notified().await;
    }

    /// Whether messages of this channel are sent rather than captured.
    pub fn carries(&self, channel: Channel) -> bool {
        self.providers.get(channel).is_some()
    }

    /// The configured providers.
    pub fn providers(&self) -> &Providers {
        &self.providers
    }

    pub(crate) fn sources(&self) -> &Sources {
        &self.sources
    }

    /// The messages to one conference's client, oldest first.
    pub async fn for_conference(&self, on: &impl ConnectionTrait, id: ConferenceId) -> DbResult<Vec<Message>> {
        let rows = Entity::find()
            .filter(Column::ConferenceId.eq(id.0))
            .filter(Column::Purpose.is_in(TO_CLIENT))
            .order_by_asc(Column::CreatedAt)
            .order_by_asc(Column::Id)
            .all(on)
            .await?;
        Ok(rows.into_iter().map(|row| self.message(row)).collect())
    }

    /// The times at which messages of this purpose about a conference were written since then, oldest first; for limits.
    pub async fn times_since(
        &self,
        on: &impl ConnectionTrait,
        id: ConferenceId,
        purpose: &str,
        since: DateTime<Utc>,
    ) -> DbResult<Vec<DateTime<Utc>>> {
        let query = Entity::find().select_only().column(Column::CreatedAt).filter(Column::ConferenceId.eq(id.0));
        let query = query.filter(Column::Purpose.eq(purpose)).filter(Column::CreatedAt.gt(since));
        Ok(query.order_by_asc(Column::CreatedAt).into_tuple().all(on).await?)
    }

    /// Messages to conferences' clients from `from`, before `until`, newest first, and how many there are; for administrators.
    pub async fn about_conferences(
        &self,
        on: &impl ConnectionTrait,
        from: DateTime<Utc>,
        until: DateTime<Utc>,
        offset: u64,
        limit: u64,
    ) -> DbResult<(Vec<Message>, u64)> {
        let query = Entity::find()
            .filter(Column::CreatedAt.gte(from))
            .filter(Column::CreatedAt.lt(until))
            .filter(Column::Purpose.is_in(TO_CLIENT))
            .filter(Column::ConferenceId.is_not_null());
        let total = query.clone().count(on).await?;
        let query = query.order_by_desc(Column::CreatedAt).order_by_desc(Column::Id);
        let rows = query.offset(offset).limit(limit).all(on).await?;
        Ok((rows.into_iter().map(|row| self.message(row)).collect(), total))
    }

    /// A message.
    pub async fn find(&self, on: &impl ConnectionTrait, id: OutboxId) -> DbResult<Option<Message>> {
        Ok(Entity::find_by_id(id.0).one(on).await?.map(|row| self.message(row)))
    }

    /// Whether another message already replaces this one.
    pub async fn has_fallback(&self, on: &impl ConnectionTrait, id: OutboxId) -> DbResult<bool> {
        Ok(Entity::find().filter(Column::FallbackOf.eq(id.0)).count(on).await? > 0)
    }

    /// The ids of messages that could not be sent, as a query for other rooms' conditions.
    pub fn failed_ids() -> SelectStatement {
        Entity::find().select_only().column(Column::Id).filter(Column::State.eq(MessageState::Failed.name())).into_query()
    }

    /// The conferences whose client was written to at this phone or address, ignoring letter case, as a query for other
    /// rooms' conditions.
    pub fn conferences_written_to(address: &str) -> SelectStatement {
        let same = Expr::expr(Func::lower(Expr::col(Column::ToAddress))).eq(address.to_lowercase());
        Entity::find()
            .select_only()
            .column(Column::ConferenceId)
            .filter(same)
            .filter(Column::Purpose.is_in(TO_CLIENT))
            .filter(Column::ConferenceId.is_not_null())
            .into_query()
    }

    /// The ids of messages in these states, as a query for other rooms' conditions.
    pub fn ids_in(states: &[MessageState]) -> SelectStatement {
        let names = states.iter().map(|state| state.name());
        Entity::find().select_only().column(Column::Id).filter(Column::State.is_in(names)).into_query()
    }

    /// Which of these messages could not be sent.
    pub async fn failed_among(&self, on: &impl ConnectionTrait, ids: Vec<OutboxId>) -> DbResult<HashSet<OutboxId>> {
        let rows: Vec<Uuid> = Entity::find()
            .select_only()
            .column(Column::Id)
            .filter(Column::Id.is_in(ids.into_iter().map(|id| id.0)))
            .filter(Column::State.eq(MessageState::Failed.name()))
            .into_tuple()
            .all(on)
            .await?;
        Ok(rows.into_iter().map(OutboxId).collect())
    }

    /// The files of these messages, without their bytes.
    pub async fn attachments(
        &self,
        on: &impl ConnectionTrait,
        ids: &[OutboxId],
    ) -> DbResult<HashMap<OutboxId, Vec<AttachmentInfo>>> {
        attachments::store::list(on, ids).await
    }

    /// A file, while its bytes are kept.
    pub async fn attachment(&self, on: &impl ConnectionTrait, id: Uuid) -> DbResult<Option<AttachmentFile>> {
        attachments::store::find(on, id).await
    }

    /// Deletes the bytes of files attached to captured e-mails from before this moment. Answers how many.
    pub async fn forget_captured_files(&self, db: &Db, before: DateTime<Utc>) -> DbResult<u64> {
        let tx = db.write().await?;
        let captured = Entity::find()
            .select_only()
            .column(Column::Id)
            .filter(Column::State.eq(MessageState::Captured.name()))
            .filter(Column::CreatedAt.lt(before))
            .into_query();
        let gone = attachments::store::forget_of(&tx, captured).await?;
        tx.commit().await?;
        Ok(gone)
    }

    /// The newest messages of everybody; for administrators.
    pub async fn list(&self, on: &impl ConnectionTrait, filter: OutboxFilter) -> DbResult<Vec<Message>> {
        let mut query = Entity::find();
        if let Some(channel) = filter.channel {
            query = query.filter(Column::Channel.eq(channel.name()));
        }
        if let Some(to) = filter.to {
            query = query.filter(Column::ToAddress.eq(to));
        }
        if let Some(state) = filter.state {
            query = query.filter(Column::State.eq(state.name()));
        }
        let rows = query.order_by_desc(Column::CreatedAt).order_by_desc(Column::Id).limit(filter.limit).all(on).await?;
        Ok(rows.into_iter().map(|row| self.message(row)).collect())
    }

    /// A row, with its secret in its place while it is kept.
    fn message(&self, row: Model) -> Message {
        let secret = secrets::open(&self.sealing, &row);
        Message {
            id: OutboxId(row.id),
            channel: Channel::parse(&row.channel).expect("only known channels are written"),
            purpose: row.purpose,
            to: row.to_address,
            sender: row.sender,
            subject: row.subject,
            text: row.text.clone(),
            html: row.html,
            link: row.link,
            unsubscribe: row.unsubscribe,
            state: MessageState::parse(&row.state).expect("only known states are written"),
            provider_id: row.provider_id,
            error: row.error,
            conference_id: row.conference_id.map(ConferenceId),
            company_id: row.company_id.map(CompanyId),
            attempts: row.attempts,
            created_at: row.created_at,
            sent_at: row.sent_at,
            provider: row.provider,
            reason: row.reason,
            delivered_at: row.delivered_at,
            failed_at: row.failed_at,
            fallback_of: row.fallback_of.map(OutboxId),
            attachments: Vec::new(),
            secret,
            text_sha256: row.text_sha256.unwrap_or_else(|| sha256_hex(row.text.as_bytes())),
            shown_to: row.shown_to.map(Into::into),
        }
        .whole()
    }
}

/// Messages of this channel that are due and not claimed by a worker.
fn due(channel: Channel, now: DateTime<Utc>) -> Select<Entity> {
    let free = Condition::any().add(Column::LockedUntil.is_null()).add(Column::LockedUntil.lt(now));
    Entity::find()
        .filter(Column::State.eq(MessageState::Queued.name()).and(Column::NextAttemptAt.lte(now)))
        .filter(Column::Channel.eq(channel.name()))
        .filter(free)
}

/// Claims the next due message of this channel for `lease`, unless an administrator stopped the delivery.
pub(crate) async fn claim(
    outbox: &Outbox,
    db: &Db,
    channel: Channel,
    now: DateTime<Utc>,
    lease: TimeDelta,
) -> DbResult<Option<Message>> {
    let tx = db.write().await?;
    if !control::store::is_running(&*tx).await? {
        return Ok(None);
    }
    let mut query = due(channel, now).order_by_asc(Column::NextAttemptAt).order_by_asc(Column::Id).limit(1);
    if tx.engine() == Engine::Postgres {
        query = query.lock_with_behavior(LockType::Update, LockBehavior::SkipLocked);
    }
    let Some(mut row) = query.one(&*tx).await? else { return Ok(None) };
    row.attempts += 1;
    Entity::update_many()
        .col_expr(Column::Attempts, Expr::value(row.attempts))
        .col_expr(Column::LockedUntil, Expr::value(Some(now + lease)))
        .filter(Column::Id.eq(row.id))
        .exec(&*tx)
        .await?;
    let mut found = outbox.message(row);
    found.attachments = attachments::store::files(&*tx, found.id).await?;
    tx.commit().await?;
    Ok(Some(found))
}

/// Whether this channel has a message that a worker may claim now.
pub(crate) async fn any_due(db: &Db, channel: Channel, now: DateTime<Utc>) -> DbResult<bool> {
    let row: Option<Uuid> = due(channel, now).select_only().column(Column::Id).into_tuple().one(db.read()).await?;
    Ok(row.is_some() && control::store::is_running(db.read()).await?)
}

/// Writes the outcome of an attempt. Answers false when another worker has claimed the message meanwhile.
pub(crate) async fn settle(tx: &Tx, message: &Message, next: Option<DateTime<Utc>>) -> DbResult<bool> {
    let held = Column::State.eq(MessageState::Queued.name()).and(Column::Attempts.eq(message.attempts));
    let done = written(message, next).filter(held).exec(&**tx).await?;
    if done.rows_affected == 1 && message.state == MessageState::Sent && !message.attachments.is_empty() {
        attachments::store::forget(tx, message.id).await?;
    }
    Ok(done.rows_affected == 1)
}

/// The message of a receipt, locked until the transaction ends.
pub(crate) async fn lock(outbox: &Outbox, tx: &Tx, id: Uuid) -> DbResult<Option<Message>> {
    atalaya_db::lock_row(tx, "outbox", id).await?;
    Ok(Entity::find_by_id(id).one(&**tx).await?.map(|row| outbox.message(row)))
}

/// Writes the outcome that a receipt reports about a message read by [`lock`].
pub(crate) async fn write(tx: &Tx, message: &Message) -> DbResult<()> {
    written(message, None).exec(&**tx).await?;
    Ok(())
}

fn written(message: &Message, next: Option<DateTime<Utc>>) -> UpdateMany<Entity> {
    let mut update = Entity::update_many();
    if message.sent_at.is_some() {
        // Handed over: its recipient has the secret, and nobody else needs it.
        update = update.col_expr(Column::Secret, Expr::value(None::<String>));
    }
    update
        .col_expr(Column::State, Expr::value(message.state.name()))
        .col_expr(Column::ProviderId, Expr::value(message.provider_id.clone()))
        .col_expr(Column::Provider, Expr::value(message.provider.clone()))
        .col_expr(Column::Error, Expr::value(message.error.clone()))
        .col_expr(Column::Reason, Expr::value(message.reason.clone()))
        .col_expr(Column::SentAt, Expr::value(message.sent_at))
        .col_expr(Column::DeliveredAt, Expr::value(message.delivered_at))
        .col_expr(Column::FailedAt, Expr::value(message.failed_at))
        .col_expr(Column::NextAttemptAt, Expr::value(next))
        .col_expr(Column::LockedUntil, Expr::value(None::<DateTime<Utc>>))
        .filter(Column::Id.eq(message.id.0))
}
