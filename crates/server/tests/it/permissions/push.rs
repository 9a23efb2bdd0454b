//! Web push.

use super::table::Access::{Member, Session};
use super::table::{Row, answering, fresh, hiding, row};
use super::world::{Ask, Needs::Nothing};
use serde_json::json;

/// Nobody has registered this endpoint.
const ENDPOINT: &str = "https://fcm.googleapis.com/fcm/send/nobody";
const NO_TOKEN: &[(u16, &str)] = &[(404, "PUSH_TOKEN_NOT_FOUND")];

pub const ROWS: &[Row] = &[
    row("GET /api/v1/push-key", Session, Nothing, |_| Ask::get("/api/v1/push-key")),
    // "`userId` and `parentId` must be the session's": nobody's here (whose they are is tested in `it/push.rs`)
    answering(
        row("POST /api/v1/message-token", Session, Nothing, |w| {
            Ask::post("/api/v1/message-token", json!({"userId": w.conference, "token": {}, "parentId": w.owner.company}))
        }),
        &[(403, "PUSH_USER_MISMATCH")],
    ),
    row("POST /api/v1/message-delete-token", Session, Nothing, |_| {
        Ask::post("/api/v1/message-delete-token", json!({"token": ENDPOINT}))
    }),
    answering(
        row("POST /api/v1/find-token-user", Session, Nothing, |_| {
            Ask::post("/api/v1/find-token-user", json!({"token": ENDPOINT}))
        }),
        NO_TOKEN,
    ),
    // "only for oneself, an administrator, or a starter with an open request to that parent"; nobody has one here
    fresh(hiding(
        answering(
            row("POST /api/v1/send-web-push", Member, Nothing, |w| {
                Ask::post("/api/v1/send-web-push", json!({"parentId": w.owner.company}))
            }),
            &[(202, "")],
        ),
        "COMPANY_NOT_FOUND",
    )),
    row("GET /api/v1/push-devices", Session, Nothing, |_| Ask::get("/api/v1/push-devices")),
    answering(
        row("POST /api/v1/push-device-delete/{id}", Session, Nothing, |w| {
            Ask::post(format!("/api/v1/push-device-delete/{}", w.owner.id), json!({}))
        }),
        &[(404, "PUSH_DEVICE_NOT_FOUND")],
    ),
    answering(
        row("POST /api/v1/push-test", Session, Nothing, |_| Ask::post("/api/v1/push-test", json!({"token": ENDPOINT}))),
        NO_TOKEN,
    ),
];
