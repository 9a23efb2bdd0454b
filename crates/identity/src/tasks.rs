//! Hourly jobs of several rooms.

use crate::{Identity, IdentityResult, audit, auth, links, passkeys, sessions};
use chrono::TimeDelta;

/// Days an expired session's row is kept, for the list of one's devices.
const SESSION_KEPT_DAYS: i64 = 30;
/// Days an expired reset link's row is kept, so that it can say what became of it.
const RESET_KEPT_DAYS: i64 = 7;
/// Days an expired invitation's row is kept, for the inviter's list.
const LINK_KEPT_DAYS: i64 = 30;
/// Days after which no link of a message is valid any longer: those of requests for files last longest.
const SECRET_KEPT_DAYS: i64 = 31;
/// Days the activity log keeps addresses.
const ADDRESS_KEPT_DAYS: i64 = 365;

/// Deletes old tickets, tries, sessions, ceremonies, links, secrets of messages, and the log's old addresses. For the worker, about once an hour.
pub async fn sweep(d: &Identity) -> IdentityResult<u64> {
    let now = d.sources.now();
    let tx = d.db.write().await?;
    let days_ago = |days| now - TimeDelta::days(days);
    links::service::blank_dead(d, &tx).await?;
    d.outbox.blank_before(&tx, days_ago(SECRET_KEPT_DAYS)).await?;
    let gone = auth::delete_expired(&tx, now).await?
        + sessions::delete_expired(&tx, days_ago(SESSION_KEPT_DAYS)).await?
        + passkeys::delete_expired_ceremonies(&tx, now).await?
        + links::delete_expired(&tx, days_ago(RESET_KEPT_DAYS), days_ago(LINK_KEPT_DAYS)).await?
        + audit::forget_reads(&tx, now.timestamp() / 3_600).await?
        + audit::forget_addresses(&tx, days_ago(ADDRESS_KEPT_DAYS)).await?;
    tx.commit().await?;
    Ok(gone)
}
