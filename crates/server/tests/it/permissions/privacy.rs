//! Retention, erasure, export, labels of media.

use super::table::Access::{Admin, AdminOrCustomers, OwnCustomer, ReadConference};
use super::table::{Row, answering, hiding, row};
use super::world::{
    Ask,
    Needs::{Conference, Media, Nothing},
    World,
};
use serde_json::json;

/// The phone of the world's client.
const PHONE: &str = "+34600123456";

fn of(w: &World, call: &str) -> String {
    format!("/api/v1/{call}/{}", w.owner.company)
}

pub const ROWS: &[Row] = &[
    hiding(
        row("PUT /api/v1/media/{id}", ReadConference, Media, |w| {
            Ask::put(format!("/api/v1/media/{}", w.picture_id), json!({"media": {"label": "Frontal"}}))
        }),
        "MEDIA_NOT_FOUND",
    ),
    // "1, 2 of the company"; the world's conference is open, so that is what those who may are told.
    answering(
        row("POST /api/v1/conference-erase/{id}", OwnCustomer, Conference, |w| {
            w.post("conference-erase", json!({"reason": "x"}))
        }),
        &[(409, "CONFERENCE_OPEN")],
    ),
    hiding(row("GET /api/v1/erasures/{companyId}", OwnCustomer, Nothing, |w| Ask::get(of(w, "erasures"))), "COMPANY_NOT_FOUND"),
    hiding(
        row("POST /api/v1/persons/{companyId}", OwnCustomer, Conference, |w| {
            Ask::post(of(w, "persons"), json!({"search": PHONE}))
        }),
        "COMPANY_NOT_FOUND",
    ),
    hiding(
        row("POST /api/v1/person-export/{companyId}", OwnCustomer, Conference, |w| {
            Ask::post(of(w, "person-export"), json!({"search": PHONE}))
        }),
        "COMPANY_NOT_FOUND",
    ),
    answering(
        hiding(
            row("POST /api/v1/person-erase/{companyId}", OwnCustomer, Conference, |w| {
                Ask::post(of(w, "person-erase"), json!({"search": PHONE, "reason": "x"}))
            }),
            "COMPANY_NOT_FOUND",
        ),
        &[(409, "CONFERENCE_OPEN")],
    ),
    row("GET /api/v1/data-terms", AdminOrCustomers, Nothing, |_| Ask::get("/api/v1/data-terms")),
    row("GET /api/v1/data-terms-preview", Admin, Nothing, |_| Ask::get("/api/v1/data-terms-preview")),
    row("GET /api/v1/security-breaches", Admin, Nothing, |_| Ask::get("/api/v1/security-breaches")),
    row("POST /api/v1/security-breaches", Admin, Nothing, |_| {
        let breach = json!({"title": "Prueba", "nature": "x", "knownAt": "2026-11-20T00:00:00Z"});
        Ask::post("/api/v1/security-breaches", json!({"breach": breach}))
    }),
    row("GET /api/v1/privacy-paper/{kind}", Admin, Nothing, |_| Ask::get("/api/v1/privacy-paper/activities")),
    row("POST /api/v1/blocked-data/{id}", Admin, Conference, |w| w.post("blocked-data", json!({"reason": "x"}))),
    hiding(
        row("GET /api/v1/privacy-requests/{companyId}", OwnCustomer, Nothing, |w| Ask::get(of(w, "privacy-requests"))),
        "COMPANY_NOT_FOUND",
    ),
];
