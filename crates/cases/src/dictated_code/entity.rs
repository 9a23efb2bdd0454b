//! The table of dictated codes.

use atalaya_db::table;

table!(
    /// The digits dictated by phone (CLIENT-11).
    dictated_code, "dictated_code", {
        conference_id: Uuid, code_hash: String, tries: i32, created_at: DateTimeUtc, expires_at: DateTimeUtc,
    }
);
