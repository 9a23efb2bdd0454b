//! Messages about a request that are due: notices to the requester, reminders and rejections to the client.

use super::link::state_of;
use super::messages::{self, Notice, Purpose};
use super::model::{ItemState, LinkState, Request};
use super::store;
use crate::FilesError;
use atalaya_assistance::Assistance;
use atalaya_cases::conferences::view::MessageView;
use atalaya_cases::conferences::{self, ConferenceError, service as live};
use atalaya_cases::live::LiveEvent;
use atalaya_db::DbResult;
use atalaya_identity::{companies, users};
use atalaya_kernel::{CompanyId, ConferenceId, UserId};
use atalaya_outreach::notifications::Told;
use chrono::{DateTime, Utc};

/// Whether a message is due.
pub async fn is_due(deps: &Assistance) -> DbResult<bool> {
    Ok(!store::list_due(deps.db.read(), deps.sources.now()).await?.is_empty())
}

/// Writes what is due. What fails stays due and does not stop the rest.
pub async fn run(deps: &Assistance) -> Result<(), FilesError> {
    for row in store::list_due(deps.db.read(), deps.sources.now()).await? {
        if let Err(error) = write_due(deps, &row).await {
            tracing::warn!(%error, request.id = %row.id, "a message about requested files could not be written");
        }
    }
    Ok(())
}

/// Queues the due messages of one request, in the transaction that marks them as sent.
async fn write_due(deps: &Assistance, row: &Request) -> Result<(), FilesError> {
    let id = ConferenceId(row.conference_id);
    let company = companies::service::get_company(&deps.identity, CompanyId(row.company_id)).await?;
    let requester = users::service::find_user(&deps.identity, UserId(row.user_id)).await?;
    let items = store::items_of(deps.db.read(), &[row.id]).await?.remove(&row.id).unwrap_or_default();
    let come = items.iter().filter(|item| item.state.has_come()).count();
    let now = deps.sources.now();
    let due = |at: Option<DateTime<Utc>>| at.is_some_and(|at| at <= now);
    let tx = deps.db.write().await?;
    let conference = match conferences::lock_living(&tx, id).await {
        // After an erasure nothing is sent any more.
        Err(ConferenceError::MediaErased) => return Ok(()),
        other => other?,
    };
    let Some(mut row) = store::reload(&tx, row.id).await? else { return Ok(()) };
    let open = state_of(&row, &conference, now) == LinkState::Open;
    let mut sent = Vec::new();
    let mut notice = Told::none();
    if due(row.notify_at) {
        row.notify_at = None;
        if let Some(user) = requester {
            messages::to_requester(deps, &tx, &conference, &company, &user, (come, items.len())).await?;
            // Once the client has finished, the bell has shown so already.
            if row.finished_at.is_none() {
                notice = deps.outreach.notify(&tx, &[user.id], &Notice::Arrived.about(&conference)).await?;
            }
        }
    }
    // A rejection says more than a reminder, so that only one of the two is sent.
    if due(row.rejected_notice_at) {
        (row.rejected_notice_at, row.remind_at) = (None, None);
        let asked = items.iter().any(|item| item.state == ItemState::Rejected);
        if open && asked {
            sent.push(messages::to_client(deps, &tx, &row, &conference, &company, Purpose::Rejected).await?);
        }
    } else if due(row.remind_at) {
        row.remind_at = None;
        if open && come == 0 {
            sent.push(messages::to_client(deps, &tx, &row, &conference, &company, Purpose::Reminder).await?);
        }
    }
    store::update(&tx, &row).await?;
    tx.commit().await?;
    deps.outbox.wake();
    deps.outreach.announce(notice);
    for message in &sent {
        deps.live.publish(id, LiveEvent::new("message", MessageView::from(message)));
    }
    Ok(live::publish_progress(deps, id).await?)
}
