//! The job that writes campaigns' messages into the outbox, step by step, at the configured pace (CAMP-3).

use super::letter::{self, Sender};
use super::model::{Campaign, State, next_due, step_size};
use super::{CampaignError, store};
use crate::Outreach;
use crate::marketing::{self, NewToken, Permission};
use async_trait::async_trait;
use atalaya_db::{DbResult, Tx};
use atalaya_jobs::{Handler, Job, JobFailure, JobResult, Look};
use atalaya_kernel::{CampaignId, Language, OutboxId};
use atalaya_messaging::MessageError;

/// Maximum number of steps in one run, so that other jobs get their turn.
const STEPS: usize = 100;

/// Runs every few seconds, and at the start of each campaign. The rows say which campaigns are due, so a lost or doubled
/// run changes nothing.
pub struct SendCampaigns(pub Outreach);

impl SendCampaigns {
    pub const KIND: &'static str = "send_campaigns";

    /// Writes the due messages; answers how many.
    pub async fn run_due(d: &Outreach) -> Result<u64, CampaignError> {
        let mut written = 0;
        for _ in 0..STEPS {
            let due = store::list_due(d.db.read(), d.sources.now()).await?;
            if due.is_empty() {
                break;
            }
            for id in due {
                written += step(d, id).await?;
            }
            d.identity.outbox.wake();
        }
        Ok(written)
    }
}

#[async_trait]
impl Handler for SendCampaigns {
    async fn run(&self, _: &Job) -> JobResult {
        Self::run_due(&self.0).await.map(drop).map_err(|error| JobFailure::Retry(error.to_string()))
    }
}

#[async_trait]
impl Look for SendCampaigns {
    async fn is_due(&self) -> DbResult<bool> {
        Ok(!store::list_due(self.0.db.read(), self.0.sources.now()).await?.is_empty())
    }
}

/// The next messages of one campaign, with their tokens and its progress in one transaction.
async fn step(d: &Outreach, id: CampaignId) -> Result<u64, CampaignError> {
    let now = d.sources.now();
    let sender = Sender::load(d).await?;
    let tx = d.db.write().await?;
    atalaya_db::lock_row(&tx, "campaign", id.0).await?;
    let Some(campaign) = store::find(&*tx, id).await? else { return Ok(0) };
    // Another node, or a stop, came first.
    if !matches!(campaign.state, State::Scheduled | State::Running) || campaign.next_at > now {
        return Ok(0);
    }
    let size = step_size(d.marketing.per_minute);
    let after = campaign.last_email.as_deref();
    let readers = marketing::page_allowed(&*tx, campaign.audience.query(), after, size.into()).await?;
    let Some((last, _)) = readers.last().cloned() else {
        store::end(&tx, id, State::Done, now).await?;
        tx.commit().await?;
        tracing::info!(campaign.id = %id, "campaign done");
        return Ok(0);
    };
    let count = u32::try_from(readers.len()).unwrap_or(size);
    let written = write(d, &tx, &campaign, &sender, readers).await?;
    store::insert_recipients(&tx, id, written, now).await?;
    let next = next_due(campaign.next_at, now, count, d.marketing.per_minute);
    store::advance(&tx, &campaign, &last, next, now).await?;
    tx.commit().await?;
    Ok(count.into())
}

/// Writes the messages. An address that the outbox refuses gets none, and does not stop the others.
async fn write(
    d: &Outreach,
    tx: &Tx,
    campaign: &Campaign,
    sender: &Sender,
    readers: Vec<(String, Language)>,
) -> Result<Vec<(String, Option<OutboxId>)>, CampaignError> {
    let language_of = |own: Language| campaign.audience.language.unwrap_or(own);
    let token = |(email, own): &(String, Language)| NewToken {
        email: email.clone(),
        permission: Permission::No,
        language: language_of(*own),
        campaign: Some(campaign.id),
    };
    let tokens = marketing::make_tokens(d, tx, readers.iter().map(token).collect()).await?;
    let mut written = Vec::with_capacity(readers.len());
    for ((email, own), token) in readers.into_iter().zip(tokens) {
        let words = (campaign.subject.as_str(), campaign.text.as_str());
        let message = letter::message(d, sender, words, (&email, language_of(own)), &token)?;
        let message = match d.identity.outbox.enqueue(tx, message).await {
            Ok(message) => Some(message.id),
            Err(MessageError::Recipient) => None,
            Err(other) => return Err(other.into()),
        };
        written.push((email, message));
    }
    Ok(written)
}
