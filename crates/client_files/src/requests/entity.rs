//! Tables of requests for files.

use atalaya_db::table;

table!(
    /// One request to a client, with its link.
    request, "file_request", {
        conference_id: Uuid, company_id: Uuid, user_id: Uuid, contact_type: i16, user_name: String, to_address: String,
        contact_text: String, email_title: Option<String>, page_show_text: Option<String>, token: String,
        short_code: String, remind: bool, notify: bool, created_at: DateTimeUtc, expires_at: DateTimeUtc,
        opened_at: Option<DateTimeUtc>, finished_at: Option<DateTimeUtc>, cancelled_at: Option<DateTimeUtc>,
        remind_at: Option<DateTimeUtc>, notify_at: Option<DateTimeUtc>,
        rejected_notice_at: Option<DateTimeUtc>,
    }
);
table!(
    /// One item that a request asks for.
    item, "file_request_item", {
        request_id: Uuid, position: i32, shot: Option<String>, label: String, hint: Option<String>,
        overlay: Option<String>, state: String, note: Option<String>,
    }
);
