//! Second factor, passkeys, passwords, devices.

use super::table::Access::{OwnId, OwnIdOrAdmin, PasswordDesk, Profile, Public, Session};
use super::table::{NO_CONTENT, Row, answering, fresh, hiding, refusing, row};
use super::world::{Ask, Needs::Nothing};
use axum::http::Method;
use serde_json::json;

/// Nobody here has a second factor: that is what those who may are told.
const INACTIVE: &[(u16, &str)] = &[(409, "SECOND_FACTOR_INACTIVE")];

/// No ceremony is open.
const PASSKEY_INVALID: &[(u16, &str)] = &[(422, "PASSKEY_INVALID")];

pub const ROWS: &[Row] = &[
    row("GET /api/v1/2fa", Session, Nothing, |_| Ask::get("/api/v1/2fa")),
    refusing(
        answering(
            row("POST /api/v1/verify2fa", OwnId, Nothing, |w| {
                Ask::post("/api/v1/verify2fa", json!({"userId": w.owner.id, "token": "000000", "secret": ""}))
            }),
            INACTIVE,
        ),
        "OWN_ID_REQUIRED",
    ),
    // "the own account and a code, or an administrator", and the principal for his members
    refusing(
        hiding(
            answering(
                row("POST /api/v1/disable2fa", Profile, Nothing, |w| {
                    Ask::post("/api/v1/disable2fa", json!({"userId": w.owner.id}))
                }),
                INACTIVE,
            ),
            "USER_NOT_FOUND",
        ),
        "OWN_ID_REQUIRED",
    ),
    answering(
        row("POST /api/v1/recovery-codes", Session, Nothing, |_| Ask::post("/api/v1/recovery-codes", json!({"token": "000000"}))),
        INACTIVE,
    ),
    answering(
        row("POST /api/v1/fresh-proof", Session, Nothing, |_| {
            Ask::post("/api/v1/fresh-proof", json!({"password": atalaya_testkit::PASSWORD}))
        }),
        NO_CONTENT,
    ),
    // Passwords: "unauthenticated access is limited to activation, recovery, reset …"
    fresh(answering(
        row("POST /api/v1/remember-email", Public, Nothing, |w| {
            Ask::post("/api/v1/remember-email", json!({"email": w.owner.user_name}))
        }),
        NO_CONTENT,
    )),
    answering(
        row("PUT /api/v1/change-password", Public, Nothing, |_| {
            Ask::put("/api/v1/change-password", json!({"change": {"token": "x", "password": "tejado rojo bajo la lluvia"}}))
        }),
        &[(422, "TOKEN_INVALID")],
    ),
    refusing(
        answering(
            row("PUT /api/v1/change-password-perfil/{id}", OwnId, Nothing, |w| {
                let params = json!({"oldPassword": atalaya_testkit::PASSWORD, "password": "tejado rojo bajo la lluvia"});
                Ask::put(format!("/api/v1/change-password-perfil/{}", w.owner.id), json!({"params": params}))
            }),
            NO_CONTENT,
        ),
        "OWN_ID_REQUIRED",
    ),
    row("POST /api/v1/password-users", PasswordDesk, Nothing, |w| {
        Ask::post("/api/v1/password-users", json!({"userName": w.owner.user_name}))
    }),
    answering(
        row("POST /api/v1/password-reset/{id}", PasswordDesk, Nothing, |w| {
            Ask::empty(Method::POST, format!("/api/v1/password-reset/{}", w.owner.id))
        }),
        NO_CONTENT,
    ),
    // Devices
    refusing(
        row("GET /api/v1/sessions/{userId}", OwnIdOrAdmin, Nothing, |w| Ask::get(format!("/api/v1/sessions/{}", w.owner.id))),
        "OWN_ID_REQUIRED",
    ),
    answering(
        row("POST /api/v1/session-end/{id}", Session, Nothing, |w| {
            Ask::empty(Method::POST, format!("/api/v1/session-end/{}", w.owner.id))
        }),
        // No session has the id of a user.
        &[(404, "SESSION_NOT_FOUND")],
    ),
    refusing(
        answering(
            row("POST /api/v1/sessions-end/{userId}", OwnIdOrAdmin, Nothing, |w| {
                Ask::empty(Method::POST, format!("/api/v1/sessions-end/{}", w.owner.id))
            }),
            NO_CONTENT,
        ),
        "OWN_ID_REQUIRED",
    ),
    // Issue 21: everybody's own data, with a fresh proof
    row("GET /api/v1/my-data", Session, Nothing, |_| Ask::get("/api/v1/my-data")),
    // Passkeys: everybody's own
    row("POST /api/v1/passkey-options", Session, Nothing, |_| Ask::empty(Method::POST, "/api/v1/passkey-options")),
    row("GET /api/v1/passkeys", Session, Nothing, |_| Ask::get("/api/v1/passkeys")),
    answering(
        row("POST /api/v1/passkeys", Session, Nothing, |_| {
            let response = json!({"clientDataJSON": "e30", "attestationObject": "oA"});
            Ask::post("/api/v1/passkeys", json!({"credential": {"rawId": "AQ", "response": response}, "name": "x"}))
        }),
        PASSKEY_INVALID,
    ),
    answering(
        row("POST /api/v1/passkey-delete/{id}", Session, Nothing, |w| {
            Ask::empty(Method::POST, format!("/api/v1/passkey-delete/{}", w.owner.id))
        }),
        &[(404, "PASSKEY_NOT_FOUND")],
    ),
    row("POST /api/v1/passkey-login-options", Public, Nothing, |_| Ask::empty(Method::POST, "/api/v1/passkey-login-options")),
    answering(
        row("POST /api/v1/passkey-login", Public, Nothing, |w| {
            let response = json!({"clientDataJSON": "e30", "authenticatorData": "oA", "signature": "oA"});
            let body = json!({"ceremony": w.owner.id, "credential": {"rawId": "AQ", "response": response}});
            Ask::post("/api/v1/passkey-login", body)
        }),
        PASSKEY_INVALID,
    ),
];
