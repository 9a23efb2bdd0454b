//! Ranges, funnel, expedients, shot lists.

use super::table::Access::{Admin, ListConferences, OwnCustomer, ReadConference};
use super::table::{Row, answering, hiding, row};
use super::world::Ask;
use super::world::Needs::{Conference, Nothing};
use serde_json::json;

pub const ROWS: &[Row] = &[
    // Shot lists: read by the conference side of the company, written by administrators and its principal
    hiding(
        row("GET /api/v1/shots/{companyId}", ListConferences, Nothing, |w| {
            Ask::get(format!("/api/v1/shots/{}", w.owner.company))
        }),
        "COMPANY_NOT_FOUND",
    ),
    hiding(
        row("PUT /api/v1/shots/{companyId}", OwnCustomer, Nothing, |w| {
            Ask::put(format!("/api/v1/shots/{}", w.owner.company), json!({"type": 1, "shots": [{"label": "Techo"}]}))
        }),
        "COMPANY_NOT_FOUND",
    ),
    hiding(
        row("POST /api/v1/shots-reset/{companyId}", OwnCustomer, Nothing, |w| {
            Ask::post(format!("/api/v1/shots-reset/{}", w.owner.company), json!({"type": 1}))
        }),
        "COMPANY_NOT_FOUND",
    ),
    row("GET /api/v1/conference-shots/{id}", ReadConference, Conference, |w| w.get("conference-shots")),
    row("PUT /api/v1/conference-shots/{id}", ReadConference, Conference, |w| {
        Ask::put(format!("/api/v1/conference-shots/{}", w.conference), json!({"key": "facade", "state": "done"}))
    }),
    // Ranges: the administrator's
    row("POST /api/v1/getLogsByDateRange", Admin, Nothing, |_| Ask::post("/api/v1/getLogsByDateRange", json!({}))),
    row("POST /api/v1/getTracksByDateRange", Admin, Nothing, |_| Ask::post("/api/v1/getTracksByDateRange", json!({}))),
    row("POST /api/v1/getMediasByDateRange", Admin, Nothing, |_| Ask::post("/api/v1/getMediasByDateRange", json!({}))),
    row("GET /api/v1/customersWithConferences", Admin, Nothing, |_| Ask::get("/api/v1/customersWithConferences")),
    // A company's figures: its principal's and the administrator's
    hiding(
        row("GET /api/v1/customer-conferences/{id}", OwnCustomer, Nothing, |w| {
            Ask::get(format!("/api/v1/customer-conferences/{}", w.owner.company))
        }),
        "COMPANY_NOT_FOUND",
    ),
    hiding(
        row("GET /api/v1/funnel/{companyId}", OwnCustomer, Nothing, |w| Ask::get(format!("/api/v1/funnel/{}", w.owner.company))),
        "COMPANY_NOT_FOUND",
    ),
    hiding(
        row("GET /api/v1/usable/{companyId}", OwnCustomer, Nothing, |w| Ask::get(format!("/api/v1/usable/{}", w.owner.company))),
        "COMPANY_NOT_FOUND",
    ),
    // Expedients: whoever sees a conference of the case
    hiding(
        row("GET /api/v1/expedient/{expedientNumber}", ReadConference, Conference, |w| {
            Ask::get(format!("/api/v1/expedient/{}", w.expedient))
        }),
        "EXPEDIENT_NOT_FOUND",
    ),
    hiding(
        row("POST /api/v1/expedient-notes/{expedientNumber}", ReadConference, Conference, |w| {
            Ask::post(format!("/api/v1/expedient-notes/{}", w.expedient), json!({"text": "Llamar el lunes"}))
        }),
        "EXPEDIENT_NOT_FOUND",
    ),
    answering(
        hiding(
            row("POST /api/v1/expedient-note-delete/{id}", ListConferences, Nothing, |_| {
                Ask::post("/api/v1/expedient-note-delete/01900000-0000-7000-8000-000000000000", json!({}))
            }),
            "NOTE_NOT_FOUND",
        ),
        &[(404, "NOTE_NOT_FOUND")],
    ),
];
