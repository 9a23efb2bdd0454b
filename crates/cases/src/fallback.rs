//! A link whose message failed, or did not arrive within a minute, is sent by another channel: by WhatsApp when the company
//! allows it, then by e-mail when the case has an address; by SMS when WhatsApp came first (CASE-8, CASE-52). Whoever opens the
//! conference may narrow the channels (CASE-9).
//!
//! *Invariants:* the new message is written in the transaction that records the failure, or in that of the job which found it
//! late; every channel is used at most once per conference; nothing is sent to a client who has opened the link, or whose
//! conference is over, nor in place of a message after which ours
//! have sent the link to a phone anew.

use crate::Cases;
use crate::conferences::model::{LinkFallback, link_is_live};
use crate::conferences::service::{link_email, publish_progress};
use crate::conferences::view::MessageView;
use crate::conferences::{self, Conference, ConferenceError};
use crate::live::LiveEvent;
use atalaya_checks::phone;
use atalaya_db::{DbResult, Tx};
use atalaya_identity::companies;
use atalaya_kernel::{CompanyId, ConferenceId, OutboxId};
use atalaya_messaging::{Channel, MASK, Message, MessageState, NewMessage};
use chrono::TimeDelta;

/// How long a message may take to arrive before the next channel is used (CASE-52).
pub const PATIENCE: TimeDelta = TimeDelta::seconds(60);

/// Whether another channel may replace this failed message.
pub fn concerns(message: &Message) -> bool {
    message.state == MessageState::Failed && is_link(message)
}

/// An e-mail is the last channel, and nobody reports its arrival.
fn is_link(message: &Message) -> bool {
    message.purpose == "session" && message.channel != Channel::Email
}

/// Queues the message that replaces a failed or late one, if one may.
pub async fn queue(deps: &Cases, tx: &Tx, lost: &Message) -> DbResult<Option<Message>> {
    match stand_in(deps, tx, lost).await {
        Ok(Some(new)) => match deps.outbox.enqueue(tx, new).await {
            Ok(message) => {
                tracing::info!(message.id = %message.id, channel = message.channel.name(), "a link goes by another channel");
                return Ok(Some(message));
            }
            Err(atalaya_messaging::MessageError::Database(error)) => return Err(error),
            Err(error) => tracing::warn!(%error, "a link cannot go by another channel"),
        },
        Ok(None) => {}
        Err(ConferenceError::Db(error)) => return Err(error),
        // The failure must be recorded even if its replacement cannot be made.
        Err(error) => tracing::error!(%error, "a link cannot go by another channel"),
    }
    Ok(None)
}

/// Looks whether a link has arrived, a minute after it was written, and sends it by the next channel if it has not (CASE-52).
/// Answers the message that replaces it. Doing it twice changes nothing.
pub async fn replace_late(deps: &Cases, id: OutboxId) -> Result<Option<Message>, ConferenceError> {
    let tx = deps.db.write().await?;
    let Some(message) = deps.outbox.lock(&tx, id).await? else { return Ok(None) };
    let waits = matches!(message.state, MessageState::Queued | MessageState::Sent);
    let Some(conference) = message.conference_id.filter(|_| waits && is_link(&message)) else { return Ok(None) };
    let Some(new) = queue(deps, &tx, &message).await? else { return Ok(None) };
    tx.commit().await?;
    deps.outbox.wake();
    deps.live.publish(conference, LiveEvent::new("message", MessageView::from(&new)));
    publish_progress(deps, conference).await?;
    Ok(Some(new))
}

async fn stand_in(deps: &Cases, tx: &Tx, lost: &Message) -> Result<Option<NewMessage>, ConferenceError> {
    let Some(id) = lost.conference_id else { return Ok(None) };
    // Held until the end, so that the ceiling of its messages is exact (MSG-23).
    let row = match conferences::lock_living(tx, id).await {
        Ok(row) => row,
        Err(ConferenceError::NotFound | ConferenceError::MediaErased) => return Ok(None),
        Err(error) => return Err(error),
    };
    let opened = row.sid.is_some() || row.projection().opened_at.is_some();
    if row.closed || opened || !link_is_live(row.expired_at, deps.sources.now()) || lost.to.is_empty() {
        return Ok(None);
    }
    if deps.outbox.has_fallback(&**tx, lost.id).await? {
        return Ok(None);
    }
    let before = deps.outbox.for_conference(&**tx, id).await?;
    // That number may have been wrong; the newer message has its own next channel (CASE-54).
    let again = |one: &&Message| is_link(one) && one.fallback_of.is_none() && one.created_at > lost.created_at;
    if before.iter().any(|one| again(&one)) {
        return Ok(None);
    }
    let company = companies::service::get_company(&deps.identity, CompanyId(row.company_id)).await?;
    let used = |channel| before.iter().any(|message| message.channel == channel && message.fallback_of.is_some());
    for channel in order(company.sms_whatsapp_first).into_iter().skip_while(|one| *one != lost.channel).skip(1) {
        if !used(channel)
            && let Some(new) = by(deps, &row, lost, channel, &company)?
        {
            let late = deps.sources.now() + PATIENCE;
            let new = new.about(ConferenceId(row.id), CompanyId(row.company_id)).secret_link(deps.link(&row));
            return Ok(Some(new.late_at(late).instead_of(lost.id)));
        }
    }
    Ok(None)
}

/// In which order the channels are tried.
fn order(whatsapp_first: bool) -> [Channel; 3] {
    match whatsapp_first {
        true => [Channel::Whatsapp, Channel::Sms, Channel::Email],
        false => [Channel::Sms, Channel::Whatsapp, Channel::Email],
    }
}

/// The link by this channel, if the conference allows it: the same text to the same number, or the e-mail to its address.
fn by(
    deps: &Cases,
    row: &Conference,
    lost: &Message,
    channel: Channel,
    company: &companies::Company,
) -> Result<Option<NewMessage>, ConferenceError> {
    let chosen = |fallback: LinkFallback| fallback.is_allowed(row.link_fallback.as_deref());
    // Once it was handed over, its text is kept without the code of the link.
    let text = || lost.text.replace(MASK, &row.short_code);
    Ok(match channel {
        Channel::Whatsapp => {
            let allowed = company.sms_whatsapp && chosen(LinkFallback::Whatsapp) && deps.outbox.carries(channel);
            allowed.then(|| NewMessage::whatsapp("session", &lost.to, text()))
        }
        Channel::Sms if phone::is_landline(&lost.to) => None,
        Channel::Sms => {
            let (text, link) = (text(), deps.link(row));
            let words = text.strip_suffix(&link).unwrap_or(&text).trim_end();
            Some(companies::sms::client_message(company, "session", &lost.to, words, &link))
        }
        Channel::Email => match &row.email {
            Some(address) if chosen(LinkFallback::Email) => Some(link_email(deps, row, address)?),
            _ => None,
        },
    })
}

/// Whether a link goes by WhatsApp first: the company wants it, whoever opens the conference does not rule it out, and the
/// platform has it (CASE-51).
pub fn whatsapp_first(deps: &Cases, row: &Conference, company: &companies::Company) -> bool {
    let chosen = LinkFallback::Whatsapp.is_allowed(row.link_fallback.as_deref());
    company.sms_whatsapp_first && chosen && deps.outbox.carries(Channel::Whatsapp)
}

#[cfg(test)]
mod tests {
    use super::*;

    // CASE-51
    #[test]
    fn whatsapp_goes_before_or_after_the_sms() {
        assert_eq!(order(true), [Channel::Whatsapp, Channel::Sms, Channel::Email]);
        assert_eq!(order(false), [Channel::Sms, Channel::Whatsapp, Channel::Email]);
    }
}
