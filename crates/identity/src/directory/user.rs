//! A user, its account and the rule about user names.

use super::Company;
use crate::PasswordHash;
use atalaya_kernel::{CompanyId, Language, Role, Status, UserId};
use chrono::{DateTime, Utc};

/// An account, without its password.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct User {
    pub id: UserId,
    pub role: Role,
    pub status: Status,
    /// The company it belongs to.
    pub parent: CompanyId,
    pub support: bool,
    pub name: String,
    pub surname: String,
    pub user_name: String,
    pub email: Option<String>,
    pub phone: Option<String>,
    pub legal: bool,
    pub has2fa: bool,
    pub language: Language,
}

impl User {
    /// How other people see the user: name and surname.
    pub fn display_name(&self) -> String {
        format!("{} {}", self.name, self.surname).trim().to_owned()
    }
}

/// A user with what the log-in needs to know of it.
pub(crate) struct Account {
    pub user: User,
    pub company: Company,
    pub password: Option<PasswordHash>,
    pub last_login: Option<DateTime<Utc>>,
}

impl Account {
    /// User and company may log in.
    pub(crate) fn may_log_in(&self) -> bool {
        self.user.status.user_may_log_in() && self.company.status.company_admits_log_in()
    }
}

/// An account to be created.
#[derive(Clone, Debug)]
pub struct NewUser {
    pub parent: CompanyId,
    pub role: Role,
    pub status: Status,
    pub name: String,
    pub surname: String,
    /// E-mail or phone; normalised when stored.
    pub user_name: String,
    pub email: Option<String>,
    pub phone: Option<String>,
    pub password: Option<PasswordHash>,
    pub support: bool,
    pub legal: bool,
    pub language: Language,
}

impl NewUser {
    /// An active account whose user name is its e-mail.
    pub fn active(parent: CompanyId, role: Role, name: &str, surname: &str, email: &str, password: PasswordHash) -> Self {
        Self {
            parent,
            role,
            status: Status::Active,
            name: name.into(),
            surname: surname.into(),
            user_name: email.into(),
            email: Some(email.into()),
            phone: None,
            password: Some(password),
            support: false,
            legal: true,
            language: Language::default(),
        }
    }
}

/// The stored form of a user name: an e-mail in lower case, or a phone in E.164.
///
/// A phone without a country is taken as Spanish, the default country.
pub fn normalise_user_name(raw: &str) -> String {
    // Control characters are part of no name, and PostgreSQL refuses a NUL.
    let visible: String = raw.chars().filter(|c| !c.is_control()).collect();
    let trimmed = visible.trim();
    if trimmed.contains('@') {
        return trimmed.to_lowercase();
    }
    let digits: String = trimmed.chars().filter(|c| !c.is_whitespace() && !"-.()/".contains(*c)).collect();
    let plain = |s: &str| !s.is_empty() && s.chars().all(|c| c.is_ascii_digit());
    match digits.strip_prefix('+').or_else(|| digits.strip_prefix("00")) {
        Some(rest) if plain(rest) => format!("+{rest}"),
        None if plain(&digits) && digits.len() == 9 => format!("+34{digits}"),
        _ => trimmed.to_lowercase(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // AUTH-2
    #[test]
    fn user_names_have_one_form() {
        for (raw, stored) in [
            (" Ana@Ejemplo.ES ", "ana@ejemplo.es"),
            ("600 12 34 56", "+34600123456"),
            ("+34 600-123-456", "+34600123456"),
            ("0033 6 12 34 56 78", "+33612345678"),
            ("12345", "12345"),
            ("Not A Phone", "not a phone"),
            ("ana@ejemplo.es\u{0}", "ana@ejemplo.es"),
            ("", ""),
        ] {
            assert_eq!(normalise_user_name(raw), stored, "{raw}");
        }
    }
}
