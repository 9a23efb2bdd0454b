//! Answering: of all who try at once, one opens the conference (REQUEST-5).

use super::entity::request::Model;
use super::model::RequestError;
use super::notices::{self, Left};
use super::service::{find_asked, require_open, require_unblocked, starter_active};
use super::{jobs, store};
use crate::Assistance;
use crate::call_page::{self, Opened};
use atalaya_cases::conferences::Opener;
use atalaya_cases::conferences::model::{ConferenceError, ConferenceType, LinkChannel, Opening};
use atalaya_cases::conferences::{service as conferences, vault};
use atalaya_identity::{companies, users};
use atalaya_kernel::{CompanyId, Role, UserId, VideoCallRequestId};
use atalaya_rest::caller::Caller;

/// Takes a request for the caller and opens its conference, as `getToken` does, in one transaction.
///
/// Errors: `REQUEST_NOT_FOUND`, `ALREADY_TAKEN`, `REQUEST_CLOSED`, `VIDEO_CALL_BLOCKED`, and those of the video-call
/// guard.
pub async fn respond(deps: &Assistance, caller: &Caller, id: VideoCallRequestId) -> Result<Opened, RequestError> {
    let row = find_asked(deps, caller, id).await?;
    let now = deps.sources.now();
    // Most late answers need no transaction.
    require_open(&row, now)?;
    let company = companies::service::get_company(&deps.identity, caller.company).await?;
    let starters = companies::service::get_company(&deps.identity, CompanyId(row.starter_company_id)).await?;
    require_unblocked(&starters, &company, now)?;
    if !starter_active(deps, &row).await? {
        jobs::give_up(deps, &row).await?;
        return Err(RequestError::Closed);
    }
    if let Some(refusal) = company.billing.call_refusal(now) {
        return Err(ConferenceError::NotAllowed(refusal.code(caller.role == Role::Customer)).into());
    }
    let opener = Opener {
        company: caller.company,
        company_name: company.name.clone(),
        user: caller.user,
        user_name: users::service::display_name(&deps.identity, caller.user).await?,
        company_days: company.retention_days,
        starter: Some((UserId(row.starter_id), CompanyId(row.starter_company_id))),
    };
    let fresh = vault::fresh(deps).await?;
    let tx = deps.db.write().await?;
    if !store::claim(&tx, id, (caller.user, &opener.user_name), fresh.id, now).await? {
        let row = store::find(&*tx, id).await?.ok_or(RequestError::NotFound)?;
        tx.rollback().await?;
        require_open(&row, now)?;
        return Err(RequestError::Closed);
    }
    let opened = conferences::open_in(deps, &tx, fresh, &opener, &opening(&row)?, &company).await?;
    let taken = Model { conference_id: Some(opened.id), ..row.clone() };
    let told = notices::tell_starter(deps, &tx, &taken, Left::Accepted).await?;
    tx.commit().await?;
    notices::announce(deps, told);
    notices::left(deps, &row, Left::Accepted);
    deps.outbox.wake();
    tracing::info!(conference.id = %opened.id, "conference opened");
    Ok(call_page::opened(deps, caller, &opened, &opener))
}

/// What the conference of a request begins with. Nothing is sent: the starter is notified in the app (REQUEST-6).
fn opening(row: &Model) -> Result<Opening, RequestError> {
    let conference_type = ConferenceType::try_from(row.request_type).map_err(|_| RequestError::Closed)?;
    Ok(Opening {
        contact_id: Some(row.id),
        contact_person: Some(row.starter_name.clone()),
        phone_number: row.starter_phone.clone().unwrap_or_default(),
        expedient_number: row.expedient.clone(),
        full_address: None,
        address: None,
        city: None,
        city_region: None,
        postal_code: None,
        car_id: row.plate.clone(),
        region: Some(row.region.clone()),
        app_type: "web".to_owned(),
        conference_type,
        channel: LinkChannel::None,
        email: None,
        language: None,
        sms_text: None,
        fallback: None,
    })
}
