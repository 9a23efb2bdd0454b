//! Lists of conferences by company, type and range of days (SPEC §7 Conferences, §4 Conference display; DESIGN §10).
//!
//! Called by the web app's lists. *Invariant:* workers see their own, principals their company's, administrators all;
//! the derived columns are an administrator's only (SPEC §6).

pub(crate) mod http;
pub(crate) mod model;
pub(crate) mod rows;
pub(crate) mod store;
mod workbook;
