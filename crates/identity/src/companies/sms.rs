//! What a company's SMS to its clients say, and in whose name (DOMAIN §6.7).
//!
//! *Invariant:* a sender name that the CNMC's Registry of aliases does not know is never written into a message: operators
//! block it. The caller has passed his guard.

use super::model::Company;
use super::store;
use crate::audit::service as audit;
use crate::audit::{Action, Entry};
use crate::auth::service::Origin;
use crate::{Identity, IdentityError, IdentityResult};
use atalaya_db::Tx;
use atalaya_kernel::CompanyId;
use atalaya_messaging::{NewMessage, sms};
use atalaya_rest::Caller;
use chrono::{DateTime, Utc};
use serde_json::json;

/// Where the registration of a sender name stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SenderStatus {
    /// Written down, nobody has applied for it.
    Draft,
    /// Applied for at the Registry.
    Requested,
    /// The Registry has it: used.
    Registered,
    Rejected,
}

impl SenderStatus {
    pub const ALL: [SenderStatus; 4] = [Self::Draft, Self::Requested, Self::Registered, Self::Rejected];

    pub fn name(self) -> &'static str {
        match self {
            Self::Draft => "draft",
            Self::Requested => "requested",
            Self::Registered => "registered",
            Self::Rejected => "rejected",
        }
    }

    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.name() == name)
    }
}

/// A sender name of a company.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sender {
    /// 3 to 11 characters; the case counts.
    pub name: String,
    pub status: SenderStatus,
    /// Tax id of the holder as it was when the registration was asked for.
    pub holder_nif: Option<String>,
    /// Date of the Registry's answer.
    pub evidence_at: Option<DateTime<Utc>>,
    /// The messaging provider named there.
    pub provider: Option<String>,
    /// Since when it stands where it does; written by [`save`].
    pub since: Option<DateTime<Utc>>,
}

/// All of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SmsProfile {
    /// The company's own text; the default text when `None`.
    pub text: Option<String>,
    /// `Quitar tildes en los SMS`.
    pub fold: bool,
    /// A link whose SMS did not arrive may go by WhatsApp.
    pub whatsapp: bool,
    pub sender: Option<Sender>,
}

/// A company's profile. Errors: [`IdentityError::CompanyNotFound`].
pub async fn get(d: &Identity, id: CompanyId) -> IdentityResult<SmsProfile> {
    store::find_row(d.db.read(), id).await?.map(|row| store::sms::profile(&row)).ok_or(IdentityError::CompanyNotFound)
}

/// The same, locked until the transaction ends. Errors: [`IdentityError::CompanyNotFound`].
pub async fn lock(tx: &Tx, id: CompanyId) -> IdentityResult<SmsProfile> {
    Ok(store::sms::profile(&store::lock_company(tx, id).await?))
}

/// Writes the profile that [`lock`] read and the caller changed; the log names what differs.
pub async fn save(
    d: &Identity,
    tx: &Tx,
    (caller, origin): (&Caller, &Origin),
    id: CompanyId,
    profile: &SmsProfile,
) -> IdentityResult<()> {
    let before = lock(tx, id).await?;
    let mut profile = profile.clone();
    let stood = |sender: &Sender| (sender.name.clone(), sender.status);
    let moved = before.sender.as_ref().map(stood) != profile.sender.as_ref().map(stood);
    if let Some(sender) = profile.sender.as_mut().filter(|_| moved) {
        sender.since = Some(d.sources.now());
    }
    let differs = [
        ("smsText", before.text != profile.text),
        ("smsAccents", before.fold != profile.fold),
        ("smsWhatsapp", before.whatsapp != profile.whatsapp),
        ("smsSender", before.sender != profile.sender),
    ];
    let fields: Vec<&str> = differs.into_iter().filter_map(|(name, differs)| differs.then_some(name)).collect();
    if fields.is_empty() {
        return Ok(());
    }
    store::sms::write(tx, id, &profile).await?;
    let detail = json!({"fields": fields, "sender": profile.sender.as_ref().map(|sender| sender.status.name())});
    audit::record(d, tx, Entry::company(Action::CompanyChanged, id).by(caller).from(origin.address).detail(detail)).await
}

/// A sender name with its company, for administrators.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompanySender {
    pub company: CompanyId,
    pub name: String,
    pub sender: Sender,
}

/// The sender names of all companies that stand at one of these, the longest waiting first, and how many there are.
pub async fn list_senders(
    d: &Identity,
    statuses: &[SenderStatus],
    offset: u64,
    limit: u64,
) -> IdentityResult<(Vec<CompanySender>, u64)> {
    let (rows, total) = store::sms::list_senders(d.db.read(), statuses, offset, limit).await?;
    let one = |row: super::entity::Model| {
        let sender = store::sms::profile(&row).sender?;
        Some(CompanySender { company: row.id.into(), name: row.company, sender })
    };
    Ok((rows.into_iter().filter_map(one).collect(), total))
}

/// An SMS of a company to its client: text, then link; folded when the company wants that, under its own name when that is
/// registered.
pub fn client_message(company: &Company, purpose: &'static str, to: &str, text: &str, link: &str) -> NewMessage {
    NewMessage::sms(purpose, to, composed(text, link, company.sms_fold)).sender(company.sms_sender.clone())
}

/// The text as it is sent. The link is ASCII and folding leaves it alone.
pub fn composed(text: &str, link: &str, fold: bool) -> String {
    let text = format!("{text} {link}");
    if fold { sms::fold_accents(&text) } else { text }
}
