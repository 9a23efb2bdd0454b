//! Answers, their sources, and how long their proof is kept.

use atalaya_kernel::{CampaignId, Language, UserId};
use chrono::{DateTime, TimeDelta, Utc};
use serde::Serialize;
use serde_json::Value;
use uuid::Uuid;

/// How long a link is valid (PROMO-3).
pub const TOKEN_LIFE: TimeDelta = TimeDelta::days(365);
/// How long a proof is kept after it ended: three years (PROMO-9).
pub const KEEP_PROOF: TimeDelta = TimeDelta::days(3 * 365 + 1);
/// The least time between two letters that ask for confirmation (PROMO-6).
pub const CONFIRM_AGAIN: TimeDelta = TimeDelta::minutes(10);
/// How long the profile shows that a confirmation is awaited.
pub const CONFIRM_WAIT: TimeDelta = TimeDelta::days(7);
/// The version of the wording that people agree to; changes with those texts.
pub const TEXT_VERSION: &str = "2026-11";
/// Size of a token: 128 random bits.
pub const TOKEN_BYTES: usize = 16;
/// Maximum length of the user agent in a proof.
pub const AGENT_MAX: usize = 300;

/// The settings of marketing.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Maximum number of campaign messages that enter the outbox in a minute; at least 1.
    pub per_minute: u32,
    /// Where people go after subscribing (PROMO-10).
    pub business_url: String,
    /// Where people go after unsubscribing.
    pub search_url: String,
}

/// An answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "UPPERCASE")]
#[schema(as = MarketingPermission)]
pub enum Permission {
    Yes,
    No,
}

impl Permission {
    pub fn name(self) -> &'static str {
        match self {
            Self::Yes => "YES",
            Self::No => "NO",
        }
    }

    /// `Yes` for true.
    pub fn of(allow: bool) -> Self {
        if allow { Self::Yes } else { Self::No }
    }

    pub fn is_yes(self) -> bool {
        self == Self::Yes
    }

    pub(super) fn stored(name: &str) -> Self {
        Self::of(name == "YES")
    }

    /// `"YES"`, `"NO"`, true or false; `None` for anything else.
    pub(super) fn parse(value: &Value) -> Option<Self> {
        match value {
            Value::Bool(allow) => Some(Self::of(*allow)),
            Value::String(text) if text.eq_ignore_ascii_case("YES") => Some(Self::Yes),
            Value::String(text) if text.eq_ignore_ascii_case("NO") => Some(Self::No),
            _ => None,
        }
    }
}

/// The source of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// The page of a link.
    Page,
    /// The button of a mail program (RFC 8058).
    OneClick,
    /// The switch of one's own profile.
    Profile,
}

impl Source {
    pub fn name(self) -> &'static str {
        match self {
            Self::Page => "page",
            Self::OneClick => "one-click",
            Self::Profile => "profile",
        }
    }
}

/// Why an address is suppressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// Its holder unsubscribed by a link; the holder's own yes, confirmed from that mailbox, lifts it.
    Unsubscribed,
    /// An administrator entered it, after an objection by another way or a complaint. Only administrators lift it.
    Blocked,
}

impl Reason {
    pub fn name(self) -> &'static str {
        match self {
            Self::Unsubscribed => "unsubscribed",
            Self::Blocked => "blocked",
        }
    }

    pub fn stored(name: &str) -> Self {
        if name == "unsubscribed" { Self::Unsubscribed } else { Self::Blocked }
    }
}

/// The last answer of an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Consent {
    pub allow: bool,
    /// The name of a [`Source`].
    pub source: String,
    pub at: DateTime<Utc>,
}

/// An entry of the suppression list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suppression {
    pub email: String,
    pub reason: Reason,
    pub at: DateTime<Utc>,
}

/// A stored token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    pub id: Uuid,
    pub email: String,
    pub permission: Permission,
    pub language: Language,
    pub campaign: Option<CampaignId>,
    pub created_at: DateTime<Utc>,
    pub expires_at: DateTime<Utc>,
}

/// An answer with its proof.
#[derive(Clone, Debug)]
pub struct Proof {
    /// In lower case.
    pub email: String,
    pub allow: Permission,
    pub source: Source,
    pub language: Language,
    pub token: Option<Uuid>,
    pub user: Option<UserId>,
    pub ip: String,
    pub user_agent: Option<String>,
    pub at: DateTime<Utc>,
}

/// The stored form of an address, equal for every spelling of a mailbox.
pub fn normal(address: &str) -> String {
    address.trim().to_lowercase()
}

/// Whether a text can be a token at all; others are not looked up.
pub fn is_plausible(token: &str) -> bool {
    token.len() == 2 * TOKEN_BYTES && token.bytes().all(|b| b.is_ascii_hexdigit())
}

/// Whether a form is the one of RFC 8058, urlencoded or as a part of a multipart body (PROMO-5).
pub fn is_one_click(body: &[u8]) -> bool {
    let text = String::from_utf8_lossy(body);
    let plain = text.split('&').any(|pair| pair.trim().eq_ignore_ascii_case("List-Unsubscribe=One-Click"));
    plain || (text.contains("name=\"List-Unsubscribe\"") && text.contains("One-Click"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    // PROMO-1
    #[test]
    fn answers_are_words_or_truths() {
        for (value, expected) in [
            (json!("YES"), Some(Permission::Yes)),
            (json!("no"), Some(Permission::No)),
            (json!(true), Some(Permission::Yes)),
            (json!(false), Some(Permission::No)),
            (json!("maybe"), None),
            (json!(1), None),
            (json!(null), None),
        ] {
            assert_eq!(Permission::parse(&value), expected, "{value}");
        }
    }

    // PROMO-5
    #[test]
    fn a_mail_program_s_form_is_known_in_both_encodings() {
        assert!(is_one_click(b"List-Unsubscribe=One-Click"));
        assert!(is_one_click(b"a=1&List-Unsubscribe=One-Click"));
        let part = b"--x\r\nContent-Disposition: form-data; name=\"List-Unsubscribe\"\r\n\r\nOne-Click\r\n--x--\r\n";
        assert!(is_one_click(part));
        for other in [&b""[..], b"List-Unsubscribe=", b"One-Click", b"xList-Unsubscribe=One-Click", b"\xff\xfe"] {
            assert!(!is_one_click(other), "{other:?}");
        }
    }

    // PROMO-3
    #[test]
    fn tokens_are_thirty_two_hex_digits() {
        assert!(is_plausible(&"0a".repeat(16)));
        for other in ["", "0a", &"0g".repeat(16), &"0a".repeat(17), "../../../../../../../../../../etc"] {
            assert!(!is_plausible(other), "{other}");
        }
    }
}
