//! A request on the wire.

use super::entity::request::Model;
use super::model::State;
use super::store;
use crate::Assistance;
use atalaya_cases::conferences;
use atalaya_db::DbResult;
use atalaya_kernel::{CompanyId, ConferenceId, InsuranceId, UserId, VideoCallRequestId};
use chrono::{DateTime, Utc};
use serde::Serialize;
use std::collections::HashMap;
use utoipa::ToSchema;
use uuid::Uuid;

/// A request with its state.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct VideoCallRequest {
    #[serde(rename = "_id")]
    pub id: VideoCallRequestId,
    pub region: String,
    pub starter_id: UserId,
    pub starter_name: String,
    pub starter_phone: Option<String>,
    /// The firm that asks.
    pub starter_company: String,
    pub customer_id: CompanyId,
    pub customer_name: String,
    pub insurance_company_id: InsuranceId,
    pub insurance_company_name: String,
    pub expedient: String,
    /// 1 Autos, 2 Diversos.
    #[serde(rename = "type")]
    pub request_type: i16,
    pub state: State,
    pub created_at: DateTime<Utc>,
    /// When it stops ringing by itself.
    pub expires_at: DateTime<Utc>,
    pub callback_at: Option<DateTime<Utc>>,
    /// Position in the customer's queue, from 1; null when it does not ring.
    pub position: Option<u32>,
    /// Who of the customer took it.
    pub accepted_by: Option<AcceptedBy>,
    pub conference_id: Option<ConferenceId>,
    /// Address of the call for the starter, and only for them, while the conference is open.
    pub url: Option<String>,
    /// How many of the customer's people refused it.
    pub refusals: i32,
    pub plate: Option<String>,
    pub ended_at: Option<DateTime<Utc>>,
}

#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct AcceptedBy {
    #[serde(rename = "_id")]
    pub id: UserId,
    pub name: String,
}

impl VideoCallRequest {
    /// As every party may see it: without the starter's address of the call.
    pub fn of(row: &Model, position: Option<u32>, now: DateTime<Utc>) -> Self {
        let state = State::parse(&row.state);
        // The clock decides (REQUEST-3); the job only stores it later.
        let lapsed = state.is_open() && row.expires_at <= now;
        let accepted_by =
            row.accepted_by.map(|id| AcceptedBy { id: UserId(id), name: row.accepted_name.clone().unwrap_or_default() });
        Self {
            id: row.request_id(),
            region: row.region.clone(),
            starter_id: UserId(row.starter_id),
            starter_name: row.starter_name.clone(),
            starter_phone: row.starter_phone.clone(),
            starter_company: row.starter_company.clone(),
            customer_id: CompanyId(row.customer_id),
            customer_name: row.customer_name.clone(),
            insurance_company_id: InsuranceId(row.insurance_id),
            insurance_company_name: row.insurance_name.clone(),
            expedient: row.expedient.clone(),
            request_type: row.request_type,
            state: if lapsed { State::Expired } else { state },
            created_at: row.created_at,
            expires_at: row.expires_at,
            callback_at: row.callback_at,
            position,
            accepted_by,
            conference_id: row.conference_id.map(ConferenceId),
            url: None,
            refusals: row.refusals,
            plate: row.plate.clone(),
            ended_at: row.ended_at.or(lapsed.then_some(row.expires_at)),
        }
    }
}

/// Rows as `reader` may see them: with positions, and with the address of the call for their own requests.
pub async fn complete(deps: &Assistance, rows: &[Model], reader: UserId) -> DbResult<Vec<VideoCallRequest>> {
    let now = deps.sources.now();
    let mut customers: Vec<CompanyId> =
        rows.iter().filter(|row| row.times().rings(now)).map(|row| CompanyId(row.customer_id)).collect();
    customers.sort_unstable();
    customers.dedup();
    let places = match customers.is_empty() {
        true => HashMap::new(),
        false => store::positions(deps.db.read(), &customers, now).await?,
    };
    let own: Vec<Uuid> = rows.iter().filter(|row| row.starter_id == reader.0).filter_map(|row| row.conference_id).collect();
    let links = if own.is_empty() { HashMap::new() } else { conferences::living_links(deps.db.read(), &own).await? };
    let view = |row: &Model| {
        let mut view = VideoCallRequest::of(row, places.get(&row.id).copied(), now);
        let hash = row.conference_id.filter(|_| row.starter_id == reader.0).and_then(|id| links.get(&id));
        view.url = hash.map(|hash| format!("/external/{hash}"));
        view
    };
    Ok(rows.iter().map(view).collect())
}
