//! Users, API keys, audit log, small calls.

use super::table::Access::{Admin, ApiKey, Member, OwnCustomer, Principal, Principals, Profile, Public, Session};
use super::table::{NO_CONTENT, Row, answering, fresh, hiding, refusing, row};
use super::world::{
    Ask,
    Needs::{self, Nothing},
    World,
};
use axum::http::Method;
use serde_json::json;

fn keys_of(w: &World, call: &str) -> String {
    format!("/api/v1/{call}?customerId={}", w.owner.company)
}

pub const ROWS: &[Row] = &[
    row("GET /api/v1/me", Session, Nothing, |_| Ask::get("/api/v1/me")),
    hiding(
        row("GET /api/v1/users/{id}", Principal, Nothing, |w| Ask::get(format!("/api/v1/users/{}", w.owner.company))),
        "COMPANY_NOT_FOUND",
    ),
    refusing(
        hiding(
            row("PUT /api/v1/user", Profile, Nothing, |w| {
                Ask::post("/api/v1/user", json!({"user": {"_id": w.owner.id, "name": "Ana"}})).by(Method::PUT)
            }),
            "USER_NOT_FOUND",
        ),
        "OWN_ID_REQUIRED",
    ),
    hiding(
        row("POST /api/v1/exist-userName/{userName}", Member, Nothing, |w| {
            let body = json!({"customerId": w.owner.company, "role": 3});
            Ask::post(format!("/api/v1/exist-userName/{}", w.owner.user_name), body)
        }),
        "COMPANY_NOT_FOUND",
    ),
    row("GET /api/v1/audit", Principals, Nothing, |_| Ask::get("/api/v1/audit")),
    row("GET /api/v1/audit-chain", Admin, Nothing, |_| Ask::get("/api/v1/audit-chain")),
    hiding(
        row("GET /api/v1/user-logs/{id}", Profile, Nothing, |w| Ask::get(format!("/api/v1/user-logs/{}", w.owner.id))),
        "USER_NOT_FOUND",
    ),
    hiding(row("GET /api/v1/get-apiKey", OwnCustomer, Nothing, |w| Ask::get(keys_of(w, "get-apiKey"))), "COMPANY_NOT_FOUND"),
    fresh(hiding(
        row("GET /api/v1/generate-apiKey", OwnCustomer, Nothing, |w| Ask::get(keys_of(w, "generate-apiKey"))),
        "COMPANY_NOT_FOUND",
    )),
    fresh(hiding(
        row("POST /api/v1/generate-apiKey", OwnCustomer, Nothing, |w| Ask::empty(Method::POST, keys_of(w, "generate-apiKey"))),
        "COMPANY_NOT_FOUND",
    )),
    answering(
        hiding(
            row("POST /api/v1/revoke-apiKey/{id}", OwnCustomer, Needs::ApiKey, |w| {
                Ask::empty(Method::POST, format!("/api/v1/revoke-apiKey/{}", w.api_key))
            }),
            "API_KEY_NOT_FOUND",
        ),
        NO_CONTENT,
    ),
    row("GET /ext-api/v1/account", ApiKey, Nothing, |_| Ask::get("/ext-api/v1/account")),
    row("GET /ext-api/api-doc", Public, Nothing, |_| Ask::get("/ext-api/api-doc")),
    row("GET /ext-api/openapi.json", Public, Nothing, |_| Ask::get("/ext-api/openapi.json")),
    row("GET /api/v1/ext-api/api-doc", Public, Nothing, |_| Ask::get("/api/v1/ext-api/api-doc")),
    row("GET /api/v1/get-links", Public, Nothing, |_| Ask::get("/api/v1/get-links")),
    row("GET /api/v1/setup", Admin, Nothing, |_| Ask::get("/api/v1/setup")),
];
