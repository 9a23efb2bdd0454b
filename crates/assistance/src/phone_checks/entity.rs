//! The table of results.

use atalaya_db::table;

table!(
    /// One result. `outcomes`: what was tried, with its outcome.
    phone_check, "phone_check", { code: String, browser: String, os: String, outcomes: Json, at: DateTimeUtc }
);
