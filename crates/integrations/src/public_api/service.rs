//! Opening a conference for a program, and listing those of its customer.

use super::ExtCaller;
use super::error::ExtError;
use super::model::{Checked, Listing, OpenBody};
use super::store::{self, Claim};
use super::view::ExtConference;
use crate::Integrations;
use atalaya_cases::conferences::model::Wrong;
use atalaya_cases::conferences::service::open_in;
use atalaya_cases::conferences::{self, Conference, ConferenceError, Opener, Scope, vault};
use atalaya_identity::users::{self, User};
use atalaya_kernel::{ConferenceId, Role};
use uuid::Uuid;

/// A conference, and whether an earlier call with the same idempotency key had opened it.
pub struct Made {
    pub conference: ExtConference,
    pub replayed: bool,
}

/// Opens a conference and queues its link, as `getToken` does. The same idempotency key with the same body answers the
/// conference that it opened, for 24 hours (PUBLIC-5).
///
/// Errors: `INVALID_FIELDS` with the fields, `VIDEO_CALL_NOT_ALLOWED_CUSTOMER` or `_WORKER` from the video-call guard,
/// `IDEMPOTENCY_KEY_REUSED`.
pub async fn open(deps: &Integrations, by: &ExtCaller, body: &OpenBody, key: Option<&str>) -> Result<Made, ExtError> {
    let worker = worker_of(deps, by, body).await?;
    let (Checked { opening, external_id }, worker) = checked(body, worker)?;
    let fresh = vault::fresh(deps).await?;
    let id = fresh.id;
    let tx = deps.db.write().await?;
    if let Some(key) = key {
        match store::claim(&tx, &deps.sources, by.company.id, key, &body.digest(), id).await? {
            Claim::New => {}
            Claim::Other => return Err(ExtError::KeyReused),
            Claim::Same(id) => {
                drop(tx);
                let row = find(deps, by, id).await?;
                return Ok(Made { conference: view(deps, &row).await?, replayed: true });
            }
        }
    }
    let opener = opener(deps, by, worker)?;
    if let Some(name) = &external_id {
        // Written before the conference, whose first event names it.
        store::refer(&tx, &deps.sources, by.company.id, id, name.clone()).await?;
    }
    let row = open_in(deps, &tx, fresh, &opener, &opening, &by.company).await?;
    tx.commit().await?;
    deps.outbox.wake();
    deps.outreach.jobs.wake();
    tracing::info!(conference.id = %row.id, "conference opened by a program");
    Ok(Made { conference: ExtConference::of(deps, &row, external_id), replayed: false })
}

/// Checks fields and worker together, so that everything wrong is answered at once (PUBLIC-3).
fn checked(body: &OpenBody, worker: Option<User>) -> Result<(Checked, User), ConferenceError> {
    match (body.check(), worker) {
        (Ok(checked), Some(worker)) => Ok((checked, worker)),
        (checked, worker) => {
            let unknown = worker.is_none().then_some(Wrong { field: "worker", code: "WORKER_UNKNOWN", max: None });
            let wrong = checked.err().unwrap_or_default();
            Err(ConferenceError::Invalid(wrong.into_iter().chain(unknown).collect()))
        }
    }
}

/// The user that a body names, among the customer's users who may hold calls; the principal when it names none.
async fn worker_of(deps: &Integrations, by: &ExtCaller, body: &OpenBody) -> Result<Option<User>, ConferenceError> {
    let Some(name) = body.worker.as_deref().map(str::trim).filter(|name| !name.is_empty()) else {
        return Ok(Some(by.principal.clone()));
    };
    let people = users::service::list_active(&deps.identity, by.company.id, &[Role::Customer, Role::Worker]).await?;
    let is_named = |user: &User| {
        let mail = user.email.as_deref().is_some_and(|mail| mail.eq_ignore_ascii_case(name));
        mail || user.user_name.eq_ignore_ascii_case(name) || user.id.to_string().eq_ignore_ascii_case(name)
    };
    Ok(people.into_iter().find(is_named))
}

/// In whose name it is opened, after the same video-call guard as in the web app (PUBLIC-4).
fn opener(deps: &Integrations, by: &ExtCaller, worker: User) -> Result<Opener, ConferenceError> {
    if let Some(refusal) = by.company.billing.call_refusal(deps.sources.now()) {
        return Err(ConferenceError::NotAllowed(refusal.code(worker.role == Role::Customer)));
    }
    Ok(Opener {
        company: by.company.id,
        company_name: by.company.name.clone(),
        user: worker.id,
        user_name: worker.display_name(),
        company_days: by.company.retention_days,
        starter: None,
    })
}

/// A conference of the key's customer. Errors: `CONFERENCE_NOT_FOUND`.
pub async fn find(deps: &Integrations, by: &ExtCaller, id: ConferenceId) -> Result<Conference, ConferenceError> {
    conferences::get(deps.db.read(), Scope::Company(by.company.id), id).await
}

/// A conference with the program's own name for it.
pub async fn view(deps: &Integrations, row: &Conference) -> Result<ExtConference, ConferenceError> {
    let mut names = store::references(deps.db.read(), &[row.id]).await?;
    Ok(ExtConference::of(deps, row, names.remove(&row.id)))
}

/// A page of the customer's conferences, newest first, and how many there are.
pub async fn list(deps: &Integrations, by: &ExtCaller, listing: &Listing) -> Result<(Vec<ExtConference>, u64), ConferenceError> {
    let (rows, total) = store::list(deps.db.read(), by.company.id, listing).await?;
    let ids: Vec<Uuid> = rows.iter().map(|row| row.id).collect();
    let mut names = store::references(deps.db.read(), &ids).await?;
    Ok((rows.iter().map(|row| ExtConference::of(deps, row, names.remove(&row.id))).collect(), total))
}
