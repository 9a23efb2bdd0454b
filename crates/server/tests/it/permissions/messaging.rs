//! Messaging service and a company's SMS.

use super::table::Access::{Admin, ListConferences, OwnCustomer, Public};
use super::table::{Row, answering, hiding, row};
use super::world::{Ask, Needs::Nothing};
use axum::http::Method;
use serde_json::json;

/// No company has this id.
const NOBODY: &str = "018f3b2a-0000-7000-8000-00000000dead";

const NO_GATEWAY: &[(u16, &str)] = &[(409, "WHATSAPP_NOT_CONFIGURED")];

pub const ROWS: &[Row] = &[
    row("GET /api/v1/own-message-service/status", Admin, Nothing, |_| Ask::get("/api/v1/own-message-service/status")),
    row("POST /api/v1/own-message-service/change-run-status", Admin, Nothing, |_| {
        Ask::post("/api/v1/own-message-service/change-run-status", json!({"run": true}))
    }),
    row("POST /api/v1/own-message-service/reset", Admin, Nothing, |_| {
        Ask::post("/api/v1/own-message-service/reset", json!({"reset": true}))
    }),
    row("GET /api/v1/message-templates", Admin, Nothing, |_| Ask::get("/api/v1/message-templates")),
    row("GET /api/v1/message-template/{key}", Admin, Nothing, |_| Ask::get("/api/v1/message-template/session.sms")),
    // Without a gateway: that is no error of the status, and nothing can be done
    row("GET /api/v1/whatsapp-status", Admin, Nothing, |_| Ask::get("/api/v1/whatsapp-status")),
    answering(row("GET /api/v1/restart-whatsapp", Admin, Nothing, |_| Ask::get("/api/v1/restart-whatsapp")), NO_GATEWAY),
    answering(
        row("POST /api/v1/restart-whatsapp", Admin, Nothing, |_| Ask::empty(Method::POST, "/api/v1/restart-whatsapp")),
        NO_GATEWAY,
    ),
    answering(row("GET /api/v1/stop-whatsapp", Admin, Nothing, |_| Ask::get("/api/v1/stop-whatsapp")), NO_GATEWAY),
    answering(
        row("POST /api/v1/stop-whatsapp", Admin, Nothing, |_| Ask::empty(Method::POST, "/api/v1/stop-whatsapp")),
        NO_GATEWAY,
    ),
    answering(
        row("GET /api/v1/whatsapp-cleanSession", Admin, Nothing, |_| Ask::get("/api/v1/whatsapp-cleanSession")),
        NO_GATEWAY,
    ),
    answering(
        row("POST /api/v1/whatsapp-cleanSession", Admin, Nothing, |_| Ask::empty(Method::POST, "/api/v1/whatsapp-cleanSession")),
        NO_GATEWAY,
    ),
    // A provider proves itself by its signature, and none is configured
    answering(
        row("POST /hooks/messages/{provider}", Public, Nothing, |_| Ask::post("/hooks/messages/twilio", json!({}))),
        &[(404, "NOT_FOUND")],
    ),
    // "the SMS texts belong to the user's company"; `/sms-client-conference/{id}` (customer, administrator); the form of a
    // new call begins with it (customer, worker)
    hiding(
        row("GET /api/v1/sms-conference-client/{id}", ListConferences, Nothing, |w| {
            Ask::get(format!("/api/v1/sms-conference-client/{}", w.owner.id))
        }),
        "USER_NOT_FOUND",
    ),
    hiding(
        row("POST /api/v1/sms-conference-client/{id}", OwnCustomer, Nothing, |w| {
            Ask::post(format!("/api/v1/sms-conference-client/{}", w.owner.id), json!({"sms": "Su perito:"}))
        }),
        "USER_NOT_FOUND",
    ),
    hiding(
        row("GET /api/v1/sms-conference-sender-client/{id}", OwnCustomer, Nothing, |w| {
            Ask::get(format!("/api/v1/sms-conference-sender-client/{}", w.owner.id))
        }),
        "USER_NOT_FOUND",
    ),
    hiding(
        row("POST /api/v1/sms-conference-sender/{id}", OwnCustomer, Nothing, |w| {
            Ask::post(format!("/api/v1/sms-conference-sender/{}", w.owner.id), json!({"sms": "LEVANTE"}))
        }),
        "USER_NOT_FOUND",
    ),
    answering(
        row("POST /api/v1/sms-sender-status/{companyId}", Admin, Nothing, |_| {
            Ask::post(format!("/api/v1/sms-sender-status/{}", NOBODY), json!({"status": "requested"}))
        }),
        &[(404, "COMPANY_NOT_FOUND")],
    ),
    row("GET /api/v1/sms-senders", Admin, Nothing, |_| Ask::get("/api/v1/sms-senders")),
    answering(
        row("GET /api/v1/sms-ceiling/{companyId}", Admin, Nothing, |_| Ask::get(format!("/api/v1/sms-ceiling/{}", NOBODY))),
        &[(404, "COMPANY_NOT_FOUND")],
    ),
    answering(
        row("POST /api/v1/sms-ceiling/{companyId}", Admin, Nothing, |_| {
            Ask::post(format!("/api/v1/sms-ceiling/{}", NOBODY), json!({"perHour": 10}))
        }),
        &[(404, "COMPANY_NOT_FOUND")],
    ),
];
