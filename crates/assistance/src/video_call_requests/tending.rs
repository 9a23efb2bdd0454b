//! What a job does every ten seconds: ends requests whose time is over, rings call-backs at theirs.

use super::entity::request::Model;
use super::model::{RequestError, Step};
use super::service::answering;
use super::store;
use super::telling::{self, Left};
use crate::Assistance;
use atalaya_kernel::{CompanyId, limits};
use chrono::TimeDelta;

/// A request that ended longer ago than this was left over by a stop: it is swept in bulk, without a word about each.
const STALE: TimeDelta = TimeDelta::minutes(1);

/// Does everything that is due. What fails stays due.
pub async fn run(deps: &Assistance) -> Result<(), RequestError> {
    let now = deps.sources.now();
    let lapsed = store::list_lapsed(deps.db.read(), now).await?;
    let (stale, fresh): (Vec<Model>, Vec<Model>) = lapsed.into_iter().partition(|row| now - row.expires_at > STALE);
    for row in &fresh {
        let tx = deps.db.write().await?;
        if !store::end(&tx, row.request_id(), Step::Expire, now).await? {
            continue;
        }
        let told = telling::tell_starter(deps, &tx, row, Left::Expired).await?;
        tx.commit().await?;
        telling::announce(deps, told);
        telling::left(deps, row, Left::Expired);
    }
    sweep(deps, &stale).await?;
    for row in store::list_to_remind(deps.db.read(), now, TimeDelta::minutes(limits::REQUEST_REMINDER_MINUTES)).await? {
        remind(deps, &row).await?;
    }
    Ok(())
}

async fn sweep(deps: &Assistance, stale: &[Model]) -> Result<(), RequestError> {
    if stale.is_empty() {
        return Ok(());
    }
    let tx = deps.db.write().await?;
    for row in stale {
        store::end(&tx, row.request_id(), Step::Expire, deps.sources.now()).await?;
    }
    tx.commit().await?;
    tracing::info!(requests = stale.len(), "stale video-call requests swept");
    telling::recount(deps, stale.iter().flat_map(Model::parties));
    Ok(())
}

/// Reminds both sides of a call-back; at its time it rings.
async fn remind(deps: &Assistance, row: &Model) -> Result<(), RequestError> {
    let (id, now) = (row.request_id(), deps.sources.now());
    let people = answering(deps, CompanyId(row.customer_id)).await?;
    let tx = deps.db.write().await?;
    atalaya_db::lock_row(&tx, "video_call_request", id.0).await?;
    let Some(mut row) = store::find(&*tx, id).await? else { return Ok(()) };
    let due = row.callback_at.is_some_and(|at| at <= now);
    let stage = if due { 2 } else { 1 };
    if !row.times().is_open(now) || row.reminders >= stage {
        return Ok(());
    }
    row.reminders = stage;
    store::update(&tx, row.clone()).await?;
    let told = telling::remind(deps, &tx, &row, &people, due).await?;
    tx.commit().await?;
    telling::announce(deps, told);
    if due {
        telling::rings(deps, &row).await;
    }
    Ok(())
}
