//! Notices about requests: open screens are notified after the commit, each company of what concerns it (REQUEST-24);
//! notifications and web push are queued in the transaction itself.

use super::RequestError;
use super::entity::request::Model;
use super::store;
use super::view::VideoCallRequest;
use crate::Assistance;
use atalaya_db::{DbResult, Tx};
use atalaya_kernel::live::{Audience, names};
use atalaya_kernel::{CompanyId, ConferenceId, UserId};
use atalaya_outreach::notifications::{NewNotification, NoticeAction, NoticeText, Told};
use atalaya_outreach::push::{self, PushKind, PushMessage, PushText};
use serde::Serialize;
use serde_json::json;

/// Why a request left the customer's list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Left {
    Accepted,
    Refused,
    Withdrawn,
    Expired,
}

/// Notifies the screens of a committed transaction's notifications, and wakes the job that sends pushes.
pub fn announce(deps: &Assistance, told: Told) {
    deps.outreach.announce(told);
    deps.outreach.jobs.wake();
}

/// It rings at the customer's people: `videocallIn_{customer}` with the request.
pub async fn rings(deps: &Assistance, row: &Model) {
    let (customer, now) = (CompanyId(row.customer_id), deps.sources.now());
    // A screen that gets no position recounts by itself.
    let places = store::positions(deps.db.read(), &[customer], now).await.unwrap_or_default();
    let view = VideoCallRequest::of(row, places.get(&row.id).copied(), now);
    let announcer = &deps.outreach.announcer;
    announcer.tell(Audience::Company(customer), names::videocall_in(customer), json!(view));
}

/// The request left the queue: `videocallOut_{parent}` to both companies, each under its own id.
pub fn left(deps: &Assistance, row: &Model, reason: Left) {
    for company in row.parties() {
        let data = json!({"_id": row.request_id(), "reason": reason});
        deps.outreach.announcer.tell(Audience::Company(company), names::videocall_out(company), data);
    }
}

/// Several requests changed at once, or one that neither rings nor leaves: these companies' screens recount.
pub fn recount(deps: &Assistance, companies: impl IntoIterator<Item = CompanyId>) {
    let mut companies: Vec<CompanyId> = companies.into_iter().collect();
    companies.sort_unstable();
    companies.dedup();
    for company in companies {
        deps.outreach.announcer.tell(Audience::Company(company), names::VIDEOCALL_BULK_DELETE, json!({}));
    }
}

fn customers_page(row: &Model) -> String {
    format!("/active-videocall-request/{}", row.customer_id)
}

const STARTERS_PAGE: &str = "/videocall-request";

fn push_of(row: &Model, kind: PushKind, key: &'static str, url: impl Into<String>) -> PushMessage {
    PushMessage { kind, text: PushText::Key { key, values: json!({}) }, url: url.into(), tag: row.id.to_string() }
}

fn notice(row: &Model, id: &'static str, url: impl Into<String>) -> NewNotification {
    let new = NewNotification::new(NoticeText::Known(id), NoticeAction::Url(url.into()));
    new.expedient(row.expedient.clone()).about_request(row.request_id())
}

/// Web push to the customer's people that somebody waits. Their screens ring by themselves, so nothing goes to the bell.
pub async fn call_people(deps: &Assistance, tx: &Tx, row: &Model, people: &[UserId]) -> Result<Told, RequestError> {
    let message = push_of(row, PushKind::Request, "push.request", customers_page(row));
    push::service::queue(&deps.outreach, tx, people, &message).await?;
    Ok(Told::none())
}

/// Withdraws pushes that were not sent yet, because the request no longer rings.
pub async fn hush(tx: &Tx, row: &Model) -> DbResult<u64> {
    push::service::withdraw(tx, &row.id.to_string()).await
}

/// Notifies the customer's people that a call-back is agreed.
pub async fn agreed(deps: &Assistance, tx: &Tx, row: &Model, people: &[UserId]) -> Result<Told, RequestError> {
    Ok(deps.outreach.notify(tx, people, &notice(row, "callback-agreed", customers_page(row))).await?)
}

/// Reminds both sides of a call-back: that it is near, or that it is time (REQUEST-13).
pub async fn remind(deps: &Assistance, tx: &Tx, row: &Model, people: &[UserId], due: bool) -> Result<Told, RequestError> {
    let (id, key) = if due { ("callback-due", "push.callback-due") } else { ("callback-near", "push.callback-near") };
    let starter = [UserId(row.starter_id)];
    let mut told = Told::none();
    for (whom, page) in [(people, customers_page(row)), (&starter[..], STARTERS_PAGE.to_owned())] {
        told = told.and(deps.outreach.notify(tx, whom, &notice(row, id, page.clone())).await?);
        push::service::queue(&deps.outreach, tx, whom, &push_of(row, PushKind::Reminder, key, page)).await?;
    }
    Ok(told)
}

/// Notifies the starter of the request's end (REQUEST-10) and withdraws pushes that were not sent yet.
pub async fn tell_starter(deps: &Assistance, tx: &Tx, row: &Model, left: Left) -> Result<Told, RequestError> {
    hush(tx, row).await?;
    let (id, key, kind) = match left {
        Left::Accepted => ("request-accepted", "push.request-accepted", PushKind::Request),
        Left::Refused => ("request-refused", "push.request-refused", PushKind::Notification),
        Left::Expired => ("request-expired", "push.request-expired", PushKind::Notification),
        // The starter did it.
        Left::Withdrawn => return Ok(Told::none()),
    };
    let mut new = notice(row, id, STARTERS_PAGE);
    if let Some(conference) = row.conference_id {
        new = new.about(ConferenceId(conference));
    }
    let starter = [UserId(row.starter_id)];
    push::service::queue(&deps.outreach, tx, &starter, &push_of(row, kind, key, STARTERS_PAGE)).await?;
    Ok(deps.outreach.notify(tx, &starter, &new).await?)
}
