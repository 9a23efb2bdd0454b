//! Tables of incidences.

use atalaya_db::table;

table!(
    /// An incidence.
    incidence, "incidence", {
        company_id: Uuid, author_id: Uuid, last_by: Uuid, conference_id: Option<Uuid>, number: i32, image_count: i32,
        answer_count: i32, incidence_type: i16, reason: i16, status: i16, comments: String, search: String,
        expedient_number: Option<String>, expedient_key: Option<String>, phone_number: Option<String>,
        data_key: Option<Vec<u8>>, diagnostics: Option<Json>, created_at: DateTimeUtc, updated_at: DateTimeUtc,
        last_answer_at: Option<DateTimeUtc>, archived_at: Option<DateTimeUtc>,
    }
);
table!(
    /// An answer, or a note of the administrators.
    entry, "incidence_entry", { incidence_id: Uuid, author_id: Uuid, kind: String, text: String, at: DateTimeUtc }
);
table!(
    /// An image, of the incidence itself or of an answer.
    image, "incidence_image", {
        incidence_id: Uuid, entry_id: Option<Uuid>, name: String, mime: String, blob_name: String, position: i32, width: i32,
        height: i32, size_bytes: i64, at: DateTimeUtc,
    }
);
table!(
    /// The log, in order. Names people only by their ids, and quotes nothing.
    log, "incidence_log", {
        incidence_id: Uuid, actor_id: Uuid, action: String, from_value: Option<i16>, to_value: Option<i16>, seq: i32,
        at: DateTimeUtc,
    }
);
table!(
    /// When somebody last opened an incidence.
    reading, "incidence_reading", { incidence_id: Uuid, user_id: Uuid, at: DateTimeUtc }
);
table!(
    /// The last number given.
    counter, "incidence_counter", { last: i32 }
);
