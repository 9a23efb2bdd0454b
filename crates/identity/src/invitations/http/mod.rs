//! Calls of invitations, by who makes them: inviters, invited people, administrators, holders of a short link.

mod accept;
mod enable;
mod invite;
mod short_link;

use crate::Identity;
use atalaya_kernel::CompanyId;
use atalaya_rest::address::subscriber;
use atalaya_rest::ratelimit::RateLimiter;
use atalaya_rest::{Caller, Problem};
use chrono::TimeDelta;
use std::net::IpAddr;
use utoipa_axum::{router::OpenApiRouter, routes};

/// State of these handlers: the context, and limiters of calls that anybody may make.
#[derive(Clone)]
struct Door {
    d: Identity,
    /// Calls that look a token or an address up.
    tokens: RateLimiter<IpAddr>,
    /// Calls that send a message to whoever holds an old link.
    mails: RateLimiter<IpAddr>,
    /// Invitations of one company: each is a message at the platform's cost.
    invites: RateLimiter<CompanyId>,
}

impl Door {
    fn admit_token(&self, address: IpAddr) -> Result<(), Problem> {
        limited(&self.tokens, address)
    }

    /// Administrators invite without limit.
    fn admit_invitation(&self, caller: &Caller) -> Result<(), Problem> {
        if caller.is_admin() {
            return Ok(());
        }
        self.invites.hit(caller.company).map_err(|seconds| Problem::too_many("TOO_MANY_REQUESTS", seconds))
    }

    fn admit_mail(&self, address: IpAddr) -> Result<(), Problem> {
        limited(&self.mails, address)
    }
}

fn limited(limiter: &RateLimiter<IpAddr>, address: IpAddr) -> Result<(), Problem> {
    limiter.hit(subscriber(address)).map_err(|seconds| Problem::too_many("TOO_MANY_REQUESTS", seconds))
}

pub(super) fn routes(d: Identity) -> OpenApiRouter {
    let limiter = |max, minutes| RateLimiter::new(d.sources.clock(), max, TimeDelta::minutes(minutes));
    // An activation page makes three calls; an office behind one address may open many.
    let invites = RateLimiter::new(d.sources.clock(), 100, TimeDelta::hours(1));
    let door = Door { tokens: limiter(300, 10), mails: limiter(10, 15), invites, d: d.clone() };
    OpenApiRouter::new()
        .routes(routes!(invite::invite))
        .routes(routes!(invite::list_invitations))
        .routes(routes!(invite::resend_invitation))
        .routes(routes!(invite::revoke_invitation))
        .routes(routes!(accept::verify_activation))
        .routes(routes!(accept::activation_address))
        .routes(routes!(accept::renew_activation))
        .routes(routes!(accept::create_user))
        .routes(routes!(accept::create_customer))
        .routes(routes!(accept::create_repairer))
        .routes(routes!(accept::create_workshop))
        .routes(routes!(accept::notify_activation))
        .routes(routes!(enable::view_company))
        .routes(routes!(enable::activate_customer))
        .routes(routes!(enable::activate_repairer))
        .routes(routes!(enable::activate_workshop))
        .routes(routes!(short_link::open_short_link))
        .with_state(door)
}
