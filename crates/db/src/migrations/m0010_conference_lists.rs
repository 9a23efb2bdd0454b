//! What lists of conferences are searched by, and the administrator's list of everybody's.

use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, m: &SchemaManager) -> Result<(), DbErr> {
        for statement in [
            "ALTER TABLE conference ADD COLUMN search text NOT NULL DEFAULT ''",
            "UPDATE conference SET search = lower(expedient_number || ' ' || phone_number || ' ' || \
             coalesce(contact_person, '') || ' ' || coalesce(car_id, '') || ' ' || user_name || ' ' || customer_name)",
            "CREATE INDEX ix_conference_conference_type_created_at ON conference (conference_type, created_at)",
        ] {
            m.get_connection().execute_unprepared(statement).await?;
        }
        Ok(())
    }
}
