//! Requests for a video call, who passed them on, and on whose side a conference began (issue 5).

use super::tables::*;
use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, m: &SchemaManager) -> Result<(), DbErr> {
        TableDef::with_id("video_call_request")
            .uuid(&["customer_id", "insurance_id", "starter_company_id", "starter_id", "accepted_by?", "conference_id?"])
            .text(&["state", "region", "expedient", "starter_name", "starter_company", "customer_name", "insurance_name"])
            .text(&["starter_phone?", "plate?", "accepted_name?"])
            .small(&["request_type"])
            .int(&["refusals", "reminders"])
            .time(&["created_at", "queued_at", "expires_at", "callback_at?", "ended_at?"])
            .references("customer_id", "company")
            .references("starter_company_id", "company")
            .references("starter_id", "app_user")
            .index(&["customer_id", "state", "queued_at"])
            .index(&["starter_id", "created_at"])
            .index(&["state", "expires_at"])
            .index(&["customer_id", "ended_at"])
            .index(&["ended_at"])
            .index(&["conference_id"])
            .create(m)
            .await?;
        TableDef::with_id("video_call_refusal")
            .uuid(&["request_id", "user_id"])
            .text(&["reason?"])
            .time(&["at"])
            .references("request_id", "video_call_request")
            .references("user_id", "app_user")
            .unique(&["request_id", "user_id"])
            .create(m)
            .await?;
        let starter = [("starter_company_id", "uuid"), ("starter_id", "uuid"), ("starter_search", "text")];
        add_columns(m, &starter.map(|(column, shape)| ("conference", column, shape))).await?;
        for statement in STATEMENTS {
            m.get_connection().execute_unprepared(statement).await?;
        }
        Ok(())
    }
}

/// One waiting request a person, whoever is quicker; who is in a call; the lists of those who started conferences.
const STATEMENTS: &[&str] = &[
    "CREATE UNIQUE INDEX uq_video_call_request_open ON video_call_request (starter_id) WHERE state = 'waiting'",
    "CREATE INDEX ix_participation_present ON participation (identity) WHERE left_at IS NULL",
    "CREATE INDEX ix_conference_starter ON conference (starter_company_id, conference_type, created_at) \
     WHERE starter_company_id IS NOT NULL",
];
