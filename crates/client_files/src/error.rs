//! What can go wrong with a request for files.

use atalaya_assistance::media::MediaError;
use atalaya_cases::conferences::ConferenceError;
use atalaya_cases::conferences::model::Wrong;
use atalaya_cases::lifetimes::Unrequestable;
use atalaya_db::DbError;

/// Why a call about requested files was refused.
#[derive(Debug, thiserror::Error)]
pub enum FilesError {
    /// `FILES_EXPIRED`, `FILE_REQUEST_EXPIRED`, `DURATION_TOO_SHORT` (409), `MEDIA_ERASED` (410)
    #[error("files cannot be asked for: {0:?}")]
    Unrequestable(Unrequestable),
    /// `FILE_REQUEST_NOT_FOUND` (404)
    #[error("no such request for this caller")]
    RequestNotFound,
    /// `FILE_REQUEST_CANCELLED` (409)
    #[error("the request was cancelled")]
    Cancelled,
    /// `NOT_REQUESTED` (409)
    #[error("nobody asked for this file, so there is nothing to review")]
    NotRequested,
    /// `LINK_UNKNOWN` (404)
    #[error("no link of this address")]
    LinkUnknown,
    /// `LINK_EXPIRED` (410)
    #[error("the link takes nothing any more")]
    LinkOver,
    /// `UPLOAD_NOT_FOUND` (404)
    #[error("no such upload")]
    UploadNotFound,
    /// `UPLOAD_OFFSET` (409)
    #[error("the upload stands elsewhere")]
    UploadOffset,
    /// `UPLOAD_CHECKSUM` (460)
    #[error("the bytes do not have the sum they were sent with")]
    Checksum,
    /// `TOO_MANY_FILES` (409)
    #[error("the request takes no more files")]
    TooManyFiles,
    /// `TOO_MANY_REQUESTS` (429)
    #[error("too many calls from one address")]
    TooManyCalls { retry_after_s: u64 },
    /// `TUS_VERSION_NOT_SUPPORTED` (412), `TUS_HEADER_INVALID` (400), `TUS_CONTENT_TYPE` (415)
    #[error("not as tus 1.0.0 has it: {0}")]
    Protocol(&'static str),
    /// The file itself is refused.
    #[error("the file is refused: {0:?}")]
    Refused(Refusal),
    #[error(transparent)]
    Media(#[from] MediaError),
}

/// Why a file is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    TypeNotSupported,
    NotAPicture,
    Empty,
    PictureTooBig,
    PdfActiveContent,
    TooLarge,
}

impl Refusal {
    const ALL: [Refusal; 6] =
        [Self::TypeNotSupported, Self::NotAPicture, Self::Empty, Self::PictureTooBig, Self::PdfActiveContent, Self::TooLarge];

    pub fn code(self) -> &'static str {
        match self {
            Refusal::TypeNotSupported => "FILE_TYPE_NOT_SUPPORTED",
            Refusal::NotAPicture => "NOT_A_PICTURE",
            Refusal::Empty => "FILE_EMPTY",
            Refusal::PictureTooBig => "PICTURE_TOO_BIG",
            Refusal::PdfActiveContent => "PDF_ACTIVE_CONTENT",
            Refusal::TooLarge => "FILE_TOO_LARGE",
        }
    }

    pub fn parse(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|refusal| refusal.code() == code)
    }
}

impl From<ConferenceError> for FilesError {
    fn from(error: ConferenceError) -> Self {
        Self::Media(error.into())
    }
}

impl From<Wrong> for FilesError {
    fn from(wrong: Wrong) -> Self {
        ConferenceError::Invalid(vec![wrong]).into()
    }
}

impl From<DbError> for FilesError {
    fn from(error: DbError) -> Self {
        Self::Media(error.into())
    }
}

impl From<atalaya_blobs::BlobError> for FilesError {
    fn from(error: atalaya_blobs::BlobError) -> Self {
        Self::Media(error.into())
    }
}

impl From<atalaya_messaging::TemplateError> for FilesError {
    fn from(error: atalaya_messaging::TemplateError) -> Self {
        ConferenceError::from(error).into()
    }
}

impl From<atalaya_messaging::MessageError> for FilesError {
    fn from(error: atalaya_messaging::MessageError) -> Self {
        ConferenceError::from(error).into()
    }
}

impl From<atalaya_identity::IdentityError> for FilesError {
    fn from(error: atalaya_identity::IdentityError) -> Self {
        ConferenceError::from(error).into()
    }
}
