//! Ranges over all conferences and the weekly funnel (SPEC §7 getLogsByDateRange and its companions).

pub mod http;
