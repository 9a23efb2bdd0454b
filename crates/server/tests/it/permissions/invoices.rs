//! Invoices and the monthly runs.

use super::table::Access::{Admin, OwnCustomer};
use super::table::{Row, answering, fresh, hiding, row};
use super::world::Ask;
use super::world::Needs::Nothing;
use axum::http::Method;
use serde_json::json;

/// What nobody has; others' are a test of the room.
const NOBODY: &str = "0192f0c1-7d2c-7bbb-8a5e-00000000beef";
const NOT_FOUND: &[(u16, &str)] = &[(404, "INVOICE_NOT_FOUND")];
const ACCEPTED: &[(u16, &str)] = &[(202, "")];
/// The rows before have begun a calculation.
const WHILE_CALCULATED: &[(u16, &str)] = &[(200, ""), (409, "INVOICE_JOB_RUNNING")];
/// The platform company of tests has no tax data.
const INCOMPLETE: &[(u16, &str)] = &[(409, "ISSUER_INCOMPLETE")];

fn about_nobody(call: &str, body: serde_json::Value) -> Ask {
    Ask::post(format!("/api/v1/{call}/{NOBODY}"), body)
}

pub const ROWS: &[Row] = &[
    hiding(
        row("GET /api/v1/get-invoices/{id}", OwnCustomer, Nothing, |w| {
            Ask::get(format!("/api/v1/get-invoices/{}", w.owner.company))
        }),
        "COMPANY_NOT_FOUND",
    ),
    hiding(
        row("GET /api/v1/invoices-excel/{id}", OwnCustomer, Nothing, |w| {
            Ask::get(format!("/api/v1/invoices-excel/{}", w.owner.company))
        }),
        "COMPANY_NOT_FOUND",
    ),
    hiding(
        row("GET /api/v1/invoice-statistics/{id}", OwnCustomer, Nothing, |w| {
            Ask::get(format!("/api/v1/invoice-statistics/{}", w.owner.company))
        }),
        "COMPANY_NOT_FOUND",
    ),
    // By a company's id the running month.
    hiding(
        row("GET /api/v1/get-details/{id}", OwnCustomer, Nothing, |w| {
            Ask::get(format!("/api/v1/get-details/{}", w.owner.company))
        }),
        "INVOICE_NOT_FOUND",
    ),
    row("GET /api/v1/accounting-summary", Admin, Nothing, |_| Ask::get("/api/v1/accounting-summary?period=2026-10")),
    row("GET /api/v1/accounting-register", Admin, Nothing, |_| Ask::get("/api/v1/accounting-register?period=2026-4T")),
    row("GET /api/v1/accounting-entries", Admin, Nothing, |_| Ask::get("/api/v1/accounting-entries?period=2026")),
    row("GET /api/v1/accounting-documents", Admin, Nothing, |_| {
        Ask::get("/api/v1/accounting-documents?period=2026-10&format=xml")
    }),
    row("GET /api/v1/invoice-processes", Admin, Nothing, |_| Ask::get("/api/v1/invoice-processes")),
    fresh(answering(
        row("GET /api/v1/update-invoice-processes", Admin, Nothing, |_| Ask::get("/api/v1/update-invoice-processes")),
        ACCEPTED,
    )),
    fresh(answering(
        row("POST /api/v1/update-invoice-processes", Admin, Nothing, |_| {
            Ask::empty(Method::POST, "/api/v1/update-invoice-processes")
        }),
        ACCEPTED,
    )),
    answering(
        row("GET /api/v1/generate-all-invoices", Admin, Nothing, |_| Ask::get("/api/v1/generate-all-invoices")),
        INCOMPLETE,
    ),
    answering(
        row("POST /api/v1/generate-all-invoices", Admin, Nothing, |_| Ask::empty(Method::POST, "/api/v1/generate-all-invoices")),
        INCOMPLETE,
    ),
    answering(row("GET /api/v1/send-all-invoices", Admin, Nothing, |_| Ask::get("/api/v1/send-all-invoices")), WHILE_CALCULATED),
    answering(
        row("POST /api/v1/send-all-invoices", Admin, Nothing, |_| Ask::empty(Method::POST, "/api/v1/send-all-invoices")),
        WHILE_CALCULATED,
    ),
    answering(
        row("POST /api/v1/invoice-rectify/{id}", Admin, Nothing, |_| {
            about_nobody("invoice-rectify", json!({"reason": "x", "kind": "to-zero"}))
        }),
        NOT_FOUND,
    ),
    answering(row("POST /api/v1/invoice-cancel/{id}", Admin, Nothing, |_| about_nobody("invoice-cancel", json!({}))), NOT_FOUND),
    answering(
        row("POST /api/v1/invoice-paid/{id}", Admin, Nothing, |_| about_nobody("invoice-paid", json!({"paidAt": "2026-11-20"}))),
        NOT_FOUND,
    ),
    answering(row("POST /api/v1/invoice-unpaid/{id}", Admin, Nothing, |_| about_nobody("invoice-unpaid", json!({}))), NOT_FOUND),
];
