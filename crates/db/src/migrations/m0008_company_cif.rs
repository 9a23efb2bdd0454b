//! One company of a kind per tax id: registrations that race end in one.

use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, m: &SchemaManager) -> Result<(), DbErr> {
        let connection = m.get_connection();
        // Companies without a tax id do not count: NULLs differ from each other on both engines.
        connection.execute_unprepared("UPDATE company SET cif = NULL WHERE cif = ''").await?;
        connection.execute_unprepared("DROP INDEX ix_company_kind_cif").await?;
        connection.execute_unprepared("CREATE UNIQUE INDEX uq_company_kind_cif ON company (kind, cif)").await?;
        Ok(())
    }
}
