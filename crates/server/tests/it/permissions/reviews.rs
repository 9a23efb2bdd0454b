//! Ranges, funnel, expedients, shot lists. By hand from SPEC §6 and DESIGN §4, §10.

use super::table::Access::{ListConferences, OwnCustomer, ReadConference};
use super::table::{Row, hiding, row};
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
];
