//! Shapes of requests on the wire.

use super::model::{Contact, Item, ItemState, Request, RequestState, Standing};
use super::store;
use atalaya_assistance::Assistance;
use atalaya_assistance::media_items;
use atalaya_assistance::shots::model::Overlay;
use atalaya_cases::conferences::Conference;
use atalaya_checks::{contact, phone};
use atalaya_db::DbResult;
use chrono::{DateTime, Utc};
use serde::Serialize;
use std::collections::HashMap;
use utoipa::ToSchema;
use uuid::Uuid;

/// A request for files.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FileRequest {
    #[serde(rename = "_id")]
    pub id: Uuid,
    pub conference_id: Uuid,
    pub expedient_number: String,
    /// 1 SMS, 2 e-mail.
    pub contact_type: i16,
    /// Masked.
    pub to: String,
    pub contact_text: String,
    pub email_title: Option<String>,
    pub page_show_text: Option<String>,
    pub user_name: String,
    pub created_at: DateTime<Utc>,
    pub expires_at: DateTime<Utc>,
    pub opened_at: Option<DateTime<Utc>>,
    pub finished_at: Option<DateTime<Utc>>,
    pub cancelled_at: Option<DateTime<Utc>>,
    pub state: RequestState,
    pub remind: bool,
    pub notify: bool,
    pub items: Vec<FileItem>,
    /// Items for which something arrived.
    pub received: usize,
    pub approved: usize,
}

/// One requested item.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FileItem {
    #[serde(rename = "_id")]
    pub id: Uuid,
    pub shot: Option<String>,
    pub label: String,
    pub hint: Option<String>,
    /// The frame that the client's camera shows.
    pub overlay: Option<Overlay>,
    pub state: ItemState,
    /// Why it was sent back.
    pub note: Option<String>,
    pub media_ids: Vec<Uuid>,
}

impl FileRequest {
    fn of(row: &Request, items: &[Item], media: &HashMap<Uuid, Vec<Uuid>>, expedient: &str, now: DateTime<Utc>) -> Self {
        let states: Vec<ItemState> = items.iter().map(|item| item.state).collect();
        let standing = Standing {
            items: &states,
            opened: row.opened_at.is_some(),
            cancelled: row.cancelled_at.is_some(),
            expires_at: row.expires_at,
        };
        Self {
            id: row.id,
            conference_id: row.conference_id,
            expedient_number: expedient.to_owned(),
            contact_type: row.contact_type,
            to: match Contact::of(row.contact_type) {
                Some(Contact::Email) => contact::mask_email(&row.to_address),
                _ => phone::mask(&row.to_address),
            },
            contact_text: row.contact_text.clone(),
            email_title: row.email_title.clone(),
            page_show_text: row.page_show_text.clone(),
            user_name: row.user_name.clone(),
            created_at: row.created_at,
            expires_at: row.expires_at,
            opened_at: row.opened_at,
            finished_at: row.finished_at,
            cancelled_at: row.cancelled_at,
            state: standing.state(now),
            remind: row.remind,
            notify: row.notify,
            received: states.iter().filter(|state| state.has_come()).count(),
            approved: states.iter().filter(|state| **state == ItemState::Approved).count(),
            items: items.iter().map(|item| FileItem::of(item, media)).collect(),
        }
    }
}

impl FileItem {
    fn of(row: &Item, media: &HashMap<Uuid, Vec<Uuid>>) -> Self {
        Self {
            id: row.id,
            shot: row.shot.clone(),
            label: row.label.clone(),
            hint: row.hint.clone(),
            overlay: row.overlay,
            state: row.state,
            note: row.note.clone(),
            media_ids: media.get(&row.id).cloned().unwrap_or_default(),
        }
    }
}

/// These requests of one conference, as its lists and pages show them.
pub async fn views(deps: &Assistance, conference: &Conference, rows: &[Request]) -> DbResult<Vec<FileRequest>> {
    let (db, now) = (deps.db.read(), deps.sources.now());
    let ids: Vec<Uuid> = rows.iter().map(|row| row.id).collect();
    let items = store::items_of(db, &ids).await?;
    let media = media_items::items_by_request(db, &ids).await?;
    let items_of = |row: &Request| items.get(&row.id).map_or(&[][..], Vec::as_slice);
    Ok(rows.iter().map(|row| FileRequest::of(row, items_of(row), &media, &conference.expedient_number, now)).collect())
}
