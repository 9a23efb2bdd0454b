//! A user and the rules about names and who may read whom.

use crate::PasswordHash;
use crate::guards::facts;
use atalaya_kernel::access::{Guard, admits};
use atalaya_kernel::{CompanyId, Language, Role, Status, UserId};
use atalaya_rest::Caller;

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

/// The stored form of a user name: an e-mail in lower case, or a phone in E.164 (DESIGN §3 User name).
///
/// A phone without a country is taken as Spanish, the default country (SPEC §9).
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

/// What a caller may do with a user's profile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    Allowed,
    /// Same company, but not theirs to read: 403.
    Forbidden,
    /// Another tenant's: 404, so that ids do not leak.
    Hidden,
}

/// The own-id guard (SPEC §6, DESIGN §3): oneself, an administrator, and inside the same company the support flag
/// and the principal.
pub fn profile_reach(caller: &Caller, user: UserId, company: CompanyId) -> Reach {
    match admits(Guard::OwnId, &facts(caller).about_company(company).about_user(user)) {
        true => Reach::Allowed,
        false if caller.company == company => Reach::Forbidden,
        false => Reach::Hidden,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use atalaya_rest::caller::Via;
    use uuid::Uuid;

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

    #[test]
    fn profiles_are_read_by_the_right_people() {
        let id = |n: u128| Uuid::from_u128(n);
        let caller = |user, role, company, support| Caller {
            user: id(user).into(),
            role,
            company: id(company).into(),
            session: id(0).into(),
            support,
            language: None,
            via: Via::Bearer,
        };
        let reach = |caller: Caller| profile_reach(&caller, id(1).into(), id(10).into());
        assert_eq!(reach(caller(1, Role::Worker, 10, false)), Reach::Allowed);
        assert_eq!(reach(caller(2, Role::Worker, 10, false)), Reach::Forbidden);
        assert_eq!(reach(caller(2, Role::Worker, 10, true)), Reach::Allowed);
        assert_eq!(reach(caller(2, Role::Customer, 10, false)), Reach::Allowed);
        assert_eq!(reach(caller(2, Role::Customer, 11, false)), Reach::Hidden);
        assert_eq!(reach(caller(2, Role::Worker, 11, true)), Reach::Hidden, "support ends at its own company");
        assert_eq!(reach(caller(2, Role::Admin, 11, false)), Reach::Allowed);
        assert_eq!(reach(caller(2, Role::PasswordOperator, 11, false)), Reach::Hidden);
    }
}
