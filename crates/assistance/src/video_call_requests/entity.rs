//! Tables of requests.

use atalaya_db::table;

table!(
    /// A request for a video call.
    request, "video_call_request", {
        customer_id: Uuid, insurance_id: Uuid, starter_company_id: Uuid, starter_id: Uuid, accepted_by: Option<Uuid>,
        conference_id: Option<Uuid>, state: String, region: String, expedient: String, starter_name: String,
        starter_company: String, customer_name: String, insurance_name: String, starter_phone: Option<String>,
        plate: Option<String>, accepted_name: Option<String>, request_type: i16, refusals: i32, reminders: i32,
        created_at: DateTimeUtc, queued_at: DateTimeUtc, expires_at: DateTimeUtc, callback_at: Option<DateTimeUtc>,
        ended_at: Option<DateTimeUtc>,
    }
);
table!(
    /// Somebody of the customer refused a request.
    refusal, "video_call_refusal", { request_id: Uuid, user_id: Uuid, reason: Option<String>, at: DateTimeUtc }
);
