//! The table of notes.

use atalaya_db::table;

table!(
    /// A note that a company's user wrote about one of its cases.
    expedient_note, "expedient_note", {
        company_id: Uuid, user_id: Uuid, expedient_key: String, user_name: String, text: String, created_at: DateTimeUtc,
    }
);
