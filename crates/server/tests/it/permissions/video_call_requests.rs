//! Requests for a video call.

use super::table::Access::{Answer, Ask as Asks, AskedByOwner, Availability, ListConferences, Member, Profile, Requests};
use super::table::{OK, Row, answering, fresh, hiding, refusing, row};
use super::world::Needs::{Insurer, Nothing, OwnVideoCall, VideoCall};
use super::world::{Ask, World};
use axum::http::Method;
use serde_json::json;

fn withdrawing(w: &World, method: Method) -> Ask {
    Ask::empty(method, format!("/api/v1/delete-active-request-user/{}", w.owner.id))
}

const fn of_the_starter(row: Row) -> Row {
    refusing(hiding(row, "USER_NOT_FOUND"), "OWN_ID_REQUIRED")
}

pub const ROWS: &[Row] = &[
    answering(
        row("POST /api/v1/video-call-request", Asks, Insurer, |w| {
            Ask::post("/api/v1/video-call-request", crate::video_call_requests::asking(w.owner.company, &w.insurer))
        }),
        &[(201, "")],
    ),
    row("GET /api/v1/video-call-request", Requests, Nothing, |_| Ask::get("/api/v1/video-call-request")),
    hiding(
        row("GET /api/v1/video-call-request/{customerId}", ListConferences, Nothing, |w| {
            Ask::get(format!("/api/v1/video-call-request/{}", w.owner.company))
        }),
        "COMPANY_NOT_FOUND",
    ),
    hiding(
        row("GET /api/v1/videoCallNumber/{id}", Member, Nothing, |w| {
            Ask::get(format!("/api/v1/videoCallNumber/{}", w.owner.company))
        }),
        "COMPANY_NOT_FOUND",
    ),
    fresh(hiding(
        row("POST /api/v1/video-call-respond", Answer, VideoCall, |w| {
            Ask::post("/api/v1/video-call-respond", json!({"activeVideoCallRequest": w.video_call}))
        }),
        "REQUEST_NOT_FOUND",
    )),
    fresh(hiding(
        row("POST /api/v1/video-call-refuse", Answer, VideoCall, |w| {
            Ask::post("/api/v1/video-call-refuse", json!({"videoCallRequestId": w.video_call}))
        }),
        "REQUEST_NOT_FOUND",
    )),
    fresh(hiding(
        row("POST /api/v1/video-call-callback", AskedByOwner, OwnVideoCall, |w| {
            let body = json!({"videoCallRequestId": w.video_call, "callbackAt": "2026-11-21T10:00:00Z"});
            Ask::post("/api/v1/video-call-callback", body)
        }),
        "REQUEST_NOT_FOUND",
    )),
    of_the_starter(row("GET /api/v1/delete-active-request-user/{id}", Profile, Nothing, |w| withdrawing(w, Method::GET))),
    of_the_starter(row("POST /api/v1/delete-active-request-user/{id}", Profile, Nothing, |w| withdrawing(w, Method::POST))),
    answering(
        hiding(
            row("GET /api/v1/availability/{companyId}", Availability, Nothing, |w| {
                Ask::get(format!("/api/v1/availability/{}", w.owner.company))
            }),
            "COMPANY_NOT_FOUND",
        ),
        OK,
    ),
];
