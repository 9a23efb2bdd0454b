//! The answers to what can go wrong with a request for files.

use crate::error::{FilesError, Refusal};
use atalaya_cases::lifetimes::Unrequestable;
use atalaya_rest::problem::Problem;
use axum::http::StatusCode;

impl From<FilesError> for Problem {
    fn from(error: FilesError) -> Self {
        match error {
            FilesError::Unrequestable(Unrequestable::Erased) => Problem::new(StatusCode::GONE, "MEDIA_ERASED"),
            FilesError::Unrequestable(Unrequestable::FilesExpired) => Problem::conflict("FILES_EXPIRED"),
            FilesError::Unrequestable(Unrequestable::WindowOver) => Problem::conflict("FILE_REQUEST_EXPIRED"),
            FilesError::Unrequestable(Unrequestable::TooShort) => Problem::conflict("DURATION_TOO_SHORT"),
            FilesError::RequestNotFound => Problem::not_found("FILE_REQUEST_NOT_FOUND"),
            FilesError::Cancelled => Problem::conflict("FILE_REQUEST_CANCELLED"),
            FilesError::NotRequested => Problem::conflict("NOT_REQUESTED"),
            FilesError::LinkUnknown => Problem::not_found("LINK_UNKNOWN"),
            FilesError::LinkOver => Problem::new(StatusCode::GONE, "LINK_EXPIRED"),
            FilesError::UploadNotFound => Problem::not_found("UPLOAD_NOT_FOUND"),
            FilesError::UploadOffset => Problem::conflict("UPLOAD_OFFSET"),
            FilesError::Checksum => Problem::new(checksum_mismatch(), "UPLOAD_CHECKSUM"),
            FilesError::TooManyFiles => Problem::conflict("TOO_MANY_FILES"),
            FilesError::TooManyCalls { retry_after_s } => Problem::too_many("TOO_MANY_REQUESTS", retry_after_s),
            FilesError::Protocol("TUS_VERSION_NOT_SUPPORTED") => {
                Problem::new(StatusCode::PRECONDITION_FAILED, "TUS_VERSION_NOT_SUPPORTED")
            }
            FilesError::Protocol("TUS_CONTENT_TYPE") => Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "TUS_CONTENT_TYPE"),
            FilesError::Protocol(code) => Problem::malformed(code),
            FilesError::Refused(Refusal::TooLarge) => Problem::too_large("FILE_TOO_LARGE"),
            FilesError::Refused(refusal) => Problem::unprocessable(refusal.code()),
            FilesError::Media(error) => error.into(),
        }
    }
}

/// The tus protocol's own status, "Checksum Mismatch".
fn checksum_mismatch() -> StatusCode {
    StatusCode::from_u16(460).expect("a status of three digits")
}
