//! Companies, insurance companies, exports. By hand from SPEC §6 and DESIGN §3, §10.

use super::table::Row;

pub const ROWS: &[Row] = &[];
