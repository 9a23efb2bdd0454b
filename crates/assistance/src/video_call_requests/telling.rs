//! What open screens hear of a request, each company of what concerns it (DESIGN §5). Called after the commit.

use super::entity::request::Model;
use super::view::VideoCallRequest;
use super::store;
use crate::Assistance;
use atalaya_kernel::CompanyId;
use atalaya_kernel::live::{Audience, names};
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

/// It rings at the customer's people: `videocallIn_{customer}` with the request.
pub async fn rings(deps: &Assistance, row: &Model) {
    let (customer, now) = (CompanyId(row.customer_id), deps.sources.now());
    // A screen that hears no place counts again by itself.
    let places = store::positions(deps.db.read(), &[customer], now).await.unwrap_or_default();
    let view = VideoCallRequest::of(row, places.get(&row.id).copied(), now);
    let announcer = &deps.outreach.announcer;
    announcer.tell(Audience::Company(customer), names::videocall_in(customer), json!(view));
}

/// It is gone: `videocallOut_{parent}` to both companies, to each under its own name.
pub fn left(deps: &Assistance, row: &Model, reason: Left) {
    for company in row.parties() {
        let data = json!({"_id": row.request_id(), "reason": reason});
        deps.outreach.announcer.tell(Audience::Company(company), names::videocall_out(company), data);
    }
}

/// Several changed at once, or something that neither rings nor leaves: these companies' screens count again.
pub fn recount(deps: &Assistance, companies: impl IntoIterator<Item = CompanyId>) {
    let mut companies: Vec<CompanyId> = companies.into_iter().collect();
    companies.sort_unstable();
    companies.dedup();
    for company in companies {
        deps.outreach.announcer.tell(Audience::Company(company), names::VIDEOCALL_BULK_DELETE, json!({}));
    }
}
