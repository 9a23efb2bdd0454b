//! Stopping, starting, retrying; the WhatsApp session; receipts.

use super::MessageServiceError;
use crate::Outreach;
use atalaya_identity::audit::{self, Action, Entry};
use atalaya_identity::auth::service::Origin;
use atalaya_identity::users::service::display_name;
use atalaya_messaging::{DeliveryReport, ServiceStatus, WhatsappState};
use atalaya_rest::Caller;
use serde_json::json;

/// The dispatcher and its channels now.
pub(super) async fn status(d: &Outreach) -> Result<ServiceStatus, MessageServiceError> {
    Ok(d.identity.outbox.status(d.db.read()).await?)
}

/// Stops or starts the delivery on all nodes. Idempotent; a repetition is not logged.
pub(super) async fn set_running(d: &Outreach, caller: &Caller, origin: &Origin, run: bool) -> Result<(), MessageServiceError> {
    let by = display_name(&d.identity, caller.user).await?;
    let outbox = &d.identity.outbox;
    let tx = d.db.write().await?;
    if outbox.status(&*tx).await?.run.running != run {
        outbox.set_running(&tx, run, &by).await?;
        let action = if run { Action::MessagesStarted } else { Action::MessagesStopped };
        let entry = Entry::company(action, caller.company).by(caller).from(origin.address);
        audit::service::record(&d.identity, &tx, entry).await?;
    }
    tx.commit().await?;
    outbox.wake();
    tracing::info!(running = run, "the delivery of messages was switched");
    Ok(())
}

/// Retries now what waits and what failed lately for a passing reason (MSG-15). Answers how many.
pub(super) async fn reset(d: &Outreach, caller: &Caller, origin: &Origin) -> Result<u64, MessageServiceError> {
    let outbox = &d.identity.outbox;
    let tx = d.db.write().await?;
    let count = outbox.reset(&tx).await?;
    let entry = Entry::company(Action::MessagesReset, caller.company).by(caller).from(origin.address);
    audit::service::record(&d.identity, &tx, entry.detail(json!({"count": count}))).await?;
    tx.commit().await?;
    outbox.wake();
    Ok(count)
}

/// An action on the WhatsApp session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SessionAction {
    Restart,
    Stop,
    Clean,
}

impl SessionAction {
    fn name(self) -> &'static str {
        match self {
            Self::Restart => "restart",
            Self::Stop => "stop",
            Self::Clean => "clean",
        }
    }
}

/// The session now; `None` without a gateway. Errors: [`MessageServiceError::Gateway`].
pub(super) async fn whatsapp_state(d: &Outreach) -> Result<Option<WhatsappState>, MessageServiceError> {
    match d.identity.outbox.providers().whatsapp() {
        Some(waha) => Ok(Some(waha.state().await?)),
        None => Ok(None),
    }
}

/// Performs the action and answers the session's state afterwards.
///
/// Errors: [`MessageServiceError::NoWhatsapp`], [`MessageServiceError::Gateway`].
pub(super) async fn act_on_whatsapp(
    d: &Outreach,
    caller: &Caller,
    origin: &Origin,
    action: SessionAction,
) -> Result<WhatsappState, MessageServiceError> {
    let waha = d.identity.outbox.providers().whatsapp().ok_or(MessageServiceError::NoWhatsapp)?;
    match action {
        SessionAction::Restart => waha.restart().await?,
        SessionAction::Stop => waha.stop().await?,
        SessionAction::Clean => waha.clean().await?,
    }
    let tx = d.db.write().await?;
    let entry = Entry::company(Action::WhatsappChanged, caller.company).by(caller).from(origin.address);
    audit::service::record(&d.identity, &tx, entry.detail(json!({"method": action.name()}))).await?;
    tx.commit().await?;
    Ok(waha.state().await?)
}

/// Stores a provider's receipts; the dispatcher applies them.
pub(super) async fn take_receipts(d: &Outreach, provider: &str, reports: Vec<DeliveryReport>) -> Result<(), MessageServiceError> {
    if reports.is_empty() {
        return Ok(());
    }
    let tx = d.db.write().await?;
    d.identity.outbox.take_receipts(&tx, provider, reports).await?;
    tx.commit().await?;
    d.identity.outbox.wake();
    Ok(())
}
