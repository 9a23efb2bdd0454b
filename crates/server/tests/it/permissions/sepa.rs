//! Mandates, remittances.

use super::table::Access::{Admin, AdminOrCustomers, OwnCustomer};
use super::table::{Row, answering, hiding, row};
use super::world::{Ask, Needs::Nothing};
use serde_json::json;

/// Nothing has this id.
const NOBODY: &str = "018f3b2a-0000-7000-8000-00000000dead";

const NO_MANDATE: &[(u16, &str)] = &[(404, "MANDATE_NOT_FOUND")];

pub const ROWS: &[Row] = &[
    answering(
        row("GET /api/v1/outbox-attachment/{id}", Admin, Nothing, |_| Ask::get(format!("/api/v1/outbox-attachment/{NOBODY}"))),
        &[(404, "ATTACHMENT_NOT_FOUND")],
    ),
    // "2 own, 1"; the owner's company is a customer without tax id of the platform: the issuer is incomplete
    hiding(
        answering(
            row("POST /api/v1/sepa", OwnCustomer, Nothing, |w| Ask::post("/api/v1/sepa", json!({"customer": w.owner.company}))),
            &[(409, "ISSUER_INCOMPLETE")],
        ),
        "COMPANY_NOT_FOUND",
    ),
    row("GET /api/v1/mandates", AdminOrCustomers, Nothing, |_| Ask::get("/api/v1/mandates")),
    answering(
        row("GET /api/v1/mandate-pdf/{id}", AdminOrCustomers, Nothing, |_| Ask::get(format!("/api/v1/mandate-pdf/{NOBODY}"))),
        NO_MANDATE,
    ),
    answering(
        row("GET /api/v1/mandate-document/{id}", AdminOrCustomers, Nothing, |_| {
            Ask::get(format!("/api/v1/mandate-document/{NOBODY}"))
        }),
        NO_MANDATE,
    ),
    answering(
        row("GET /api/v1/mandate-evidence/{id}", AdminOrCustomers, Nothing, |_| {
            Ask::get(format!("/api/v1/mandate-evidence/{NOBODY}"))
        }),
        NO_MANDATE,
    ),
    answering(
        row("POST /api/v1/mandate-sign/{id}", AdminOrCustomers, Nothing, |_| {
            Ask::post(format!("/api/v1/mandate-sign/{NOBODY}"), json!({"accept": true}))
        }),
        NO_MANDATE,
    ),
    answering(
        row("POST /api/v1/mandate-cancel/{id}", AdminOrCustomers, Nothing, |_| {
            Ask::post(format!("/api/v1/mandate-cancel/{NOBODY}"), json!({}))
        }),
        NO_MANDATE,
    ),
    answering(
        row("POST /api/v1/mandate-resume/{id}", Admin, Nothing, |_| {
            Ask::post(format!("/api/v1/mandate-resume/{NOBODY}"), json!({}))
        }),
        NO_MANDATE,
    ),
    answering(
        row("POST /api/v1/mandate-scheme/{id}", Admin, Nothing, |_| {
            Ask::post(format!("/api/v1/mandate-scheme/{NOBODY}"), json!({"scheme": "B2B"}))
        }),
        NO_MANDATE,
    ),
    row("GET /api/v1/sepa-secret", Admin, Nothing, |_| Ask::get("/api/v1/sepa-secret")),
    answering(
        row("POST /api/v1/encrypt-iban", Admin, Nothing, |_| {
            Ask::post("/api/v1/encrypt-iban", json!({"secret": "una clave bien larga", "customerId": NOBODY}))
        }),
        &[(404, "COMPANY_NOT_FOUND")],
    ),
    // Nothing is due, and the platform's own data are not complete
    answering(
        row("POST /api/v1/mail-xml-sepa", Admin, Nothing, |_| {
            Ask::post("/api/v1/mail-xml-sepa", json!({"secret": "una clave bien larga"}))
        }),
        &[(409, "ISSUER_INCOMPLETE")],
    ),
    row("GET /api/v1/remittance-due", Admin, Nothing, |_| Ask::get("/api/v1/remittance-due")),
    row("GET /api/v1/remittances", Admin, Nothing, |_| Ask::get("/api/v1/remittances")),
    answering(
        row("GET /api/v1/remittance/{id}", Admin, Nothing, |_| Ask::get(format!("/api/v1/remittance/{NOBODY}"))),
        &[(404, "REMITTANCE_NOT_FOUND")],
    ),
    answering(
        row("POST /api/v1/remittance-cancel/{id}", Admin, Nothing, |_| {
            Ask::post(format!("/api/v1/remittance-cancel/{NOBODY}"), json!({"reason": "x"}))
        }),
        &[(404, "REMITTANCE_NOT_FOUND")],
    ),
    answering(
        row("POST /api/v1/remittance-attempt/{id}", Admin, Nothing, |_| {
            Ask::post(format!("/api/v1/remittance-attempt/{NOBODY}"), json!({"outcome": "paid", "at": "2026-10-01"}))
        }),
        &[(404, "DEBIT_NOT_FOUND")],
    ),
    answering(
        row("POST /api/v1/payment-proposal/{id}", Admin, Nothing, |_| {
            Ask::post(format!("/api/v1/payment-proposal/{NOBODY}"), json!({"accept": true}))
        }),
        &[(404, "PROPOSAL_NOT_FOUND")],
    ),
    // A picture is no bank file
    answering(row("POST /api/v1/parse-sepa", Admin, Nothing, |_| Ask::file("/api/v1/parse-sepa")), &[(422, "INVALID_FIELDS")]),
    row("GET /api/v1/sepa-files", Admin, Nothing, |_| Ask::get("/api/v1/sepa-files")),
    answering(
        row("GET /api/v1/sepa-file/{id}", Admin, Nothing, |_| Ask::get(format!("/api/v1/sepa-file/{NOBODY}"))),
        &[(404, "BANK_FILE_NOT_FOUND")],
    ),
];
