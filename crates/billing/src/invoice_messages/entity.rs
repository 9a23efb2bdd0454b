//! The table of messages.

use atalaya_db::table;

table!(
    /// What was said of an invoice, and who wrote it down.
    invoice_message, "invoice_message", {
        invoice_id: Uuid, user_id: Uuid, status: String, day: String, reason: Option<String>, by_customer: bool, at: DateTimeUtc,
    }
);
