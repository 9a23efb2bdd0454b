//! What an administrator reads over everybody's conferences within a range of days, and the weekly funnel.
//!
//! Called by the report and statistics screens. *Invariants:* nothing here changes anything; tracks come without personal
//! values; a range is a year at most.

mod funnel;
pub mod http;
mod model;
mod store;
mod view;
mod workbook;
