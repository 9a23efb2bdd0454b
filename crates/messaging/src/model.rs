//! Messages, their providers, and the times of retries.

use crate::attachments::{Attachment, AttachmentFile, MAX_BYTES, is_name};
use crate::ceiling::CeilingOf;
use crate::receipts::{DeliveryReport, ReceiptCall, ReceiptError};
use crate::{failure::SendFailure, providers::Waha};
use async_trait::async_trait;
use atalaya_db::DbError;
use atalaya_jobs::Backoff;
use atalaya_kernel::{CompanyId, ConferenceId, OutboxId, UserId};
use chrono::{DateTime, TimeDelta, Utc};
use std::collections::BTreeMap;
use std::sync::Arc;

/// How a message travels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Channel {
    Sms,
    Email,
    Whatsapp,
}

impl Channel {
    pub const ALL: [Channel; 3] = [Channel::Sms, Channel::Email, Channel::Whatsapp];

    pub fn name(self) -> &'static str {
        match self {
            Self::Sms => "sms",
            Self::Email => "email",
            Self::Whatsapp => "whatsapp",
        }
    }

    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|channel| channel.name() == name)
    }

    /// Attempts before a message counts as failed. An SMS is retried once, because a late link is useless (MSG-3).
    pub fn max_attempts(self) -> i32 {
        match self {
            Self::Sms | Self::Whatsapp => 2,
            Self::Email => 8,
        }
    }

    /// Waiting times between attempts (MSG-3).
    pub fn backoff(self) -> Backoff {
        match self {
            Self::Sms | Self::Whatsapp => Backoff { first: TimeDelta::seconds(60), longest: TimeDelta::seconds(60) },
            Self::Email => Backoff { first: TimeDelta::seconds(10), longest: TimeDelta::hours(1) },
        }
    }
}

/// The state of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MessageState {
    /// Waits for the worker.
    Queued,
    /// No provider is configured; an administrator reads it in the outbox.
    Captured,
    /// Handed to the provider.
    Sent,
    /// The provider reported its arrival.
    Delivered,
    Failed,
}

impl MessageState {
    pub const ALL: [MessageState; 5] = [Self::Queued, Self::Captured, Self::Sent, Self::Delivered, Self::Failed];

    pub fn name(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Captured => "captured",
            Self::Sent => "sent",
            Self::Delivered => "delivered",
            Self::Failed => "failed",
        }
    }

    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.name() == name)
    }
}

/// Purposes of the messages that go to a conference's client. The others about a conference go to staff: they are not a
/// step of the case, appear in none of its lists, and are kept with it only so that its erasure finds them.
pub const TO_CLIENT: [&str; 7] = [
    "session",
    "appointment",
    "appointment-cancelled",
    "appointment-reminder",
    "files-request",
    "files-reminder",
    "files-rejected",
];

/// Of these, what nobody asks for and is written once: counted like the others, and never refused (MSG-23).
pub const UNREFUSED: [&str; 3] = ["appointment-reminder", "files-reminder", "files-rejected"];

/// The job that looks whether a message has arrived; its payload is `{"message": id}`.
pub const LATE_JOB: &str = "message_late";

/// A message to be enqueued.
#[derive(Clone, Debug)]
pub struct NewMessage {
    pub channel: Channel,
    /// What it is for: `session`, `files`, `activation` … Shown nowhere, grouped by statistics.
    pub purpose: &'static str,
    /// E.164 phone or e-mail address.
    pub to: String,
    /// SMS sender name, or the name shown before the configured e-mail address.
    pub sender: Option<String>,
    pub subject: Option<String>,
    pub text: String,
    pub html: Option<String>,
    /// The link inside the text, for the screens that show or copy it.
    pub link: Option<String>,
    /// The part of the link that is worth keeping secret.
    pub secret: Option<String>,
    /// The address that unsubscribes with one click (RFC 8058); only advertising e-mails have it (MSG-9).
    pub unsubscribe: Option<String>,
    pub conference_id: Option<ConferenceId>,
    pub company_id: Option<CompanyId>,
    /// Only for e-mails.
    pub attachments: Vec<Attachment>,
    /// The message that this one replaces, which failed or did not arrive in time.
    pub fallback_of: Option<OutboxId>,
    /// When [`LATE_JOB`] looks whether it has arrived.
    pub late_at: Option<DateTime<Utc>>,
}

impl NewMessage {
    fn bare(channel: Channel, purpose: &'static str, to: impl Into<String>, text: impl Into<String>) -> Self {
        Self {
            channel,
            purpose,
            to: to.into(),
            sender: None,
            subject: None,
            text: text.into(),
            html: None,
            link: None,
            secret: None,
            unsubscribe: None,
            conference_id: None,
            company_id: None,
            attachments: Vec::new(),
            fallback_of: None,
            late_at: None,
        }
    }

    pub fn sms(purpose: &'static str, to: impl Into<String>, text: impl Into<String>) -> Self {
        Self::bare(Channel::Sms, purpose, to, text)
    }

    pub fn whatsapp(purpose: &'static str, to: impl Into<String>, text: impl Into<String>) -> Self {
        Self::bare(Channel::Whatsapp, purpose, to, text)
    }

    pub fn email(purpose: &'static str, to: impl Into<String>, email: crate::Email) -> Self {
        let mut message = Self::bare(Channel::Email, purpose, to, email.text);
        message.subject = Some(email.subject);
        message.html = Some(email.html);
        message
    }

    pub fn about(mut self, conference: ConferenceId, company: CompanyId) -> Self {
        self.conference_id = Some(conference);
        self.company_id = Some(company);
        self
    }

    pub fn link(mut self, link: impl Into<String>) -> Self {
        self.link = Some(link.into());
        self
    }

    /// The same for a link whose last part opens something: it lies sealed, and leaves the outbox with the message.
    pub fn secret_link(mut self, link: impl Into<String>) -> Self {
        let link = link.into();
        self.secret = link.rsplit('/').next().filter(|last| !last.is_empty()).map(str::to_owned);
        self.link(link)
    }

    pub fn unsubscribe(mut self, address: impl Into<String>) -> Self {
        self.unsubscribe = Some(address.into());
        self
    }

    pub fn attach(mut self, file: Attachment) -> Self {
        self.attachments.push(file);
        self
    }

    pub fn sender(mut self, sender: Option<String>) -> Self {
        self.sender = sender;
        self
    }

    /// Replaces a message that failed or is late; a message has at most one replacement.
    pub fn instead_of(mut self, failed: OutboxId) -> Self {
        self.fallback_of = Some(failed);
        self
    }

    /// Queues the job that looks then whether it has arrived; nothing for a message that nobody carries.
    pub fn late_at(mut self, at: DateTime<Utc>) -> Self {
        self.late_at = Some(at);
        self
    }

    /// Refuses values that could inject headers, and invalid addresses (MSG-5).
    pub(crate) fn check(&self) -> Result<(), MessageError> {
        let control = |text: &str| text.chars().any(char::is_control);
        let headers = [Some(&self.to), self.sender.as_ref(), self.subject.as_ref()];
        if headers.into_iter().flatten().any(|text| control(text)) {
            return Err(MessageError::Header);
        }
        if self.unsubscribe.as_ref().is_some_and(|address| !is_header_url(address)) {
            return Err(MessageError::Header);
        }
        let size: usize = self.attachments.iter().map(|file| file.bytes.len()).sum();
        if size > MAX_BYTES || self.attachments.iter().any(|file| !is_name(&file.name)) {
            return Err(MessageError::Attachment);
        }
        let fits = match self.channel {
            Channel::Sms | Channel::Whatsapp if !self.attachments.is_empty() => false,
            Channel::Email => self.to.parse::<lettre::Address>().is_ok(),
            Channel::Sms | Channel::Whatsapp => {
                let digits = self.to.strip_prefix('+').unwrap_or("");
                (5..=15).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_digit())
            }
        };
        if fits { Ok(()) } else { Err(MessageError::Recipient) }
    }
}

/// Whether an address is safe between the angle brackets of a header.
fn is_header_url(text: &str) -> bool {
    let web = text.starts_with("https://") || text.starts_with("http://");
    web && text.len() <= 500 && text.bytes().all(|b| b.is_ascii_graphic() && !b"<>\"',".contains(&b))
}

/// A row of the outbox.
#[derive(Clone, Debug)]
pub struct Message {
    pub id: OutboxId,
    pub channel: Channel,
    pub purpose: String,
    pub to: String,
    pub sender: Option<String>,
    pub subject: Option<String>,
    pub text: String,
    pub html: Option<String>,
    pub link: Option<String>,
    pub unsubscribe: Option<String>,
    pub state: MessageState,
    pub provider_id: Option<String>,
    pub error: Option<String>,
    pub conference_id: Option<ConferenceId>,
    pub company_id: Option<CompanyId>,
    pub attempts: i32,
    pub created_at: DateTime<Utc>,
    pub sent_at: Option<DateTime<Utc>>,
    /// Name of its provider.
    pub provider: Option<String>,
    /// The name of the reason that its failure counts under.
    pub reason: Option<String>,
    pub delivered_at: Option<DateTime<Utc>>,
    pub failed_at: Option<DateTime<Utc>>,
    /// The failed message that this one replaces.
    pub fallback_of: Option<OutboxId>,
    /// While it is kept.
    pub secret: Option<String>,
    /// SHA-256 of the text as it is sent, in hex.
    pub text_sha256: String,
    /// The administrator who was last shown the secret.
    pub shown_to: Option<UserId>,
    /// Loaded for sending only.
    pub attachments: Vec<AttachmentFile>,
}

impl Message {
    /// Whether it goes to the conference's client.
    pub fn is_to_client(&self) -> bool {
        TO_CLIENT.contains(&self.purpose.as_str())
    }
}

/// Why a message cannot be enqueued.
#[derive(Debug, thiserror::Error)]
pub enum MessageError {
    /// `MESSAGE_HEADER_INVALID`
    #[error("recipient, sender and subject must not contain line breaks or other control characters")]
    Header,
    /// `MESSAGE_RECIPIENT_INVALID`
    #[error("the recipient is not an address of this channel")]
    Recipient,
    /// `MESSAGE_ATTACHMENT_INVALID`
    #[error("an attachment is too large or has no plain name")]
    Attachment,
    /// `SMS_CEILING_HOUR`, `SMS_CEILING_DAY` (429): the company may not send another SMS now.
    #[error("the company may send {max} SMS in this time, and has")]
    Ceiling {
        of: CeilingOf,
        max: u32,
        /// When the next one may be sent.
        retry_after_s: u64,
    },
    /// `MESSAGES_CEILING` (409): the conference's client was written to as often as may be (MSG-23).
    #[error("a client may be sent {max} messages about one conference, and has been")]
    ConferenceCeiling { max: u32 },
    #[error(transparent)]
    Database(#[from] DbError),
}

impl MessageError {
    /// The stable code of a problem answer.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Header => "MESSAGE_HEADER_INVALID",
            Self::Recipient => "MESSAGE_RECIPIENT_INVALID",
            Self::Attachment => "MESSAGE_ATTACHMENT_INVALID",
            Self::Ceiling { of: CeilingOf::Hour, .. } => "SMS_CEILING_HOUR",
            Self::Ceiling { of: CeilingOf::Day, .. } => "SMS_CEILING_DAY",
            Self::ConferenceCeiling { .. } => "MESSAGES_CEILING",
            Self::Database(_) => "DATABASE_UNAVAILABLE",
        }
    }
}

/// A provider's answer to a message it accepted.
#[derive(Clone, Debug, Default)]
pub struct Receipt {
    pub provider_id: Option<String>,
}

/// Sends the messages of one channel.
#[async_trait]
pub trait Provider: Send + Sync {
    /// `smtp`, `twilio`, `http`, `waha`: the name of its receipts' address, and shown to administrators.
    fn name(&self) -> &'static str {
        "other"
    }

    async fn send(&self, message: &Message) -> Result<Receipt, SendFailure>;
    /// Whether the provider can be reached; for `atalaya doctor`.
    async fn check(&self) -> Result<(), SendFailure>;

    /// Reads a call with receipts.
    ///
    /// Errors: [`ReceiptError`]; an unsigned call is rejected (MSG-12).
    fn receipts(&self, _call: &ReceiptCall<'_>) -> Result<Vec<DeliveryReport>, ReceiptError> {
        Err(ReceiptError::NotOffered)
    }
}

/// The configured providers; a channel without one is captured.
#[derive(Clone, Default)]
pub struct Providers {
    carriers: BTreeMap<Channel, Arc<dyn Provider>>,
    /// The provider whose session administrators manage.
    whatsapp: Option<Arc<Waha>>,
}

impl Providers {
    /// Every message stays in the outbox.
    pub fn none() -> Self {
        Self::default()
    }

    pub fn with(mut self, channel: Channel, provider: Arc<dyn Provider>) -> Self {
        self.carriers.insert(channel, provider);
        self
    }

    /// Sends WhatsApp messages by this session.
    pub fn with_whatsapp(mut self, waha: Arc<Waha>) -> Self {
        self.whatsapp = Some(waha.clone());
        self.with(Channel::Whatsapp, waha)
    }

    /// The session that sends WhatsApp messages.
    pub fn whatsapp(&self) -> Option<Arc<Waha>> {
        self.whatsapp.clone()
    }

    pub fn get(&self, channel: Channel) -> Option<Arc<dyn Provider>> {
        self.carriers.get(&channel).cloned()
    }

    /// The provider of this name.
    pub fn named(&self, name: &str) -> Option<Arc<dyn Provider>> {
        self.carriers.values().find(|provider| provider.name() == name).cloned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // MSG-5
    #[test]
    fn headers_cannot_be_injected() {
        let mail = |to: &str, subject: &str| {
            let mut message = NewMessage::bare(Channel::Email, "session", to, "text\nwith lines");
            message.subject = Some(subject.to_owned());
            message.check().map_err(|e| e.code())
        };
        assert_eq!(mail("ana@example.org", "Videoasistencia del expediente 1"), Ok(()));
        assert_eq!(mail("ana@example.org", "a\r\nBcc: all@example.org"), Err("MESSAGE_HEADER_INVALID"));
        assert_eq!(mail("ana@example.org\nBcc: x@y.z", "a"), Err("MESSAGE_HEADER_INVALID"));
        assert_eq!(mail("ana@example.org, eva@example.org", "a"), Err("MESSAGE_RECIPIENT_INVALID"));
        assert_eq!(mail("nobody", "a"), Err("MESSAGE_RECIPIENT_INVALID"));
        let sender = NewMessage::sms("session", "+34600111222", "x").sender(Some("A\r\nB".into()));
        assert_eq!(sender.check().map_err(|e| e.code()), Err("MESSAGE_HEADER_INVALID"));
        for (address, good) in [
            ("https://v.example.es/u/0a1b", true),
            ("https://v.example.es/u/0a>,<mailto:x@y.z", false),
            ("https://v.example.es/u/0a\r\nBcc: x@y.z", false),
            ("javascript:alert(1)", false),
        ] {
            let message = NewMessage::bare(Channel::Email, "campaign", "ana@example.org", "x").unsubscribe(address);
            assert_eq!(message.check().is_ok(), good, "{address}");
        }
    }

    // MSG-5
    #[test]
    fn phones_are_international() {
        for (to, good) in [("+34600111222", true), ("600111222", false), ("+34 600", false), ("+", false)] {
            assert_eq!(NewMessage::sms("session", to, "x").check().is_ok(), good, "{to}");
        }
    }
}
