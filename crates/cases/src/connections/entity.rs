//! Tables of connections: media rooms, and who was in them.

use atalaya_db::table;

table!(
    /// One media room of a conference.
    room, "conference_room", { conference_id: Uuid, sid: String, started_at: DateTimeUtc, ended_at: Option<DateTimeUtc> }
);
table!(
    /// One stay of one participant in the media room.
    participation, "participation", {
        conference_id: Uuid, identity: String, name: String, kind: String, participant_sid: String,
        joined_at: DateTimeUtc, left_at: Option<DateTimeUtc>, device: Option<String>,
        route: Option<String>,
    }
);
