//! Tables of calls: media rooms, who was connected, recordings.

macro_rules! table {
    ($(#[$doc:meta])* $module:ident, $name:literal, { $($field:ident : $ty:ty),+ $(,)? }) => {
        $(#[$doc])*
        pub mod $module {
            use sea_orm::entity::prelude::*;

            #[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
            #[sea_orm(table_name = $name)]
            pub struct Model {
                #[sea_orm(primary_key, auto_increment = false)]
                pub id: Uuid,
                $(pub $field: $ty,)+
            }

            #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
            pub enum Relation {}
            impl ActiveModelBehavior for ActiveModel {}
        }
    };
}
pub(crate) use table;

table!(
    /// One media room of a conference.
    room, "conference_room", { conference_id: Uuid, sid: String, started_at: DateTimeUtc, ended_at: Option<DateTimeUtc> }
);
table!(
    /// One stay of one participant in the media room.
    participation, "participation", {
        conference_id: Uuid, identity: String, name: String, kind: String, participant_sid: String,
        joined_at: DateTimeUtc, left_at: Option<DateTimeUtc>,
    }
);
table!(
    /// One recording, start to stop.
    recording, "recording", {
        conference_id: Uuid, state: String, started_by: String, external_id: Option<String>, error: Option<String>,
        paused_ms: i64, started_at: DateTimeUtc, paused_at: Option<DateTimeUtc>, stopped_at: Option<DateTimeUtc>,
    }
);
