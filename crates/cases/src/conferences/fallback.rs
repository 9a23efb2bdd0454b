//! A link whose message failed is sent by another channel: by WhatsApp when the company allows it, else by e-mail when the
//! case has an address (CASE-8). Whoever opens the conference may narrow the channels (CASE-9).
//!
//! *Invariants:* the new message is written in the transaction that records the failure; every channel is used at most once
//! per conference; nothing is sent to a client who has opened the link, or whose conference is over.

use super::entity::Model;
use super::model::{ConferenceError, LinkFallback, link_is_live};
use super::service::link_email;
use super::store::{self, Scope};
use crate::Cases;
use crate::evidence;
use atalaya_db::{DbResult, Tx};
use atalaya_identity::companies;
use atalaya_kernel::{CompanyId, ConferenceId};
use atalaya_messaging::{Channel, MASK, Message, MessageState, NewMessage};

/// Whether another channel may replace this failed message.
pub fn concerns(message: &Message) -> bool {
    message.state == MessageState::Failed && message.purpose == "session" && message.channel != Channel::Email
}

/// Queues the message that replaces a failed one, if one may.
pub async fn queue(deps: &Cases, tx: &Tx, failed: &Message) -> DbResult<()> {
    match stand_in(deps, tx, failed).await {
        Ok(Some(new)) => match deps.outbox.enqueue(tx, new).await {
            Ok(message) => {
                tracing::info!(message.id = %message.id, channel = message.channel.name(), "a link goes by another channel")
            }
            Err(atalaya_messaging::MessageError::Database(error)) => return Err(error),
            Err(error) => tracing::warn!(%error, "a link cannot go by another channel"),
        },
        Ok(None) => {}
        Err(ConferenceError::Db(error)) => return Err(error),
        // The failure must be recorded even if its replacement cannot be made.
        Err(error) => tracing::error!(%error, "a link cannot go by another channel"),
    }
    Ok(())
}

async fn stand_in(deps: &Cases, tx: &Tx, failed: &Message) -> Result<Option<NewMessage>, ConferenceError> {
    let Some(id) = failed.conference_id else { return Ok(None) };
    let Some(row) = store::find(&**tx, Scope::All, id).await? else { return Ok(None) };
    let opened = row.sid.is_some() || evidence::projection_of(&row).opened_at.is_some();
    if row.closed || opened || !link_is_live(row.expired_at, deps.sources.now()) || failed.to.is_empty() {
        return Ok(None);
    }
    if deps.outbox.has_fallback(&**tx, failed.id).await? {
        return Ok(None);
    }
    let before = deps.outbox.for_conference(&**tx, id).await?;
    let free = |channel| !before.iter().any(|message| message.channel == channel && message.fallback_of.is_some());
    let chosen = |fallback: LinkFallback| fallback.is_allowed(row.link_fallback.as_deref());
    let by_whatsapp = chosen(LinkFallback::Whatsapp) && free(Channel::Whatsapp);
    let new = match whatsapp(deps, &row, failed, by_whatsapp).await? {
        Some(new) => Some(new),
        None => match &row.email {
            Some(address) if chosen(LinkFallback::Email) && free(Channel::Email) => Some(link_email(deps, &row, address)?),
            _ => None,
        },
    };
    let link = deps.link(&row);
    Ok(new.map(|new| new.about(ConferenceId(row.id), CompanyId(row.company_id)).secret_link(link).instead_of(failed.id)))
}

/// The same text to the same number.
async fn whatsapp(deps: &Cases, row: &Model, failed: &Message, free: bool) -> Result<Option<NewMessage>, ConferenceError> {
    if failed.channel != Channel::Sms || !free || !deps.outbox.carries(Channel::Whatsapp) {
        return Ok(None);
    }
    let company = companies::service::get_company(&deps.identity, CompanyId(row.company_id)).await?;
    // Once it was handed over, its text is kept without the code of the link.
    let text = failed.text.replace(MASK, &row.short_code);
    Ok(company.sms_whatsapp.then(|| NewMessage::whatsapp("session", &failed.to, text)))
}
