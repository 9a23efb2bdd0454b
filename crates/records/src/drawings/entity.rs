//! Tables of frozen pictures and drawings.

use atalaya_db::table;

table!(
    /// The picture that a conference's call is frozen at.
    frozen_picture, "frozen_picture", { conference_id: Uuid, media_id: Uuid, user_id: Uuid, at: DateTimeUtc }
);
table!(
    /// The marks on a picture. `svg` is the layer that `sha256` and the chain speak of.
    media_drawing, "media_drawing", {
        conference_id: Uuid, media_id: Uuid, revision: i32, marks: Json, svg: String, sha256: String, user_id: Uuid, at: DateTimeUtc,
    }
);
