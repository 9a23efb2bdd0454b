//! When files may be requested, what a request must contain, and its states. Pure.

use atalaya_assistance::shots::model::Overlay;
use atalaya_cases::conferences::model::{Wrong, number_or_text};
use atalaya_checks::{contact, phone};
use atalaya_kernel::limits;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

/// Items of one request at most (FILES-5).
pub const ITEMS_MAX: usize = 30;
/// Characters of a shot's key.
const SHOT_MAX: usize = 60;
/// Characters of a hint under a label.
const HINT_MAX: usize = 120;

/// The body of `client-files/new`, unchecked.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct NewRequest {
    /// 1 SMS, 2 e-mail; a number or its text.
    #[serde(deserialize_with = "number_or_text")]
    #[schema(value_type = i16)]
    pub contact_type: Option<i16>,
    pub contact_text: Option<String>,
    /// The text on the client's page; required unless files were requested before.
    pub page_show_text: Option<String>,
    pub conference_id: Option<String>,
    /// A phone in any spelling, or an e-mail address.
    pub to: Option<String>,
    pub email_title: Option<String>,
    /// What is requested; without it, one free item.
    pub items: Vec<NewItem>,
    /// Remind the client after two days when nothing has come.
    pub remind: bool,
    /// Notify the requester by e-mail when files arrive.
    pub notify: bool,
}

/// One requested item.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct NewItem {
    /// Key of the shot list it comes from.
    pub shot: Option<String>,
    pub label: Option<String>,
    pub hint: Option<String>,
}

/// How the client is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Contact {
    Sms = 1,
    Email = 2,
}

impl Contact {
    pub fn of(number: i16) -> Option<Self> {
        [Self::Sms, Self::Email].into_iter().find(|contact| *contact as i16 == number)
    }

    pub fn name(self) -> &'static str {
        match self {
            Contact::Sms => "sms",
            Contact::Email => "email",
        }
    }
}

/// A checked request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    pub contact: Contact,
    /// E.164 or an e-mail address.
    pub to: String,
    pub contact_text: String,
    pub email_title: Option<String>,
    pub page_show_text: Option<String>,
    pub items: Vec<NewItem>,
    pub remind: bool,
    pub notify: bool,
}

/// Collects what is wrong with each field.
#[derive(Default)]
struct Findings(Vec<Wrong>);

impl Findings {
    fn add(&mut self, field: &'static str, code: &'static str) {
        self.0.push(Wrong { field, code, max: None });
    }

    /// Trims; empty is absent; exactly `max` characters are allowed (FILES-3).
    fn text(&mut self, field: &'static str, raw: &Option<String>, max: usize, lines: bool) -> Option<String> {
        let text = raw.as_deref().map(str::trim).filter(|t| !t.is_empty())?;
        if text.chars().count() > max {
            self.0.push(Wrong { field, code: "TOO_LONG", max: Some(max) });
        } else if text.chars().any(|c| c.is_control() && !(lines && c == '\n')) {
            self.add(field, "CHARACTERS_NOT_ALLOWED");
        }
        Some(text.to_owned())
    }

    fn required(&mut self, field: &'static str, found: Option<String>) -> String {
        if found.is_none() {
            self.add(field, "REQUIRED");
        }
        found.unwrap_or_default()
    }
}

impl NewRequest {
    /// Checks every field and answers everything that is wrong at once (FILES-6).
    ///
    /// `requested_before`: the text on the page is then not required again (FILES-4).
    pub fn check(&self, requested_before: bool) -> Result<Checked, Vec<Wrong>> {
        let mut findings = Findings::default();
        let contact = match self.contact_type {
            None => {
                findings.add("contactType", "REQUIRED");
                None
            }
            Some(number) => {
                let contact = Contact::of(number);
                if contact.is_none() {
                    findings.add("contactType", "INVALID");
                }
                contact
            }
        };
        let email = contact == Some(Contact::Email);
        let text_max = if email { limits::EMAIL_TEXT_MAX } else { limits::SMS_TEXT_MAX };
        let contact_text = findings.text("contactText", &self.contact_text, text_max, email);
        let contact_text = findings.required("contactText", contact_text);
        let to = self.recipient(contact, &mut findings);
        let email_title = match email {
            true => {
                let title = findings.text("emailTitle", &self.email_title, limits::EMAIL_TITLE_MAX, false);
                Some(findings.required("emailTitle", title))
            }
            false => None,
        };
        let page_show_text = findings.text("pageShowText", &self.page_show_text, limits::PAGE_SHOW_TEXT_MAX, true);
        if page_show_text.is_none() && !requested_before {
            findings.add("pageShowText", "REQUIRED");
        }
        let items = self.things(&mut findings);
        match contact {
            Some(contact) if findings.0.is_empty() => Ok(Checked {
                contact,
                to,
                contact_text,
                email_title,
                page_show_text,
                items,
                remind: self.remind,
                notify: self.notify,
            }),
            _ => Err(findings.0),
        }
    }

    fn recipient(&self, contact: Option<Contact>, findings: &mut Findings) -> String {
        let raw = self.to.as_deref().map(str::trim).filter(|to| !to.is_empty());
        match (raw, contact) {
            (None, _) => findings.add("to", "REQUIRED"),
            (Some(raw), Some(Contact::Sms)) => match phone::to_mobile(raw) {
                Ok(number) => return number,
                Err(error) => findings.add("to", error.code()),
            },
            (Some(raw), _) if raw.chars().count() > limits::EMAIL_MAX => {
                findings.0.push(Wrong { field: "to", code: "TOO_LONG", max: Some(limits::EMAIL_MAX) });
            }
            (Some(raw), Some(Contact::Email)) if !contact::is_email(raw) => findings.add("to", "EMAIL_INVALID"),
            (Some(raw), _) => return raw.to_owned(),
        }
        String::new()
    }

    fn things(&self, findings: &mut Findings) -> Vec<NewItem> {
        if self.items.len() > ITEMS_MAX {
            findings.0.push(Wrong { field: "items", code: "TOO_MANY", max: Some(ITEMS_MAX) });
            return Vec::new();
        }
        let mut all = Vec::with_capacity(self.items.len());
        for item in &self.items {
            let label = findings.text("items", &item.label, limits::MEDIA_LABEL_MAX, false);
            all.push(NewItem {
                label: Some(findings.required("items", label)),
                hint: findings.text("items", &item.hint, HINT_MAX, false),
                shot: findings.text("items", &item.shot, SHOT_MAX, false),
            });
        }
        all
    }
}

/// The state of one requested item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ItemState {
    Asked,
    Received,
    Approved,
    Rejected,
}

impl ItemState {
    pub fn wire(self) -> &'static str {
        match self {
            ItemState::Asked => "asked",
            ItemState::Received => "received",
            ItemState::Approved => "approved",
            ItemState::Rejected => "rejected",
        }
    }

    pub fn parse(wire: &str) -> Self {
        [Self::Received, Self::Approved, Self::Rejected].into_iter().find(|s| s.wire() == wire).unwrap_or(Self::Asked)
    }

    /// Whether something arrived for it that was not sent back.
    pub fn has_come(self) -> bool {
        matches!(self, ItemState::Received | ItemState::Approved)
    }
}

/// The state of a whole request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum RequestState {
    Sent,
    Opened,
    Partial,
    Complete,
    Expired,
    Cancelled,
}

/// What the state of a request is computed from.
#[derive(Clone, Copy, Debug)]
pub struct Standing<'a> {
    pub items: &'a [ItemState],
    pub opened: bool,
    pub cancelled: bool,
    pub expires_at: DateTime<Utc>,
}

impl Standing<'_> {
    /// The first state that applies (FILES-9).
    pub fn state(&self, now: DateTime<Utc>) -> RequestState {
        let come = self.items.iter().filter(|item| item.has_come()).count();
        match () {
            () if self.cancelled => RequestState::Cancelled,
            () if come == self.items.len() => RequestState::Complete,
            () if now >= self.expires_at => RequestState::Expired,
            () if come > 0 => RequestState::Partial,
            () if self.opened => RequestState::Opened,
            () => RequestState::Sent,
        }
    }
}

/// The state of the client's link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = FilesLinkState)]
#[serde(rename_all = "lowercase")]
pub enum LinkState {
    Open,
    Finished,
    Expired,
    Cancelled,
    Erased,
}

/// The first state that applies (FILES-8). At the moment of expiry itself a link is expired.
pub fn link_state(erased: bool, cancelled: bool, finished: bool, expires_at: DateTime<Utc>, now: DateTime<Utc>) -> LinkState {
    match () {
        () if erased => LinkState::Erased,
        () if cancelled => LinkState::Cancelled,
        () if now >= expires_at => LinkState::Expired,
        () if finished => LinkState::Finished,
        () => LinkState::Open,
    }
}

/// One request to a client, with its link.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    pub id: Uuid,
    pub conference_id: Uuid,
    pub company_id: Uuid,
    pub user_id: Uuid,
    /// 1 SMS, 2 e-mail.
    pub contact_type: i16,
    /// Of who asked.
    pub user_name: String,
    /// E.164 or an e-mail address.
    pub to_address: String,
    /// The message's own text.
    pub contact_text: String,
    pub email_title: Option<String>,
    /// The text on the client's page; none: that of an earlier request.
    pub page_show_text: Option<String>,
    /// The secret of the link.
    pub token: String,
    /// Of the short link.
    pub short_code: String,
    pub remind: bool,
    pub notify: bool,
    pub created_at: DateTime<Utc>,
    pub expires_at: DateTime<Utc>,
    pub opened_at: Option<DateTime<Utc>>,
    pub finished_at: Option<DateTime<Utc>>,
    pub cancelled_at: Option<DateTime<Utc>>,
    /// When the client is reminded.
    pub remind_at: Option<DateTime<Utc>>,
    /// When the requester hears that files have come.
    pub notify_at: Option<DateTime<Utc>>,
    /// When the client hears what was sent back.
    pub rejected_notice_at: Option<DateTime<Utc>>,
}

/// One item that a request asks for.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    pub id: Uuid,
    pub request_id: Uuid,
    pub position: i32,
    /// Key of the shot list it comes from.
    pub shot: Option<String>,
    pub label: String,
    pub hint: Option<String>,
    /// The frame that the client's camera shows.
    pub overlay: Option<Overlay>,
    pub state: ItemState,
    /// Why it was sent back.
    pub note: Option<String>,
}

#[cfg(test)]
mod tests;
