//! Incidences. Written by hand (`incidences/{id}` by the own-id guard).

use super::table::Access::{Incidence, Profile, Support};
use super::table::{Row, answering, fresh, hiding, refusing, row};
use super::world::Ask;
use super::world::Needs::{self, Nothing};
use serde_json::json;

const NOT_FOUND: &str = "INCIDENCE_NOT_FOUND";

pub const ROWS: &[Row] = &[
    answering(
        row("POST /api/v1/send-incidence", Support, Nothing, |_| {
            let incidence = json!({"type": 2, "reason": 5, "comments": "No encuentro un informe."});
            Ask::post("/api/v1/send-incidence", json!({"incidence": incidence, "user": {"_id": "somebody"}, "files": []}))
        }),
        &[(201, "")],
    ),
    refusing(
        hiding(
            row("GET /api/v1/incidences/{id}", Profile, Nothing, |w| Ask::get(format!("/api/v1/incidences/{}", w.owner.id))),
            "USER_NOT_FOUND",
        ),
        "OWN_ID_REQUIRED",
    ),
    hiding(
        row("GET /api/v1/incidence/{id}", Incidence, Needs::Incidence, |w| {
            Ask::get(format!("/api/v1/incidence/{}", w.incidence))
        }),
        NOT_FOUND,
    ),
    fresh(hiding(
        row("PUT /api/v1/incidence", Incidence, Needs::Incidence, |w| {
            Ask::put("/api/v1/incidence/", json!({"incidence": {"_id": w.incidence, "answer": "Gracias"}}))
        }),
        NOT_FOUND,
    )),
    hiding(
        row("GET /api/v1/incidence-image/{id}", Incidence, Needs::Incidence, |w| {
            Ask::get(format!("/api/v1/incidence-image/{}", w.incidence_image))
        }),
        "INCIDENCE_IMAGE_NOT_FOUND",
    ),
    hiding(
        row("GET /api/v1/logs/{id}", Incidence, Needs::Incidence, |w| Ask::get(format!("/api/v1/logs/{}", w.incidence))),
        NOT_FOUND,
    ),
];
