//! Creating, testing and stopping campaigns.

use super::jobs::SendCampaigns;
use super::letter::{self, Sender};
use super::model::{Campaign, NewCampaign, State};
use super::{CampaignError, store};
use crate::Outreach;
use crate::marketing::{self, NewToken, Permission};
use atalaya_identity::audit::{Action, Entry, service as audit};
use atalaya_identity::auth::service::Origin;
use atalaya_jobs::NewJob;
use atalaya_kernel::{CampaignId, Language};
use atalaya_messaging::Email;
use atalaya_rest::Caller;
use serde_json::{Value, json};

/// The preview of a campaign and its recipients.
pub(super) struct Preview {
    pub email: Email,
    pub recipients: u64,
    pub no_consent: u64,
    pub suppressed: u64,
    /// Accounts without an address.
    pub invalid: u64,
}

/// A preview for the administrator, in their language unless the campaign has its own. Nothing is written.
pub(super) async fn preview(d: &Outreach, new: &NewCampaign, language: Language) -> Result<Preview, CampaignError> {
    let sender = Sender::load(d).await?;
    let language = new.audience.language.unwrap_or(language);
    let sample = ("nombre@ejemplo.es", language);
    let email = letter::compose(d, &sender, (&new.subject, &new.text), sample, letter::SAMPLE)?;
    let db = d.db.read();
    let recipients = marketing::count_allowed(db, new.audience.query()).await?;
    let suppressed = marketing::count_suppressed(db, new.audience.query()).await?;
    let all = new.audience.count(db).await?;
    let no_consent = all.saturating_sub(recipients + suppressed);
    Ok(Preview { email, recipients, no_consent, suppressed, invalid: new.audience.count_without(db).await? })
}

/// Writes one message to an address of the administrator's choice, as a recipient would read it: its link works.
///
/// Errors: [`CampaignError::TestSuppressed`].
pub(super) async fn test(d: &Outreach, new: &NewCampaign, to: &str, language: Language) -> Result<(), CampaignError> {
    if marketing::is_suppressed(d, to).await? {
        return Err(CampaignError::TestSuppressed);
    }
    let sender = Sender::load(d).await?;
    let language = new.audience.language.unwrap_or(language);
    let tx = d.db.write().await?;
    let token = NewToken { email: to.to_owned(), permission: Permission::No, language, campaign: None };
    let token = marketing::make_token(d, &tx, token).await?;
    let message = letter::message(d, &sender, (&new.subject, &new.text), (to, language), &token)?;
    d.identity.outbox.enqueue(&tx, message).await?;
    tx.commit().await?;
    d.identity.outbox.wake();
    Ok(())
}

/// Creates a campaign, whose messages the job writes. The same key again answers the campaign that it created (CAMP-5).
///
/// Errors: [`CampaignError::KeyUsed`] for the key of another campaign; [`CampaignError::Empty`].
pub(super) async fn create(d: &Outreach, caller: &Caller, origin: &Origin, new: &NewCampaign) -> Result<Campaign, CampaignError> {
    let (id, now): (CampaignId, _) = (d.sources.id(), d.sources.now());
    let fingerprint = new.fingerprint(now);
    let tx = d.db.write().await?;
    // Serialises concurrent calls of one administrator.
    atalaya_db::lock_row(&tx, "app_user", caller.user.0).await?;
    if let Some(key) = &new.key
        && let Some(made) = store::find_by_key(&*tx, caller.user, key).await?
    {
        return if made.fingerprint == fingerprint { Ok(made) } else { Err(CampaignError::KeyUsed) };
    }
    let total = marketing::count_allowed(&*tx, new.audience.query()).await?;
    // A planned campaign may gain readers until it starts.
    if total == 0 && new.send_at <= now {
        return Err(CampaignError::Empty);
    }
    store::insert(&tx, store::Row { id, author: caller.user, new, fingerprint, total, now }).await?;
    let job = NewJob::new(SendCampaigns::KIND, Value::Null).at(new.send_at).max_attempts(1);
    d.jobs.enqueue(&tx, job.dedup(format!("campaign:{id}"))).await?;
    let entry = Entry::company(Action::CampaignCreated, caller.company).by(caller).from(origin.address);
    audit::record(&d.identity, &tx, entry.detail(json!({"campaignId": id, "recipients": total}))).await?;
    let made = store::find(&*tx, id).await?.ok_or(CampaignError::NotFound)?;
    tx.commit().await?;
    d.jobs.wake();
    tracing::info!(campaign.id = %id, recipients = total, "campaign made");
    Ok(made)
}

/// Stops a campaign: nothing more is written (CAMP-4).
///
/// Errors: [`CampaignError::NotFound`], [`CampaignError::Over`].
pub(super) async fn stop(d: &Outreach, caller: &Caller, origin: &Origin, id: CampaignId) -> Result<Campaign, CampaignError> {
    let tx = d.db.write().await?;
    atalaya_db::lock_row(&tx, "campaign", id.0).await?;
    if !store::end(&tx, id, State::Stopped, d.sources.now()).await? {
        let known = store::find(&*tx, id).await?.is_some();
        return Err(if known { CampaignError::Over } else { CampaignError::NotFound });
    }
    let entry = Entry::company(Action::CampaignStopped, caller.company).by(caller).from(origin.address);
    audit::record(&d.identity, &tx, entry.detail(json!({"campaignId": id}))).await?;
    let stopped = store::find(&*tx, id).await?.ok_or(CampaignError::NotFound)?;
    tx.commit().await?;
    Ok(stopped)
}
