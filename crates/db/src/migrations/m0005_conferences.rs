//! Conferences, who may enter them, what happened in them.

use super::tables::*;
use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, m: &SchemaManager) -> Result<(), DbErr> {
        TableDef::with_id("conference")
            .uuid(&["company_id", "user_id", "contact_id?"])
            .small(&["conference_type"])
            .text(&[
                "expedient_number",
                "expedient_key",
                "phone_number",
                "contact_person?",
                "email?",
                "full_address?",
                "address?",
            ])
            .text(&["city?", "city_region?", "postal_code?", "region?", "car_id?", "app_type", "language"])
            .text(&["customer_name", "user_name", "sid?", "hash", "short_code"])
            .big(&["duration_s?"])
            .boolean(&["closed", "files_requested"])
            .time(&["created_at", "closed_at?", "expired_at", "media_request_expired?", "media_seen_at?", "idle_since?"])
            .blob(&["data_key?"])
            .int(&["last_seq"])
            .text(&["chain_head"])
            .json(&["projection"])
            .references("company_id", "company")
            .references("user_id", "app_user")
            .unique(&["hash"])
            .unique(&["short_code"])
            .index(&["company_id", "conference_type", "created_at"])
            .index(&["company_id", "expedient_key"])
            .index(&["closed", "expired_at"])
            .create(m)
            .await?;
        TableDef::with_id("conference_room")
            .uuid(&["conference_id"])
            .text(&["sid"])
            .time(&["started_at", "ended_at?"])
            .references("conference_id", "conference")
            .unique(&["conference_id", "sid"])
            .create(m)
            .await?;
        TableDef::with_id("participation")
            .uuid(&["conference_id"])
            .text(&["identity", "name", "kind", "participant_sid"])
            .time(&["joined_at", "left_at?"])
            .references("conference_id", "conference")
            .unique(&["conference_id", "participant_sid"])
            .create(m)
            .await?;
        TableDef::with_id("client_device")
            .uuid(&["conference_id"])
            .text(&["key_hash", "identity"])
            .time(&["created_at"])
            .references("conference_id", "conference")
            .unique(&["key_hash"])
            .create(m)
            .await?;
        TableDef::with_id("dictated_code")
            .uuid(&["conference_id"])
            .text(&["code_hash"])
            .int(&["tries"])
            .time(&["created_at", "expires_at"])
            .references("conference_id", "conference")
            .unique(&["conference_id"])
            .index(&["code_hash"])
            .create(m)
            .await?;
        TableDef::with_id("chat_message")
            .uuid(&["conference_id"])
            .text(&["identity", "name", "kind", "text"])
            .time(&["at"])
            .references("conference_id", "conference")
            .index(&["conference_id", "at"])
            .create(m)
            .await?;
        TableDef::with_id("evidence_event")
            .uuid(&["conference_id"])
            .int(&["seq"])
            .time(&["at"])
            .text(&["event_type", "actor", "data", "prev", "hash"])
            .references("conference_id", "conference")
            .unique(&["conference_id", "seq"])
            .create(m)
            .await?;
        append_only(m, "evidence_event").await?;
        TableDef::with_id("evidence_value")
            .uuid(&["conference_id"])
            .int(&["seq"])
            .text(&["field", "salt", "value", "commitment"])
            .references("conference_id", "conference")
            .unique(&["conference_id", "seq", "field"])
            .create(m)
            .await?;
        Ok(())
    }
}
