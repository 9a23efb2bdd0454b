//! The table of appointments.

use atalaya_db::table;

table!(
    /// The appointment of a conference.
    appointment, "appointment", {
        conference_id: Uuid, company_id: Uuid, user_id: Uuid, state: String, proposed_by: String, sequence: i32,
        at: DateTimeUtc, created_at: DateTimeUtc, changed_at: DateTimeUtc, remind_at: Option<DateTimeUtc>,
    }
);
