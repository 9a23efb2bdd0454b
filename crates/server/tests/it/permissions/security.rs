//! Second factor, passkeys, passwords, devices. By hand from SPEC §6 and DESIGN §3, §10.

use super::table::Access::{OwnId, Profile, Session};
use super::table::{Row, answering, hiding, refusing, row};
use super::world::{Ask, Needs::Nothing};
use serde_json::json;

/// Nobody here has a second factor: that is what those who may are told.
const INACTIVE: &[(u16, &str)] = &[(409, "SECOND_FACTOR_INACTIVE")];

pub const ROWS: &[Row] = &[
    row("GET /api/v1/2fa", Session, Nothing, |_| Ask::get("/api/v1/2fa")),
    refusing(
        answering(
            row("POST /api/v1/verify2fa", OwnId, Nothing, |w| {
                Ask::post("/api/v1/verify2fa", json!({"userId": w.owner.id, "token": "000000", "secret": ""}))
            }),
            INACTIVE,
        ),
        "OWN_ID_REQUIRED",
    ),
    // "the own account and a code, or an administrator", and the principal for his members
    refusing(
        hiding(
            answering(
                row("POST /api/v1/disable2fa", Profile, Nothing, |w| Ask::post("/api/v1/disable2fa", json!({"userId": w.owner.id}))),
                INACTIVE,
            ),
            "USER_NOT_FOUND",
        ),
        "OWN_ID_REQUIRED",
    ),
    answering(
        row("POST /api/v1/recovery-codes", Session, Nothing, |_| Ask::post("/api/v1/recovery-codes", json!({"token": "000000"}))),
        INACTIVE,
    ),
];
