//! The expectation, written by hand: 401, 403 and 404, the own-id guard, who may what.

use super::world::{Ask, Needs, World};
use axum::http::Method;
use serde_json::json;

/// Groups of callers that the specification tells apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// No session needed: log-in, languages, the end client's calls (authorised by the link's secret).
    Public,
    /// Any session, about itself.
    Session,
    /// Admin only.
    Admin,
    /// Worker or customer only, about nothing that exists yet.
    OpenCalls,
    /// What a customer's side reads of its own company, and administrators.
    ListConferences,
    /// Lists a company's conferences: its own side, administrators, and the repair side those it asked for.
    SharedList,
    /// Reads a conference and its media: as above, and of the repair side only who asked for it.
    ReadShared,
    /// Asks for video calls: the repair side.
    Ask,
    /// Requests of video calls: both sides their own, administrators all.
    Requests,
    /// Answers a customer's requests: its principal and its workers.
    Answer,
    /// Who of a customer is free: its own people, administrators, and whoever may ask it (REQUEST-17).
    Availability,
    /// Whoever asked, and nobody else; the owner's role does not tell, the request does.
    AskedByOwner,
    /// Reads a conference: administrators all, customers their company's, workers their own.
    ReadConference,
    /// Acts in a conference: worker or customer only, each within what they may read.
    ActInConference,
    /// Administrators and principals (roles 2, 4, 6), each about what is theirs.
    Principals,
    /// The principal of a company about what it accepts: nobody accepts for another (TERMS-4).
    Accepts,
    /// The own-id guard: oneself, administrators, and inside the company its principal.
    Profile,
    /// Those who ask for video calls, and administrators.
    AdminOrRepairSide,
    /// Oneself and nobody else, whatever the role: passwords, second factor.
    OwnId,
    /// Oneself and administrators; the rest is told nothing about the id (DEVICE-3).
    OwnIdOrAdmin,
    /// Oneself and administrators; for the rest there is no such thing.
    OwnOrHidden,
    /// Administrators and password operators.
    PasswordDesk,
    /// The principal of that company, and administrators.
    Principal,
    /// The principal of that company and nobody else: what it asks the administrator for.
    OwnPrincipal,
    /// Anybody of that company, and administrators.
    Member,
    /// The customer itself, and administrators: its API keys.
    OwnCustomer,
    /// Administrators and principals of customers, about an id that nobody has.
    AdminOrCustomers,
    /// Everybody who works with the product: all but password operators.
    Support,
    /// A support ticket: administrators all, principals their company's, everybody else his own.
    Incidence,
    /// A program with an API key; no session opens it.
    ApiKey,
}

/// What a caller gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cell {
    Ok,
    /// 401.
    NoSession,
    /// 401, whatever the session: there is no API key.
    NoKey,
    /// 403.
    Role,
    /// 404: another tenant's, or out of reach inside the tenant.
    Hidden,
}

/// Letters: `+` ok, `-` 401, `k` 401 for want of an API key, `r` 403 by role, `h` 404. Columns: nobody | own tenant 1…8 | colleague 3 | other 1…8.
fn letters(access: Access) -> &'static str {
    match access {
        //                          -   12345678   3   12345678
        Access::Public => "+ | ++++++++ | + | ++++++++",
        Access::Session => "- | ++++++++ | + | ++++++++",
        Access::Admin => "- | +rrrrrrr | r | +rrrrrrr",
        Access::Principals => "- | ++r+r+rr | r | ++r+r+rr",
        Access::Accepts => "- | r+r+r+rr | r | r+r+r+rr",
        Access::OpenCalls => "- | r++rrrrr | + | r++rrrrr",
        Access::ListConferences => "- | +++rrrrr | + | +hhrrrrr",
        Access::SharedList => "- | +++++++r | + | +hhhhhhr",
        Access::ReadShared => "- | +++hhhhr | h | +hhhhhhr",
        Access::Ask => "- | rrr++++r | r | rrr++++r",
        Access::Requests => "- | +++++++r | + | +++++++r",
        Access::Answer => "- | r++rrrrr | + | rhhrrrrr",
        Access::Availability => "- | +++++++r | + | +hh++++r",
        Access::AskedByOwner => "- | rr+hhhhr | r | rrrhhhhr",
        Access::ReadConference => "- | +++rrrrr | h | +hhrrrrr",
        Access::ActInConference => "- | r++rrrrr | h | rhhrrrrr",
        Access::Profile => "- | ++++r+rh | r | +hhhhhhh",
        Access::AdminOrRepairSide => "- | +rr++++r | r | +rr++++r",
        Access::OwnId => "- | rr+rrrrr | r | rrrrrrrr",
        Access::OwnIdOrAdmin => "- | +r+rrrrr | r | +rrrrrrr",
        Access::OwnOrHidden => "- | +h+hhhhh | h | +hhhhhhh",
        Access::PasswordDesk => "- | +rrrrrr+ | r | +rrrrrr+",
        Access::Principal => "- | ++r+r+rh | r | +hhhhhhh",
        Access::OwnPrincipal => "- | r+r+r+rh | r | rhhhhhhh",
        Access::Member => "- | +++++++h | + | +hhhhhhh",
        Access::OwnCustomer => "- | ++rrrrrr | r | +hrrrrrr",
        Access::AdminOrCustomers => "- | ++rrrrrr | r | ++rrrrrr",
        Access::Support => "- | +++++++r | + | +++++++r",
        Access::Incidence => "- | ++++h+hr | h | +hhhhhhr",
        Access::ApiKey => "k | kkkkkkkk | k | kkkkkkkk",
    }
}

/// The columns of an access.
pub fn expected(access: Access) -> Vec<Cell> {
    let cell = |letter| match letter {
        '+' => Cell::Ok,
        '-' => Cell::NoSession,
        'k' => Cell::NoKey,
        'r' => Cell::Role,
        'h' => Cell::Hidden,
        other => panic!("{other} is no cell"),
    };
    letters(access).chars().filter(|c| !matches!(c, ' ' | '|')).map(cell).collect()
}

/// One operation.
pub struct Row {
    /// As in the API description.
    pub operation: &'static str,
    pub access: Access,
    /// Status and code of those who may; the code is empty when it is no problem.
    pub ok: &'static [(u16, &'static str)],
    /// Code of a 403.
    pub refused: &'static str,
    /// Code of a 404 that hides.
    pub hidden: &'static str,
    pub needs: Needs,
    /// Every caller gets a world of his own, because the call changes it.
    pub fresh: bool,
    pub ask: fn(&World) -> Ask,
}

pub(super) const OK: &[(u16, &str)] = &[(200, "")];
pub(super) const NO_CONTENT: &[(u16, &str)] = &[(204, "")];

pub(super) const fn row(operation: &'static str, access: Access, needs: Needs, ask: fn(&World) -> Ask) -> Row {
    Row { operation, access, ok: OK, refused: "ROLE_NOT_ALLOWED", hidden: "CONFERENCE_NOT_FOUND", needs, fresh: false, ask }
}

pub(super) const fn answering(row: Row, ok: &'static [(u16, &'static str)]) -> Row {
    Row { ok, ..row }
}

pub(super) const fn hiding(row: Row, hidden: &'static str) -> Row {
    Row { hidden, ..row }
}

pub(super) const fn refusing(row: Row, refused: &'static str) -> Row {
    Row { refused, ..row }
}

pub(super) const fn fresh(row: Row) -> Row {
    Row { fresh: true, ..row }
}

use Access::{ActInConference, Admin, OpenCalls, Profile, Public, ReadConference, Session};
use Needs::{Conference, Media, Nothing};

/// What has no room of its own here: log-in, languages, conferences, media and the client's page.
pub const CALLS: &[Row] = &[
    // Authentication
    row("POST /api/v1/prelogin", Public, Nothing, |w| Ask::post("/api/v1/prelogin", json!({"userName": w.owner.user_name}))),
    row("POST /api/v1/login", Public, Nothing, |w| {
        Ask::post("/api/v1/login", json!({"userName": w.owner.user_name, "password": atalaya_testkit::PASSWORD, "login": true}))
    }),
    row("GET /api/v1/renewToken", Session, Nothing, |_| Ask::get("/api/v1/renewToken").header("x-renew-token", "true")),
    row("POST /api/v1/verify-token", Public, Nothing, |_| Ask::post("/api/v1/verify-token", json!({"activationToken": "x"}))),
    answering(row("POST /api/v1/logout", Session, Nothing, |_| Ask::empty(Method::POST, "/api/v1/logout")), NO_CONTENT),
    // Users
    refusing(
        hiding(
            row("GET /api/v1/user/{id}", Profile, Nothing, |w| Ask::get(format!("/api/v1/user/{}", w.owner.id))),
            "USER_NOT_FOUND",
        ),
        "OWN_ID_REQUIRED",
    ),
    // Languages: "except language loading, which is sent without a token"
    row("POST /api/v1/platform-language", Public, Nothing, |_| {
        Ask::post("/api/v1/platform-language", json!({"languageCode": "es"}))
    }),
    row("POST /platform-language", Public, Nothing, |_| Ask::post("/platform-language", json!({"languageCode": "es"}))),
    row("GET /api/v1/available-languages", Public, Nothing, |_| Ask::get("/api/v1/available-languages")),
    row("GET /available-languages", Public, Nothing, |_| Ask::get("/available-languages")),
    row("GET /api/v1/phone-prefixes", Public, Nothing, |_| Ask::get("/api/v1/phone-prefixes")),
    row("GET /phone-prefixes", Public, Nothing, |_| Ask::get("/phone-prefixes")),
    // Messages: "an administrator reads it"
    row("GET /api/v1/outbox", Admin, Nothing, |_| Ask::get("/api/v1/outbox")),
    // Conferences
    row("POST /api/v1/getToken", OpenCalls, Nothing, |_| Ask::post("/api/v1/getToken", crate::support::opening())),
    hiding(
        row("POST /api/v1/conferences-autos-details/{id}", Access::SharedList, Nothing, |w| {
            Ask::post(format!("/api/v1/conferences-autos-details/{}", w.owner.company), json!({}))
        }),
        "COMPANY_NOT_FOUND",
    ),
    hiding(
        row("POST /api/v1/conferences-div-details/{id}", Access::SharedList, Nothing, |w| {
            Ask::post(format!("/api/v1/conferences-div-details/{}", w.owner.company), json!({}))
        }),
        "COMPANY_NOT_FOUND",
    ),
    row("GET /api/v1/conferences-details/{id}", Access::ReadShared, Conference, |w| w.get("conferences-details")),
    row("GET /api/v1/conference-events/{id}", ReadConference, Conference, |w| w.get("conference-events").endless()),
    fresh(row("POST /api/v1/conference-resend/{id}", ActInConference, Conference, |w| {
        w.post("conference-resend", json!({"channel": "sms"}))
    })),
    row("POST /api/v1/conference-code/{id}", ActInConference, Conference, |w| w.post("conference-code", json!({}))),
    hiding(
        row("GET /api/v1/appointments/{companyId}", Access::ListConferences, Nothing, |w| {
            Ask::get(format!("/api/v1/appointments/{}", w.owner.company))
        }),
        "COMPANY_NOT_FOUND",
    ),
    row("GET /api/v1/conference-appointment/{id}", ReadConference, Conference, |w| w.get("conference-appointment")),
    fresh(row("POST /api/v1/conference-appointment/{id}", ActInConference, Conference, |w| {
        w.post("conference-appointment", json!({"at": "2026-11-21T10:30:00Z"}))
    })),
    answering(
        row("DELETE /api/v1/conference-appointment/{id}", ActInConference, Conference, |w| {
            Ask::empty(Method::DELETE, format!("/api/v1/conference-appointment/{}", w.conference))
        }),
        &[(404, "APPOINTMENT_NOT_FOUND")],
    ),
    fresh(row("POST /api/v1/conference-close/{id}", ActInConference, Conference, |w| w.post("conference-close", json!({})))),
    row("GET /api/v1/conference-chat/{id}", ReadConference, Conference, |w| w.get("conference-chat")),
    row("POST /api/v1/conference-chat/{id}", ActInConference, Conference, |w| w.post("conference-chat", json!({"text": "Hola"}))),
    // The call. Nobody is in the room, so that is what those who may are told.
    fresh(answering(
        row("POST /api/v1/conference-recording/{id}", ActInConference, Conference, |w| {
            w.post("conference-recording", json!({"action": "start"}))
        }),
        &[(409, "RECORDING_STATE")],
    )),
    answering(
        row("POST /api/v1/conference-mute/{id}", ActInConference, Conference, |w| {
            w.post("conference-mute", json!({"identity": "client:00000000", "trackSid": "TR_x", "muted": true}))
        }),
        &[(404, "PARTICIPANT_NOT_FOUND")],
    ),
    answering(
        row("POST /api/v1/conference-remove/{id}", ActInConference, Conference, |w| {
            w.post("conference-remove", json!({"identity": "client:00000000"}))
        }),
        &[(404, "PARTICIPANT_NOT_FOUND")],
    ),
    answering(
        row("POST /api/v1/conference-admit/{id}", ActInConference, Conference, |w| {
            w.post("conference-admit", json!({"identity": "client:00000000", "decision": "admit"}))
        }),
        &[(404, "DEVICE_NOT_WAITING")],
    ),
    answering(
        row("POST /api/v1/conference-connections/{id}", ActInConference, Conference, |w| {
            w.post("conference-connections", json!({"way": "udp"}))
        }),
        NO_CONTENT,
    ),
    row("GET /api/v1/conference-connections/{id}", ReadConference, Conference, |w| w.get("conference-connections")),
    // Media: the files need a session as their lists do
    row("GET /api/v1/conference-media/{id}", Access::ReadShared, Media, |w| w.get("conference-media")),
    row("POST /api/v1/conference-media/{id}", ActInConference, Conference, |w| {
        Ask::file(format!("/api/v1/conference-media/{}", w.conference))
    }),
    row("GET /api/v1/conference-drawings/{id}", ReadConference, Media, |w| w.get("conference-drawings")),
    fresh(row("PUT /api/v1/conference-frozen/{id}", ActInConference, Media, |w| {
        Ask::put(format!("/api/v1/conference-frozen/{}", w.conference), json!({"mediaId": w.picture_id}))
    })),
    hiding(
        row("PUT /api/v1/media-drawing/{id}", ActInConference, Media, |w| {
            let mark = json!({"id": "aaaaaaaa", "kind": "number", "tone": 1, "points": [0.5, 0.5], "number": 1});
            Ask::put(format!("/api/v1/media-drawing/{}", w.picture_id), json!({"drawing": {"add": [mark]}}))
        }),
        "MEDIA_NOT_FOUND",
    ),
    row("GET /api/v1/conference-measures/{id}", ReadConference, Media, |w| w.get("conference-measures")),
    hiding(
        row("PUT /api/v1/media-measure/{id}", ActInConference, Media, |w| {
            let plane = json!({"id": "aaaaaaaa", "reference": "card", "corners": [0.2, 0.2, 0.6, 0.2, 0.6, 0.5, 0.2, 0.5]});
            Ask::put(format!("/api/v1/media-measure/{}", w.picture_id), json!({"measure": {"add": [plane]}}))
        }),
        "MEDIA_NOT_FOUND",
    ),
    row("GET /api/v1/measure-marker", Public, Nothing, |_| Ask::get("/api/v1/measure-marker")),
    row("GET /api/v1/zip/{id}", Access::ReadShared, Media, |w| w.get("zip")),
    hiding(row("GET /uploads/{filename}", Access::ReadShared, Media, |w| Ask::get(w.picture.clone())), "MEDIA_NOT_FOUND"),
    hiding(
        row("GET /uploads-documents/{filename}", Access::ReadShared, Media, |w| Ask::get(w.document.clone())),
        "MEDIA_NOT_FOUND",
    ),
    // The end client: no session; the secret of the link, then the key of the device
    answering(row("GET /c/{code}", Public, Conference, |w| Ask::get(w.short_link.clone())), &[(302, "")]),
    row("GET /api/v1/external/{hash}", Public, Conference, |w| Ask::get(format!("/api/v1/external/{}", w.hash))),
    answering(
        row("POST /api/v1/external/{hash}/track", Public, Conference, |w| w.client("track", json!({"type": "LINK_OPENED"}))),
        NO_CONTENT,
    ),
    row("POST /api/v1/external/{hash}/legal", Public, Conference, |w| w.client("legal", w.acceptance.clone())),
    row("POST /api/v1/external/{hash}/join", Public, Media, |w| w.client("join", json!({"camera": true, "microphone": true}))),
    answering(row("POST /api/v1/external/{hash}/leave", Public, Media, |w| w.client("leave", json!({}))), NO_CONTENT),
    row("POST /api/v1/external/{hash}/chat", Public, Media, |w| w.client("chat", json!({"text": "Hola"}))),
    answering(
        row("POST /api/v1/external/{hash}/connection", Public, Media, |w| w.client("connection", json!({"way": "udp"}))),
        NO_CONTENT,
    ),
    fresh(row("POST /api/v1/external/{hash}/appointment", Public, Conference, |w| {
        w.client("appointment", json!({"at": "2026-11-21T10:30:00Z"}))
    })),
    answering(
        row("GET /api/v1/external/{hash}/calendar", Public, Conference, |w| {
            Ask::get(format!("/api/v1/external/{}/calendar", w.hash))
        }),
        &[(404, "APPOINTMENT_NOT_FOUND")],
    ),
    row("GET /api/v1/external/{hash}/frozen", Public, Media, |w| {
        Ask::get(format!("/api/v1/external/{}/frozen", w.hash)).header("x-client-key", &w.client_key)
    }),
    answering(
        row("GET /api/v1/external/{hash}/frozen-picture", Public, Media, |w| {
            Ask::get(format!("/api/v1/external/{}/frozen-picture", w.hash)).header("x-client-key", &w.client_key)
        }),
        &[(404, "PICTURE_NOT_FROZEN")],
    ),
    row("POST /api/v1/phone-checks", Public, Nothing, |_| {
        Ask::post("/api/v1/phone-checks", json!({"outcomes": [{"check": "camera", "ok": true}]}))
    }),
    row("GET /api/v1/phone-checks", Admin, Nothing, |_| Ask::get("/api/v1/phone-checks")),
    row("GET /api/v1/phone-checks/relay", Public, Nothing, |_| Ask::get("/api/v1/phone-checks/relay")),
    row("POST /api/v1/external/{hash}/media", Public, Media, |w| {
        Ask::file(format!("/api/v1/external/{}/media", w.hash)).header("x-client-key", &w.client_key)
    }),
    answering(
        row("POST /api/v1/external/code", Public, Nothing, |_| Ask::post("/api/v1/external/code", json!({"code": "000000"}))),
        &[(422, "CODE_INVALID")],
    ),
];
