//! Reading and changing a company's SMS.

use super::SmsTextError;
use super::model::{check_evidence, check_provider, check_sender, check_text, may_move};
use crate::Outreach;
use crate::notifications::{NewNotification, NoticeAction, NoticeText, Told};
use atalaya_db::Tx;
use atalaya_identity::auth::service::Origin;
use atalaya_identity::companies::sms::{self, Sender, SenderStatus, SmsProfile};
use atalaya_identity::companies::{self, Company};
use atalaya_identity::users;
use atalaya_kernel::{ClientLanguage, CompanyId, Language, Role, UserId};
use atalaya_messaging::session_sms;
use atalaya_rest::Caller;
use std::collections::BTreeMap;

/// The company behind a user's id (SMS-9).
///
/// Errors: [`SmsTextError::UserNotFound`] also for another company's user, unless an administrator asks.
pub(super) async fn company_of(d: &Outreach, caller: &Caller, user: UserId) -> Result<Company, SmsTextError> {
    let found = users::service::find_user(&d.identity, user).await?;
    let user = found.filter(|user| caller.is_admin() || user.parent == caller.company).ok_or(SmsTextError::UserNotFound)?;
    Ok(companies::service::get_company(&d.identity, user.parent).await?)
}

/// What is sent when a company has no text of its own.
pub(super) struct DefaultTexts {
    /// In the company's language.
    pub own: String,
    /// In each language of a client, by its code.
    pub all: BTreeMap<&'static str, String>,
    /// The company's.
    pub language: Language,
}

/// The default texts of this person's calls (SMS-4).
pub(super) async fn default_texts(d: &Outreach, company: &Company, user: UserId) -> Result<DefaultTexts, SmsTextError> {
    let adjuster = users::service::display_name(&d.identity, user).await?;
    let text = |language| session_sms(&d.identity.templates, language, &adjuster, &company.name);
    let all = ClientLanguage::ALL.into_iter().map(|language| Ok((language.code(), text(language)?)));
    let all = all.collect::<Result<_, SmsTextError>>()?;
    Ok(DefaultTexts { own: text(company.language.into())?, all, language: company.language })
}

/// A change of the text and its options; what is absent stays.
pub(super) struct TextChange {
    pub text: String,
    pub fold: Option<bool>,
    pub whatsapp: Option<bool>,
    pub whatsapp_first: Option<bool>,
}

/// Writes the company's own text. Errors: those of [`check_text`].
pub(super) async fn set_text(
    d: &Outreach,
    by: (&Caller, &Origin),
    company: &Company,
    default: &str,
    change: TextChange,
) -> Result<SmsProfile, SmsTextError> {
    let text = check_text(&change.text, default)?;
    let tx = d.db.write().await?;
    let mut profile = sms::lock(&tx, company.id).await?;
    profile.text = text;
    profile.fold = change.fold.unwrap_or(profile.fold);
    profile.whatsapp = change.whatsapp.unwrap_or(profile.whatsapp);
    profile.whatsapp_first = change.whatsapp_first.unwrap_or(profile.whatsapp_first);
    sms::save(&d.identity, &tx, by, company.id, &profile).await?;
    tx.commit().await?;
    Ok(profile)
}

/// Writes the sender name. Another name starts as a draft; with `requested` the company says that it has applied for it,
/// and administrators are notified (SMS-8). Errors: those of [`check_sender`].
pub(super) async fn set_sender(
    d: &Outreach,
    by: (&Caller, &Origin),
    company: &Company,
    name: &str,
    requested: bool,
) -> Result<SmsProfile, SmsTextError> {
    let name = check_sender(name)?;
    let tx = d.db.write().await?;
    let mut profile = sms::lock(&tx, company.id).await?;
    let kept = profile.sender.take();
    profile.sender = name.map(|name| match kept {
        Some(sender) if sender.name == name => sender,
        _ => Sender { name, status: SenderStatus::Draft, holder_nif: None, evidence_at: None, provider: None, since: None },
    });
    let mut told = Told::none();
    if let Some(sender) = profile.sender.as_mut().filter(|_| requested)
        && matches!(sender.status, SenderStatus::Draft | SenderStatus::Rejected)
    {
        sender.status = SenderStatus::Requested;
        sender.holder_nif = company.cif.clone();
        told = tell_administrators(d, &tx, by.0, &sender.name).await?;
    }
    sms::save(&d.identity, &tx, by, company.id, &profile).await?;
    tx.commit().await?;
    d.announce(told);
    Ok(profile)
}

async fn tell_administrators(d: &Outreach, tx: &Tx, caller: &Caller, name: &str) -> Result<Told, SmsTextError> {
    let Some(platform) = companies::service::platform(&d.identity).await? else { return Ok(Told::none()) };
    let admins = users::service::list_active(&d.identity, platform.id, &[Role::Admin]).await?;
    let admins: Vec<UserId> = admins.into_iter().map(|user| user.id).collect();
    let url = format!("/sms-client-conference/{}", caller.user);
    let new = NewNotification::new(NoticeText::Known("sms-sender-requested"), NoticeAction::Url(url)).expedient(name);
    Ok(d.notify(tx, &admins, &new).await?)
}

/// A move of a registration, as an administrator writes it.
pub(super) struct Registration<'a> {
    pub status: SenderStatus,
    pub evidence_at: Option<&'a str>,
    pub provider: Option<&'a str>,
}

/// Moves a company's registration and notifies its principals of the outcome.
///
/// Errors: [`SmsTextError::NoSender`], [`SmsTextError::Status`], `INVALID_FIELDS` on `evidenceAt` and `provider`, an
/// unknown company.
pub(super) async fn register(
    d: &Outreach,
    by: (&Caller, &Origin),
    company: CompanyId,
    registration: &Registration<'_>,
) -> Result<(Company, SmsProfile), SmsTextError> {
    let now = d.sources.now();
    let evidence = registration.evidence_at.filter(|at| !at.is_empty()).map(|at| check_evidence(at, now)).transpose()?;
    let provider = registration.provider.map(check_provider).transpose()?;
    let company = companies::service::get_company(&d.identity, company).await?;
    let tx = d.db.write().await?;
    let mut profile = sms::lock(&tx, company.id).await?;
    let sender = profile.sender.as_mut().ok_or(SmsTextError::NoSender)?;
    if !may_move(sender.status, registration.status) {
        return Err(SmsTextError::Status);
    }
    let moved = sender.status != registration.status;
    sender.status = registration.status;
    sender.provider = provider.unwrap_or_else(|| sender.provider.clone());
    match registration.status {
        SenderStatus::Draft => (sender.holder_nif, sender.evidence_at) = (None, None),
        SenderStatus::Requested => {
            sender.evidence_at = evidence;
            sender.holder_nif = company.cif.clone();
        }
        SenderStatus::Registered | SenderStatus::Rejected => {
            sender.evidence_at = evidence.or(sender.evidence_at.filter(|_| !moved)).or(Some(now));
            sender.holder_nif = sender.holder_nif.clone().or_else(|| company.cif.clone());
        }
    }
    let name = sender.name.clone();
    sms::save(&d.identity, &tx, by, company.id, &profile).await?;
    let told = if moved { tell_principals(d, &tx, company.id, registration.status, &name).await? } else { Told::none() };
    tx.commit().await?;
    d.announce(told);
    Ok((company, profile))
}

async fn tell_principals(d: &Outreach, tx: &Tx, id: CompanyId, status: SenderStatus, name: &str) -> Result<Told, SmsTextError> {
    let text = match status {
        SenderStatus::Registered => "sms-sender-registered",
        SenderStatus::Rejected => "sms-sender-rejected",
        SenderStatus::Draft | SenderStatus::Requested => return Ok(Told::none()),
    };
    let mut told = Told::none();
    for user in users::service::list_active(&d.identity, id, &[Role::Customer]).await? {
        let url = format!("/sms-client-conference/{}", user.id);
        let new = NewNotification::new(NoticeText::Known(text), NoticeAction::Url(url)).expedient(name);
        told = told.and(d.notify(tx, &[user.id], &new).await?);
    }
    Ok(told)
}
