//! Requests for files and the client's uploads. Written by hand: asked by 1, by 2 of the owning
//! company, by 3 for its own. The client has the secret of his link and nothing else.

use super::table::Access::{Public, ReadConference};
use super::table::{NO_CONTENT, Row, answering, hiding, row};
use super::world::Ask;
use super::world::Needs::{Conference, FileRequest};
use axum::http::Method;
use serde_json::json;

const NOWHERE: &str = "/uploads/01900000-0000-7000-8000-000000000000";

pub const ROWS: &[Row] = &[
    answering(
        row("POST /api/v1/client-files/new", ReadConference, Conference, |w| {
            Ask::post("/api/v1/client-files/new", json!({"conferenceId": w.conference, "contactType": 1}))
        }),
        &[(409, "DURATION_TOO_SHORT")],
    ),
    row("GET /api/v1/client-files/{conferenceId}", ReadConference, FileRequest, |w| w.get("client-files")),
    hiding(
        row("POST /api/v1/client-files-resend/{id}", ReadConference, FileRequest, |w| {
            Ask::post(format!("/api/v1/client-files-resend/{}", w.request), json!({}))
        }),
        "FILE_REQUEST_NOT_FOUND",
    ),
    hiding(
        row("POST /api/v1/client-files-cancel/{id}", ReadConference, FileRequest, |w| {
            Ask::post(format!("/api/v1/client-files-cancel/{}", w.request), json!({}))
        }),
        "FILE_REQUEST_NOT_FOUND",
    ),
    hiding(
        row("POST /api/v1/media-review/{mediaId}", ReadConference, FileRequest, |w| {
            Ask::post(format!("/api/v1/media-review/{}", w.sent_file), json!({"approve": true}))
        }),
        "MEDIA_NOT_FOUND",
    ),
    answering(row("GET /f/{code}", Public, FileRequest, |w| Ask::get(w.request_link.clone())), &[(302, "")]),
    row("GET /api/v1/external/files/{token}", Public, FileRequest, |w| w.upload_page(Method::GET, "")),
    answering(
        row("POST /api/v1/external/files/{token}/open", Public, FileRequest, |w| w.upload_page(Method::POST, "/open")),
        NO_CONTENT,
    ),
    answering(
        row("POST /api/v1/external/files/{token}/finish", Public, FileRequest, |w| w.upload_page(Method::POST, "/finish")),
        NO_CONTENT,
    ),
    // The file that came is no HEIC.
    answering(
        row("POST /api/v1/external/files/{token}/preview/{mediaId}", Public, FileRequest, |w| {
            Ask::file(format!("/api/v1/external/files/{}/preview/{}", w.request_token, w.sent_file))
        }),
        &[(404, "MEDIA_NOT_FOUND")],
    ),
    answering(
        row("OPTIONS /api/v1/external/files/{token}/uploads", Public, FileRequest, |w| {
            w.upload_page(Method::OPTIONS, "/uploads")
        }),
        NO_CONTENT,
    ),
    answering(
        row("POST /api/v1/external/files/{token}/uploads", Public, FileRequest, |w| w.upload_page(Method::POST, "/uploads")),
        &[(400, "TUS_HEADER_INVALID")],
    ),
    answering(
        row("HEAD /api/v1/external/files/{token}/uploads/{id}", Public, FileRequest, |w| w.upload_page(Method::HEAD, NOWHERE)),
        &[(404, "UPLOAD_NOT_FOUND"), (404, "")],
    ),
    answering(
        row("PATCH /api/v1/external/files/{token}/uploads/{id}", Public, FileRequest, |w| w.upload_page(Method::PATCH, NOWHERE)),
        &[(415, "TUS_CONTENT_TYPE")],
    ),
    answering(
        row("DELETE /api/v1/external/files/{token}/uploads/{id}", Public, FileRequest, |w| {
            w.upload_page(Method::DELETE, NOWHERE)
        }),
        &[(404, "UPLOAD_NOT_FOUND")],
    ),
];
