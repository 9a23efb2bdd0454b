//! The table of uploads.

use atalaya_db::table;

table!(
    /// A file under way or arrived. Until it is complete its bytes are in the sealed blobs that `segments` names, in order.
    upload, "file_upload", {
        request_id: Uuid, conference_id: Uuid, item_id: Uuid, media_id: Option<Uuid>, upload_key: String, name: String,
        declared_type: String, segments: String, state: String, code: Option<String>, size_bytes: i64,
        offset_bytes: i64, width: Option<i32>, height: Option<i32>, created_at: DateTimeUtc,
        updated_at: DateTimeUtc, captured_at: Option<DateTimeUtc>,
    }
);
