//! Which people of a customer are free, in a call or away, and how long its requests wait (REQUEST-17).

use crate::Assistance;
use crate::video_call_requests::{self as requests, ANSWERING, RequestError, require_unblocked};
use atalaya_cases::connections;
use atalaya_identity::{IdentityError, companies, guards, insurers, presence, users};
use atalaya_kernel::{CompanyId, CompanyKind, InsuranceId, Role, UserId};
use atalaya_rest::caller::Caller;
use chrono::TimeDelta;
use serde::Serialize;
use std::collections::{HashMap, HashSet};
use utoipa::ToSchema;

/// How far back answered requests count for the average wait.
const AVERAGE_OF: TimeDelta = TimeDelta::days(7);

/// Whether somebody can take a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Presence {
    /// The app is open, and the person is in no call.
    Free,
    /// In a call.
    Call,
    /// The app is not open.
    Away,
}

/// The presence of people: `online` have the app open, `calling` are in a call.
fn presence_of(user: UserId, online: &HashSet<UserId>, calling: &HashSet<UserId>) -> Presence {
    match (calling.contains(&user), online.contains(&user)) {
        (true, _) => Presence::Call,
        (false, true) => Presence::Free,
        (false, false) => Presence::Away,
    }
}

/// A person of a customer who answers requests.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = AvailablePerson)]
pub struct PersonView {
    #[serde(rename = "_id")]
    pub id: UserId,
    pub name: String,
    #[schema(value_type = i16)]
    pub role: Role,
    pub state: Presence,
}

/// How well a customer can answer now.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Availability {
    /// The people who answer requests; only for the customer's own people and administrators.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false)]
    pub people: Option<Vec<PersonView>>,
    /// Somebody is free now.
    pub available: bool,
    /// Requests that ring.
    pub waiting: u64,
    /// How long answered requests of the last seven days waited; null when there were none.
    pub average_wait_seconds: Option<i64>,
}

/// The availability of a customer. Its own people and administrators see persons; the repair side sees whether somebody
/// is free, at customers that it may ask (REQUEST-17).
///
/// Errors: `COMPANY_NOT_FOUND`, also for other tenants' and for what is no customer.
pub async fn of(deps: &Assistance, caller: &Caller, id: CompanyId) -> Result<Availability, RequestError> {
    let company = companies::service::get_company(&deps.identity, id).await?;
    if company.kind != CompanyKind::Customer {
        return Err(IdentityError::CompanyNotFound.into());
    }
    let now = deps.sources.now();
    let shows_people = !caller.role.is_repair_side();
    if shows_people {
        guards::member_of(&deps.identity, *caller, id).await?;
    } else {
        let own = companies::service::get_company(&deps.identity, caller.company).await?;
        // The repair side learns nothing about a customer that it may not ask.
        require_unblocked(&own, &company, now).map_err(|_| IdentityError::CompanyNotFound)?;
    }
    let people = users::service::list_active(&deps.identity, id, &ANSWERING).await?;
    let online: HashSet<UserId> = presence::service::online(&deps.identity, id).await?.into_iter().collect();
    let ids: Vec<UserId> = people.iter().map(|user| user.id).collect();
    let calling = connections::in_call(deps.db.read(), &ids).await?;
    let state = |user: UserId| presence_of(user, &online, &calling);
    let available = ids.iter().any(|user| state(*user) == Presence::Free);
    let views =
        people.iter().map(|user| PersonView { id: user.id, name: user.display_name(), role: user.role, state: state(user.id) });
    Ok(Availability {
        people: shows_people.then(|| views.collect()),
        available,
        waiting: requests::count_ringing(deps.db.read(), id, None, now).await?,
        average_wait_seconds: requests::average_wait(deps.db.read(), id, now - AVERAGE_OF).await?,
    })
}

/// A customer that an operator may ask.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = InsuranceCustomer)]
pub struct CandidateView {
    #[serde(rename = "_id")]
    pub id: CompanyId,
    pub company: String,
    /// The province.
    pub region: String,
    /// Somebody who takes calls is free now.
    pub available: bool,
    /// Somebody is free, everybody there is in a call, or nobody is there.
    pub state: Presence,
    /// Requests that ring there.
    pub waiting: u64,
}

/// The active, unblocked customers that work for an insurance company, and how well they can answer now.
///
/// Errors: `INSURANCE_NOT_FOUND`.
pub async fn candidates(deps: &Assistance, caller: &Caller, insurer: InsuranceId) -> Result<Vec<CandidateView>, RequestError> {
    let found = insurers::service::candidates(&deps.identity, caller, insurer).await?;
    let ids: Vec<CompanyId> = found.iter().map(|candidate| candidate.id).collect();
    let there = presence::service::online_of(&deps.identity, &ids, &ANSWERING).await?;
    let people: Vec<UserId> = there.iter().map(|(_, user)| *user).collect();
    let online: HashSet<UserId> = people.iter().copied().collect();
    let calling = connections::in_call(deps.db.read(), &people).await?;
    let mut best: HashMap<CompanyId, Presence> = HashMap::new();
    for (company, user) in there {
        let state = presence_of(user, &online, &calling);
        best.entry(company).and_modify(|best| *best = state.min(*best)).or_insert(state);
    }
    let waiting = requests::ringing_of(deps.db.read(), &ids, deps.sources.now()).await?;
    let view = |candidate: insurers::model::Candidate| {
        let state = best.get(&candidate.id).copied().unwrap_or(Presence::Away);
        CandidateView {
            id: candidate.id,
            company: candidate.name,
            region: candidate.region.unwrap_or_default(),
            available: state == Presence::Free,
            state,
            waiting: waiting.get(&candidate.id).copied().unwrap_or_default(),
        }
    };
    Ok(found.into_iter().map(view).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    // REQUEST-17
    #[test]
    fn whoever_is_in_a_call_is_not_free_wherever_his_app_is_open() {
        let user = |n: u128| UserId(uuid::Uuid::from_u128(n));
        let (online, calling) = (HashSet::from([user(1), user(2)]), HashSet::from([user(2), user(3)]));
        let states = [1, 2, 3, 4].map(|n| presence_of(user(n), &online, &calling));
        assert_eq!(states, [Presence::Free, Presence::Call, Presence::Call, Presence::Away]);
        assert_eq!(states.into_iter().min(), Some(Presence::Free), "the best comes first");
    }
}
