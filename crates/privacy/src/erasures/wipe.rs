//! Which values of a conference are personal, table by table, and how each is removed (RETAIN-9).
//!
//! *Invariant:* append-only tables are not touched: the chain of evidence stays whole, because it holds commitments in place
//! of personal values. A test compares this list with the database's own list of tables (RETAIN-10).

/// Statements with the conference's id as `$1`.
pub const STATEMENTS: &[&str] = &[
    // What was blocked before.
    "DELETE FROM blocked_data WHERE conference_id = $1",
    // Addresses, user agents, positions, recipients, chat texts: the values that the chain holds as commitments.
    "DELETE FROM evidence_value WHERE conference_id = $1",
    "UPDATE chat_message SET text = '', name = '', phrase = NULL WHERE conference_id = $1",
    "UPDATE participation SET name = '', device = NULL WHERE conference_id = $1",
    "DELETE FROM path_report WHERE conference_id = $1",
    "DELETE FROM client_device WHERE conference_id = $1",
    "DELETE FROM dictated_code WHERE conference_id = $1",
    "DELETE FROM appointment WHERE conference_id = $1",
    "DELETE FROM geocoding WHERE conference_id = $1",
    "DELETE FROM frozen_picture WHERE conference_id = $1",
    // What was drawn on pictures, texts among it.
    "DELETE FROM media_drawing WHERE conference_id = $1",
    "DELETE FROM media_measure WHERE conference_id = $1",
    "DELETE FROM media_removal WHERE conference_id = $1",
    "DELETE FROM capture_announcement WHERE conference_id = $1",
    "DELETE FROM evidence_repeat WHERE conference_id = $1",
    // A message that still waits is never sent.
    "UPDATE outbox SET to_address = '', subject = NULL, text = '', html = NULL, link = NULL, secret = NULL, \
       text_sha256 = NULL, provider_id = NULL, \
       error = CASE WHEN state IN ('queued', 'failed') THEN 'ERASED' ELSE NULL END, \
       state = CASE WHEN state = 'queued' THEN 'failed' ELSE state END, next_attempt_at = NULL, locked_until = NULL \
     WHERE conference_id = $1",
    "UPDATE media_item SET original_file_name = '', capture_id = NULL, participant = NULL, latitude = NULL, \
       longitude = NULL, claimed_latitude = NULL, claimed_longitude = NULL, accuracy_m = NULL, lens = NULL, label = NULL, note = NULL, shot = NULL, review_note = NULL, \
       device_at = NULL, thumbnail_blob = NULL, thumbnail_hash = NULL, preview_blob = NULL, preview_hash = NULL \
     WHERE conference_id = $1",
    // Requests for files: what was written to the client, what was asked for, and the names of the files.
    "UPDATE file_request SET to_address = '', contact_text = '', email_title = NULL, page_show_text = NULL, \
       remind_at = NULL, notify_at = NULL, rejected_notice_at = NULL WHERE conference_id = $1",
    "UPDATE file_request_item SET label = '', hint = NULL, note = NULL \
     WHERE request_id IN (SELECT id FROM file_request WHERE conference_id = $1)",
    "UPDATE file_upload SET name = '', declared_type = '' WHERE conference_id = $1",
    "UPDATE certificate SET expedient_masked = '', void_reason = NULL WHERE conference_id = $1",
    // The video-call request it began as: who asked belongs to the repair side and stays; the case and its numbers go.
    "UPDATE video_call_request SET expedient = '', region = '', plate = NULL, starter_phone = NULL WHERE conference_id = $1",
    "UPDATE video_call_refusal SET reason = NULL \
     WHERE request_id IN (SELECT id FROM video_call_request WHERE conference_id = $1)",
    // Incidences about it: their texts and diagnostics, and the key of their images. That they existed stays.
    "UPDATE incidence_entry SET text = '' WHERE incidence_id IN (SELECT id FROM incidence WHERE conference_id = $1)",
    "DELETE FROM incidence_image WHERE incidence_id IN (SELECT id FROM incidence WHERE conference_id = $1)",
    "UPDATE incidence SET comments = '', search = '', expedient_number = NULL, expedient_key = NULL, phone_number = NULL, \
       data_key = NULL, diagnostics = NULL, image_count = 0 WHERE conference_id = $1",
    // The name a program gave it, and the digest of the request that opened it.
    "DELETE FROM conference_reference WHERE conference_id = $1",
    "DELETE FROM api_request WHERE conference_id = $1",
    "DELETE FROM webhook_delivery WHERE conference_id = $1",
    "UPDATE recording SET error = NULL WHERE conference_id = $1",
    // Notifications about it, which name the case number.
    "DELETE FROM personal_notification WHERE conference_id = $1 \
     OR request_id IN (SELECT id FROM video_call_request WHERE conference_id = $1)",
];

/// Tables with rows of a conference that hold nothing personal or are append-only.
pub const KEPT: &[&str] =
    &["conference_entry", "conference_room", "evidence_event", "evidence_seal", "conference_shot", "erasure", "file_deletion"];
