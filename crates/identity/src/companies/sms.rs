//! What a company's SMS to its clients say, and in whose name (SMS-3, SMS-6).
//!
//! *Invariant:* a sender name that the CNMC's Registry of aliases does not know is never written into a message: operators
//! block it. The caller has passed his guard.

use crate::audit::service as audit;
use crate::audit::{Action, Entry};
use crate::directory::{self, Company};
pub use crate::directory::{CompanySender, Sender, SenderStatus, SmsProfile};
use crate::{Identity, IdentityResult, Origin};
use atalaya_db::Tx;
use atalaya_kernel::CompanyId;
use atalaya_messaging::{NewMessage, sms};
use atalaya_rest::Caller;
use serde_json::json;

/// A company's profile. Errors: [`crate::IdentityError::CompanyNotFound`].
pub async fn get(d: &Identity, id: CompanyId) -> IdentityResult<SmsProfile> {
    directory::find_sms_profile(d.db.read(), id).await
}

/// The same, locked until the transaction ends. Errors: [`crate::IdentityError::CompanyNotFound`].
pub async fn lock(tx: &Tx, id: CompanyId) -> IdentityResult<SmsProfile> {
    directory::lock_sms_profile(tx, id).await
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
        ("smsWhatsappFirst", before.whatsapp_first != profile.whatsapp_first),
        ("smsSender", before.sender != profile.sender),
    ];
    let fields: Vec<&str> = differs.into_iter().filter_map(|(name, differs)| differs.then_some(name)).collect();
    if fields.is_empty() {
        return Ok(());
    }
    directory::write_sms_profile(tx, id, &profile).await?;
    let detail = json!({"fields": fields, "sender": profile.sender.as_ref().map(|sender| sender.status.name())});
    audit::record(d, tx, Entry::company(Action::CompanyChanged, id).by(caller).from(origin.address).detail(detail)).await
}

/// The sender names of all companies that stand at one of these, the longest waiting first, and how many there are.
pub async fn list_senders(
    d: &Identity,
    statuses: &[SenderStatus],
    offset: u64,
    limit: u64,
) -> IdentityResult<(Vec<CompanySender>, u64)> {
    directory::list_senders(d.db.read(), statuses, offset, limit).await
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
