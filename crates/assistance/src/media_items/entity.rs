//! Tables of media, and of files to be deleted.

use atalaya_db::table;

table!(
    /// A stored picture, video or document.
    media_item, "media_item", {
        conference_id: Uuid, company_id: Uuid, recording_id: Option<Uuid>,
        filename: String, original_file_name: String, media_type: String, hash: String, mime: String, origin: String,
        claimed_latitude: Option<String>, claimed_longitude: Option<String>, method: Option<String>, capture_id: Option<String>, participant: Option<String>, latitude: Option<String>,
        longitude: Option<String>, lens: Option<String>, blob_name: String, thumbnail_blob: Option<String>,
        thumbnail_hash: Option<String>, size_bytes: i64, duration_ms: Option<i64>, width: Option<i32>, height: Option<i32>,
        accuracy_m: Option<i32>, sharpness: Option<i32>, label: Option<String>, note: Option<String>, shot: Option<String>, request_id: Option<Uuid>,
        item_id: Option<Uuid>, review: Option<String>, review_note: Option<String>, reviewed_by: Option<Uuid>,
        reviewed_at: Option<DateTimeUtc>, preview_blob: Option<String>, preview_hash: Option<String>,
        device_check: Option<String>, device_key: Option<String>, device_signature: Option<String>,
        expired_at: Option<DateTimeUtc>, captured_at: DateTimeUtc, created_at: DateTimeUtc, device_at: Option<DateTimeUtc>,
    }
);
table!(
    /// A file or folder to delete from the storage; the row is removed afterwards.
    file_deletion, "file_deletion", { conference_id: Uuid, name: String, folder: bool, created_at: DateTimeUtc }
);
table!(
    /// A picture that a device says it has taken.
    capture_announcement, "capture_announcement", { conference_id: Uuid, capture_id: String, sha256: String, at: DateTimeUtc }
);
