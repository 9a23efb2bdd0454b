//! The request of a campaign, its state, and the pace of its messages.

use atalaya_checks::contact::is_email;
use atalaya_identity::users::AddressesOf;
use atalaya_kernel::limits::{CAMPAIGN_TEXT_MAX, EMAIL_TITLE_MAX};
use atalaya_kernel::{CampaignId, Language, Role};
use atalaya_rest::FieldError;
use aws_lc_rs::digest::{SHA256, digest};
use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;
use uuid::Uuid;

/// How far ahead a campaign may be planned.
const AHEAD_MAX: TimeDelta = TimeDelta::days(365);
/// Maximum length of an idempotency key.
const KEY_MAX: usize = 100;
/// Maximum number of messages in one transaction, so that it stays short.
const STEP_MAX: u32 = 200;
/// The longest time between two steps of a slow campaign.
const STEP_SECONDS: u32 = 10;

/// What is sent with `broadcastEmails`; everything is checked together.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
#[derive(Default)]
pub(super) struct BroadcastData {
    /// At most 70 characters.
    #[schema(value_type = String)]
    subject: Value,
    /// At most 5000 characters; empty lines separate paragraphs.
    #[schema(value_type = String)]
    text: Value,
    /// `all`, or `{roles: [2, 3]}`.
    #[schema(value_type = Option<Object>)]
    audience: Value,
    /// Accounts of this language only.
    #[schema(value_type = Option<String>)]
    language: Value,
    /// One message to this address instead of a campaign.
    #[schema(value_type = Option<String>)]
    test: Value,
    /// What it would look like and whom it would reach, instead of a campaign.
    preview: Option<bool>,
    /// Not before this time; at once without it.
    #[schema(value_type = Option<String>, format = "date-time")]
    send_at: Value,
    /// The same as the header `Idempotency-Key`.
    #[schema(value_type = Option<String>)]
    idempotency_key: Value,
}

/// The kind of request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Wish {
    Preview,
    Test(String),
    Send,
}

/// A campaign to be created.
#[derive(Clone, Debug)]
pub(super) struct NewCampaign {
    pub subject: String,
    pub text: String,
    pub audience: AddressesOf,
    pub send_at: DateTime<Utc>,
    pub key: Option<String>,
    pub wish: Wish,
}

fn filled(value: &Value) -> Option<&Value> {
    Some(value).filter(|value| !value.is_null() && value.as_str() != Some(""))
}

fn words(field: &'static str, value: &Value, max: usize, lines: bool, errors: &mut Vec<FieldError>) -> String {
    let text = match value {
        Value::String(text) => text.replace("\r\n", "\n").trim().to_owned(),
        Value::Null => String::new(),
        _ => {
            errors.push(FieldError::new(field, "INVALID"));
            return String::new();
        }
    };
    let strange = |c: char| c.is_control() && !(lines && matches!(c, '\n' | '\t'));
    if text.is_empty() {
        errors.push(FieldError::new(field, "REQUIRED"));
    } else if text.chars().count() > max {
        errors.push(FieldError::new(field, "TOO_LONG").param("max", max));
    } else if text.contains(strange) {
        errors.push(FieldError::new(field, "INVALID"));
    }
    text
}

/// Every role but the empty one for `all`, else the named ones, each once. `None` for anything else.
fn roles(value: &Value) -> Option<Vec<Role>> {
    let everybody = || Role::ALL.into_iter().filter(|role| *role != Role::Empty).collect();
    let named = match value {
        Value::String(text) if text == "all" => return Some(everybody()),
        Value::Object(object) => object.get("roles")?,
        Value::Array(_) => value,
        _ => return None,
    };
    if named.as_str() == Some("all") {
        return Some(everybody());
    }
    let role = |value: &Value| {
        let number = value.as_i64().or_else(|| value.as_str()?.parse().ok())?;
        Role::try_from(i16::try_from(number).ok()?).ok().filter(|role| *role != Role::Empty)
    };
    let mut all: Vec<Role> = named.as_array()?.iter().map(role).collect::<Option<_>>()?;
    all.sort_by_key(|role| i16::from(*role));
    all.dedup();
    Some(all).filter(|roles| !roles.is_empty())
}

impl BroadcastData {
    /// Checks all fields. `key` is that of the header.
    ///
    /// Errors: what is wrong with each field, named `data.…`.
    pub(super) fn check(&self, key: Option<&str>, now: DateTime<Utc>) -> Result<NewCampaign, Vec<FieldError>> {
        let mut errors = Vec::new();
        let subject = words("data.subject", &self.subject, EMAIL_TITLE_MAX, false, &mut errors);
        let text = words("data.text", &self.text, CAMPAIGN_TEXT_MAX, true, &mut errors);
        let mut wrong = |field: &'static str, code: &'static str| errors.push(FieldError::new(field, code));
        let roles = roles(&self.audience);
        if roles.is_none() {
            wrong("data.audience", if filled(&self.audience).is_none() { "REQUIRED" } else { "INVALID" });
        }
        let language = filled(&self.language).map(|value| value.as_str().and_then(Language::parse));
        if language == Some(None) {
            wrong("data.language", "LANGUAGE_UNKNOWN");
        }
        let test = filled(&self.test).map(|value| value.as_str().unwrap_or_default().trim());
        if test.is_some_and(|address| !is_email(address)) {
            wrong("data.test", "EMAIL_INVALID");
        }
        let send_at = filled(&self.send_at).map(|value| value.as_str().and_then(|text| text.parse::<DateTime<Utc>>().ok()));
        match send_at {
            Some(None) => wrong("data.sendAt", "DATE_INVALID"),
            Some(Some(at)) if at < now - TimeDelta::minutes(1) => wrong("data.sendAt", "DATE_PAST"),
            Some(Some(at)) if at > now + AHEAD_MAX => wrong("data.sendAt", "DATE_TOO_FAR"),
            _ => {}
        }
        let own = filled(&self.idempotency_key).map(|value| value.as_str().unwrap_or_default());
        let key = key.or(own);
        if key.is_some_and(|key| key.is_empty() || key.len() > KEY_MAX || !key.bytes().all(|b| b.is_ascii_graphic())) {
            wrong("data.idempotencyKey", "INVALID");
        }
        if !errors.is_empty() {
            return Err(errors);
        }
        let wish = match test {
            _ if self.preview == Some(true) => Wish::Preview,
            Some(address) => Wish::Test(address.to_owned()),
            None => Wish::Send,
        };
        let audience = AddressesOf { roles: roles.unwrap_or_default(), language: language.flatten() };
        let send_at = send_at.flatten().map_or(now, |at| at.max(now));
        Ok(NewCampaign { subject, text, audience, send_at, key: key.map(str::to_owned), wish })
    }
}

impl NewCampaign {
    /// Distinguishes two requests with the same key; the time of sending counts only when it was chosen (CAMP-5).
    pub(super) fn fingerprint(&self, now: DateTime<Utc>) -> String {
        let at = (self.send_at > now).then_some(self.send_at);
        let language = self.audience.language.map(Language::code);
        let parts = serde_json::json!([self.subject, self.text, join(&self.audience.roles), language, at]);
        hex::encode(digest(&SHA256, parts.to_string().as_bytes()))
    }
}

/// Numbers of roles in their stored form.
pub(super) fn join(roles: &[Role]) -> String {
    let numbers: Vec<String> = roles.iter().map(|role| i16::from(*role).to_string()).collect();
    numbers.join(",")
}

/// Parses the stored form.
pub(super) fn split(stored: &str) -> Vec<Role> {
    stored.split(',').filter_map(|number| Role::try_from(number.parse::<i16>().ok()?).ok()).collect()
}

/// Where a campaign stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = CampaignStatus)]
pub(super) enum State {
    /// Its time is to come.
    Scheduled,
    Running,
    /// Everybody was written to.
    Done,
    /// An administrator stopped it.
    Stopped,
}

impl State {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Scheduled => "scheduled",
            Self::Running => "running",
            Self::Done => "done",
            Self::Stopped => "stopped",
        }
    }

    pub(super) fn stored(name: &str) -> Self {
        let all = [Self::Scheduled, Self::Running, Self::Done, Self::Stopped];
        all.into_iter().find(|state| state.name() == name).unwrap_or(Self::Stopped)
    }
}

/// A stored campaign.
#[derive(Clone, Debug)]
pub(super) struct Campaign {
    pub id: CampaignId,
    pub author: Uuid,
    pub subject: String,
    pub text: String,
    pub audience: AddressesOf,
    pub state: State,
    pub fingerprint: String,
    pub last_email: Option<String>,
    pub total: i64,
    pub send_at: DateTime<Utc>,
    pub next_at: DateTime<Utc>,
    pub created_at: DateTime<Utc>,
    pub started_at: Option<DateTime<Utc>>,
    pub ended_at: Option<DateTime<Utc>>,
}

/// The outcome of a campaign's messages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Progress {
    /// Addresses that were written to.
    pub written: u64,
    pub sent: u64,
    /// Messages that failed, and invalid addresses.
    pub failed: u64,
    /// No mail server is configured.
    pub captured: u64,
    /// People who unsubscribed by one of its links.
    pub left: u64,
}

impl Progress {
    /// In the outbox, not sent yet.
    pub(super) fn queued(self) -> u64 {
        self.written.saturating_sub(self.sent + self.failed + self.captured)
    }
}

/// How many messages one step writes, so that a minute has at most `per_minute`.
pub(super) fn step_size(per_minute: u32) -> u32 {
    (per_minute * STEP_SECONDS / 60).clamp(1, STEP_MAX)
}

/// When the next step is due after one of `written` messages. A late campaign continues from now on and does not catch up
/// in a flood (CAMP-3).
pub(super) fn next_due(due: DateTime<Utc>, now: DateTime<Utc>, written: u32, per_minute: u32) -> DateTime<Utc> {
    let late = now - TimeDelta::seconds(STEP_SECONDS.into());
    let wait = TimeDelta::milliseconds(i64::from(written) * 60_000 / i64::from(per_minute.max(1)));
    due.max(late) + wait
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn now() -> DateTime<Utc> {
        DateTime::from_timestamp(1_800_000_000, 0).unwrap()
    }

    fn check(change: Value) -> Result<NewCampaign, Vec<String>> {
        let mut body = json!({"subject": " Novedades ", "text": "Hola\r\n\r\nTexto", "audience": {"roles": [3, 2, 3]}});
        body.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
        let data: BroadcastData = serde_json::from_value(body).unwrap();
        let line = |error: &FieldError| format!("{} {}", error.field, error.code);
        data.check(None, now()).map_err(|errors| errors.iter().map(line).collect())
    }

    // CAMP-7
    #[test]
    fn a_campaign_is_checked_field_by_field() {
        let good = check(json!({})).unwrap();
        assert_eq!((good.subject.as_str(), good.text.as_str()), ("Novedades", "Hola\n\nTexto"));
        assert_eq!((join(&good.audience.roles).as_str(), &good.wish, good.send_at), ("2,3", &Wish::Send, now()));
        for (change, error) in [
            (json!({"subject": ""}), "data.subject REQUIRED"),
            (json!({"subject": "x".repeat(71)}), "data.subject TOO_LONG"),
            (json!({"subject": "a\nBcc: b@c.es"}), "data.subject INVALID"),
            (json!({"text": "x".repeat(5001)}), "data.text TOO_LONG"),
            (json!({"text": 7}), "data.text INVALID"),
            (json!({"audience": null}), "data.audience REQUIRED"),
            (json!({"audience": {"roles": []}}), "data.audience INVALID"),
            (json!({"audience": {"roles": [0]}}), "data.audience INVALID"),
            (json!({"audience": {"roles": [9]}}), "data.audience INVALID"),
            (json!({"language": "xx"}), "data.language LANGUAGE_UNKNOWN"),
            (json!({"test": "nobody"}), "data.test EMAIL_INVALID"),
            (json!({"sendAt": "soon"}), "data.sendAt DATE_INVALID"),
            (json!({"sendAt": now() - TimeDelta::days(1)}), "data.sendAt DATE_PAST"),
            (json!({"sendAt": now() + TimeDelta::days(366)}), "data.sendAt DATE_TOO_FAR"),
            (json!({"idempotencyKey": "a b"}), "data.idempotencyKey INVALID"),
        ] {
            assert_eq!(check(change.clone()).unwrap_err(), [error], "{change}");
        }
        assert_eq!(check(json!({"subject": null, "text": "", "audience": "some"})).unwrap_err().len(), 3);
        assert!(check(json!({"subject": "x".repeat(70), "text": "x".repeat(5000)})).is_ok());
    }

    // CAMP-7
    #[test]
    fn all_is_everybody_who_has_a_role() {
        let all = check(json!({"audience": "all", "language": "en"})).unwrap().audience;
        assert_eq!((join(&all.roles).as_str(), all.language), ("1,2,3,4,5,6,7,8", Some(Language::En)));
        assert_eq!(split("1,2,8"), [Role::Admin, Role::Customer, Role::PasswordOperator]);
        assert_eq!(check(json!({"preview": true, "test": "a@b.es"})).unwrap().wish, Wish::Preview);
        assert_eq!(check(json!({"test": " a@b.es "})).unwrap().wish, Wish::Test("a@b.es".into()));
    }

    // CAMP-3
    #[test]
    fn a_minute_has_as_many_messages_as_it_may() {
        for per_minute in [1, 5, 60, 300, 1200, 60_000] {
            let (mut due, end) = (now(), now() + TimeDelta::minutes(10));
            let mut written = 0;
            while due < end {
                let step = step_size(per_minute);
                written += step;
                due = next_due(due, due, step, per_minute);
            }
            let allowed = per_minute * 10;
            assert!((allowed..=allowed + step_size(per_minute)).contains(&written), "{per_minute}: {written}");
        }
        let hour = TimeDelta::hours(1);
        assert_eq!(next_due(now(), now() + hour, 50, 300), now() + hour, "an hour without a server makes no flood");
    }
}
