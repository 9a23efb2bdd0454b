//! Tables of the end client's side: devices that accepted the notice, dictated codes.

use crate::calls::entity::table;

table!(
    /// A device on which the client accepted the notice; it comes back with its key.
    client_device, "client_device", { conference_id: Uuid, key_hash: String, identity: String, created_at: DateTimeUtc }
);
table!(
    /// The six digits dictated by phone (CLIENT-11).
    dictated_code, "dictated_code", {
        conference_id: Uuid, code_hash: String, tries: i32, created_at: DateTimeUtc, expires_at: DateTimeUtc,
    }
);
