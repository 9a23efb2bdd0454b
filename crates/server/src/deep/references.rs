//! The references between tables that the schema does not declare (DEEP-2). What is declared, SQLite lists itself and
//! PostgreSQL never lets dangle.
//!
//! Left out are columns whose target may go while the row stays: sessions, links and subscriptions that were swept.

/// A column that holds the id of a row elsewhere, or nothing.
pub(super) struct Reference {
    table: &'static str,
    column: &'static str,
    target: &'static str,
}

impl Reference {
    pub fn told(&self) -> String {
        format!("{}.{} to {}", self.table, self.column, self.target)
    }

    /// The ids that lead nowhere.
    pub fn statement(&self) -> String {
        let Self { table, column, target } = self;
        format!(
            "SELECT a.{column} FROM {table} a WHERE a.{column} IS NOT NULL \
             AND NOT EXISTS (SELECT 1 FROM {target} b WHERE b.id = a.{column})"
        )
    }
}

const fn to(table: &'static str, column: &'static str, target: &'static str) -> Reference {
    Reference { table, column, target }
}

pub(super) const ALL: &[Reference] = &[
    to("company", "legal_id", "legal_text"),
    to("company", "price_id", "price"),
    to("legal_history", "legal_id", "legal_text"),
    to("legal_history", "price_id", "price"),
    to("legal_history", "user_id", "app_user"),
    to("api_key", "created_by", "app_user"),
    to("outbox", "conference_id", "conference"),
    to("outbox", "company_id", "company"),
    to("outbox", "fallback_of", "outbox"),
    to("media_item", "company_id", "company"),
    to("media_item", "recording_id", "recording"),
    to("media_item", "request_id", "file_request"),
    to("media_item", "item_id", "file_request_item"),
    to("media_item", "reviewed_by", "app_user"),
    to("file_request", "company_id", "company"),
    to("file_upload", "conference_id", "conference"),
    to("file_upload", "media_id", "media_item"),
    to("file_deletion", "conference_id", "conference"),
    to("frozen_picture", "user_id", "app_user"),
    to("media_drawing", "user_id", "app_user"),
    to("media_measure", "user_id", "app_user"),
    to("conference_shot", "media_id", "media_item"),
    to("conference_shot", "user_id", "app_user"),
    to("shot_list", "updated_by", "app_user"),
    to("expedient_note", "user_id", "app_user"),
    to("conference_reference", "conference_id", "conference"),
    to("conference_reference", "company_id", "company"),
    to("api_request", "conference_id", "conference"),
    to("webhook_delivery", "conference_id", "conference"),
    to("personal_notification", "conference_id", "conference"),
    to("video_call_request", "conference_id", "conference"),
    to("video_call_request", "accepted_by", "app_user"),
    to("certificate", "company_id", "company"),
    to("certificate", "issued_by", "app_user"),
    to("certificate", "voided_by", "app_user"),
    to("erasure", "company_id", "company"),
    to("incidence", "conference_id", "conference"),
    to("incidence", "last_by", "app_user"),
    to("incidence_image", "entry_id", "incidence_entry"),
    to("incidence_log", "actor_id", "app_user"),
    to("invoice_message", "user_id", "app_user"),
    to("invoice", "rectifies", "invoice"),
    to("invoice", "rectified_by", "invoice"),
    to("invoice", "message_id", "outbox"),
    to("invoice_draft", "customer_id", "company"),
    to("debit_attempt", "invoice_id", "invoice"),
    to("debit_notice", "message_id", "outbox"),
    to("remittance", "created_by", "app_user"),
    to("bank_file", "created_by", "app_user"),
    to("sepa_customer", "company_id", "company"),
    to("campaign", "author_id", "app_user"),
    to("campaign_recipient", "message_id", "outbox"),
];
