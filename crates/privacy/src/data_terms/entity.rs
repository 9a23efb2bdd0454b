//! The table of blocked data.

use atalaya_db::table;

table!(
    /// Values of one class whose term is over. `sealed`: `None` once they are deleted.
    blocked_data, "blocked_data", {
        conference_id: Uuid, data_class: String, blocked_at: DateTimeUtc, delete_at: DateTimeUtc, sealed: Option<Vec<u8>>,
    }
);
