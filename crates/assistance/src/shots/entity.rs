//! Tables of shot lists.

use atalaya_db::table;

table!(
    /// A company's own list for a type of conference.
    shot_list, "shot_list", {
        company_id: Uuid, conference_type: i16, shots: Json, updated_by: Uuid, updated_at: DateTimeUtc,
    }
);
table!(
    /// A shot of a conference that somebody ticked by hand.
    conference_shot, "conference_shot", {
        conference_id: Uuid, shot: String, state: String, media_id: Option<Uuid>, user_id: Uuid, at: DateTimeUtc,
    }
);
