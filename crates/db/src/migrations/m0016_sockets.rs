//! Sockets that are open now, with their users: who is there (issue 5).
//!
//! The rows live as long as their connection and name nothing by foreign key: an account may go while its socket is open.

use super::tables::*;
use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, m: &SchemaManager) -> Result<(), DbErr> {
        TableDef::with_id("server_node").time(&["started_at", "beat_at"]).index(&["beat_at"]).create(m).await?;
        TableDef::new("open_socket")
            .text(&["id"])
            .uuid(&["node_id", "user_id", "company_id", "session_id"])
            .time(&["connected_at", "registered_at?"])
            .primary(&["id"])
            .index(&["user_id", "connected_at"])
            .index(&["company_id"])
            .index(&["node_id"])
            .create(m)
            .await
    }
}
