//! A list of invoices as a workbook.

use crate::Billing;
use crate::invoices::model::{Invoice, InvoiceStatus};
use crate::invoices::store::{self, Filter};
use atalaya_content::languages::model::text;
use atalaya_kernel::Language;
use atalaya_rest::ApiResult;
use atalaya_rest::page::{Slice, workbook_holds};
use atalaya_rest::xlsx::{self, Cell, Column};
use atalaya_tariff::Cents;
use axum::response::Response;

/// Columns, in the words of the screen: namespace and key, width in characters.
const COLUMNS: &[(&str, &str, u8)] = &[
    ("invoices", "number", 16),
    ("invoices", "sheetKind", 20),
    ("invoices", "company", 36),
    ("companies", "cif", 12),
    ("invoices", "issueDate", 16),
    ("invoices", "operationDate", 16),
    ("invoices", "period", 12),
    ("invoices", "connections", 12),
    ("invoices", "base", 16),
    ("invoices", "sheetVatRate", 10),
    ("invoices", "vatColumn", 12),
    ("invoices", "total", 16),
    ("invoices", "status", 16),
    ("invoices", "dueDate", 16),
    ("invoices", "sentAt", 18),
    ("invoices", "sheetPaidAt", 16),
    ("invoices", "rectifies", 16),
];

pub(super) async fn answer(d: &Billing, filter: &Filter, language: Language) -> ApiResult<Response> {
    let (total, invoices) = store::count_and_page(d.db.read(), filter, Slice::WORKBOOK).await?;
    workbook_holds(total)?;
    let now = d.sources.now();
    let build = move || {
        let columns: Vec<Column> =
            COLUMNS.iter().map(|(space, key, width)| Column::new(text(language, space, key), *width)).collect();
        let rows: Vec<Vec<Cell>> = invoices.into_iter().map(|invoice| row(invoice, language)).collect();
        xlsx::workbook(&columns, &rows, now)
    };
    let book = xlsx::build(build).await?;
    Ok(xlsx::attachment("facturas", now, book))
}

fn row(invoice: Invoice, language: Language) -> Vec<Cell> {
    let word = |key: &'static str| Cell::text(text(language, "invoices", key));
    let state = invoice.state;
    vec![
        Cell::text(&invoice.number),
        word(invoice.kind.name()),
        Cell::text(invoice.header.recipient.name),
        Cell::text(invoice.header.recipient.nif),
        Cell::Day(invoice.issue_date),
        Cell::Day(invoice.operation_date),
        Cell::text(invoice.period_from.format("%Y-%m").to_string()),
        Cell::count(invoice.connections),
        euros(invoice.totals.base),
        Cell::Number(f64::from(invoice.totals.vat_rate.0) / 100.0),
        euros(invoice.totals.vat),
        euros(invoice.totals.total),
        word(status(state.status)),
        Cell::Day(invoice.due_date),
        state.sent_at.map_or(Cell::Empty, Cell::time),
        state.paid_at.map_or(Cell::Empty, Cell::day),
        Cell::optional(invoice.header.rectified.map(|rectified| rectified.number)),
    ]
}

fn euros(amount: Cents) -> Cell {
    // Far below 2^53, where the quotient has its two decimals.
    #[expect(clippy::cast_precision_loss)]
    let euros = amount.0 as f64 / 100.0;
    Cell::Number(euros)
}

/// In the words of the status tag.
fn status(status: InvoiceStatus) -> &'static str {
    match status {
        InvoiceStatus::Draft => "st_draft",
        InvoiceStatus::Issued => "st_issued",
        InvoiceStatus::Sent => "st_sent",
        InvoiceStatus::InRemittance => "st_in_remittance",
        InvoiceStatus::Paid => "st_paid",
        InvoiceStatus::Returned => "st_returned",
        InvoiceStatus::Unpaid => "st_unpaid",
        InvoiceStatus::Rectified => "st_rectified",
        InvoiceStatus::Cancelled => "st_cancelled",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // INV-8
    #[test]
    fn every_heading_and_status_is_written() {
        for language in Language::ALL {
            for (space, key, _) in COLUMNS {
                assert_ne!(text(language, space, key), *key, "{language:?}");
            }
            for value in InvoiceStatus::ALL {
                assert_ne!(text(language, "invoices", status(value)), status(value), "{language:?}");
            }
        }
    }
}
