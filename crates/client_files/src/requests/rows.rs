//! Between the rows of a request and what other rooms see of them.

use super::entity::{item, request};
use super::model::{Item, ItemState, Request};
use atalaya_assistance::shots::model::Overlay;

impl From<request::Model> for Request {
    fn from(row: request::Model) -> Self {
        Self {
            id: row.id,
            conference_id: row.conference_id,
            company_id: row.company_id,
            user_id: row.user_id,
            contact_type: row.contact_type,
            user_name: row.user_name,
            to_address: row.to_address,
            contact_text: row.contact_text,
            email_title: row.email_title,
            page_show_text: row.page_show_text,
            token: row.token,
            short_code: row.short_code,
            remind: row.remind,
            notify: row.notify,
            created_at: row.created_at,
            expires_at: row.expires_at,
            opened_at: row.opened_at,
            finished_at: row.finished_at,
            cancelled_at: row.cancelled_at,
            remind_at: row.remind_at,
            notify_at: row.notify_at,
            rejected_notice_at: row.rejected_notice_at,
        }
    }
}

impl From<Request> for request::Model {
    fn from(request: Request) -> Self {
        Self {
            id: request.id,
            conference_id: request.conference_id,
            company_id: request.company_id,
            user_id: request.user_id,
            contact_type: request.contact_type,
            user_name: request.user_name,
            to_address: request.to_address,
            contact_text: request.contact_text,
            email_title: request.email_title,
            page_show_text: request.page_show_text,
            token: request.token,
            short_code: request.short_code,
            remind: request.remind,
            notify: request.notify,
            created_at: request.created_at,
            expires_at: request.expires_at,
            opened_at: request.opened_at,
            finished_at: request.finished_at,
            cancelled_at: request.cancelled_at,
            remind_at: request.remind_at,
            notify_at: request.notify_at,
            rejected_notice_at: request.rejected_notice_at,
        }
    }
}

impl From<item::Model> for Item {
    fn from(row: item::Model) -> Self {
        Self {
            id: row.id,
            request_id: row.request_id,
            position: row.position,
            shot: row.shot,
            label: row.label,
            hint: row.hint,
            overlay: row.overlay.as_deref().and_then(Overlay::parse),
            state: ItemState::parse(&row.state),
            note: row.note,
        }
    }
}

impl From<Item> for item::Model {
    fn from(item: Item) -> Self {
        Self {
            id: item.id,
            request_id: item.request_id,
            position: item.position,
            shot: item.shot,
            label: item.label,
            hint: item.hint,
            overlay: item.overlay.map(|overlay| overlay.wire().to_owned()),
            state: item.state.wire().to_owned(),
            note: item.note,
        }
    }
}
