//! Starting, withdrawing, refusing, agreeing on a call-back: each is one transaction, then the screens are notified.

use super::entity::request::Model;
use super::model::{NewRequest, Party, RequestError, State, Step, Times, read_callback};
use super::notices::{self, Left};
use super::store;
use crate::Assistance;
use atalaya_cases::conferences::model::Wrong;
use atalaya_checks::phone;
use atalaya_db::{DbError, Tx};
use atalaya_identity::companies::Company;
use atalaya_identity::users::User;
use atalaya_identity::users::model::{Reach, profile_reach};
use atalaya_identity::{IdentityError, companies, insurers, users};
use atalaya_kernel::{CompanyId, CompanyKind, InsuranceId, Role, UserId, VideoCallRequestId, limits};
use atalaya_outreach::notifications::Told;
use atalaya_rest::caller::Caller;
use chrono::{DateTime, TimeDelta, Utc};

/// Who answers requests.
pub const ANSWERING: [Role; 2] = [Role::Customer, Role::Worker];
/// How long after its end a request can still become a call-back (REQUEST-12).
const CALL_BACK_WITHIN: TimeDelta = TimeDelta::days(1);

/// Refuses what blocks a request: the customer must be past its payment start, with accepted terms and a bank account, and
/// active; the company that asks must be active (REQUEST-9).
///
/// Errors: `VIDEO_CALL_BLOCKED` with the side.
pub fn require_unblocked(starter: &Company, customer: &Company, now: DateTime<Utc>) -> Result<(), RequestError> {
    match (starter.billing.missing(now).is_empty(), customer.billing.missing(now).is_empty()) {
        (false, _) => Err(RequestError::Blocked(Party::Starter)),
        (_, false) => Err(RequestError::Blocked(Party::Customer)),
        _ => Ok(()),
    }
}

/// The active people of a customer who answer requests.
pub async fn answering(deps: &Assistance, customer: CompanyId) -> Result<Vec<UserId>, RequestError> {
    let people = users::service::list_active(&deps.identity, customer, &ANSWERING).await?;
    Ok(people.into_iter().map(|user| user.id).collect())
}

/// Whether the starter's account is still usable; nobody else waits for the answer (REQUEST-18).
pub async fn starter_active(deps: &Assistance, row: &Model) -> Result<bool, RequestError> {
    let starter = users::service::find_user(&deps.identity, UserId(row.starter_id)).await?;
    Ok(starter.is_some_and(|user| user.status.user_may_log_in()))
}

fn wrong(field: &'static str, code: &'static str) -> RequestError {
    RequestError::Invalid(vec![Wrong { field, code, max: None }])
}

/// Who is asked and for whom.
struct Addressee {
    starter: User,
    starter_company: Company,
    customer: Company,
    insurer: insurers::model::Insurer,
}

/// Errors: `INVALID_FIELDS` about `customerId` or `insuranceCompanyId`, `VIDEO_CALL_BLOCKED`.
async fn addressee(deps: &Assistance, caller: &Caller, asked: &super::model::Asked) -> Result<Addressee, RequestError> {
    let identity = &deps.identity;
    let insurer = match asked.insurer {
        Some(id) => insurers::service::find_offered(identity, id).await.map_err(|error| match error {
            IdentityError::Refused(_) => wrong("insuranceCompanyId", "INSURANCE_UNKNOWN"),
            other => other.into(),
        })?,
        None => {
            let first = insurers::service::first_of(identity, asked.customer).await?;
            first.ok_or(wrong("customerId", "CUSTOMER_NOT_LINKED"))?
        }
    };
    let linked = insurers::service::works_for(identity, asked.customer, insurer.id).await?;
    let customer = match companies::service::get_company(identity, asked.customer).await {
        Ok(company) if linked && company.kind == CompanyKind::Customer => company,
        // The same answer for both, so that nobody learns which companies exist (REQUEST-2).
        Ok(_) | Err(IdentityError::CompanyNotFound) => return Err(wrong("customerId", "CUSTOMER_NOT_LINKED")),
        Err(error) => return Err(error.into()),
    };
    let starter_company = companies::service::get_company(identity, caller.company).await?;
    require_unblocked(&starter_company, &customer, deps.sources.now())?;
    let starter = users::service::find_user(identity, caller.user).await?.ok_or(IdentityError::UserNotFound)?;
    Ok(Addressee { starter, starter_company, customer, insurer })
}

/// Starts a request, which rings at the customer's people, or agrees on a call-back at once.
///
/// Errors: `INVALID_FIELDS`, `VIDEO_CALL_BLOCKED`, `REQUEST_OPEN`.
pub async fn start(deps: &Assistance, caller: &Caller, new: &NewRequest) -> Result<Model, RequestError> {
    let now = deps.sources.now();
    let asked = new.check(now).map_err(RequestError::Invalid)?;
    let of = addressee(deps, caller, &asked).await?;
    let times = asked.callback_at.map_or_else(|| Times::waiting(now), Times::scheduled);
    let people = answering(deps, asked.customer).await?;
    let own_phone = || of.starter.phone.as_deref().and_then(|raw| phone::to_e164(raw).ok());
    let row = Model {
        id: deps.sources.uuid(),
        customer_id: asked.customer.0,
        insurance_id: of.insurer.id.0,
        starter_company_id: caller.company.0,
        starter_id: caller.user.0,
        accepted_by: None,
        conference_id: None,
        state: times.state.name().to_owned(),
        region: asked.region,
        expedient: asked.expedient,
        starter_name: of.starter.display_name(),
        starter_company: of.starter_company.name.clone(),
        customer_name: of.customer.name.clone(),
        insurance_name: of.insurer.name.clone(),
        starter_phone: asked.starter_phone.or_else(own_phone),
        plate: asked.plate,
        accepted_name: None,
        request_type: asked.request_type.into(),
        refusals: 0,
        reminders: reminders_behind(asked.callback_at, now),
        created_at: now,
        queued_at: times.queued_at,
        expires_at: times.expires_at,
        callback_at: asked.callback_at,
        ended_at: None,
    };
    let tx = deps.db.write().await?;
    let lapsed = require_room(deps, &tx, caller.user, times.state, None).await?;
    store::insert(&tx, row.clone()).await.map_err(taken)?;
    let told = match times.state {
        State::Waiting => notices::call_people(deps, &tx, &row, &people).await?,
        _ => notices::agreed(deps, &tx, &row, &people).await?,
    };
    tx.commit().await?;
    tracing::info!(request.id = %row.id, state = row.state, "video-call request started");
    notices::announce(deps, told);
    lapsed.announce(deps);
    match times.state {
        State::Waiting => notices::rings(deps, &row).await,
        _ => notices::recount(deps, row.parties()),
    }
    Ok(row)
}

/// How many reminders of a call-back are skipped because it is agreed after the time at which they are sent.
fn reminders_behind(callback_at: Option<DateTime<Utc>>, now: DateTime<Utc>) -> i32 {
    let near = TimeDelta::minutes(limits::REQUEST_REMINDER_MINUTES);
    i32::from(callback_at.is_some_and(|at| at - now <= near))
}

fn taken(error: DbError) -> RequestError {
    match error {
        DbError::Duplicate(_) => RequestError::AlreadyOpen,
        other => other.into(),
    }
}

/// Expired requests that another one ended; announced after the commit.
#[must_use]
struct Lapsed {
    rows: Vec<Model>,
    told: Told,
}

impl Lapsed {
    fn announce(self, deps: &Assistance) {
        notices::announce(deps, self.told);
        for row in &self.rows {
            notices::left(deps, row, Left::Expired);
        }
    }
}

/// Refuses a second request that rings (REQUEST-4), or too many call-backs (REQUEST-14); ends expired requests that the
/// job has not ended yet. `but` is the request that changes. The starter's row is locked, so that of two at once the
/// second counts the first.
async fn require_room(
    deps: &Assistance,
    tx: &Tx,
    starter: UserId,
    wished: State,
    but: Option<VideoCallRequestId>,
) -> Result<Lapsed, RequestError> {
    let now = deps.sources.now();
    atalaya_db::lock_row(tx, "app_user", starter.0).await?;
    let mut lapsed = Lapsed { rows: Vec::new(), told: Told::none() };
    let mut agreed = 0;
    for row in store::open_of(tx, starter).await?.into_iter().filter(|row| Some(row.request_id()) != but) {
        match row.times() {
            times if !times.is_open(now) => {
                if store::expire(tx, row.request_id(), now).await? {
                    lapsed.told = lapsed.told.and(notices::tell_starter(deps, tx, &row, Left::Expired).await?);
                    lapsed.rows.push(row);
                }
            }
            times if times.rings(now) && wished == State::Waiting => return Err(RequestError::AlreadyOpen),
            times => agreed += usize::from(times.state == State::Scheduled),
        }
    }
    let full = wished == State::Scheduled && agreed >= limits::REQUEST_CALLBACKS_MAX;
    if full { Err(RequestError::CallbacksFull) } else { Ok(lapsed) }
}

/// Withdraws all open requests of a starter, or only one; answers how many. Allowed to the starter, whoever passes the
/// own-id guard for them, and administrators (REQUEST-7).
///
/// Errors: `USER_NOT_FOUND` (also another tenant's), `OWN_ID_REQUIRED`.
pub async fn withdraw(
    deps: &Assistance,
    caller: &Caller,
    starter: UserId,
    only: Option<VideoCallRequestId>,
) -> Result<usize, RequestError> {
    let user = users::service::find_user(&deps.identity, starter).await?.ok_or(IdentityError::UserNotFound)?;
    match profile_reach(caller, user.id, user.parent) {
        Reach::Allowed => {}
        Reach::Forbidden => return Err(IdentityError::OwnIdRequired.into()),
        Reach::Hidden => return Err(IdentityError::UserNotFound.into()),
    }
    let now = deps.sources.now();
    let tx = deps.db.write().await?;
    let mut gone = Vec::new();
    for row in store::open_of(&tx, starter).await? {
        if only.is_some_and(|only| only != row.request_id()) {
            continue;
        }
        let open = row.times().is_open(now);
        let (ended, reason) = match open {
            true => (store::end(&tx, row.request_id(), Step::Withdraw, now).await?, Left::Withdrawn),
            false => (store::expire(&tx, row.request_id(), now).await?, Left::Expired),
        };
        if ended {
            notices::hush(&tx, &row).await?;
            gone.push((row, reason));
        }
    }
    tx.commit().await?;
    for (row, reason) in &gone {
        notices::left(deps, row, *reason);
    }
    Ok(gone.iter().filter(|(_, reason)| *reason == Left::Withdrawn).count())
}

/// The request, if the caller's company is the customer asked.
///
/// Errors: `REQUEST_NOT_FOUND`.
pub async fn find_asked(deps: &Assistance, caller: &Caller, id: VideoCallRequestId) -> Result<Model, RequestError> {
    let found = store::find(deps.db.read(), id).await?;
    found.filter(|row| row.customer_id == caller.company.0).ok_or(RequestError::NotFound)
}

/// Requires that the request can still be answered.
///
/// Errors: `ALREADY_TAKEN`, `REQUEST_CLOSED`.
pub fn require_open(row: &Model, now: DateTime<Utc>) -> Result<(), RequestError> {
    match State::parse(&row.state) {
        State::Accepted => Err(RequestError::AlreadyTaken(row.accepted_name.clone().unwrap_or_default())),
        _ if !row.times().is_open(now) => Err(RequestError::Closed),
        _ => Ok(()),
    }
}

/// Agrees on a call-back instead of waiting, or within a day after nobody answered, or moves it (REQUEST-12). Allowed to
/// the starter only.
///
/// Errors: `REQUEST_NOT_FOUND`, `INVALID_FIELDS` about `callbackAt`, or about `customerId` when it no longer works for the
/// insurance company, `REQUEST_CLOSED`, `ALREADY_TAKEN`, `CALLBACKS_FULL`, `VIDEO_CALL_BLOCKED`.
pub async fn call_back(
    deps: &Assistance,
    caller: &Caller,
    id: VideoCallRequestId,
    at: &Option<String>,
) -> Result<Model, RequestError> {
    let now = deps.sources.now();
    let mine = |row: &Model| row.starter_id == caller.user.0;
    let row = store::find(deps.db.read(), id).await?.filter(mine).ok_or(RequestError::NotFound)?;
    let at = read_callback(at, now).map_err(RequestError::Invalid)?;
    let customer = companies::service::get_company(&deps.identity, CompanyId(row.customer_id)).await?;
    if !insurers::service::works_for(&deps.identity, customer.id, InsuranceId(row.insurance_id)).await? {
        return Err(wrong("customerId", "CUSTOMER_NOT_LINKED"));
    }
    let starter = companies::service::get_company(&deps.identity, caller.company).await?;
    require_unblocked(&starter, &customer, now)?;
    let people = answering(deps, customer.id).await?;
    let tx = deps.db.write().await?;
    // The starter's row is locked first, in the same order as when a request is started.
    atalaya_db::lock_row(&tx, "app_user", caller.user.0).await?;
    atalaya_db::lock_row(&tx, "video_call_request", id.0).await?;
    let mut row = store::find(&*tx, id).await?.ok_or(RequestError::NotFound)?;
    let state = State::parse(&row.state);
    if state == State::Accepted {
        return require_open(&row, now).map(|()| row);
    }
    let scheduled = state.after(Step::CallBack).ok_or(RequestError::Closed)?;
    let over = row.ended_at.or_else(|| (!row.times().is_open(now)).then_some(row.expires_at));
    if over.is_some_and(|at| now - at > CALL_BACK_WITHIN) {
        return Err(RequestError::Closed);
    }
    let lapsed = require_room(deps, &tx, caller.user, scheduled, Some(id)).await?;
    let times = Times::scheduled(at);
    row.state = scheduled.name().to_owned();
    (row.queued_at, row.expires_at, row.callback_at) = (times.queued_at, times.expires_at, Some(at));
    (row.refusals, row.reminders, row.ended_at) = (0, reminders_behind(Some(at), now), None);
    store::clear_refusals(&tx, id).await?;
    store::update(&tx, row.clone()).await.map_err(taken)?;
    notices::hush(&tx, &row).await?;
    let told = notices::agreed(deps, &tx, &row, &people).await?;
    tx.commit().await?;
    notices::announce(deps, told);
    lapsed.announce(deps);
    notices::recount(deps, row.parties());
    Ok(row)
}
