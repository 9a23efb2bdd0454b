//! A job of every ten seconds: ends expired requests, rings and reminds of call-backs.

use super::entity::request::Model;
use super::model::{RequestError, Step};
use super::notices::{self, Left};
use super::service::{answering, require_unblocked, starter_active};
use super::{refusal, store};
use crate::Assistance;
use atalaya_identity::companies;
use atalaya_kernel::{CompanyId, limits};
use chrono::TimeDelta;

/// A request that expired longer ago than this was left by a stopped server: it is ended in bulk, without notifications
/// (REQUEST-11).
const STALE: TimeDelta = TimeDelta::minutes(1);
/// How long before a call-back both sides are reminded.
const NEAR: TimeDelta = TimeDelta::minutes(limits::REQUEST_REMINDER_MINUTES);

/// Whether any request is open, for which time may do something.
pub async fn is_due(deps: &Assistance) -> atalaya_db::DbResult<bool> {
    store::any_open(deps.db.read()).await
}

/// Does everything that is due. What fails is logged, stays due, and does not stop the rest.
pub async fn run(deps: &Assistance) -> Result<(), RequestError> {
    let now = deps.sources.now();
    let lapsed = store::list_lapsed(deps.db.read(), now).await?;
    let (stale, fresh): (Vec<Model>, Vec<Model>) = lapsed.into_iter().partition(|row| now - row.expires_at > STALE);
    for row in &fresh {
        if let Err(error) = expire(deps, row).await {
            tracing::error!(request.id = %row.id, %error, "a video-call request could not be ended");
        }
    }
    if let Err(error) = sweep(deps, stale).await {
        tracing::error!(%error, "stale video-call requests could not be swept");
    }
    for row in store::list_refused_by_some(deps.db.read(), refusal::settled_before(now), now).await? {
        if let Err(error) = refusal::settle(deps, &row).await {
            tracing::error!(request.id = %row.id, %error, "a refused video-call request could not be ended");
        }
    }
    for row in store::list_to_remind(deps.db.read(), now, NEAR).await? {
        if let Err(error) = remind(deps, &row).await {
            tracing::error!(request.id = %row.id, %error, "a call-back could not be reminded of");
        }
    }
    Ok(())
}

async fn expire(deps: &Assistance, row: &Model) -> Result<(), RequestError> {
    let tx = deps.db.write().await?;
    if !store::expire(&tx, row.request_id(), deps.sources.now()).await? {
        return Ok(());
    }
    let told = notices::tell_starter(deps, &tx, row, Left::Expired).await?;
    tx.commit().await?;
    notices::announce(deps, told);
    notices::left(deps, row, Left::Expired);
    Ok(())
}

/// Ends a request early whose starter's account ended: nobody waits for the answer, so only screens are notified.
pub(super) async fn give_up(deps: &Assistance, row: &Model) -> Result<(), RequestError> {
    let tx = deps.db.write().await?;
    if !store::end(&tx, row.request_id(), Step::Expire, deps.sources.now()).await? {
        return Ok(());
    }
    notices::hush(&tx, row).await?;
    tx.commit().await?;
    notices::left(deps, row, Left::Expired);
    Ok(())
}

async fn sweep(deps: &Assistance, stale: Vec<Model>) -> Result<(), RequestError> {
    if stale.is_empty() {
        return Ok(());
    }
    let now = deps.sources.now();
    let tx = deps.db.write().await?;
    let mut swept = Vec::new();
    for row in stale {
        if store::expire(&tx, row.request_id(), now).await? {
            notices::hush(&tx, &row).await?;
            swept.push(row);
        }
    }
    tx.commit().await?;
    tracing::info!(requests = swept.len(), "stale video-call requests swept");
    notices::recount(deps, swept.iter().flat_map(Model::parties));
    Ok(())
}

/// Reminds both sides of a call-back, which rings at its time. With a blocked party nothing happens (REQUEST-13).
async fn remind(deps: &Assistance, row: &Model) -> Result<(), RequestError> {
    let (id, now) = (row.request_id(), deps.sources.now());
    if !starter_active(deps, row).await? {
        return give_up(deps, row).await;
    }
    let customer = companies::service::get_company(&deps.identity, CompanyId(row.customer_id)).await?;
    let starters = companies::service::get_company(&deps.identity, CompanyId(row.starter_company_id)).await?;
    if require_unblocked(&starters, &customer, now).is_err() {
        return Ok(());
    }
    let people = answering(deps, customer.id).await?;
    let tx = deps.db.write().await?;
    atalaya_db::lock_row(&tx, "video_call_request", id.0).await?;
    let Some(mut row) = store::find(&*tx, id).await? else { return Ok(()) };
    let due = row.callback_at.is_some_and(|at| at <= now);
    // It may have been moved since it was listed.
    let near = row.callback_at.is_some_and(|at| at <= now + NEAR);
    let stage = if due { 2 } else { 1 };
    if !near || !row.times().is_open(now) || row.reminders >= stage {
        return Ok(());
    }
    row.reminders = stage;
    store::update(&tx, row.clone()).await?;
    let told = notices::remind(deps, &tx, &row, &people, due).await?;
    tx.commit().await?;
    notices::announce(deps, told);
    if due {
        notices::rings(deps, &row).await;
    }
    Ok(())
}
