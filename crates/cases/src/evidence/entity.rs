//! Tables of the evidence chain.

pub mod event {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "evidence_event")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub id: Uuid,
        pub conference_id: Uuid,
        pub seq: i32,
        pub at: DateTimeUtc,
        pub event_type: String,
        pub actor: String,
        pub data: String,
        pub prev: String,
        pub hash: String,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}
    impl ActiveModelBehavior for ActiveModel {}
}

pub mod value {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "evidence_value")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub id: Uuid,
        pub conference_id: Uuid,
        pub seq: i32,
        pub field: String,
        pub salt: String,
        pub value: String,
        pub commitment: String,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}
    impl ActiveModelBehavior for ActiveModel {}
}

atalaya_db::table!(
    /// A sealed state of a chain.
    seal, "evidence_seal", {
        conference_id: Uuid, seq: i32, leaves: i32, head: String, root: String, fingerprint: Option<String>,
        signature: Option<String>, at: DateTimeUtc,
    }
);
atalaya_db::table!(
    /// A time stamp over a tree of roots.
    stamp, "evidence_stamp", {
        size: i32, root: String, serial: String, authority: String, policy: String, token: Vec<u8>, qualified: bool,
        at: DateTimeUtc, created_at: DateTimeUtc,
    }
);
atalaya_db::table!(
    /// The place of each seal in the tree of a time stamp.
    stamp_leaf, "evidence_stamp_leaf", { stamp_id: Uuid, seal_id: Uuid, position: i32 }
);
atalaya_db::table!(
    /// How often a step was reported that is no event of its own.
    repeat, "evidence_repeat", { conference_id: Uuid, event_type: String, count: i32 }
);
atalaya_db::table!(
    /// The root over the seals of a day (UTC, `2026-11-27`) and the root before it.
    day, "evidence_day", {
        size: i32, day: String, previous: String, root: String, fingerprint: String, signature: String, at: DateTimeUtc,
    }
);
atalaya_db::table!(
    /// The place of each seal in the tree of its day.
    day_leaf, "evidence_day_leaf", { day_id: Uuid, seal_id: Uuid, position: i32 }
);
atalaya_db::table!(
    /// A time stamp over the root of a day.
    day_stamp, "evidence_day_stamp", {
        day_id: Uuid, serial: String, authority: String, policy: String, token: Vec<u8>, qualified: bool, at: DateTimeUtc,
        created_at: DateTimeUtc,
    }
);
atalaya_db::table!(
    /// The end of a conference's chain, kept on the conference's row beside what decides what may follow. The last four are
    /// written here alone.
    head, "conference", {
        company_id: Uuid, expedient_number: String, closed: bool, erased_at: Option<DateTimeUtc>, last_seq: i32,
        chain_head: String, projection: Json, stage: i16,
    }
);
