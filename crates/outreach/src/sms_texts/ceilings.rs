//! Changes a company's ceilings of SMS, and notifies administrators once a day when one is reached (SMS-12, SMS-13).

use super::SmsTextError;
use crate::Outreach;
use crate::notifications::{NewNotification, NoticeAction, NoticeText};
use async_trait::async_trait;
use atalaya_identity::audit::{self, Action, Entry};
use atalaya_identity::auth::service::Origin;
use atalaya_identity::companies;
use atalaya_identity::users;
use atalaya_jobs::{Handler, Job, JobFailure, JobResult};
use atalaya_kernel::{CompanyId, Role, UserId};
use atalaya_messaging::{OwnCeiling, SMS_CEILING_JOB};
use serde_json::json;

/// Gives a company its own ceilings.
pub(super) async fn change(
    d: &Outreach,
    (caller, origin): (&atalaya_rest::Caller, &Origin),
    id: CompanyId,
    own: OwnCeiling,
) -> Result<(), SmsTextError> {
    let tx = d.db.write().await?;
    let before = d.identity.outbox.set_sms_ceiling(&tx, id, own).await?;
    if before != own {
        let entry = Entry::company(Action::CompanyChanged, id).by(caller).from(origin.address);
        audit::service::record(&d.identity, &tx, entry.detail(json!({"fields": ["smsCeiling"]}))).await?;
    }
    tx.commit().await?;
    Ok(())
}

/// Notifies the administrators that a company has reached a ceiling. The transaction of its last SMS queued this job.
pub struct TellCeiling(pub Outreach);

impl TellCeiling {
    pub const KIND: &'static str = SMS_CEILING_JOB;
}

#[async_trait]
impl Handler for TellCeiling {
    async fn run(&self, job: &Job) -> JobResult {
        let company: Option<CompanyId> = job.payload["company"].as_str().and_then(|text| text.parse().ok());
        let company = company.ok_or_else(|| JobFailure::GiveUp("no company".into()))?;
        tell(&self.0, company).await.map_err(|error| JobFailure::Retry(error.to_string()))
    }
}

async fn tell(d: &Outreach, id: CompanyId) -> Result<(), SmsTextError> {
    let company = companies::service::get_company(&d.identity, id).await?;
    let Some(platform) = companies::service::platform(&d.identity).await? else { return Ok(()) };
    let admins = users::service::list_active(&d.identity, platform.id, &[Role::Admin]).await?;
    let admins: Vec<UserId> = admins.into_iter().map(|user| user.id).collect();
    tracing::warn!(company.id = %id, "a company has sent as many SMS as it may");
    let new = NewNotification::new(NoticeText::Known("sms-ceiling"), NoticeAction::Url("/message-service".into()));
    let tx = d.db.write().await?;
    let told = d.notify(&tx, &admins, &new.expedient(&company.name)).await?;
    tx.commit().await?;
    d.announce(told);
    Ok(())
}
