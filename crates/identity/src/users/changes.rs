//! The fields of an account: who may change them, and whether the new values are valid. Pure.

use crate::directory::User;
use crate::guards::facts;
use atalaya_checks::{contact, phone};
use atalaya_kernel::access::{Guard, admits, member_role};
use atalaya_kernel::{Language, Role, Status, limits};
use atalaya_rest::{Caller, FieldError};
use serde_json::Value;

/// A wished change. `None` leaves a field as it is; an inner `None` clears it.
#[derive(Clone, Debug, Default)]
pub struct UserChange {
    pub name: Option<String>,
    pub surname: Option<String>,
    pub email: Option<Option<String>>,
    pub phone: Option<Option<String>>,
    pub language: Option<String>,
    /// As received: checked only when the caller may set it (USER-3).
    pub role: Option<Value>,
    pub status: Option<Value>,
    pub support: Option<Value>,
}

/// What a caller may set of somebody's account, besides name, addresses and language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rights {
    pub roles: Vec<Role>,
    pub statuses: Vec<Status>,
    pub support: bool,
}

impl Rights {
    const NONE: Rights = Rights { roles: Vec::new(), statuses: Vec::new(), support: false };

    /// USER-3. Nobody changes his own role, status or flag, so that neither the last
    /// administrator nor a principal locks himself out; principals decide about their members, not about each other.
    pub fn of(caller: &Caller, user: &User) -> Self {
        if caller.user == user.id {
            return Self::NONE;
        }
        if caller.is_admin() {
            return Rights { roles: Role::ALL.to_vec(), statuses: Status::ALL.to_vec(), support: true };
        }
        let principal = admits(Guard::PrincipalOf, &facts(caller).about_company(user.parent));
        if !principal || user.role.is_principal() || user.role == Role::Admin {
            return Self::NONE;
        }
        Rights {
            roles: member_role(caller.role).into_iter().collect(),
            statuses: vec![Status::Inactive, Status::Active],
            support: false,
        }
    }
}

/// The account after a change.
///
/// Errors: every wrong field at once; codes `REQUIRED`, `TOO_LONG`, `EMAIL_INVALID`, `PHONE_INCORRECT`,
/// `PHONE_TOO_LONG`, `PHONE_REQUIRED`, `INVALID`.
pub fn apply(user: &User, change: &UserChange, rights: &Rights) -> Result<User, Vec<FieldError>> {
    let mut after = user.clone();
    let mut errors = Vec::new();
    privileged(&mut after, change, rights, &mut errors);
    if let Some(name) = &change.name {
        after.name = line("name", name, &mut errors);
    }
    if let Some(surname) = &change.surname {
        // The contact of a company that was registered with a single word as name has no surname.
        let none = surname.trim().is_empty() && user.surname.is_empty();
        after.surname = if none { String::new() } else { line("surname", surname, &mut errors) };
    }
    if let Some(email) = &change.email {
        after.email = email_of(user, email.as_deref(), &mut errors);
    }
    if let Some(phone) = &change.phone {
        after.phone = phone_of(after.role, phone.as_deref(), &mut errors);
    }
    if let Some(language) = &change.language {
        match Language::parse(language) {
            Some(language) => after.language = language,
            None => errors.push(FieldError::new("language", "INVALID")),
        }
    }
    if errors.is_empty() { Ok(after) } else { Err(errors) }
}

/// Role, status and support flag. Fields that the caller may not set are ignored; so is a role that they may not give.
fn privileged(after: &mut User, change: &UserChange, rights: &Rights, errors: &mut Vec<FieldError>) {
    if let Some(value) = change.role.as_ref().filter(|_| !rights.roles.is_empty()) {
        match number(value).and_then(|n| Role::try_from(n).ok()) {
            Some(role) if rights.roles.contains(&role) => after.role = role,
            Some(_) => {}
            None => errors.push(FieldError::new("role", "INVALID")),
        }
    }
    if let Some(value) = change.status.as_ref().filter(|_| !rights.statuses.is_empty()) {
        match number(value).and_then(|n| Status::try_from(n).ok()) {
            Some(status) if rights.statuses.contains(&status) => after.status = status,
            Some(status) if status == after.status => {}
            _ => errors.push(FieldError::new("status", "INVALID")),
        }
    }
    if let Some(value) = change.support.as_ref().filter(|_| rights.support) {
        match value.as_bool() {
            Some(support) => after.support = support,
            None => errors.push(FieldError::new("support", "INVALID")),
        }
    }
}

/// A number, also as text: selects of forms give texts.
fn number(value: &Value) -> Option<i16> {
    match value {
        Value::String(text) => text.parse().ok(),
        other => i16::try_from(other.as_i64()?).ok(),
    }
}

fn line(field: &'static str, text: &str, errors: &mut Vec<FieldError>) -> String {
    let text = text.trim();
    if text.is_empty() {
        errors.push(FieldError::new(field, "REQUIRED"));
    } else if text.chars().count() > limits::LINE_MAX {
        errors.push(FieldError::new(field, "TOO_LONG").param("max", limits::LINE_MAX));
    } else if text.chars().any(char::is_control) {
        errors.push(FieldError::new(field, "INVALID"));
    }
    text.to_owned()
}

/// Required (USER-4), except for people who came by phone: their user name is no address.
fn email_of(user: &User, email: Option<&str>, errors: &mut Vec<FieldError>) -> Option<String> {
    let email = email.unwrap_or_default().trim();
    if email.is_empty() {
        if user.user_name.contains('@') {
            errors.push(FieldError::new("email", "REQUIRED"));
        }
        return None;
    }
    if email.chars().count() > limits::EMAIL_MAX {
        errors.push(FieldError::new("email", "TOO_LONG").param("max", limits::EMAIL_MAX));
    } else if !contact::is_email(email) {
        errors.push(FieldError::new("email", "EMAIL_INVALID"));
    }
    Some(email.to_owned())
}

/// Required for operators (USER-4), kept in E.164.
fn phone_of(role: Role, raw: Option<&str>, errors: &mut Vec<FieldError>) -> Option<String> {
    let raw = raw.unwrap_or_default().trim();
    if raw.is_empty() {
        if matches!(role, Role::RepairerOperator | Role::WorkshopOperator) {
            errors.push(FieldError::new("phone", "PHONE_REQUIRED"));
        }
        return None;
    }
    match phone::to_e164(raw) {
        Ok(phone) => Some(phone),
        Err(phone::PhoneError::TooLong) => {
            errors.push(FieldError::new("phone", "PHONE_TOO_LONG").param("max", limits::PHONE_MAX));
            None
        }
        Err(_) => {
            errors.push(FieldError::new("phone", "PHONE_INCORRECT"));
            None
        }
    }
}

/// Names of the plain fields that differ, for the audit log.
pub fn changed_fields(before: &User, after: &User) -> Vec<&'static str> {
    let all = [
        ("name", before.name != after.name),
        ("surname", before.surname != after.surname),
        ("email", before.email != after.email),
        ("phone", before.phone != after.phone),
        ("language", before.language != after.language),
    ];
    all.into_iter().filter(|(_, differs)| *differs).map(|(name, _)| name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use atalaya_rest::caller::Via;
    use serde_json::json;
    use uuid::Uuid;

    fn user(id: u128, role: Role) -> User {
        User {
            id: Uuid::from_u128(id).into(),
            role,
            status: Status::PendingValidation,
            parent: Uuid::from_u128(10).into(),
            support: false,
            name: "Ana".into(),
            surname: "Ruiz".into(),
            user_name: "ana@ejemplo.es".into(),
            email: Some("ana@ejemplo.es".into()),
            phone: None,
            legal: true,
            has2fa: false,
            language: Language::Es,
        }
    }

    fn caller(role: Role, support: bool) -> Caller {
        let id = Uuid::from_u128;
        Caller {
            user: id(1).into(),
            role,
            company: id(10).into(),
            session: id(0).into(),
            support,
            language: None,
            via: Via::Bearer,
        }
    }

    // USER-3
    #[test]
    fn rights_follow_creator_table_and_status_lists() {
        let admin = Rights::of(&caller(Role::Admin, false), &user(2, Role::Worker));
        assert_eq!((admin.roles.len(), admin.statuses.len(), admin.support), (9, 6, true));
        let principal = Rights::of(&caller(Role::Customer, false), &user(2, Role::Worker));
        assert_eq!(principal.roles, [Role::Worker]);
        assert_eq!(principal.statuses, [Status::Inactive, Status::Active]);
        assert!(!principal.support);
        for (caller, user) in [
            (caller(Role::Admin, false), user(1, Role::Admin)),
            (caller(Role::Customer, false), user(1, Role::Customer)),
            (caller(Role::Customer, false), user(2, Role::Customer)),
            (caller(Role::Worker, true), user(2, Role::Worker)),
            (caller(Role::PasswordOperator, true), user(2, Role::PasswordOperator)),
        ] {
            assert_eq!(Rights::of(&caller, &user), Rights::NONE, "{:?} about {:?}", caller.role, user.role);
        }
    }

    // USER-3
    #[test]
    fn privileged_keys_are_ignored_and_offered_ones_checked() {
        let all =
            UserChange { role: Some(json!(1)), status: Some(json!(3)), support: Some(json!(true)), ..UserChange::default() };
        let before = user(2, Role::Worker);
        assert_eq!(apply(&before, &all, &Rights::NONE).unwrap(), before);
        let garbage = UserChange { role: Some(json!({})), status: Some(json!("x")), support: Some(json!(7)), ..all.clone() };
        assert_eq!(apply(&before, &garbage, &Rights::NONE).unwrap(), before);
        let principal = Rights::of(&caller(Role::Customer, false), &before);
        let wrong = apply(&before, &all, &principal).unwrap_err();
        assert_eq!(wrong.iter().map(|e| e.field.as_ref()).collect::<Vec<_>>(), ["status"], "only 1 and 2 are offered");
        let same = UserChange { status: Some(json!("0")), ..all.clone() };
        assert_eq!(apply(&before, &same, &principal).unwrap(), before, "an unchanged status is no wish; the role is ignored");
        let admin = Rights::of(&caller(Role::Admin, false), &before);
        let after = apply(&before, &all, &admin).unwrap();
        assert_eq!((after.role, after.status, after.support), (Role::Admin, Status::Trial, true));
        let codes: Vec<_> = apply(&before, &garbage, &admin).unwrap_err().iter().map(|e| e.field.to_string()).collect();
        assert_eq!(codes, ["role", "status", "support"]);
    }

    // USER-4
    #[test]
    fn every_wrong_field_is_told_at_once() {
        let change = UserChange {
            name: Some("  ".into()),
            surname: Some("x".repeat(201)),
            email: Some(Some("no".into())),
            phone: Some(Some("12345678".into())),
            language: Some("xx".into()),
            ..UserChange::default()
        };
        let errors = apply(&user(2, Role::Worker), &change, &Rights::NONE).unwrap_err();
        let found: Vec<_> = errors.iter().map(|e| format!("{} {}", e.field, e.code)).collect();
        let expected = ["name REQUIRED", "surname TOO_LONG", "email EMAIL_INVALID", "phone PHONE_INCORRECT", "language INVALID"];
        assert_eq!(found, expected);
    }

    // USER-4
    #[test]
    fn addresses_are_kept_in_one_form_and_cleared_where_that_is_allowed() {
        let clear = UserChange { email: Some(None), phone: Some(Some(String::new())), ..UserChange::default() };
        let errors = apply(&user(2, Role::WorkshopOperator), &clear, &Rights::NONE).unwrap_err();
        let found: Vec<_> = errors.iter().map(|e| format!("{} {}", e.field, e.code)).collect();
        assert_eq!(found, ["email REQUIRED", "phone PHONE_REQUIRED"]);
        let by_phone = User { user_name: "+34600123123".into(), ..user(2, Role::Worker) };
        assert_eq!(apply(&by_phone, &clear, &Rights::NONE).unwrap().email, None);
        let set = UserChange { phone: Some(Some("600 123 123".into())), ..UserChange::default() };
        assert_eq!(apply(&by_phone, &set, &Rights::NONE).unwrap().phone.as_deref(), Some("+34600123123"));
    }
}
