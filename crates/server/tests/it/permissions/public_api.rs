//! The calls of customers' programs, which no session opens, and the webhooks that the page `/api` keeps.

use super::table::Access::{ApiKey, OwnCustomer};
use super::table::{NO_CONTENT, Row, answering, fresh, hiding, row};
use super::world::{
    Ask,
    Needs::{self, Nothing},
    World,
};
use axum::http::Method;
use serde_json::json;

const NO_ONE: &str = "00000000-0000-7000-8000-000000000000";

fn hooks_of(w: &World) -> String {
    format!("/api/v1/webhooks?customerId={}", w.owner.company)
}

pub const ROWS: &[Row] = &[
    row("POST /ext-api/v1/conferences", ApiKey, Nothing, |_| Ask::post("/ext-api/v1/conferences", json!({}))),
    row("GET /ext-api/v1/conferences", ApiKey, Nothing, |_| Ask::get("/ext-api/v1/conferences")),
    row("GET /ext-api/v1/conferences/{id}", ApiKey, Needs::Conference, |w| {
        Ask::get(format!("/ext-api/v1/conferences/{}", w.conference))
    }),
    row("GET /ext-api/v1/conferences/{id}/media", ApiKey, Needs::Conference, |w| {
        Ask::get(format!("/ext-api/v1/conferences/{}/media", w.conference))
    }),
    row("GET /ext-api/v1/media/{id}/content", ApiKey, Nothing, |_| Ask::get(format!("/ext-api/v1/media/{NO_ONE}/content"))),
    row("POST /ext-api/v1/conferences/{id}/file-requests", ApiKey, Needs::Conference, |w| {
        Ask::post(format!("/ext-api/v1/conferences/{}/file-requests", w.conference), json!({}))
    }),
    row("GET /ext-api/v1/conferences/{id}/file-requests", ApiKey, Needs::Conference, |w| {
        Ask::get(format!("/ext-api/v1/conferences/{}/file-requests", w.conference))
    }),
    row("GET /ext-api/v1/conferences/{id}/certificate", ApiKey, Needs::Conference, |w| {
        Ask::get(format!("/ext-api/v1/conferences/{}/certificate", w.conference))
    }),
    row("GET /ext-api/v1/webhooks", ApiKey, Nothing, |_| Ask::get("/ext-api/v1/webhooks")),
    row("POST /ext-api/v1/webhooks", ApiKey, Nothing, |_| Ask::post("/ext-api/v1/webhooks", json!({}))),
    row("PUT /ext-api/v1/webhooks/{id}", ApiKey, Nothing, |_| Ask::put(format!("/ext-api/v1/webhooks/{NO_ONE}"), json!({}))),
    row("DELETE /ext-api/v1/webhooks/{id}", ApiKey, Nothing, |_| {
        Ask::empty(Method::DELETE, format!("/ext-api/v1/webhooks/{NO_ONE}"))
    }),
    row("GET /ext-api/v1/webhooks/{id}/deliveries", ApiKey, Nothing, |_| {
        Ask::get(format!("/ext-api/v1/webhooks/{NO_ONE}/deliveries"))
    }),
    row("POST /ext-api/v1/webhooks/{id}/replay", ApiKey, Nothing, |_| {
        Ask::post(format!("/ext-api/v1/webhooks/{NO_ONE}/replay"), json!({}))
    }),
    row("POST /ext-api/v1/webhooks/{id}/test", ApiKey, Nothing, |_| {
        Ask::empty(Method::POST, format!("/ext-api/v1/webhooks/{NO_ONE}/test"))
    }),
    hiding(row("GET /api/v1/webhooks", OwnCustomer, Nothing, |w| Ask::get(hooks_of(w))), "COMPANY_NOT_FOUND"),
    // An address that leads inside is refused after everything else: who gets there may add one.
    answering(
        hiding(
            row("POST /api/v1/webhooks", OwnCustomer, Nothing, |w| Ask::post(hooks_of(w), json!({"url": "https://127.0.0.1/"}))),
            "COMPANY_NOT_FOUND",
        ),
        &[(422, "INVALID_FIELDS")],
    ),
    answering(
        hiding(
            row("PUT /api/v1/webhooks/{id}", OwnCustomer, Needs::Webhook, |w| {
                Ask::put(format!("/api/v1/webhooks/{}", w.webhook), json!({"url": "https://127.0.0.1/"}))
            }),
            "WEBHOOK_NOT_FOUND",
        ),
        &[(422, "INVALID_FIELDS")],
    ),
    fresh(answering(
        hiding(
            row("DELETE /api/v1/webhooks/{id}", OwnCustomer, Needs::Webhook, |w| {
                Ask::empty(Method::DELETE, format!("/api/v1/webhooks/{}", w.webhook))
            }),
            "WEBHOOK_NOT_FOUND",
        ),
        NO_CONTENT,
    )),
    hiding(
        row("GET /api/v1/webhooks/{id}/deliveries", OwnCustomer, Needs::Webhook, |w| {
            Ask::get(format!("/api/v1/webhooks/{}/deliveries", w.webhook))
        }),
        "WEBHOOK_NOT_FOUND",
    ),
    hiding(
        row("POST /api/v1/webhooks/{id}/replay", OwnCustomer, Needs::Webhook, |w| {
            Ask::post(format!("/api/v1/webhooks/{}/replay", w.webhook), json!({"from": "2026-11-20T00:00:00Z"}))
        }),
        "WEBHOOK_NOT_FOUND",
    ),
    hiding(
        row("POST /api/v1/webhooks/{id}/test", OwnCustomer, Needs::Webhook, |w| {
            Ask::empty(Method::POST, format!("/api/v1/webhooks/{}/test", w.webhook))
        }),
        "WEBHOOK_NOT_FOUND",
    ),
];
