//! The outbox on both engines, with a provider whose answers the test sets.
//! PostgreSQL runs when `ATALAYA_TEST_POSTGRES_URL` names a server.

use async_trait::async_trait;
use atalaya_db::{Db, DbOptions, DbResult, Tx};
use atalaya_kernel::sources::{ManualClock, SeededEntropy};
use atalaya_kernel::{ConferenceId, Sources};
use atalaya_messaging::*;
use chrono::{DateTime, TimeDelta};
use std::sync::{Arc, Mutex};

struct House {
    db: Db,
    clock: Arc<ManualClock>,
    sources: Sources,
}

async fn houses(name: &str) -> Vec<House> {
    let dir = std::env::temp_dir().join(format!("atalaya-outbox-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&dir);
    std::fs::create_dir_all(&dir).unwrap();
    let mut urls = vec![format!("sqlite://{}/test.db", dir.display())];
    if let Ok(server) = std::env::var("ATALAYA_TEST_POSTGRES_URL") {
        let database = format!("outbox_{name}_{}", std::process::id());
        let admin = Db::connect(DbOptions::new(&server)).await.unwrap();
        let sql = format!("CREATE DATABASE {database}");
        sea_orm::ConnectionTrait::execute_unprepared(admin.read(), &sql).await.unwrap();
        urls.push(format!("{}/{database}", server.rsplit_once('/').unwrap().0));
    }
    let mut houses = Vec::new();
    for url in urls {
        let db = Db::connect(DbOptions::new(url)).await.unwrap();
        db.migrate().await.unwrap();
        let clock = ManualClock::at(DateTime::from_timestamp(1_800_000_000, 0).unwrap());
        let sources = Sources::new(clock.clone(), SeededEntropy::new(1));
        houses.push(House { db, clock, sources });
    }
    houses
}

/// Answers from a list, then accepts everything.
#[derive(Default)]
struct Scripted {
    answers: Mutex<Vec<SendFailure>>,
    taken: Mutex<Vec<String>>,
}

#[async_trait]
impl Provider for Scripted {
    async fn send(&self, message: &Message) -> Result<Receipt, SendFailure> {
        if let Some(failure) = self.answers.lock().unwrap().pop() {
            return Err(failure);
        }
        self.taken.lock().unwrap().push(message.to.clone());
        Ok(Receipt { provider_id: Some("p-1".into()) })
    }
    async fn check(&self) -> Result<(), SendFailure> {
        Ok(())
    }
}

#[derive(Default)]
struct Watching(Mutex<Vec<(&'static str, MessageState)>>);

#[async_trait]
impl Observer for Watching {
    async fn changed(&self, _tx: &Tx, message: &Message) -> DbResult<()> {
        self.0.lock().unwrap().push(("changed", message.state));
        Ok(())
    }
    async fn committed(&self, message: &Message) {
        self.0.lock().unwrap().push(("committed", message.state));
    }
}

async fn put(house: &House, outbox: &Outbox, message: NewMessage) -> Message {
    let tx = house.db.write().await.unwrap();
    let message = outbox.enqueue(&tx, message).await.unwrap();
    tx.commit().await.unwrap();
    message
}

async fn newest(house: &House, outbox: &Outbox) -> Message {
    let filter = OutboxFilter { limit: 1, ..OutboxFilter::default() };
    outbox.list(house.db.read(), filter).await.unwrap().remove(0)
}

// MSG-2
#[tokio::test]
async fn without_a_provider_a_message_is_captured_and_stays() {
    for house in houses("captured").await {
        let outbox = Outbox::new(house.sources.clone(), Providers::none());
        let id: ConferenceId = house.sources.id();
        let sms = NewMessage::sms("session", "+34600111222", "Pulse https://v.example.es/c/a").about(id, house.sources.id());
        assert_eq!(put(&house, &outbox, sms).await.state, MessageState::Captured);
        assert!(!Dispatcher::new(house.db.clone(), outbox.clone()).dispatch_next().await.unwrap());
        let kept = outbox.for_conference(house.db.read(), id).await.unwrap();
        assert_eq!(kept.len(), 1);
        assert_eq!((kept[0].state, kept[0].attempts), (MessageState::Captured, 0));
        assert_eq!(kept[0].text, "Pulse https://v.example.es/c/a");
    }
}

// MSG-1
#[tokio::test]
async fn a_rolled_back_message_was_never_there() {
    for house in houses("rollback").await {
        let outbox = Outbox::new(house.sources.clone(), Providers::none());
        let tx = house.db.write().await.unwrap();
        outbox.enqueue(&tx, NewMessage::sms("session", "+34600111222", "x")).await.unwrap();
        tx.rollback().await.unwrap();
        assert!(outbox.list(house.db.read(), OutboxFilter { limit: 9, ..Default::default() }).await.unwrap().is_empty());
    }
}

// MSG-3
#[tokio::test]
async fn a_sent_message_is_told_in_and_after_its_transaction() {
    for house in houses("sent").await {
        let provider = Arc::new(Scripted::default());
        let outbox = Outbox::new(house.sources.clone(), Providers::none().with(Channel::Sms, provider.clone()));
        let watching = Arc::new(Watching::default());
        let dispatcher = Dispatcher::new(house.db.clone(), outbox.clone()).observe(watching.clone());
        assert_eq!(put(&house, &outbox, NewMessage::sms("session", "+34600111222", "x")).await.state, MessageState::Queued);
        assert!(dispatcher.dispatch_next().await.unwrap());
        assert!(!dispatcher.dispatch_next().await.unwrap(), "sent once");
        let sent = newest(&house, &outbox).await;
        assert_eq!((sent.state, sent.provider_id.as_deref()), (MessageState::Sent, Some("p-1")));
        assert_eq!(sent.sent_at, Some(house.sources.now()));
        let told = watching.0.lock().unwrap().clone();
        assert_eq!(told, [("changed", MessageState::Sent), ("committed", MessageState::Sent)]);
    }
}

// MSG-3
#[tokio::test]
async fn temporary_failures_are_retried_with_waiting_times_then_failed() {
    for house in houses("retry").await {
        let provider = Arc::new(Scripted::default());
        *provider.answers.lock().unwrap() = vec![SendFailure::Temporary("busy".into()); 2];
        let outbox = Outbox::new(house.sources.clone(), Providers::none().with(Channel::Sms, provider.clone()));
        let watching = Arc::new(Watching::default());
        let dispatcher = Dispatcher::new(house.db.clone(), outbox.clone()).observe(watching.clone());
        put(&house, &outbox, NewMessage::sms("session", "+34600111222", "x")).await;
        assert!(dispatcher.dispatch_next().await.unwrap());
        assert!(!dispatcher.dispatch_next().await.unwrap(), "it waits a minute");
        let waiting = newest(&house, &outbox).await;
        assert_eq!((waiting.state, waiting.error.as_deref()), (MessageState::Queued, Some("busy")));
        house.clock.advance(TimeDelta::seconds(60));
        assert!(dispatcher.dispatch_next().await.unwrap());
        assert_eq!(newest(&house, &outbox).await.state, MessageState::Failed, "an SMS is retried once");
        house.clock.advance(TimeDelta::days(1));
        assert!(!dispatcher.dispatch_next().await.unwrap());
        assert_eq!(watching.0.lock().unwrap().len(), 2, "told once, when it was final");
    }
}

// MSG-3
#[tokio::test]
async fn permanent_failures_are_final() {
    for house in houses("permanent").await {
        let provider = Arc::new(Scripted::default());
        provider.answers.lock().unwrap().push(SendFailure::Permanent("no such mailbox".into()));
        let outbox = Outbox::new(house.sources.clone(), Providers::none().with(Channel::Email, provider));
        let dispatcher = Dispatcher::new(house.db.clone(), outbox.clone());
        let mail = Email { subject: "s".into(), text: "t".into(), html: "<p>t</p>".into() };
        put(&house, &outbox, NewMessage::email("session", "ana@example.org", mail)).await;
        dispatcher.dispatch_next().await.unwrap();
        let failed = newest(&house, &outbox).await;
        assert_eq!((failed.state, failed.error.as_deref()), (MessageState::Failed, Some("no such mailbox")));
    }
}

// MSG-19
#[tokio::test]
async fn lists_are_narrowed_and_newest_first() {
    for house in houses("list").await {
        let outbox = Outbox::new(house.sources.clone(), Providers::none());
        for n in 0..5 {
            house.clock.advance(TimeDelta::seconds(1));
            put(&house, &outbox, NewMessage::sms("session", format!("+3460011122{}", n % 2), n.to_string())).await;
        }
        let texts = |filter: OutboxFilter| {
            let (outbox, db) = (outbox.clone(), house.db.clone());
            async move {
                let list = outbox.list(db.read(), filter).await.unwrap();
                list.into_iter().map(|m| m.text).collect::<Vec<_>>()
            }
        };
        assert_eq!(texts(OutboxFilter { limit: 2, ..Default::default() }).await, ["4", "3"]);
        let one = OutboxFilter { to: Some("+34600111221".into()), limit: 9, ..Default::default() };
        assert_eq!(texts(one).await, ["3", "1"]);
        let mails = OutboxFilter { channel: Some(Channel::Email), limit: 9, ..Default::default() };
        assert!(texts(mails).await.is_empty());
    }
}
