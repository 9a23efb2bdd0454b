//! The table of breaches.

use atalaya_db::table;

table!(
    /// A breach of security, or more about one. Append-only.
    security_breach, "security_breach", {
        by_id: Uuid, follows: Option<Uuid>, by_name: String, title: String, nature: String, effects: String, measures: String,
        people: Option<i32>, happened_at: Option<DateTimeUtc>, known_at: DateTimeUtc, authority_at: Option<DateTimeUtc>,
        people_at: Option<DateTimeUtc>, at: DateTimeUtc,
    }
);
