//! Sends the messages that wait in the outbox.

use crate::control;
use crate::failure::{Reason, SendFailure};
use crate::model::{Channel, Message, MessageState, Receipt};
use crate::receipts::{self, store::Pending};
use crate::store::{self, Outbox};
use async_trait::async_trait;
use atalaya_db::{Db, DbResult, Tx};
use chrono::TimeDelta;
use std::sync::Arc;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// Is notified of the outcome of messages, so that a room can record it (MSG-3).
#[async_trait]
pub trait Observer: Send + Sync {
    /// Called in the transaction that writes the state `Sent`, `Delivered` or `Failed`.
    async fn changed(&self, tx: &Tx, message: &Message) -> DbResult<()>;

    /// Called once that transaction has committed.
    async fn committed(&self, _message: &Message) {}
}

/// How long a message stays claimed; longer than an attempt may take.
pub(crate) const LEASE: TimeDelta = TimeDelta::minutes(3);
/// The maximum duration of an attempt, whatever the provider does.
pub(crate) const SEND_MAX: TimeDelta = TimeDelta::seconds(90);
/// How long a lane sleeps at most. It is woken by every message that this process or, on PostgreSQL, another one queues; this
/// is for a word that was lost, and for what a lease held back.
const POLL: Duration = Duration::from_secs(60);
/// How long it sleeps at least.
const PAUSE: Duration = Duration::from_millis(100);
const AFTER_ERROR: Duration = Duration::from_secs(1);

/// The concurrent senders: a gateway that hangs blocks half of its own channel, and no other.
pub(crate) const CARRYING: [Channel; 5] = [Channel::Sms, Channel::Sms, Channel::Email, Channel::Email, Channel::Whatsapp];
/// The senders, and the lane that applies receipts.
pub(crate) const LANES: usize = CARRYING.len() + 1;

/// What a lane did.
enum Worked {
    Yes,
    /// There is nothing for so long, if nobody wakes it.
    Wait(Duration),
}

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

    /// Sends until it is stopped; what is due at that moment is still sent.
    pub async fn run(self, stop: CancellationToken) {
        let outbox = self.outbox.clone();
        self.db.changes().observe(move |change| outbox.wake_for(change));
        tokio::join!(
            self.work(0, &stop),
            self.work(1, &stop),
            self.work(2, &stop),
            self.work(3, &stop),
            self.work(4, &stop),
            self.work(5, &stop),
        );
    }

    async fn work(&self, lane: usize, stop: &CancellationToken) {
        loop {
            let worked = match CARRYING.get(lane) {
                Some(channel) => self.dispatch_on(*channel).await,
                None => self.apply_receipt().await.map(|applied| if applied { Worked::Yes } else { Worked::Wait(POLL) }),
            };
            let pause = match worked {
                Ok(Worked::Yes) => continue,
                Ok(Worked::Wait(_)) if stop.is_cancelled() => return,
                Ok(Worked::Wait(pause)) => pause,
                Err(error) => {
                    tracing::warn!(%error, "the outbox cannot be read");
                    if stop.is_cancelled() {
                        return;
                    }
                    AFTER_ERROR
                }
            };
            tokio::select! {
                () = stop.cancelled() => {}
                () = self.outbox.woken(lane) => {}
                () = tokio::time::sleep(pause) => {}
            }
        }
    }

    /// Sends one due message of any channel, or applies one receipt. Answers whether there was one. Tests call this instead
    /// of [`Dispatcher::run`].
    pub async fn dispatch_next(&self) -> DbResult<bool> {
        for channel in Channel::ALL {
            if matches!(self.dispatch_on(channel).await?, Worked::Yes) {
                return Ok(true);
            }
        }
        self.apply_receipt().await
    }

    async fn dispatch_on(&self, channel: Channel) -> DbResult<Worked> {
        let Some(provider) = self.outbox.providers().get(channel) else { return Ok(Worked::Wait(POLL)) };
        let now = self.outbox.sources().now();
        // Reads first, so that an empty outbox does not cost a writer's turn.
        match store::next_due(&self.db, channel, now).await? {
            Some(due) if due <= now => {}
            Some(due) => return Ok(Worked::Wait((due - now).to_std().unwrap_or_default().clamp(PAUSE, POLL))),
            None => return Ok(Worked::Wait(POLL)),
        }
        // Stopped by an administrator: they wake it.
        if !control::store::is_running(self.db.read()).await? {
            return Ok(Worked::Wait(POLL));
        }
        let Some(mut message) = store::claim(&self.outbox, &self.db, channel, now, LEASE).await? else {
            return Ok(Worked::Wait(PAUSE));
        };
        message.provider = Some(provider.name().to_owned());
        let mut sending = {
            let message = message.clone();
            // In a task of its own, so that a panic in a provider is a failed attempt and does not kill the dispatcher.
            tokio::spawn(async move { provider.send(&message).await })
        };
        let patience = SEND_MAX.to_std().expect("a positive time");
        let outcome = match tokio::time::timeout(patience, &mut sending).await {
            Ok(Ok(outcome)) => outcome,
            Ok(Err(_)) => Err(SendFailure::Temporary("the provider panicked".into())),
            Err(_) => {
                sending.abort();
                Err(SendFailure::temporary(Reason::Timeout, "the attempt took too long"))
            }
        };
        self.settle(message, outcome).await?;
        Ok(Worked::Yes)
    }

    /// Applies one receipt whose message is known. Answers whether there was one.
    async fn apply_receipt(&self) -> DbResult<bool> {
        if !receipts::store::any(self.db.read()).await? {
            return Ok(false);
        }
        let now = self.outbox.sources().now();
        let tx = self.db.write().await?;
        let Some(Pending { receipt, message }) = receipts::store::take(&tx).await? else {
            drop(tx);
            receipts::store::sweep(&self.db, now).await?;
            return Ok(false);
        };
        let told = MessageState::parse(&receipt.state).expect("only known states are written");
        // An erased message stays as it is.
        let message = store::lock(&self.outbox, &tx, message).await?.filter(|message| !message.to.is_empty());
        let moved = message.and_then(|message| Some((receipts::moved(message.state, told)?, message)));
        let Some((state, mut message)) = moved else {
            tx.commit().await?;
            return Ok(true);
        };
        message.state = state;
        message.provider = Some(receipt.provider);
        message.provider_id = message.provider_id.or(Some(receipt.provider_id).filter(|id| !id.is_empty()));
        message.sent_at = message.sent_at.or(Some(now));
        match state {
            MessageState::Failed => {
                message.failed_at = Some(now);
                message.reason = Some(Reason::Undelivered.name().to_owned());
                message.error = receipt.reason;
            }
            _ => {
                message.delivered_at = (state == MessageState::Delivered).then_some(now);
                (message.failed_at, message.reason, message.error) = (None, None, None);
            }
        }
        store::write(&tx, &message).await?;
        self.tell(tx, &message).await?;
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
                (message.error, message.reason) = (None, None);
            }
            Err(failure) => {
                let spent = message.attempts >= message.channel.max_attempts();
                let lasting = matches!(failure, SendFailure::Permanent(_));
                tracing::warn!(message.id = %message.id, channel = message.channel.name(), attempt = message.attempts,
                    given_up = spent || lasting, "a message could not be sent");
                message.error = Some(failure.to_string());
                message.reason = Some(failure.reason().name().to_owned());
                if spent || lasting {
                    message.state = MessageState::Failed;
                    message.failed_at = Some(now);
                } else {
                    next = Some(now + message.channel.backoff().after(message.attempts));
                }
            }
        }
        let tx = self.db.write().await?;
        if !store::settle(&tx, &message, next).await? {
            return Ok(());
        }
        if message.state == MessageState::Queued {
            return tx.commit().await;
        }
        self.tell(tx, &message).await
    }

    /// Commits the transaction that wrote a final state, and notifies the observers in it and after it.
    async fn tell(&self, tx: Tx, message: &Message) -> DbResult<()> {
        for observer in &self.observers {
            observer.changed(&tx, message).await?;
        }
        tx.commit().await?;
        for observer in &self.observers {
            observer.committed(message).await;
        }
        Ok(())
    }
}
