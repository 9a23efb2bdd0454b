//! Requests for files and the client's uploads. By hand from SPEC §6 and DESIGN §4, §10.

use super::table::Row;

pub const ROWS: &[Row] = &[];
