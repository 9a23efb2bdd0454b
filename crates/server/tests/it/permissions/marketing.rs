//! Consent, its links and the suppression list.

use super::table::Access::{Admin, Public, Session};
use super::table::{Row, answering, row};
use super::world::Ask;
use super::world::Needs::Nothing;
use axum::http::Method;
use serde_json::json;

/// What nobody was sent.
const TOKEN: &str = "00112233445566778899aabbccddeeff";
const NOBODY: &str = "0192f0c1-7d2c-7bbb-8a5e-00000000beef";
const NOT_FOUND: &[(u16, &str)] = &[(404, "CAMPAIGN_NOT_FOUND")];
const INVALID: &[(u16, &str)] = &[(422, "TOKEN_INVALID")];

pub const ROWS: &[Row] = &[
    // Links of messages: whoever reads the mailbox
    answering(
        row("POST /api/v1/marketing-token", Public, Nothing, |_| {
            Ask::post("/api/v1/marketing-token", json!({"marketingToken": TOKEN}))
        }),
        INVALID,
    ),
    answering(
        row("POST /api/v1/marketing-response", Public, Nothing, |_| {
            Ask::post("/api/v1/marketing-response", json!({"email": "a@b.es", "allow": "NO"}))
        }),
        INVALID,
    ),
    answering(row("POST /u/{token}", Public, Nothing, |_| Ask::post(format!("/u/{TOKEN}"), json!({}))), INVALID),
    answering(row("GET /u/{token}", Public, Nothing, |_| Ask::get(format!("/u/{TOKEN}"))), &[(302, "")]),
    // One's own profile
    row("GET /api/v1/marketing-consent", Session, Nothing, |_| Ask::get("/api/v1/marketing-consent")),
    row("POST /api/v1/marketing-consent", Session, Nothing, |_| Ask::post("/api/v1/marketing-consent", json!({"allow": "NO"}))),
    // Advertising is the administrator's to send (`broadcastEmails`)
    row("POST /api/v1/broadcastEmails", Admin, Nothing, |_| {
        let data = json!({"subject": "Novedades", "text": "Hola", "audience": "all", "preview": true});
        Ask::post("/api/v1/broadcastEmails", json!({"data": data}))
    }),
    row("GET /api/v1/campaigns", Admin, Nothing, |_| Ask::get("/api/v1/campaigns")),
    answering(row("GET /api/v1/campaign/{id}", Admin, Nothing, |_| Ask::get(format!("/api/v1/campaign/{NOBODY}"))), NOT_FOUND),
    answering(
        row("POST /api/v1/campaign/{id}/stop", Admin, Nothing, |_| {
            Ask::empty(Method::POST, format!("/api/v1/campaign/{NOBODY}/stop"))
        }),
        NOT_FOUND,
    ),
    // Objections by other ways are the administrator's to enter
    row("GET /api/v1/marketing-suppressions", Admin, Nothing, |_| Ask::get("/api/v1/marketing-suppressions")),
    row("POST /api/v1/marketing-suppression", Admin, Nothing, |_| {
        Ask::post("/api/v1/marketing-suppression", json!({"email": "a@b.es"}))
    }),
];
