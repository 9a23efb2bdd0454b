//! What invitations are about: addresses, pages, states, and the forms people fill in.

use crate::companies::form::CompanyInput;
pub use crate::links::{InvitationFilter as Filter, InvitationState as State};
use crate::links::{Link, LinkKind};
use atalaya_checks::phone::{PhoneError, to_e164};
use atalaya_checks::{contact, phone};
use atalaya_kernel::limits::LINE_MAX;
use atalaya_kernel::{CompanyId, CompanyKind, Language, Role, UserId};
use atalaya_rest::FieldError;
use chrono::{DateTime, TimeDelta, Utc};
use uuid::Uuid;

/// Days an invitation may be used, for its text.
pub const DAYS: i64 = 7;
/// Minutes after an activation in which its notice may be asked for.
pub const NOTICE_MINUTES: i64 = 15;

/// Where an invitation goes: an e-mail in lower case, or a phone in E.164.
///
/// Errors: the code of the field `emailOPhone`.
pub fn parse_address(raw: &str) -> Result<String, &'static str> {
    let raw = raw.trim();
    if raw.is_empty() {
        return Err("REQUIRED");
    }
    if raw.contains('@') || raw.chars().any(char::is_alphabetic) {
        let email = raw.to_lowercase();
        return if contact::is_email(&email) { Ok(email) } else { Err("EMAIL_INVALID") };
    }
    to_e164(raw).map_err(|error| match error {
        PhoneError::TooLong => "PHONE_TOO_LONG",
        PhoneError::TooShort | PhoneError::Invalid | PhoneError::Landline => "PHONE_INVALID",
    })
}

/// An address with its middle hidden, for the audit log.
pub fn mask(address: &str) -> String {
    if address.contains('@') { contact::mask_email(address) } else { phone::mask(address) }
}

/// The kind of company a role belongs to; `None` for roles of the platform and for role 0.
pub fn kind_of(role: Role) -> Option<CompanyKind> {
    match role {
        Role::Customer | Role::Worker => Some(CompanyKind::Customer),
        Role::Repairer | Role::RepairerOperator => Some(CompanyKind::Repairer),
        Role::CarRepairShop | Role::WorkshopOperator => Some(CompanyKind::CarRepairShop),
        Role::Empty | Role::Admin | Role::PasswordOperator => None,
    }
}

/// The role of the principal of a company of this kind.
pub fn principal_of(kind: CompanyKind) -> Role {
    match kind {
        CompanyKind::Platform => Role::Admin,
        CompanyKind::Customer => Role::Customer,
        CompanyKind::Repairer => Role::Repairer,
        CompanyKind::CarRepairShop => Role::CarRepairShop,
    }
}

/// The page of the web app that a link opens (LINK-5).
pub fn page(kind: LinkKind, role: Option<Role>, company: Option<CompanyId>, token: &str) -> String {
    let number = role.map_or(0, i16::from);
    match (kind, company) {
        (LinkKind::Activation, Some(company)) => format!("/user-activation/{number}/{company}/{token}"),
        (LinkKind::Activation, None) => format!("/customer-activation/{token}"),
        (LinkKind::AdminEnable, Some(company)) => format!("/admin-enable/{number}/{company}/{token}"),
        (LinkKind::AdminEnable, None) => "/".to_owned(),
        (LinkKind::Reset, _) => format!("/remember-form/{token}"),
        (LinkKind::NameOld | LinkKind::NameNew, _) => format!("/user-name/{token}"),
    }
}

/// An invitation as its inviter sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invitation {
    pub link: Link,
    pub state: State,
    pub inviter: Option<(UserId, String)>,
    /// The company of the account; for a company to be, the one that was created.
    pub company: Option<(CompanyId, String)>,
}

/// The form of an invited user (INVITE-5).
#[derive(Clone, Debug, Default)]
pub struct UserForm {
    pub name: Option<String>,
    pub surname: Option<String>,
    pub email: Option<String>,
    pub phone: Option<String>,
    pub password: Option<String>,
    pub legal: bool,
    pub language: Option<Language>,
}

/// The form of a company that registers itself (COMPANY-2).
#[derive(Clone, Debug, Default)]
pub struct CompanyForm {
    pub company: CompanyInput,
    pub password: Option<String>,
    pub legal: bool,
    pub legal_id: Option<Uuid>,
    pub language: Option<Language>,
}

/// A user's form without a mistake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckedUser {
    pub name: String,
    pub surname: String,
    pub email: Option<String>,
    pub phone: Option<String>,
}

/// Checks an invited user's form and answers all mistakes together. What the invitation was sent to is read-only: it
/// is the user's e-mail or phone whatever was typed.
pub fn check_user(form: &UserForm, role: Role, address: &str) -> Result<CheckedUser, Vec<FieldError>> {
    let mut errors = Vec::new();
    let name = line("name", form.name.as_deref(), &mut errors);
    let surname = line("surname", form.surname.as_deref(), &mut errors);
    let by_email = address.contains('@');
    let email = if by_email { Some(address.to_owned()) } else { email(form.email.as_deref(), &mut errors) };
    let phone = if by_email { phone_of(form.phone.as_deref(), role, &mut errors) } else { Some(address.to_owned()) };
    let typed_phone = form.phone.as_deref().unwrap_or_default();
    check_password(form.password.as_deref(), &[address, &name, &surname, typed_phone], &mut errors);
    if !form.legal {
        errors.push(FieldError::new("legal", "LEGAL_REQUIRED"));
    }
    if errors.is_empty() { Ok(CheckedUser { name, surname, email, phone }) } else { Err(errors) }
}

/// A password that is there and strong enough; what the person typed elsewhere makes it no stronger.
pub fn check_password(password: Option<&str>, inputs: &[&str], errors: &mut Vec<FieldError>) {
    match password.filter(|text| !text.is_empty()) {
        None => errors.push(FieldError::new("password", "REQUIRED")),
        Some(text) if atalaya_checks::password::is_accepted(text, inputs) => {}
        Some(_) => errors.push(FieldError::new("password", "PASSWORD_WEAK")),
    }
}

fn line(field: &'static str, raw: Option<&str>, errors: &mut Vec<FieldError>) -> String {
    let text = raw.unwrap_or_default().trim();
    if text.is_empty() {
        errors.push(FieldError::new(field, "REQUIRED"));
    } else if text.chars().count() > LINE_MAX {
        errors.push(FieldError::new(field, "TOO_LONG").param("max", LINE_MAX));
    } else if text.chars().any(char::is_control) {
        errors.push(FieldError::new(field, "CHARACTERS_NOT_ALLOWED"));
    }
    text.to_owned()
}

fn email(raw: Option<&str>, errors: &mut Vec<FieldError>) -> Option<String> {
    let email = raw.map(str::trim).filter(|text| !text.is_empty())?.to_lowercase();
    if !contact::is_email(&email) {
        errors.push(FieldError::new("email", "EMAIL_INVALID"));
    }
    Some(email)
}

/// Operators of the repair side are called back, so they need a phone (INVITE-5). Up to three characters are the prefix
/// that an empty field holds.
fn phone_of(raw: Option<&str>, role: Role, errors: &mut Vec<FieldError>) -> Option<String> {
    let Some(raw) = raw.map(str::trim).filter(|text| text.chars().count() > 3) else {
        if matches!(role, Role::RepairerOperator | Role::WorkshopOperator) {
            errors.push(FieldError::new("phone", "PHONE_REQUIRED"));
        }
        return None;
    };
    match to_e164(raw) {
        Ok(phone) => return Some(phone),
        Err(PhoneError::TooLong) => errors.push(FieldError::new("phone", "PHONE_TOO_LONG")),
        Err(PhoneError::TooShort | PhoneError::Invalid | PhoneError::Landline) => {
            errors.push(FieldError::new("phone", "PHONE_INCORRECT"))
        }
    }
    None
}

/// When the payment starts of a company activated now: that day in Madrid and the trial's days later.
pub fn pay_start(now: DateTime<Utc>, trial_days: i64) -> DateTime<Utc> {
    let day = atalaya_kernel::calendar::day(now);
    let first = day.checked_add_signed(TimeDelta::days(trial_days)).unwrap_or(day);
    atalaya_kernel::calendar::start_of(first)
}

#[cfg(test)]
mod tests;
