//! The bell and general notifications.

use super::table::Access::{Admin, Session};
use super::table::{Row, answering, row};
use super::world::Ask;
use super::world::Needs::Nothing;
use axum::http::Method;
use serde_json::json;

/// What nobody has; others' are a test of the room.
const NOBODY: &str = "0192f0c1-7d2c-7bbb-8a5e-00000000beef";
const NOT_FOUND: &[(u16, &str)] = &[(404, "NOTIFICATION_NOT_FOUND")];
const CREATED: &[(u16, &str)] = &[(201, "")];

fn about_nobody(method: Method, call: &str) -> Ask {
    Ask::empty(method, format!("/api/v1/notifications/{call}/{NOBODY}"))
}

pub const ROWS: &[Row] = &[
    // Everybody's own bell
    row("GET /api/v1/notifications/has-any", Session, Nothing, |_| Ask::get("/api/v1/notifications/has-any")),
    row("GET /api/v1/notifications/get-number-notifications", Session, Nothing, |_| {
        Ask::get("/api/v1/notifications/get-number-notifications")
    }),
    row("GET /api/v1/notifications/get-by-user", Session, Nothing, |_| Ask::get("/api/v1/notifications/get-by-user")),
    row("GET /api/v1/notifications/mark-as-seen-all", Session, Nothing, |_| Ask::get("/api/v1/notifications/mark-as-seen-all/")),
    row("POST /api/v1/notifications/mark-as-seen-all", Session, Nothing, |_| {
        Ask::empty(Method::POST, "/api/v1/notifications/mark-as-seen-all/")
    }),
    answering(
        row("GET /api/v1/notifications/mark-as-seen-general/{id}", Session, Nothing, |_| {
            about_nobody(Method::GET, "mark-as-seen-general")
        }),
        NOT_FOUND,
    ),
    answering(
        row("POST /api/v1/notifications/mark-as-seen-general/{id}", Session, Nothing, |_| {
            about_nobody(Method::POST, "mark-as-seen-general")
        }),
        NOT_FOUND,
    ),
    answering(
        row("GET /api/v1/notifications/mark-as-unseen-general/{id}", Session, Nothing, |_| {
            about_nobody(Method::GET, "mark-as-unseen-general")
        }),
        NOT_FOUND,
    ),
    answering(
        row("POST /api/v1/notifications/mark-as-unseen-general/{id}", Session, Nothing, |_| {
            about_nobody(Method::POST, "mark-as-unseen-general")
        }),
        NOT_FOUND,
    ),
    answering(
        row("GET /api/v1/notifications/mark-as-seen-personal/{id}", Session, Nothing, |_| {
            about_nobody(Method::GET, "mark-as-seen-personal")
        }),
        NOT_FOUND,
    ),
    answering(
        row("POST /api/v1/notifications/mark-as-seen-personal/{id}", Session, Nothing, |_| {
            about_nobody(Method::POST, "mark-as-seen-personal")
        }),
        NOT_FOUND,
    ),
    answering(
        row("GET /api/v1/notifications/mark-as-unseen-personal/{id}", Session, Nothing, |_| {
            about_nobody(Method::GET, "mark-as-unseen-personal")
        }),
        NOT_FOUND,
    ),
    answering(
        row("POST /api/v1/notifications/mark-as-unseen-personal/{id}", Session, Nothing, |_| {
            about_nobody(Method::POST, "mark-as-unseen-personal")
        }),
        NOT_FOUND,
    ),
    // General ones are the administrator's to write (page `generalNotification`)
    answering(
        row("POST /api/v1/notifications/new-general-from-admin", Admin, Nothing, |_| {
            let body = json!({"text": "Aviso", "roleGroup": 0, "expiresAt": "2027-03-01T00:00:00Z"});
            Ask::post("/api/v1/notifications/new-general-from-admin", body)
        }),
        CREATED,
    ),
    row("POST /api/v1/notifications/preview-general", Admin, Nothing, |_| {
        Ask::post("/api/v1/notifications/preview-general", json!({"body": "<p>Aviso</p>"}))
    }),
    row("GET /api/v1/notifications/general", Admin, Nothing, |_| Ask::get("/api/v1/notifications/general")),
    answering(
        row("POST /api/v1/notifications/general-withdraw/{id}", Admin, Nothing, |_| {
            about_nobody(Method::POST, "general-withdraw")
        }),
        NOT_FOUND,
    ),
];
