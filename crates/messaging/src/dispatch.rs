//! Sends what waits in the outbox.

use crate::model::{Channel, Message, MessageState, Receipt, SendFailure};
use crate::store::{self, Outbox};
use async_trait::async_trait;
use atalaya_db::{Db, DbResult, Tx};
use chrono::TimeDelta;
use std::sync::Arc;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// Is told what became of messages, so that a room keeps its own record of it.
#[async_trait]
pub trait Observer: Send + Sync {
    /// Called in the transaction that writes the state `Sent` or `Failed`.
    async fn changed(&self, tx: &Tx, message: &Message) -> DbResult<()>;

    /// Called once that transaction has committed.
    async fn committed(&self, _message: &Message) {}
}

/// How long a claimed message is ours. Longer than any provider's own timeouts.
const LEASE: TimeDelta = TimeDelta::minutes(3);
const POLL: Duration = Duration::from_secs(1);

/// The dispatcher of this process.
pub struct Dispatcher {
    db: Db,
    outbox: Outbox,
    observers: Vec<Arc<dyn Observer>>,
}

impl Dispatcher {
    pub fn new(db: Db, outbox: Outbox) -> Self {
        Self { db, outbox, observers: Vec::new() }
    }

    pub fn observe(mut self, observer: Arc<dyn Observer>) -> Self {
        self.observers.push(observer);
        self
    }

    /// Sends until told to stop, and what is due at that moment still goes out.
    pub async fn run(self, stop: CancellationToken) {
        loop {
            match self.dispatch_next().await {
                Ok(true) => continue,
                Ok(false) if stop.is_cancelled() => return,
                Ok(false) => {}
                Err(error) => {
                    tracing::warn!(%error, "the outbox cannot be read");
                    if stop.is_cancelled() {
                        return;
                    }
                }
            }
            tokio::select! {
                () = stop.cancelled() => {}
                () = self.outbox.woken() => {}
                () = tokio::time::sleep(POLL) => {}
            }
        }
    }

    /// Whether a due message waits.
    pub async fn has_work(&self) -> DbResult<bool> {
        store::any_due(&self.db, &self.channels(), self.outbox.sources().now()).await
    }

    fn channels(&self) -> Vec<&'static str> {
        let carried = |channel: &Channel| self.outbox.providers().get(*channel).is_some();
        Channel::ALL.into_iter().filter(carried).map(Channel::name).collect()
    }

    /// Sends one due message. Answers whether there was one. Tests call this instead of [`Dispatcher::run`].
    pub async fn dispatch_next(&self) -> DbResult<bool> {
        let channels = self.channels();
        if channels.is_empty() {
            return Ok(false);
        }
        let now = self.outbox.sources().now();
        let Some(message) = store::claim(&self.db, &channels, now, LEASE).await? else { return Ok(false) };
        let provider = self.outbox.providers().get(message.channel).expect("only carried channels are claimed");
        let sending = {
            let message = message.clone();
            // Of its own, so that a panic in a provider is a failed attempt and not a dead dispatcher (PERF F17).
            tokio::spawn(async move { provider.send(&message).await })
        };
        let outcome = sending.await.unwrap_or_else(|_| Err(SendFailure::Temporary("the provider panicked".into())));
        self.settle(message, outcome).await?;
        Ok(true)
    }

    async fn settle(&self, mut message: Message, outcome: Result<Receipt, SendFailure>) -> DbResult<()> {
        let now = self.outbox.sources().now();
        let mut next = None;
        match outcome {
            Ok(receipt) => {
                message.state = MessageState::Sent;
                message.provider_id = receipt.provider_id;
                message.sent_at = Some(now);
                message.error = None;
            }
            Err(failure) => {
                let spent = message.attempts >= message.channel.max_attempts();
                let lasting = matches!(failure, SendFailure::Permanent(_));
                tracing::warn!(message.id = %message.id, channel = message.channel.name(), attempt = message.attempts,
                    given_up = spent || lasting, "a message could not be sent");
                message.error = Some(failure.to_string());
                if spent || lasting {
                    message.state = MessageState::Failed;
                } else {
                    next = Some(now + message.channel.backoff().after(message.attempts));
                }
            }
        }
        let tx = self.db.write().await?;
        if !store::settle(&tx, &message, next).await? {
            return Ok(());
        }
        let settled = message.state != MessageState::Queued;
        if settled {
            for observer in &self.observers {
                observer.changed(&tx, &message).await?;
            }
        }
        tx.commit().await?;
        if settled {
            for observer in &self.observers {
                observer.committed(&message).await;
            }
        }
        Ok(())
    }
}
