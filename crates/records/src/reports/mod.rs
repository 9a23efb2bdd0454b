//! An administrator's reports about all conferences of a range of days, and the weekly funnel (`docs/rules/reports.md`).
//!
//! Called by the report and statistics screens. *Invariants:* nothing here changes anything; tracks come without personal
//! values (REPORT-4); a range is at most a year (REPORT-1).

mod funnel;
pub mod http;
mod model;
mod store;
mod usable;
mod view;
mod workbook;
