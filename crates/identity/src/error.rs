//! What can go wrong here, and how the outside sees it.

use atalaya_db::DbError;
use atalaya_rest::tokens::TokenError;
use atalaya_rest::{FieldError, Problem};

#[derive(Debug, thiserror::Error)]
pub enum IdentityError {
    #[error(transparent)]
    Db(#[from] DbError),
    /// Wrong user name, password, ticket or choice; deliberately one error for all.
    #[error("wrong user name or password")]
    LoginIncorrect,
    /// Too many wrong tries; seconds until the next is allowed.
    #[error("too many wrong tries")]
    LoginLocked(u64),
    /// More log-ins wait for their turn than the queue takes.
    #[error("too many log-ins at once")]
    LoginBusy,
    /// The password was right, but user or company may not log in.
    #[error("the account is inactive")]
    AccountInactive,
    #[error("no such user for this caller")]
    UserNotFound,
    #[error("no such company for this caller")]
    CompanyNotFound,
    #[error("another user's account")]
    OwnIdRequired,
    #[error("the user name is taken in this company")]
    UserNameTaken,
    /// Another company of this kind has the tax id.
    #[error("a company with this tax id exists")]
    CompanyExists,
    /// The token is malformed, forged or of another kind.
    #[error("the token is not valid")]
    TokenInvalid,
    #[error("the token has expired")]
    TokenExpired,
    /// The token is good but its session was closed.
    #[error("the session has ended")]
    SessionEnded,
    /// An invitation, reset or activation link that we never made, or of another kind.
    #[error("the link is not valid")]
    LinkInvalid,
    #[error("the link has expired")]
    LinkExpired,
    #[error("the link was used")]
    LinkUsed,
    /// The last proof of identity is older than ten minutes.
    #[error("a fresh proof of identity is needed")]
    FreshProofRequired,
    #[error("the password is wrong")]
    PasswordWrong,
    /// A password alone is no proof where there is a second factor.
    #[error("a code is needed")]
    CodeRequired,
    /// The caller's role may not do this to that role or company.
    #[error("the role may not do this")]
    RoleNotAllowed,
    /// `INVALID_FIELDS` (422)
    #[error("fields are wrong")]
    Invalid(Vec<FieldError>),
    /// What one room refuses, with its own code: the room's `error` makes it.
    #[error("refused")]
    Refused(Box<Problem>),
    /// A stored row cannot be understood.
    #[error("stored data: {0}")]
    Corrupt(String),
}

/// Seconds after which a full queue of log-ins has room again.
const BUSY_RETRY_S: u64 = 3;

pub type IdentityResult<T> = Result<T, IdentityError>;

impl IdentityError {
    /// One field is wrong.
    pub fn invalid(field: &'static str, code: &'static str) -> Self {
        Self::Invalid(vec![FieldError::new(field, code)])
    }
}

impl From<IdentityError> for Problem {
    fn from(error: IdentityError) -> Problem {
        match error {
            IdentityError::Db(ref db) => Problem::database(matches!(db, DbError::Unavailable(_)), db),
            IdentityError::LoginIncorrect => Problem::unprocessable("LOGIN_INCORRECT"),
            IdentityError::LoginLocked(seconds) => Problem::too_many("LOGIN_LOCKED", seconds),
            IdentityError::LoginBusy => Problem::unavailable("LOGIN_BUSY").retry_after(BUSY_RETRY_S),
            IdentityError::AccountInactive => Problem::forbidden("ACCOUNT_INACTIVE"),
            IdentityError::UserNotFound => Problem::not_found("USER_NOT_FOUND"),
            IdentityError::CompanyNotFound => Problem::not_found("COMPANY_NOT_FOUND"),
            IdentityError::OwnIdRequired => Problem::forbidden("OWN_ID_REQUIRED"),
            IdentityError::UserNameTaken => Problem::conflict("USER_NAME_TAKEN"),
            IdentityError::CompanyExists => Problem::conflict("COMPANY_EXISTS").field("cif", "COMPANY_EXISTS"),
            IdentityError::TokenInvalid => Problem::unauthenticated("SESSION_INVALID"),
            IdentityError::TokenExpired => Problem::unauthenticated("SESSION_EXPIRED"),
            IdentityError::SessionEnded => Problem::unauthenticated("SESSION_ENDED"),
            IdentityError::LinkInvalid => Problem::unprocessable("TOKEN_INVALID"),
            IdentityError::LinkExpired => Problem::unprocessable("TOKEN_EXPIRED"),
            IdentityError::LinkUsed => Problem::unprocessable("TOKEN_USED"),
            IdentityError::FreshProofRequired => Problem::forbidden("FRESH_PROOF_REQUIRED"),
            IdentityError::PasswordWrong => Problem::invalid([]).field("password", "PASSWORD_WRONG"),
            IdentityError::CodeRequired => Problem::invalid([]).field("code", "CODE_REQUIRED"),
            IdentityError::RoleNotAllowed => Problem::forbidden("ROLE_NOT_ALLOWED"),
            IdentityError::Invalid(errors) => Problem::invalid(errors),
            IdentityError::Refused(problem) => *problem,
            IdentityError::Corrupt(what) => Problem::internal(what),
        }
    }
}

impl From<Problem> for IdentityError {
    fn from(problem: Problem) -> Self {
        Self::Refused(Box::new(problem))
    }
}

impl From<TokenError> for IdentityError {
    fn from(error: TokenError) -> Self {
        match error {
            TokenError::Invalid => Self::TokenInvalid,
            TokenError::Expired => Self::TokenExpired,
        }
    }
}

impl From<atalaya_messaging::MessageError> for IdentityError {
    fn from(error: atalaya_messaging::MessageError) -> Self {
        match error {
            atalaya_messaging::MessageError::Database(db) => Self::Db(db),
            ceiling @ atalaya_messaging::MessageError::Ceiling { max, retry_after_s, .. } => {
                Problem::too_many(ceiling.code(), retry_after_s).param("max", max).into()
            }
            ceiling @ atalaya_messaging::MessageError::ConferenceCeiling { max } => {
                Problem::conflict(ceiling.code()).param("max", max).into()
            }
            other => Self::Corrupt(other.to_string()),
        }
    }
}

impl From<atalaya_messaging::TemplateError> for IdentityError {
    fn from(error: atalaya_messaging::TemplateError) -> Self {
        Self::Corrupt(error.to_string())
    }
}

impl From<atalaya_content::ContentError> for IdentityError {
    fn from(error: atalaya_content::ContentError) -> Self {
        match error {
            atalaya_content::ContentError::Db(db) => Self::Db(db),
            other => Self::Corrupt(other.to_string()),
        }
    }
}
