//! Answers of the geocoder.

use atalaya_db::table;

table!(
    /// What is known of one address or position of a case.
    geocoding, "geocoding", {
        conference_id: Uuid, asked: String, latitude: Option<String>, longitude: Option<String>, address: Option<String>,
        at: DateTimeUtc,
    }
);
