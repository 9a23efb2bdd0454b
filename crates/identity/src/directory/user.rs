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
