//! The table of what the pages told about their connection.

use atalaya_db::table;

table!(
    /// One change of one participant's connection. `failed` holds words with spaces between.
    path_report, "path_report", {
        conference_id: Uuid, identity: String, way: Option<String>, failed: String,
        rtt_ms: Option<i32>, kbps: Option<i32>, loss_percent: Option<i32>, at: DateTimeUtc,
    }
);
