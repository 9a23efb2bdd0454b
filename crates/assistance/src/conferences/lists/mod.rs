//! Lists of conferences by company, type and range of days.
//!
//! Called by the web app's lists. *Invariant:* workers see their own, principals their company's, administrators all
//! (CASE-17); only administrators get the derived columns (CASE-21).

pub(crate) mod http;
pub(crate) mod model;
pub(crate) mod rows;
pub(crate) mod store;
mod workbook;
