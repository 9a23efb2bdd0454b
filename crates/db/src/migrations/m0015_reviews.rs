//! Shot lists, notes of expedients, and what ranges and the funnel read (issue 4).

use super::tables::*;
use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, m: &SchemaManager) -> Result<(), DbErr> {
        TableDef::with_id("shot_list")
            .uuid(&["company_id", "updated_by"])
            .small(&["conference_type"])
            .json(&["shots"])
            .time(&["updated_at"])
            .references("company_id", "company")
            .unique(&["company_id", "conference_type"])
            .create(m)
            .await?;
        TableDef::with_id("conference_shot")
            .uuid(&["conference_id", "media_id?", "user_id"])
            .text(&["shot", "state"])
            .time(&["at"])
            .references("conference_id", "conference")
            .unique(&["conference_id", "shot"])
            .create(m)
            .await?;
        TableDef::with_id("expedient_note")
            .uuid(&["company_id", "user_id"])
            .text(&["expedient_key", "user_name", "text"])
            .time(&["created_at"])
            .references("company_id", "company")
            .index(&["company_id", "expedient_key", "created_at"])
            .create(m)
            .await?;
        for statement in STATEMENTS {
            m.get_connection().execute_unprepared(statement).await?;
        }
        Ok(())
    }
}

/// How far the client of each conference came, as `evidence::Projection::stage` says it; then the indexes of lists (a
/// company's, a worker's and everybody's days), expedients, ranges and the funnel.
const STATEMENTS: &[&str] = &[
    "UPDATE conference SET stage = CASE \
       WHEN projection->>'clientConnectedAt' IS NOT NULL AND coalesce(CAST(projection->>'pictures' AS integer), 0) + \
         coalesce(CAST(projection->>'videos' AS integer), 0) > 0 THEN 4 \
       WHEN projection->>'clientConnectedAt' IS NOT NULL THEN 3 \
       WHEN projection->>'legalAcceptedAt' IS NOT NULL THEN 2 \
       WHEN projection->>'openedAt' IS NOT NULL THEN 1 ELSE 0 END",
    "CREATE INDEX ix_conference_worker ON conference (company_id, user_id, conference_type, created_at)",
    "CREATE INDEX ix_conference_company_id_created_at_stage ON conference (company_id, created_at, stage)",
    "CREATE INDEX ix_conference_created_at_stage ON conference (created_at, stage)",
    "CREATE INDEX ix_conference_expedient_key ON conference (expedient_key)",
    "CREATE INDEX ix_media_item_created_at ON media_item (created_at)",
    "CREATE INDEX ix_evidence_event_at ON evidence_event (at)",
];
