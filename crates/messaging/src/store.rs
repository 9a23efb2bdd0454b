//! Queries on the `outbox` table.

mod queue;

pub(crate) use queue::{claim, lock, next_due, settle, write};

use crate::attachments::{self, AttachmentFile, AttachmentInfo};
use crate::ceiling::{self, SmsCeiling};
use crate::dispatch::{CARRYING, LANES};
use crate::entity::{ActiveModel, Column, Entity, Model};
use crate::model::{Channel, LATE_JOB, Message, MessageError, MessageState, NewMessage, Providers, TO_CLIENT, UNREFUSED};
use crate::receipts::RECEIPT;
use crate::secrets::{self, Seal, Sealing, sha256_hex};
use atalaya_db::{Change, Db, DbResult, Reads, Tx};
use atalaya_jobs::{Jobs, NewJob};
use atalaya_kernel::{CompanyId, ConferenceId, OutboxId, Sources};
use chrono::{DateTime, Utc};
use sea_orm::sea_query::{Expr, Func, SelectStatement};
use sea_orm::{ActiveModelTrait, ActiveValue::Set, ColumnTrait, EntityTrait, ExprTrait};
use sea_orm::{ConnectionTrait, PaginatorTrait, QueryFilter, QueryOrder, QuerySelect, QueryTrait};
use serde_json::json;
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
    /// Messages to one conference's client at most.
    per_conference: Option<u32>,
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
        Self { sources, providers, ceiling: None, per_conference: None, sealing: None, wake: Arc::default() }
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

    /// Counts the messages to each conference's client, over all channels (MSG-23).
    pub fn with_conference_ceiling(mut self, max: u32) -> Self {
        self.per_conference = Some(max);
        self
    }

    pub(crate) fn ceiling(&self) -> Option<SmsCeiling> {
        self.ceiling
    }

    /// Writes the message in the caller's transaction.
    ///
    /// Its state is `Captured` at once when no provider carries the channel, else `Queued`.
    /// Errors: [`MessageError::Header`], [`MessageError::Recipient`], [`MessageError::Attachment`],
    /// [`MessageError::Ceiling`], [`MessageError::ConferenceCeiling`] (the caller then rolls back, or goes on without the
    /// message), a database error.
    pub async fn enqueue(&self, tx: &Tx, mut new: NewMessage) -> Result<Message, MessageError> {
        new.check()?;
        self.pass_conference(tx, &new).await?;
        let is_counted = ceiling::COUNTED.contains(&new.channel);
        if let (true, Some(ceiling), Some(company)) = (is_counted, self.ceiling, new.company_id) {
            ceiling::pass(tx, &self.sources, ceiling, company).await?;
        }
        let now = self.sources.now();
        let carried = self.providers.get(new.channel).is_some();
        let state = if carried { MessageState::Queued } else { MessageState::Captured };
        let id: OutboxId = self.sources.id();
        if carried {
            tx.changed("outbox", new.channel.name());
        }
        if let Some(at) = new.late_at.filter(|_| carried) {
            let job = NewJob::new(LATE_JOB, json!({"message": id})).at(at);
            Jobs::new(self.sources.clone()).enqueue(tx, job).await?;
        }
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

    /// Refuses one message too many to a conference's client. Whoever writes to a conference's client holds its lock, so that the
    /// ceiling is exact.
    async fn pass_conference(&self, tx: &Tx, new: &NewMessage) -> Result<(), MessageError> {
        let (Some(max), Some(id)) = (self.per_conference, new.conference_id) else { return Ok(()) };
        if !TO_CLIENT.contains(&new.purpose) || UNREFUSED.contains(&new.purpose) {
            return Ok(());
        }
        let written = Entity::find().filter(Column::ConferenceId.eq(id.0)).filter(Column::Purpose.is_in(TO_CLIENT));
        let written = written.count(&**tx).await.map_err(atalaya_db::DbError::from)?;
        if written >= u64::from(max) { Err(MessageError::ConferenceCeiling { max }) } else { Ok(()) }
    }

    /// Wakes this process's dispatcher; call it after the commit.
    pub fn wake(&self) {
        for lane in self.wake.iter() {
            lane.notify_one();
        }
    }

    /// Wakes the lanes that a committed change is for: a message's channel, or the one that applies receipts.
    pub(crate) fn wake_for(&self, change: &Change) {
        let Change::Of { table, key } = change else { return self.wake() };
        if table == "outbox" {
            for (lane, notify) in self.wake.iter().enumerate() {
                if CARRYING.get(lane).map_or(RECEIPT, |channel| channel.name()) == key {
                    notify.notify_one();
                }
            }
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
            .rows(on)
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
        let total = query.clone().number(on).await?;
        let query = query.order_by_desc(Column::CreatedAt).order_by_desc(Column::Id);
        let rows = query.offset(offset).limit(limit).rows(on).await?;
        Ok((rows.into_iter().map(|row| self.message(row)).collect(), total))
    }

    /// A message as it is now, its row locked.
    pub async fn lock(&self, tx: &Tx, id: OutboxId) -> DbResult<Option<Message>> {
        queue::lock(self, tx, id.0).await
    }

    /// A message.
    pub async fn find(&self, on: &impl ConnectionTrait, id: OutboxId) -> DbResult<Option<Message>> {
        Ok(Entity::find_by_id(id.0).row(on).await?.map(|row| self.message(row)))
    }

    /// Whether another message already replaces this one.
    pub async fn has_fallback(&self, on: &impl ConnectionTrait, id: OutboxId) -> DbResult<bool> {
        Ok(Entity::find().filter(Column::FallbackOf.eq(id.0)).number(on).await? > 0)
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

    /// The conferences whose link went by another channel than first, as a query for other rooms' conditions.
    pub fn conferences_by_another_channel() -> SelectStatement {
        Entity::find()
            .select_only()
            .column(Column::ConferenceId)
            .filter(Column::FallbackOf.is_not_null())
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
        let rows = query.order_by_desc(Column::CreatedAt).order_by_desc(Column::Id).limit(filter.limit).rows(on).await?;
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
