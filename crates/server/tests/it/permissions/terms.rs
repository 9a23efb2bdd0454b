//! Legal terms, price tables, consumption, the contract.

use super::table::Access::{Accepts, Admin, OwnCustomer, Principals, Public};
use super::table::{NO_CONTENT, Row, answering, hiding, row};
use super::world::{Ask, Needs::Nothing};
use serde_json::json;

const MADE: &[(u16, &str)] = &[(201, "")];

pub const ROWS: &[Row] = &[
    row("GET /api/v1/price-id/{id}", Public, Nothing, |_| Ask::get("/api/v1/price-id/0")),
    row("GET /api/v1/contract", Public, Nothing, |_| Ask::get("/api/v1/contract")),
    row("GET /api/v1/prices", Admin, Nothing, |_| Ask::get("/api/v1/prices")),
    answering(
        row("POST /api/v1/price", Admin, Nothing, |_| {
            Ask::post(
                "/api/v1/price",
                json!({"connection": 6, "otherConnections": 3, "exceededMinute": 0.35, "guestMinute": 0.2, "minPayment": 30}),
            )
        }),
        MADE,
    ),
    row("POST /api/v1/price-simulate", Admin, Nothing, |_| Ask::post("/api/v1/price-simulate", json!({"examples": []}))),
    row("GET /api/v1/legals", Admin, Nothing, |_| Ask::get("/api/v1/legals")),
    answering(
        row("POST /api/v1/legal", Admin, Nothing, |_| {
            Ask::post("/api/v1/legal", json!({"type": 2, "title": "Condiciones", "html": "<p>Texto</p>", "language": "es"}))
        }),
        MADE,
    ),
    answering(
        row("GET /api/v1/legal-diff/{from}/{to}", Principals, Nothing, |w| {
            Ask::get(format!("/api/v1/legal-diff/{}/{}", w.owner.id, w.owner.id))
        }),
        &[(404, "LEGAL_NOT_FOUND")],
    ),
    row("GET /api/v1/legal-pending", Accepts, Nothing, |_| Ask::get("/api/v1/legal-pending")),
    // Nothing was read, so that is what those who may are told.
    answering(
        row("POST /api/v1/legal-accept", Accepts, Nothing, |_| Ask::post("/api/v1/legal-accept", json!({"legalIds": []}))),
        &[(422, "INVALID_FIELDS")],
    ),
    answering(row("POST /api/v1/legal-decline", Accepts, Nothing, |_| Ask::post("/api/v1/legal-decline", json!({}))), NO_CONTENT),
    hiding(
        row("GET /api/v1/customer-units/{id}", OwnCustomer, Nothing, |w| {
            Ask::get(format!("/api/v1/customer-units/{}", w.owner.company))
        }),
        "COMPANY_NOT_FOUND",
    ),
    hiding(
        row("GET /api/v1/customer-units-calls/{id}", OwnCustomer, Nothing, |w| {
            Ask::get(format!("/api/v1/customer-units-calls/{}", w.owner.company))
        }),
        "COMPANY_NOT_FOUND",
    ),
];
