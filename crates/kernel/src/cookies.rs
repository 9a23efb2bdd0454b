//! Everything that the product keeps in a browser: cookies, storage, databases. The page `/cookies` shows this table,
//! generated for it as `web/src/api/generated/cookies.ts`; a browser test finds nothing beyond it.
//!
//! *Invariant:* nothing here is a third party's, and nothing measures anybody.

use crate::limits::{LANGUAGE_COOKIE_S, TOKEN_LIFE_S};

/// Double submit: repeated in a header by our own pages only.
pub const XSRF: &str = "XSRF-TOKEN";
/// Reads files of the case; never seen by a script.
pub const MEDIA: &str = "atalaya_media";
/// Prefix of the cookies that identify a known device at log-in; never seen by a script.
pub const DEVICE: &str = "atalaya_device_";
/// What browsers take over https only.
const SECURE: &str = "__Secure-";
/// What browsers take over https, for the whole of this host and from no other one.
const HOST: &str = "__Host-";

/// The name under which a cookie of this path is set (SESSION-15).
pub fn sent_name(name: &str, path: &str, https: bool) -> String {
    match (https, path) {
        (false, _) => name.to_owned(),
        (true, "/") => format!("{HOST}{name}"),
        (true, _) => format!("{SECURE}{name}"),
    }
}

/// The names under which a cookie may come back, the one to be believed first: a neighbour's host can set the last one, and none
/// before it.
pub fn known_names(name: &str) -> [String; 3] {
    [format!("{HOST}{name}"), format!("{SECURE}{name}"), name.to_owned()]
}

/// Seconds that a device stays known: six months.
pub const DEVICE_S: i64 = 180 * 86_400;
/// What was chosen in the banner: `allow` or `deny`.
pub const CONSENT: &str = "cookieconsent_status";
/// The chosen language.
pub const LANGUAGE: &str = "lang";
/// The advice about an old browser was closed.
pub const BROWSER_ADVICE: &str = "browser_advice";

/// Seconds that the choice of the banner is remembered: twelve months.
pub const CONSENT_S: i64 = 31_536_000;

/// Where something is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Storage {
    Cookie,
    /// A cookie that no script can read.
    HttpOnlyCookie,
    Local,
    Session,
    Database,
    /// Copies of our own files, for the page without a connection.
    Cache,
}

impl Storage {
    pub fn name(self) -> &'static str {
        match self {
            Self::Cookie => "cookie",
            Self::HttpOnlyCookie => "httpOnlyCookie",
            Self::Local => "localStorage",
            Self::Session => "sessionStorage",
            Self::Database => "indexedDB",
            Self::Cache => "cache",
        }
    }
}

/// Why it needs no consent (AEPD guide, exempt kinds).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The service asked for does not work, or is not safe, without it.
    Necessary,
    /// A choice that the person made.
    Preference,
}

impl Kind {
    pub fn name(self) -> &'static str {
        match self {
            Self::Necessary => "necessary",
            Self::Preference => "preference",
        }
    }
}

/// How long it stays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Life {
    Seconds(i64),
    /// Until the browser, or the tab, is closed.
    Closing,
    /// Until the person logs out, or the session ends.
    Logout,
    /// Until its purpose is fulfilled: what was to be sent is sent.
    Done,
    /// Until the person deletes it in the browser.
    Deleted,
}

impl Life {
    pub fn name(self) -> &'static str {
        match self {
            Self::Seconds(_) => "seconds",
            Self::Closing => "closing",
            Self::Logout => "logout",
            Self::Done => "done",
            Self::Deleted => "deleted",
        }
    }
}

/// Something kept in a browser.
#[derive(Clone, Copy, Debug)]
pub struct Item {
    /// Its name; one that ends in `*` stands for all names with that beginning.
    pub name: &'static str,
    pub storage: Storage,
    pub kind: Kind,
    pub life: Life,
    /// Key of the text that says what it is for, `cookies.purpose.<key>`.
    pub purpose: &'static str,
}

const fn item(name: &'static str, storage: Storage, kind: Kind, life: Life, purpose: &'static str) -> Item {
    Item { name, storage, kind, life, purpose }
}

use Kind::{Necessary, Preference};
use Life::{Closing, Deleted, Done, Logout, Seconds};
use Storage::{Cache, Cookie, Database, HttpOnlyCookie, Local, Session};

/// The whole list.
pub const TABLE: &[Item] = &[
    item(CONSENT, Cookie, Necessary, Seconds(CONSENT_S), "consent"),
    item(LANGUAGE, Cookie, Preference, Seconds(LANGUAGE_COOKIE_S), "language"),
    item(BROWSER_ADVICE, Cookie, Preference, Seconds(CONSENT_S), "browserAdvice"),
    item(XSRF, Cookie, Necessary, Closing, "xsrf"),
    item(MEDIA, HttpOnlyCookie, Necessary, Seconds(TOKEN_LIFE_S), "media"),
    item("atalaya_device_*", HttpOnlyCookie, Necessary, Seconds(DEVICE_S), "device"),
    // The session, and what a logout leaves.
    item("token", Local, Necessary, Logout, "session"),
    item("user", Local, Necessary, Logout, "session"),
    item("menu", Local, Necessary, Logout, "session"),
    item("theme", Local, Preference, Deleted, "theme"),
    item("hasSeenNewFeautures", Local, Preference, Deleted, "news"),
    item("clickedOnNews", Local, Preference, Deleted, "news"),
    item("muteNotifications", Local, Preference, Deleted, "sounds"),
    item("callSound", Local, Preference, Logout, "sounds"),
    item("videocallRequestsDone", Local, Necessary, Logout, "requests"),
    item("atalaya.alarmMuted", Session, Preference, Closing, "sounds"),
    item("atalaya.soundBar", Session, Preference, Closing, "sounds"),
    item("termsLater", Session, Preference, Closing, "terms"),
    item("atalaya", Database, Preference, Deleted, "preferences"),
    item("atalaya-offline-*", Cache, Necessary, Deleted, "offline"),
    // The end client's page.
    item("atalaya-client-language", Local, Preference, Deleted, "language"),
    item("atalaya-client-reloaded", Session, Necessary, Closing, "call"),
    item("atalaya-client-*", Local, Necessary, Deleted, "call"),
    item("atalaya-files", Database, Necessary, Done, "uploads"),
    item("atalaya-uploads", Database, Necessary, Done, "uploads"),
];

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn everything_stands_once_and_no_cookie_stays_longer_than_two_years() {
        let names: BTreeSet<_> = TABLE.iter().map(|item| (item.storage.name(), item.name)).collect();
        assert_eq!(names.len(), TABLE.len());
        for item in TABLE {
            if let Life::Seconds(seconds) = item.life {
                assert!((1..=2 * 366 * 86_400).contains(&seconds), "{}", item.name);
            }
        }
        let specified = [CONSENT, LANGUAGE, "hasSeenNewFeautures", "clickedOnNews", "muteNotifications"];
        assert!(specified.iter().all(|name| TABLE.iter().any(|item| item.name == *name)), "every specified name");
    }
}
