//! The table of recordings.

use atalaya_db::table;

table!(
    /// One recording, start to stop.
    recording, "recording", {
        conference_id: Uuid, state: String, started_by: String, external_id: Option<String>, error: Option<String>,
        paused_ms: i64, started_at: DateTimeUtc, paused_at: Option<DateTimeUtc>, stopped_at: Option<DateTimeUtc>,
    }
);
table!(
    /// Somebody whom staff removed from a call.
    removal, "media_removal", { conference_id: Uuid, identity: String, at: DateTimeUtc }
);
