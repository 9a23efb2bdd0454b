//! Records for the tax office, documents.

use super::table::Access::{Admin, AdminOrCustomers, Session};
use super::table::{Row, answering, row};
use super::world::Ask;
use super::world::Needs::Nothing;
use serde_json::json;

const NO_INVOICE: &[(u16, &str)] = &[(404, "INVOICE_NOT_FOUND")];
const NO_RECORD: &[(u16, &str)] = &[(404, "RECORD_NOT_FOUND")];

/// About something that nobody has: the role is asked first. Whose it is, `it::verifactu` shows with real ones.
fn unknown(call: &str) -> String {
    format!("/api/v1/{call}/00000000-0000-7000-8000-000000000000")
}

pub const ROWS: &[Row] = &[
    // "print-invoice" and its details: role 2 its own, administrators all
    answering(
        row("GET /api/v1/print-invoice/{id}", AdminOrCustomers, Nothing, |_| Ask::get(unknown("print-invoice"))),
        NO_INVOICE,
    ),
    answering(
        row("GET /api/v1/invoice-facturae/{id}", AdminOrCustomers, Nothing, |_| Ask::get(unknown("invoice-facturae"))),
        NO_INVOICE,
    ),
    // Issue 21: "EN 16931 as UBL and CII", with the rights of the PDF
    answering(row("GET /api/v1/invoice-ubl/{id}", AdminOrCustomers, Nothing, |_| Ask::get(unknown("invoice-ubl"))), NO_INVOICE),
    answering(row("GET /api/v1/invoice-cii/{id}", AdminOrCustomers, Nothing, |_| Ask::get(unknown("invoice-cii"))), NO_INVOICE),
    // Issue 21: status messages, of the recipient and of administrators
    answering(
        row("GET /api/v1/invoice-messages/{id}", AdminOrCustomers, Nothing, |_| Ask::get(unknown("invoice-messages"))),
        NO_INVOICE,
    ),
    answering(
        row("POST /api/v1/invoice-messages/{id}", AdminOrCustomers, Nothing, |_| {
            Ask::post(unknown("invoice-messages"), json!({"status": "accepted", "day": "2026-11-03"}))
        }),
        NO_INVOICE,
    ),
    // "all admin unless said"
    row("GET /api/v1/verifactu", Admin, Nothing, |_| Ask::get("/api/v1/verifactu")),
    row("GET /api/v1/verifactu-records", Admin, Nothing, |_| Ask::get("/api/v1/verifactu-records")),
    answering(row("GET /api/v1/verifactu-record/{id}", Admin, Nothing, |_| Ask::get(unknown("verifactu-record"))), NO_RECORD),
    // Issue 21: "exported as the XML that an inspection asks for"
    answering(
        row("GET /api/v1/verifactu-export", Admin, Nothing, |_| {
            Ask::get("/api/v1/verifactu-export?from=2020-01-01&to=2020-01-31")
        }),
        NO_RECORD,
    ),
    row("POST /api/v1/verifactu-check", Admin, Nothing, |_| Ask::post("/api/v1/verifactu-check", json!({}))),
    answering(
        row("POST /api/v1/verifactu-resend/{id}", Admin, Nothing, |_| Ask::post(unknown("verifactu-resend"), json!({}))),
        NO_RECORD,
    ),
    // "must be readable inside the product" (Orden HAC/1177/2024 art. 15)
    row("GET /api/v1/verifactu-declaration", Session, Nothing, |_| Ask::get("/api/v1/verifactu-declaration")),
];
