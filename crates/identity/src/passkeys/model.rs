//! What a passkey is bound to and called. Pure.

use atalaya_checks::browser::browser_and_system;
use chrono::{DateTime, TimeDelta, Utc};
use std::net::IpAddr;
use uuid::Uuid;

/// How long a ceremony waits for the device.
pub const CEREMONY_LIFE: TimeDelta = TimeDelta::minutes(5);
/// Passkeys of an account.
pub const PASSKEYS_MAX: usize = 10;
pub const NAME_MAX: usize = 60;
/// Bytes of a credential's id at most (WebAuthn level 3 §7.1 step 25).
pub const CREDENTIAL_ID_MAX: usize = 1023;
/// Bytes of a challenge (WebAuthn level 3 §13.4.3: at least 16).
pub const CHALLENGE_BYTES: usize = 32;
/// What the options offer: EdDSA, ES256, ES384, RS256, RS384 (COSE).
pub const ALGORITHMS: [i32; 5] = [-8, -7, -35, -257, -258];

/// The site that passkeys are bound to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Site {
    /// The relying party's id: the host.
    pub id: String,
    pub origin: String,
}

/// The site of the public address; `None` when its host is a number, which no browser binds a passkey to.
pub fn site(public_url: &str) -> Option<Site> {
    let (scheme, rest) = public_url.split_once("://")?;
    let (scheme, authority) = (scheme.to_lowercase(), rest.split('/').next()?.to_lowercase());
    if authority.starts_with('[') {
        return None;
    }
    let (host, port) = match authority.split_once(':') {
        Some((host, port)) => (host.to_owned(), Some(port.to_owned())),
        None => (authority, None),
    };
    if host.is_empty() || host.parse::<IpAddr>().is_ok() {
        return None;
    }
    // A browser leaves the usual port out of the origin.
    let usual = if scheme == "https" { "443" } else { "80" };
    let origin = match port.filter(|port| port != usual) {
        Some(port) => format!("{scheme}://{host}:{port}"),
        None => format!("{scheme}://{host}"),
    };
    Some(Site { id: host, origin })
}

/// The name of a passkey: what its owner calls it, else what made it.
pub fn name(given: &str, user_agent: Option<&str>) -> String {
    let given: String = given.chars().filter(|c| !c.is_control()).collect();
    match given.trim() {
        "" => {
            let (browser, system) = browser_and_system(user_agent.unwrap_or(""));
            format!("{browser} · {system}")
        }
        given => given.to_owned(),
    }
}

/// A key as its owner sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passkey {
    pub id: Uuid,
    pub name: String,
    pub created_at: DateTime<Utc>,
    pub last_used_at: Option<DateTime<Utc>>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_site_is_the_public_address_s_host() {
        let site = |url: &str| site(url).map(|site| (site.id, site.origin));
        let expected = |id: &str, origin: &str| Some((id.to_owned(), origin.to_owned()));
        assert_eq!(site("https://Atalaya.Example"), expected("atalaya.example", "https://atalaya.example"));
        assert_eq!(site("https://v.example:443/x"), expected("v.example", "https://v.example"));
        assert_eq!(site("http://localhost:8100"), expected("localhost", "http://localhost:8100"));
        for number in ["http://127.0.0.1:8100", "https://[::1]:8443", "nonsense", "https://"] {
            assert_eq!(site(number), None, "{number}");
        }
    }

    #[test]
    fn a_passkey_without_a_name_is_called_for_its_device() {
        let agent = "Mozilla/5.0 (Windows NT 10.0) Gecko/20100101 Firefox/150.0";
        assert_eq!(name(" Portátil \n", Some(agent)), "Portátil");
        assert_eq!(name(" ", Some(agent)), "Firefox · Windows");
    }
}
