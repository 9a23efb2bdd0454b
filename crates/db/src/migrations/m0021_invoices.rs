//! Invoices, their series, lines and monthly runs (issue 6).

use super::tables::{TableDef, append_only};
use sea_orm_migration::prelude::*;

/// What an invoice says, and what may never change.
const FIXED: &str = "id, number, series, series_year, series_number, kind, invoice_type, customer_id, company, search, period, \
                     period_from, period_to, issue_date, operation_date, due_date, issued_at, connections, subtotal, \
                     discount_percent, base, vat_rate, vat, total, rectifies, reason, header, lines";

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        invoices(manager).await?;
        runs(manager).await
    }
}

async fn invoices(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    TableDef::with_id("invoice")
        .text(&["number", "series", "kind", "invoice_type", "company", "search"])
        .int(&["series_year"])
        .big(&["series_number"])
        .uuid(&["customer_id"])
        // Of the month; `None` in rectifying ones, so that only normal ones are one per customer and month.
        .text(&["period?", "period_from", "period_to", "issue_date", "operation_date", "due_date"])
        .time(&["issued_at"])
        .big(&["connections", "subtotal", "base", "vat", "total"])
        .int(&["discount_percent", "vat_rate"])
        .uuid(&["rectifies?"])
        .text(&["reason?"])
        .json(&["header", "lines"])
        // From here on what happens to it.
        .text(&["status", "paid_by?", "charge_date?", "revocable_until?", "return_code?"])
        .boolean(&["superseded"])
        .time(&["sent_at?", "paid_at?", "returned_at?", "cancelled_at?"])
        .uuid(&["rectified_by?", "message_id?"])
        .references("customer_id", "company")
        .unique(&["number"])
        .unique(&["series", "series_year", "series_number"])
        .index(&["customer_id", "issue_date"])
        .index(&["period", "status"])
        .index(&["status", "issue_date"])
        .index(&["issue_date", "id"])
        .index(&["rectifies"])
        .create(manager)
        .await?;
    let connection = manager.get_connection();
    let once = "CREATE UNIQUE INDEX uq_invoice_customer_period ON invoice (customer_id, period) WHERE NOT superseded";
    connection.execute_unprepared(once).await?;
    immutable(manager).await?;

    TableDef::new("invoice_detail")
        .uuid(&["invoice_id"])
        .int(&["part"])
        .json(&["rows"])
        .primary(&["invoice_id", "part"])
        .references("invoice_id", "invoice")
        .create(manager)
        .await?;
    append_only(manager, "invoice_detail").await?;

    TableDef::new("invoice_series")
        .text(&["series", "last_date?"])
        .int(&["year"])
        .big(&["last_number"])
        .primary(&["series", "year"])
        .create(manager)
        .await
}

/// No delete, and no update of what the invoice says.
async fn immutable(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let statements = match manager.get_database_backend() {
        sea_orm::DbBackend::Postgres => vec![
            "CREATE FUNCTION invoice_immutable() RETURNS trigger LANGUAGE plpgsql AS \
             $$ BEGIN RAISE EXCEPTION 'an issued invoice never changes'; END $$"
                .to_owned(),
            format!(
                "CREATE TRIGGER invoice_no_update BEFORE UPDATE OF {FIXED} ON invoice \
                 FOR EACH ROW EXECUTE FUNCTION invoice_immutable()"
            ),
            "CREATE TRIGGER invoice_no_delete BEFORE DELETE ON invoice FOR EACH ROW EXECUTE FUNCTION invoice_immutable()"
                .to_owned(),
            "CREATE TRIGGER invoice_no_truncate BEFORE TRUNCATE ON invoice \
             FOR EACH STATEMENT EXECUTE FUNCTION invoice_immutable()"
                .to_owned(),
        ],
        _ => ["UPDATE OF {FIXED}", "DELETE"]
            .iter()
            .map(|verb| {
                let name = verb[..6].to_lowercase();
                let verb = verb.replace("{FIXED}", FIXED);
                format!(
                    "CREATE TRIGGER invoice_no_{name} BEFORE {verb} ON invoice \
                     BEGIN SELECT RAISE(ABORT, 'an issued invoice never changes'); END"
                )
            })
            .collect(),
    };
    for statement in statements {
        manager.get_connection().execute_unprepared(&statement).await?;
    }
    Ok(())
}

async fn runs(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    TableDef::new("invoice_draft")
        .text(&["period", "company", "code?"])
        .uuid(&["customer_id"])
        .big(&["connections", "base", "vat", "total"])
        .json(&["fields"])
        .time(&["calculated_at"])
        .primary(&["period", "customer_id"])
        .index(&["period", "code"])
        .create(manager)
        .await?;
    TableDef::with_id("invoice_run")
        // `error`: the code for which the last job gave up.
        .text(&["period", "job?", "error?"])
        .time(&["calculated_at?", "issued_at?", "started_at?"])
        .boolean(&["late"])
        // 1 while it works, so that the database lets only one do so.
        .small(&["running?"])
        // Where it is: counts, the last customer or invoice that is done, and how often it went on.
        .big(&["done", "total"])
        .uuid(&["after?"])
        .int(&["step"])
        .unique(&["period"])
        .unique(&["running"])
        .create(manager)
        .await
}
