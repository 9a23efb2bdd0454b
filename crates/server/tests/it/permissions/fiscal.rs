//! Fiscal data, requests for other ones, and their decision.

use super::table::Access::{Accepts, Admin, OwnPrincipal, Principal, Principals};
use super::table::{Row, answering, hiding, row};
use super::world::{Ask, Needs::Nothing};
use serde_json::json;

/// Nothing has this id.
const NOBODY: &str = "018f3b2a-0000-7000-8000-00000000dead";

const NO_REQUEST: &[(u16, &str)] = &[(404, "FISCAL_REQUEST_NOT_FOUND")];

pub const ROWS: &[Row] = &[
    // Issue 21: DIR3 codes; administrators write them
    row("GET /api/v1/buyer-codes/{companyId}", Admin, Nothing, |w| Ask::get(format!("/api/v1/buyer-codes/{}", w.owner.company))),
    row("POST /api/v1/buyer-codes/{companyId}", Admin, Nothing, |w| {
        Ask::post(format!("/api/v1/buyer-codes/{}", w.owner.company), json!({"reference": "Pedido 7"}))
    }),
    hiding(
        row("GET /api/v1/fiscal-identity/{companyId}", Principal, Nothing, |w| {
            Ask::get(format!("/api/v1/fiscal-identity/{}", w.owner.company))
        }),
        "COMPANY_NOT_FOUND",
    ),
    // Administrators change at once; the second one finds it done
    answering(
        row("PUT /api/v1/fiscal-identity/{companyId}", Admin, Nothing, |w| {
            let change = json!({"address": "Otra calle, 2", "since": "2026-11-20", "reason": "Traslado"});
            Ask::put(format!("/api/v1/fiscal-identity/{}", w.owner.company), json!({"fiscalIdentity": change}))
        }),
        &[(200, ""), (409, "FISCAL_UNCHANGED")],
    ),
    // Roles 2, 4 and 6 ask; the form lacks everything but a picture
    hiding(
        answering(
            row("POST /api/v1/fiscal-requests/{companyId}", OwnPrincipal, Nothing, |w| {
                Ask::file(format!("/api/v1/fiscal-requests/{}", w.owner.company))
            }),
            &[(422, "INVALID_FIELDS")],
        ),
        "COMPANY_NOT_FOUND",
    ),
    row("GET /api/v1/fiscal-requests", Admin, Nothing, |_| Ask::get("/api/v1/fiscal-requests")),
    answering(
        row("GET /api/v1/fiscal-request/{id}", Principals, Nothing, |_| Ask::get(format!("/api/v1/fiscal-request/{NOBODY}"))),
        NO_REQUEST,
    ),
    answering(
        row("GET /api/v1/fiscal-request-document/{id}", Principals, Nothing, |_| {
            Ask::get(format!("/api/v1/fiscal-request-document/{NOBODY}"))
        }),
        NO_REQUEST,
    ),
    answering(
        row("POST /api/v1/fiscal-request-document/{id}", Accepts, Nothing, |_| {
            Ask::file(format!("/api/v1/fiscal-request-document/{NOBODY}"))
        }),
        NO_REQUEST,
    ),
    answering(
        row("POST /api/v1/fiscal-request-withdraw/{id}", Accepts, Nothing, |_| {
            Ask::post(format!("/api/v1/fiscal-request-withdraw/{NOBODY}"), json!({}))
        }),
        NO_REQUEST,
    ),
    answering(
        row("POST /api/v1/fiscal-request-decide/{id}", Admin, Nothing, |_| {
            Ask::post(format!("/api/v1/fiscal-request-decide/{NOBODY}"), json!({"approve": false, "reason": "No"}))
        }),
        NO_REQUEST,
    ),
];
