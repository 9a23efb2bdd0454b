//! Hears on PostgreSQL what other nodes commit. Triggers tell it (`m0036_changes`), so that no writer can forget to.

use crate::changes::Change;
use crate::{Changes, Db, DbError, DbResult};
use sea_orm::DbErr;
use sqlx::PgPool;
use sqlx::postgres::PgListener;
use std::convert::Infallible;
use std::time::Duration;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

/// The channel of all nodes.
const CHANNEL: &str = "atalaya_changes";
/// Our own questions there; see [`Changes::are_heard`].
const QUESTION: &str = "question";
/// Between two questions at least, and after a failed one.
const QUESTIONS: Duration = Duration::from_millis(200);
/// After a lost connection.
const AGAIN: Duration = Duration::from_millis(500);
/// One connection listens, the other asks.
const POOL: u32 = 2;

impl Db {
    /// Listens to the changes of other nodes until it is stopped. On SQLite there are none: it ends at once. `node` names
    /// this run of this process.
    pub async fn listen(self, node: Uuid, stop: CancellationToken) {
        let Some(pool) = self.side_pool(POOL) else { return };
        let changes = self.changes().clone();
        loop {
            tokio::select! {
                () = stop.cancelled() => break,
                Err(error) = listen(&pool, &changes, node) => tracing::warn!(%error, "changes of other nodes are not heard"),
            }
            changes.deaf();
            tokio::select! {
                () = stop.cancelled() => break,
                () = tokio::time::sleep(AGAIN) => {}
            }
        }
        changes.deaf();
        pool.close().await;
    }
}

async fn listen(pool: &PgPool, changes: &Changes, node: Uuid) -> DbResult<Infallible> {
    let mut listener = PgListener::connect_with(pool).await?;
    listener.eager_reconnect(false);
    listener.listen(CHANNEL).await?;
    // Whatever came before was not heard.
    changes.deaf();
    let own = format!("{QUESTION}:{node}:");
    tokio::select! {
        ended = hear(&mut listener, changes, &own) => ended,
        ended = ask(pool, changes, &own) => ended,
    }
}

async fn hear(listener: &mut PgListener, changes: &Changes, own: &str) -> DbResult<Infallible> {
    while let Some(heard) = listener.try_recv().await? {
        let payload = heard.payload();
        if let Some(question) = payload.strip_prefix(own) {
            changes.heard(question.parse().unwrap_or_default());
            continue;
        }
        match payload.split_once(':') {
            Some((QUESTION, _)) => {}
            Some((table, key)) => changes.tell(&Change::of(table, key)),
            None => changes.tell(&Change::Anything),
        }
    }
    Err(DbError::Unavailable(DbErr::Custom("the connection that listens was lost".into())))
}

/// Asks on the channel whenever a copy is used whose proof is old: PostgreSQL delivers in the order of commits, so who hears
/// the question has heard all that was committed before it.
async fn ask(pool: &PgPool, changes: &Changes, own: &str) -> DbResult<Infallible> {
    for question in 1_u64.. {
        changes.proof_wanted().await;
        changes.asked(question);
        sqlx::query("SELECT pg_notify($1, $2)").bind(CHANNEL).bind(format!("{own}{question}")).execute(pool).await?;
        tokio::time::sleep(QUESTIONS).await;
    }
    unreachable!("questions are not counted to the end")
}
