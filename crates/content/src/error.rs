//! Errors of this crate, and their problems on the wire.

use atalaya_db::DbError;
use atalaya_rest::Problem;

#[derive(Debug, thiserror::Error)]
pub enum ContentError {
    #[error(transparent)]
    Db(#[from] DbError),
    /// No text of this kind is in force; `seed` was not run.
    #[error("no legal text of kind {0} is in force")]
    NoLegalText(i16),
    #[error("no such legal text")]
    LegalNotFound,
    /// A version begins in Spanish, and has each language once.
    #[error("a legal text of this language is not wanted here")]
    LegalLanguage,
    /// No price table is in force; `seed` was not run.
    #[error("no price table is in force")]
    NoPrice,
    #[error("no such price table")]
    PriceNotFound,
}

pub type ContentResult<T> = Result<T, ContentError>;

impl From<ContentError> for Problem {
    fn from(error: ContentError) -> Problem {
        match error {
            ContentError::Db(ref db) => Problem::database(matches!(db, DbError::Unavailable(_)), db),
            ContentError::NoLegalText(_) | ContentError::NoPrice => Problem::internal(error),
            ContentError::LegalLanguage => Problem::invalid([]).field("language", "LEGAL_LANGUAGE"),
            ContentError::PriceNotFound => Problem::not_found("PRICE_NOT_FOUND"),
            ContentError::LegalNotFound => Problem::not_found("LEGAL_NOT_FOUND"),
        }
    }
}
