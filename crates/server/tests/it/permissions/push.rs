//! Web push. By hand from SPEC §6 and DESIGN §5, §6, §10.

use super::table::Row;

pub const ROWS: &[Row] = &[];
