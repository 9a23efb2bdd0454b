//! Sockets.

use super::table::Access::{OwnId, OwnIdOrAdmin, OwnOrHidden};
use super::table::{Row, fresh, hiding, refusing, row};
use super::world::{Ask, Needs::Socket};
use axum::http::Method;
use serde_json::json;

pub const ROWS: &[Row] = &[
    refusing(
        row("POST /api/v1/socket-user/{id}", OwnId, Socket, |w| {
            Ask::post(format!("/api/v1/socket-user/{}", w.owner.id), json!({"socketId": w.socket()}))
        }),
        "SOCKET_USER_MISMATCH",
    ),
    hiding(
        row("GET /api/v1/socket-user/{id}", OwnOrHidden, Socket, |w| Ask::get(format!("/api/v1/socket-user/{}", w.socket()))),
        "SOCKET_NOT_FOUND",
    ),
    fresh(refusing(
        row("GET /api/v1/clean-socket-user/{id}", OwnIdOrAdmin, Socket, |w| {
            Ask::get(format!("/api/v1/clean-socket-user/{}", w.owner.id))
        }),
        "SOCKET_USER_MISMATCH",
    )),
    fresh(refusing(
        row("POST /api/v1/clean-socket-user/{id}", OwnIdOrAdmin, Socket, |w| {
            Ask::empty(Method::POST, format!("/api/v1/clean-socket-user/{}", w.owner.id))
        }),
        "SOCKET_USER_MISMATCH",
    )),
];
