//! Tables of erasures and requests of persons.

use atalaya_db::table;

table!(
    /// The proof of one erasure. Append-only.
    erasure, "erasure", {
        conference_id: Uuid, company_id: Uuid, by_id: Option<Uuid>, request_id: Option<Uuid>, by_name: String, reason: String,
        head: String, register: String, events: i32, media: i32, at: DateTimeUtc,
    }
);
table!(
    /// A request about a person's data. Append-only.
    privacy_request, "privacy_request", {
        company_id: Uuid, by_id: Uuid, by_name: String, kind: String, subject: String, reason: Option<String>,
        conferences: i32, at: DateTimeUtc,
    }
);
