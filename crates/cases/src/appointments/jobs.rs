//! Reminders, looked for every few seconds (VISIT-5).

use super::model::{AppointmentError, AppointmentState};
use super::{service, store};
use crate::Cases;
use crate::conferences::view::MessageView;
use crate::conferences::{self, ConferenceError};
use crate::live::LiveEvent;
use atalaya_db::DbResult;
use atalaya_kernel::ConferenceId;

/// Whether anything is due.
pub async fn is_due(deps: &Cases) -> DbResult<bool> {
    Ok(!store::list_due(deps.db.read(), deps.sources.now()).await?.is_empty())
}

/// Writes the reminders that are due. What fails stays due and does not stop the rest.
pub async fn run(deps: &Cases) -> Result<(), AppointmentError> {
    for row in store::list_due(deps.db.read(), deps.sources.now()).await? {
        if let Err(error) = remind(deps, &row).await {
            tracing::warn!(%error, appointment.id = %row.id, "a reminder of an appointment could not be written");
        }
    }
    Ok(())
}

async fn remind(deps: &Cases, row: &store::Row) -> Result<(), AppointmentError> {
    let id = ConferenceId(row.conference_id);
    let tx = deps.db.write().await?;
    let conference = match conferences::lock_living(&tx, id).await {
        // After an erasure nothing is sent any more.
        Err(ConferenceError::MediaErased) => return Ok(()),
        other => other?,
    };
    if !store::reminded(&tx, row).await? {
        return Ok(());
    }
    let view = row.view();
    let mut sent = None;
    // After an outage a reminder of what has begun helps nobody.
    if view.state == AppointmentState::Agreed && !conference.closed && deps.sources.now() < view.at {
        let told = service::tell_client(deps, &tx, &conference, "appointment-reminder", &view).await;
        // A company above its ceiling must not keep others' reminders waiting behind its own.
        sent = service::unless_refused(id, told)?;
        service::tell_staff(deps, &tx, &conference, "soon", &view).await?;
    }
    tx.commit().await?;
    deps.outbox.wake();
    if let Some(message) = sent {
        deps.live.publish(id, LiveEvent::new("message", MessageView::from(&message)));
    }
    Ok(())
}
