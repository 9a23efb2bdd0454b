//! `GET /api/v1/setup`: what this installation still lacks for real work (`docs/rules/setup.md`). Administrators only.

use crate::backup;
use crate::config::Config;
use atalaya_content::legal::service::samples_in_force;
use atalaya_identity::Identity;
use atalaya_identity::invitations::service::register::admin_mailbox;
use atalaya_messaging::{Channel, ServiceStatus};
use atalaya_rest::{AdminOnly, ApiResult, Json, Problem};
use axum::extract::State;
use chrono::{DateTime, TimeDelta, Utc};
use serde::Serialize;
use std::path::PathBuf;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// A backup older than this is as good as none (SETUP-4).
const BACKUP_MAX_AGE: TimeDelta = TimeDelta::days(7);

/// What the list is made from. Cheap to clone.
#[derive(Clone)]
pub struct Setup {
    identity: Identity,
    data_dir: PathBuf,
    /// Legal notice and privacy policy have addresses.
    legal_pages: bool,
}

impl Setup {
    pub fn new(config: &Config, identity: &Identity) -> Self {
        let links = &config.links;
        Self {
            identity: identity.clone(),
            data_dir: config.data_dir.clone(),
            legal_pages: links.legal_url.is_some() && links.privacy_url.is_some(),
        }
    }
}

/// The routes of this room.
pub fn routes(setup: Setup) -> OpenApiRouter {
    OpenApiRouter::new().routes(routes!(get_setup)).with_state(setup)
}

/// One thing that real work needs.
#[derive(Debug, PartialEq, Eq, Serialize, ToSchema)]
struct SetupItem {
    /// `sms`, `email`, `mailbox`, `address`, `backup`, `legalTexts` or `legalPages`.
    key: &'static str,
    ready: bool,
    /// What there is: the provider, the mailbox, the public address, the moment of the last backup.
    value: Option<String>,
    /// Messages that are held because of it.
    held: Option<u64>,
    /// Where the mailbox comes from: `setting`, or `firstAdministrator`, whose address it follows.
    source: Option<&'static str>,
}

#[derive(Debug, Serialize, ToSchema)]
struct SetupAnswer {
    /// In the order in which they are best done.
    items: Vec<SetupItem>,
    /// How many are not ready.
    missing: usize,
}

/// What the installation has and lacks for real work.
#[utoipa::path(get, path = "/api/v1/setup", tag = "about", operation_id = "get_setup",
    responses((status = 200, body = SetupAnswer), (status = 401), (status = 403)), security(("session" = [])))]
async fn get_setup(State(setup): State<Setup>, _admin: AdminOnly) -> ApiResult<Json<SetupAnswer>> {
    let d = &setup.identity;
    let status = d.outbox.status(d.db.read()).await;
    let status = status.map_err(|error| Problem::unavailable("DATABASE_UNAVAILABLE").because(error))?;
    let mailbox = admin_mailbox(d).await?;
    let by_setting = !d.settings.admin_mailbox.is_empty();
    let source = mailbox.as_ref().map(|_| if by_setting { "setting" } else { "firstAdministrator" });
    let samples = samples_in_force(&d.content).await?;
    let url = &d.settings.public_url;
    let last = backup::last(&setup.data_dir);
    let items = vec![
        carrier(&status, Channel::Sms),
        carrier(&status, Channel::Email),
        SetupItem { source, ..item("mailbox", mailbox.as_deref().is_some_and(is_mailbox), mailbox) },
        item("address", is_reachable(url), Some(url.clone())),
        item("backup", is_recent(last, d.sources.now()), last.map(|at| at.to_rfc3339())),
        item("legalTexts", samples.is_empty(), None),
        item("legalPages", setup.legal_pages, None),
    ];
    let missing = items.iter().filter(|item| !item.ready).count();
    Ok(Json(SetupAnswer { items, missing }))
}

fn item(key: &'static str, ready: bool, value: Option<String>) -> SetupItem {
    SetupItem { key, ready, value, held: None, source: None }
}

/// Who carries a channel, and what is held without anybody (SETUP-2).
fn carrier(status: &ServiceStatus, channel: Channel) -> SetupItem {
    let known = status.channels.iter().find(|known| known.channel == channel);
    let provider = known.and_then(|known| known.provider);
    let held = known.map(|known| known.captured).filter(|held| *held > 0);
    SetupItem { held, ..item(channel.name(), provider.is_some(), provider.map(str::to_owned)) }
}

/// Whether mail to this address can arrive somewhere: those that come with the program cannot (RFC 2606). Offices that name
/// their own network `.local` have mailboxes there.
fn is_mailbox(address: &str) -> bool {
    let Some((_, host)) = address.rsplit_once('@') else { return false };
    !host.is_empty() && (host.ends_with(".local") || !is_reserved(host))
}

/// Whether a client's phone can open it and give it a camera: over TLS, on another machine's network (SETUP-3).
fn is_reachable(url: &str) -> bool {
    let Some(rest) = url.strip_prefix("https://") else { return false };
    let authority = rest.split('/').next().unwrap_or_default();
    let host = match authority.strip_prefix('[') {
        Some(v6) => v6.split(']').next().unwrap_or_default(),
        None => authority.split(':').next().unwrap_or_default(),
    };
    !host.is_empty() && !is_reserved(host)
}

fn is_reserved(host: &str) -> bool {
    const NAMES: [&str; 5] = ["localhost", "local", "example", "test", "invalid"];
    host == "::1" || host.starts_with("127.") || host.rsplit('.').next().is_some_and(|last| NAMES.contains(&last))
}

fn is_recent(last: Option<DateTime<Utc>>, now: DateTime<Utc>) -> bool {
    last.is_some_and(|at| now - at <= BACKUP_MAX_AGE)
}

#[cfg(test)]
mod tests {
    use super::*;

    // SETUP-3
    #[test]
    fn an_address_is_one_that_a_phone_can_open() {
        for url in ["https://v.peritos.es", "https://v.peritos.es:8443/x", "https://[2001:db8::1]", "https://10.0.0.7"] {
            assert!(is_reachable(url), "{url}");
        }
        for url in [
            "http://v.peritos.es",
            "https://localhost:8443",
            "https://127.0.0.1",
            "https://[::1]:1",
            "https://a.local",
            "https://",
        ] {
            assert!(!is_reachable(url), "{url}");
        }
    }

    // SETUP-5
    #[test]
    fn a_mailbox_is_one_that_can_exist() {
        assert!(is_mailbox("hola@peritos.es") && is_mailbox("hola@peritos.local"));
        for address in ["admin@localhost", "admin@atalaya.example", "nobody", "nobody@"] {
            assert!(!is_mailbox(address), "{address}");
        }
    }

    // SETUP-4
    #[test]
    fn a_backup_counts_for_a_week() {
        let now = DateTime::parse_from_rfc3339("2026-11-20T09:00:00Z").unwrap().to_utc();
        assert!(is_recent(Some(now - TimeDelta::days(7)), now));
        assert!(!is_recent(Some(now - TimeDelta::days(7) - TimeDelta::seconds(1)), now));
        assert!(!is_recent(None, now));
    }
}
