//! Refusing: a request leaves one person's list, and ends once nobody is left who could answer it (REQUEST-8).

use super::entity::request::Model;
use super::model::{RequestError, State, Step, read_reason};
use super::notices::{self, Left};
use super::service::{answering, find_asked, require_open};
use super::store;
use crate::Assistance;
use atalaya_identity::{IdentityError, presence};
use atalaya_kernel::{CompanyId, Role, UserId, VideoCallRequestId, limits};
use atalaya_outreach::notifications::Told;
use atalaya_outreach::push;
use atalaya_rest::caller::Caller;
use chrono::{DateTime, TimeDelta, Utc};
use std::collections::HashSet;

/// How long somebody who was called on a device may take to open the app.
const CALLED: TimeDelta = TimeDelta::minutes(limits::REQUEST_CALLED_MINUTES);

/// Refuses a request for the caller: it stops ringing there. Once everybody who could answer has refused, or the principal
/// refuses for all, the request is refused (REQUEST-8). Answers whether it is.
///
/// Errors: `REQUEST_NOT_FOUND`, `ALREADY_TAKEN`, `REQUEST_CLOSED`, `INVALID_FIELDS` about `reason`, `ROLE_NOT_ALLOWED` for
/// a worker who refuses for all.
pub async fn refuse(
    deps: &Assistance,
    caller: &Caller,
    id: VideoCallRequestId,
    reason: &Option<String>,
    all: bool,
) -> Result<bool, RequestError> {
    let row = find_asked(deps, caller, id).await?;
    let now = deps.sources.now();
    require_open(&row, now)?;
    let reason = read_reason(reason).map_err(RequestError::Invalid)?;
    if all && caller.role != Role::Customer {
        return Err(IdentityError::RoleNotAllowed.into());
    }
    let could = who_could(deps, &row, now).await?;
    let tx = deps.db.write().await?;
    atalaya_db::lock_row(&tx, "video_call_request", id.0).await?;
    let mut row = store::find(&*tx, id).await?.ok_or(RequestError::NotFound)?;
    require_open(&row, now)?;
    store::put_refusal(&tx, deps.sources.uuid(), id, caller.user, reason, now).await?;
    let passed: HashSet<UserId> = store::refused_by(&*tx, id).await?.into_iter().collect();
    row.refusals = i32::try_from(passed.len()).unwrap_or(i32::MAX);
    let refused = all || could.iter().all(|user| passed.contains(user));
    if refused {
        row.state = State::Refused.name().to_owned();
        row.ended_at = Some(now);
    }
    store::update(&tx, row.clone()).await?;
    let told = match refused {
        true => notices::tell_starter(deps, &tx, &row, Left::Refused).await?,
        false => Told::none(),
    };
    tx.commit().await?;
    notices::announce(deps, told);
    match refused {
        true => notices::left(deps, &row, Left::Refused),
        false => notices::recount(deps, row.parties()),
    }
    Ok(refused)
}

/// Ends a ringing request that somebody refused, once those who were called have had their time and nobody is left.
pub(super) async fn settle(deps: &Assistance, row: &Model) -> Result<(), RequestError> {
    let (id, now) = (row.request_id(), deps.sources.now());
    let could = who_could(deps, row, now).await?;
    let passed: HashSet<UserId> = store::refused_by(deps.db.read(), id).await?.into_iter().collect();
    if !could.iter().all(|user| passed.contains(user)) {
        return Ok(());
    }
    let tx = deps.db.write().await?;
    if !store::end(&tx, id, Step::Refuse, now).await? {
        return Ok(());
    }
    let told = notices::tell_starter(deps, &tx, row, Left::Refused).await?;
    tx.commit().await?;
    notices::announce(deps, told);
    notices::left(deps, row, Left::Refused);
    Ok(())
}

/// Requests that began to ring before this may be settled.
pub(super) fn settled_before(now: DateTime<Utc>) -> DateTime<Utc> {
    now - CALLED
}

/// Who of the customer could answer a request: if it rings, those who are online or were just called on a device;
/// everybody if it rings later.
async fn who_could(deps: &Assistance, row: &Model, now: DateTime<Utc>) -> Result<Vec<UserId>, RequestError> {
    let customer = CompanyId(row.customer_id);
    let mut could = answering(deps, customer).await?;
    if row.times().rings(now) {
        let mut there: HashSet<UserId> = presence::service::online(&deps.identity, customer).await?.into_iter().collect();
        if row.queued_at > settled_before(now) {
            there.extend(push::service::with_devices(&deps.outreach, &could).await?);
        }
        could.retain(|user| there.contains(user));
    }
    Ok(could)
}
