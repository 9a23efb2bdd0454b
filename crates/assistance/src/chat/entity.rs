//! The chat table.

use atalaya_db::table;

table!(
    /// A line of chat, kept with the case.
    chat_message, "chat_message", {
        conference_id: Uuid, identity: String, name: String, kind: String, text: String, at: DateTimeUtc,
        phrase: Option<String>,
    }
);
