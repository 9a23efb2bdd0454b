//! Invitations, activations, legal texts. By hand from SPEC §6 and DESIGN §3, §10.

use super::table::Access::Public;
use super::table::{Row, row};
use super::world::{Ask, Needs::Nothing};

pub const ROWS: &[Row] = &[
    // "answer the version in force without a session" (DESIGN §3)
    row("GET /api/v1/legal-id/{id}", Public, Nothing, |_| Ask::get("/api/v1/legal-id/0")),
    row("GET /api/v1/legalbylanguage/{legalId}/{languageCode}", Public, Nothing, |_| Ask::get("/api/v1/legalbylanguage/0/en")),
];
