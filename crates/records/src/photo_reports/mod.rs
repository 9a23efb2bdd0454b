//! Photo reports: the pictures of a case as a PDF that a file can hold, with label, note, place, time and digest of each.
//! Rules: docs/rules/photo_reports.md.
//!
//! Called by the details panel and the media view. *Invariant:* what a report prints of a picture is what the case's chain
//! holds; its QR code leads to the certificate that vouches for it (PHOTO-1).

pub mod http;
mod service;
