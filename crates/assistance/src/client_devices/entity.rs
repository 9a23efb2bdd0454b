//! The table of devices that accepted the notice.

use atalaya_db::table;

table!(
    /// A device on which the client accepted the notice; it comes back with its key.
    client_device, "client_device", {
        conference_id: Uuid, key_hash: String, identity: String, created_at: DateTimeUtc,
        device: Option<String>, standing: Option<String>, waiting_since: Option<DateTimeUtc>, seen_at: Option<DateTimeUtc>,
        admitted_at: Option<DateTimeUtc>, public_key: Option<String>,
    }
);
