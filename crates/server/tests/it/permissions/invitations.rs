//! Invitations, activations, legal texts.

use super::table::Access::{Admin, Principals, Public};
use super::table::{NO_CONTENT, Row, answering, row};
use super::world::{Ask, Needs::Nothing};
use axum::http::Method;
use serde_json::{Value, json};

/// A link that nobody made: what the holder of none is told.
const FORGED: &[(u16, &str)] = &[(422, "TOKEN_INVALID")];
/// The same where an administrator's session serves instead of a link.
const FORGED_OR_SESSION: &[(u16, &str)] = &[(422, "TOKEN_INVALID"), (200, ""), (404, "COMPANY_NOT_FOUND")];

fn with_token(path: &str) -> Ask {
    Ask::post(path, json!({"activationToken": "x"}))
}

fn registration(noun: &str) -> Ask {
    let body: Value = [(noun.to_owned(), json!({})), ("token".to_owned(), json!("x"))].into_iter().collect();
    Ask::post(format!("/api/v1/{noun}"), body)
}

fn activation(call: &str, company: impl std::fmt::Display) -> Ask {
    Ask::put(format!("/api/v1/{call}/{company}"), json!({"token": "x"}))
}

pub const ROWS: &[Row] = &[
    // "answer the version in force without a session"
    row("GET /api/v1/legal-id/{id}", Public, Nothing, |_| Ask::get("/api/v1/legal-id/0")),
    row("GET /api/v1/legalbylanguage/{legalId}/{languageCode}", Public, Nothing, |_| Ask::get("/api/v1/legalbylanguage/0/en")),
    // Only administrators create customers; the rest of the table is in `invitations.rs`
    row("POST /api/v1/activation", Admin, Nothing, |_| {
        Ask::post("/api/v1/activation", json!({"emailOPhone": "nueva@ejemplo.es", "type": 2}))
    }),
    row("GET /api/v1/invitations", Principals, Nothing, |_| Ask::get("/api/v1/invitations")),
    answering(
        row("POST /api/v1/invitation-resend/{id}", Principals, Nothing, |w| {
            Ask::empty(Method::POST, format!("/api/v1/invitation-resend/{}", w.owner.id))
        }),
        &[(404, "INVITATION_NOT_FOUND")],
    ),
    answering(
        row("POST /api/v1/invitation-revoke/{id}", Principals, Nothing, |w| {
            Ask::empty(Method::POST, format!("/api/v1/invitation-revoke/{}", w.owner.id))
        }),
        &[(404, "INVITATION_NOT_FOUND")],
    ),
    answering(
        row("POST /api/v1/user-name-confirm", Public, Nothing, |_| Ask::post("/api/v1/user-name-confirm", json!({"token": "x"}))),
        FORGED,
    ),
    // "Unauthenticated access is limited to activation …": the link is the proof
    answering(
        row("POST /api/v1/verify-token-activation", Public, Nothing, |_| with_token("/api/v1/verify-token-activation")),
        FORGED,
    ),
    answering(
        row("POST /api/v1/activation-email-token", Public, Nothing, |_| with_token("/api/v1/activation-email-token")),
        FORGED,
    ),
    answering(row("POST /api/v1/activation-renew", Public, Nothing, |_| with_token("/api/v1/activation-renew")), NO_CONTENT),
    answering(
        row("POST /api/v1/user", Public, Nothing, |w| {
            Ask::post("/api/v1/user", json!({"customerId": w.owner.company, "user": {}, "token": "x"}))
        }),
        FORGED,
    ),
    answering(row("POST /api/v1/customer", Public, Nothing, |_| registration("customer")), FORGED),
    answering(row("POST /api/v1/repairer", Public, Nothing, |_| registration("repairer")), FORGED),
    answering(row("POST /api/v1/carReparation", Public, Nothing, |_| registration("carReparation")), FORGED),
    answering(
        row("POST /api/v1/activation-ok-email", Public, Nothing, |_| {
            Ask::post("/api/v1/activation-ok-email", json!({"email": "nadie@ejemplo.es"}))
        }),
        &[(503, "ACTIVATION_EMAIL_FAILED")],
    ),
    answering(
        row("POST /api/v1/customer-no-login/{id}", Public, Nothing, |w| {
            Ask::post(format!("/api/v1/customer-no-login/{}", w.owner.company), json!({"token": "x"}))
        }),
        FORGED_OR_SESSION,
    ),
    answering(
        row("PUT /api/v1/activate-customer/{id}", Public, Nothing, |w| activation("activate-customer", w.owner.company)),
        FORGED_OR_SESSION,
    ),
    answering(
        row("PUT /api/v1/activate-repairer/{id}", Public, Nothing, |w| activation("activate-repairer", w.owner.company)),
        FORGED_OR_SESSION,
    ),
    answering(
        row("PUT /api/v1/activate-car-reparation/{id}", Public, Nothing, |w| {
            activation("activate-car-reparation", w.owner.company)
        }),
        FORGED_OR_SESSION,
    ),
    answering(row("GET /a/{token}", Public, Nothing, |_| Ask::get("/a/x")), &[(302, "")]),
];
