//! Signing, and the life of the keys.

use super::model::{PublicKey, SigningKey, Statement, Unsigned};
use super::store::{self, Key};
use crate::Cases;
use atalaya_db::{Db, DbError, DbResult, Tx};
use atalaya_kernel::Sources;
use chrono::{DateTime, NaiveDate, SecondsFormat, Utc};

/// A signature and the key that made it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signed {
    pub fingerprint: String,
    /// Base64 of DER.
    pub signature: String,
}

/// A moment as it is signed: UTC with milliseconds.
pub fn moment(at: DateTime<Utc>) -> String {
    at.to_rfc3339_opts(SecondsFormat::Millis, true)
}

/// What is to be signed is not written without its signature; it is worth trying again, as when the database is away.
fn unsigned(error: Unsigned) -> DbError {
    DbError::waits_for(error.to_string())
}

/// Signs a statement with the current key, which is published by then (EVID-40).
///
/// Errors: [`DbError::Unavailable`] also when a token that has the key does not answer (EVID-54).
pub async fn sign(tx: &Tx, deps: &Cases, statement: Statement<'_>) -> DbResult<Signed> {
    let key = deps.evidence_key.current();
    let fingerprint = key.public().fingerprint();
    if store::find(&**tx, &fingerprint).await?.is_none() {
        store::add(tx, deps.sources.uuid(), key.public(), deps.sources.now(), None).await?;
    }
    let signature = key.sign(&statement.text(&fingerprint)).await.map_err(unsigned)?;
    Ok(Signed { signature, fingerprint })
}

/// Publishes a key that nobody knows yet: at the first start, or when a lost key was replaced.
pub async fn register(db: &Db, sources: &Sources, key: &PublicKey) -> DbResult<()> {
    let tx = db.write().await?;
    store::add(&tx, sources.uuid(), key, sources.now(), None).await?;
    tx.commit().await
}

/// Publishes the key that follows another, endorsed by it, and retires that (EVID-42).
pub async fn follow(tx: &Tx, sources: &Sources, old: &SigningKey, new: &PublicKey) -> DbResult<()> {
    let (earlier, now) = (old.public().fingerprint(), sources.now());
    let statement = Statement::Key([&earlier, &new.fingerprint(), &moment(now)]).text(&earlier);
    let endorsement = old.sign(&statement).await.map_err(unsigned)?;
    store::add(tx, sources.uuid(), old.public(), now, None).await?;
    store::retire(tx, &earlier, now, None).await?;
    store::add(tx, sources.uuid(), new, now, Some((earlier, endorsement))).await
}

/// Notes that from this day on somebody else may have a key. Answers false for a key that is not ours.
pub async fn stolen(tx: &Tx, sources: &Sources, fingerprint: &str, day: NaiveDate) -> DbResult<bool> {
    store::retire(tx, fingerprint, sources.now(), Some(day)).await
}

/// Publishes a key that follows none: whoever has a stolen key could endorse with it too (EVID-44).
pub async fn begin_anew(tx: &Tx, sources: &Sources, new: &PublicKey) -> DbResult<()> {
    store::add(tx, sources.uuid(), new, sources.now(), None).await
}

/// The public keys as one PEM file, newest first, each after its facts (EVID-43).
pub fn published(keys: &[Key]) -> String {
    let one = |key: &Key| {
        let mut lines = vec![format!("Key: {}", key.fingerprint), format!("Since: {}", moment(key.since))];
        lines.extend(key.until.map(|at| format!("Until: {}", moment(at))));
        lines.extend(key.stolen_on.map(|day| format!("Stolen: {day}")));
        lines.extend(key.previous.as_ref().map(|previous| format!("Follows: {previous}")));
        let pem = PublicKey::of_base64(&key.public_key).map(|key| key.pem()).unwrap_or_default();
        format!("{}\n{pem}", lines.join("\n"))
    };
    keys.iter().map(one).collect::<Vec<_>>().join("\n")
}
