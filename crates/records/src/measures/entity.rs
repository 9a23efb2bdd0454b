//! The table of measures.

use atalaya_db::table;

table!(
    /// What is measured on a picture. `svg` is the layer that `sha256` and the chain speak of.
    media_measure, "media_measure", {
        conference_id: Uuid, media_id: Uuid, revision: i32, planes: Json, svg: String, sha256: String, user_id: Uuid, at: DateTimeUtc,
    }
);
