//! Price tables, proof of acceptances, and what is billed of a conference that is erased (issue 6).

use super::tables::*;
use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, m: &SchemaManager) -> Result<(), DbErr> {
        // Amounts in cents.
        TableDef::with_id("price")
            .big(&["connection", "other_connections", "minute_limit?", "exceeded_minute", "guest_minute", "min_payment"])
            .json(&["discounts"])
            .uuid(&["company_id?", "created_by?"])
            .time(&["valid_from", "created_at"])
            .references("company_id", "company")
            .index(&["company_id", "valid_from"])
            .create(m)
            .await?;
        append_only(m, "price").await?;
        append_only(m, "legal_text").await?;
        let proof = ["address", "user_agent", "sha256"];
        add_columns(m, &proof.map(|column| ("legal_history", column, "text"))).await?;
        add_columns(m, &[("conference", "billing_case", "text")]).await?;
        let connection = m.get_connection();
        connection.execute_unprepared("CREATE INDEX ix_conference_billing ON conference (company_id, created_at)").await?;
        for statement in guards(m.get_database_backend()) {
            connection.execute_unprepared(&statement).await?;
        }
        Ok(())
    }
}

/// What was accepted, by whom and when never changes; only when it ended is written later.
fn guards(engine: sea_orm::DbBackend) -> Vec<String> {
    let facts = "company_id, legal_id, price_id, user_id, accepted_at, sha256";
    let events = [("facts", format!("UPDATE OF {facts}")), ("delete", "DELETE".to_owned())];
    match engine {
        sea_orm::DbBackend::Postgres => {
            let mut all = vec![
                "CREATE FUNCTION legal_history_fixed() RETURNS trigger LANGUAGE plpgsql AS \
                 $$ BEGIN RAISE EXCEPTION 'an acceptance is not changed'; END $$"
                    .to_owned(),
            ];
            all.extend(events.map(|(name, event)| {
                format!(
                    "CREATE TRIGGER legal_history_{name} BEFORE {event} ON legal_history \
                     FOR EACH ROW EXECUTE FUNCTION legal_history_fixed()"
                )
            }));
            all
        }
        _ => events
            .map(|(name, event)| {
                format!(
                    "CREATE TRIGGER legal_history_{name} BEFORE {event} ON legal_history \
                     BEGIN SELECT RAISE(ABORT, 'an acceptance is not changed'); END"
                )
            })
            .to_vec(),
    }
}
