//! Certificates and verification.

use super::table::{Access, Row, row};
use super::world::{Ask, Needs};
use serde_json::json;

const UNKNOWN: &str = "00000000-0000-7000-8000-000000000000";

pub const ROWS: &[Row] = &[
    row("GET /.well-known/atalaya-evidence.pem", Access::Public, Needs::Nothing, |_| {
        Ask::get("/.well-known/atalaya-evidence.pem")
    }),
    row("GET /api/v1/evidence-roots", Access::Public, Needs::Nothing, |_| Ask::get("/api/v1/evidence-roots")),
    row("GET /api/v1/print-cert/{id}", Access::ReadConference, Needs::Media, |w| w.get("print-cert")),
    row("GET /api/v1/photo-report/{id}", Access::ReadConference, Needs::Media, |w| w.get("photo-report")),
    row("GET /api/v1/certificates/{conferenceId}", Access::ReadConference, Needs::Conference, |w| w.get("certificates")),
    // The role is asked before the certificate; whose it is, `it::certificates` shows with a real one.
    Row {
        ok: &[(404, "CERTIFICATE_NOT_FOUND")],
        ..row("POST /api/v1/certificate-void/{id}", Access::AdminOrCustomers, Needs::Nothing, |_| {
            Ask::post(format!("/api/v1/certificate-void/{UNKNOWN}"), json!({"reason": "Emitido por error"}))
        })
    },
    Row {
        ok: &[(404, "CERTIFICATE_NOT_FOUND")],
        ..row("GET /api/v1/verification/{code}", Access::Public, Needs::Nothing, |_| {
            Ask::get("/api/v1/verification/7H2KQ-9VX0M-RT4CA-PZ81D")
        })
    },
];
