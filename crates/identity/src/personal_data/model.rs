//! The file, as its owner reads it.

use chrono::{DateTime, Utc};
use serde::Serialize;
use serde_json::Value;

/// Everything of one account.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct AccountData {
    pub made_at: DateTime<Utc>,
    pub account: AccountFacts,
    /// Log-ins that are open, a token each.
    pub sessions: Vec<SessionFacts>,
    pub passkeys: Vec<PasskeyFacts>,
    /// Contracts that were accepted in the company's name.
    pub acceptances: Vec<AcceptanceFacts>,
    /// The activity log about this account, newest first.
    pub activity: Vec<ActivityFacts>,
    /// Notifications, consents to advertising.
    pub more: Value,
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct AccountFacts {
    pub id: String,
    pub company: String,
    /// 1 to 8, as in the specification.
    pub role: i16,
    pub status: i16,
    pub support: bool,
    pub name: String,
    pub surname: String,
    pub user_name: String,
    pub email: Option<String>,
    pub phone: Option<String>,
    pub language: String,
    pub second_factor: bool,
    pub last_login_at: Option<DateTime<Utc>>,
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SessionFacts {
    pub created_at: DateTime<Utc>,
    pub expires_at: DateTime<Utc>,
    pub browser: Option<String>,
    pub address: Option<String>,
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct PasskeyFacts {
    pub name: String,
    pub created_at: DateTime<Utc>,
    pub last_used_at: Option<DateTime<Utc>>,
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct AcceptanceFacts {
    pub accepted_at: DateTime<Utc>,
    pub address: Option<String>,
    pub browser: Option<String>,
    /// Of the text that was accepted.
    pub sha256: Option<String>,
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ActivityFacts {
    pub at: DateTime<Utc>,
    pub action: String,
    /// The account's holder did it himself. Who else did it is that person's data.
    pub own: bool,
    /// Where it was done from, if he did it himself.
    pub address: Option<String>,
    pub detail: Value,
}
