//! Entries of issued invoices for an accounting program, by the accounts of the general chart (RD 1514/2007). Pure (BOOKS-3).

use super::csv::{amount, day, row, typed};
use crate::invoices::model::Invoice;
use atalaya_tariff::{Cents, Place};

const COLUMNS: [&str; 9] = ["Asiento", "Fecha", "Cuenta", "Concepto", "Documento", "Debe", "Haber", "NIF", "Nombre"];

/// Customers, and those whose debt is doubtful.
const CUSTOMERS: &str = "430";
const DOUBTFUL: &str = "436";
/// Services rendered.
const SERVICES: &str = "705";
/// Tax charged: VAT, and that of the Canaries.
const VAT: &str = "4770";
const IGIC: &str = "4777";

/// The row of headings.
pub(super) fn headings() -> String {
    row(&COLUMNS)
}

/// The lines of an invoice's entry, which is the `number`th.
pub(super) fn lines(invoice: &Invoice, number: usize) -> String {
    let name = typed(&invoice.header.recipient.name);
    let concept = match &invoice.header.rectified {
        Some(rectified) => format!("Factura {} rectifica {} {name}", invoice.number, rectified.number),
        None => format!("Factura {} {name}", invoice.number),
    };
    let line = |(account, sum): (&str, Cents)| {
        let (debit, credit) = if sum.0 > 0 { (amount(sum), String::new()) } else { (String::new(), amount(Cents(-sum.0))) };
        row(&[
            number.to_string(),
            day(invoice.issue_date),
            account.to_owned(),
            concept.clone(),
            invoice.number.clone(),
            debit,
            credit,
            typed(&invoice.header.recipient.nif),
            name.clone(),
        ])
    };
    sums(invoice).into_iter().filter(|(_, sum)| *sum != Cents(0)).map(line).collect()
}

/// What is debited to each account; below zero it is credited. Where art. 80 lowers the base alone, the tax comes back and the debt
/// stays, so that nothing of the income moves (RELIEF-1).
fn sums(invoice: &Invoice) -> Vec<(&'static str, Cents)> {
    let totals = &invoice.totals;
    let igic = Place::of_postal_code(&invoice.header.issuer.postal_code) == Place::Canaries;
    let tax = if igic { IGIC } else { VAT };
    if invoice.lowers_base_only() {
        return vec![(tax, Cents(-totals.vat.0)), (DOUBTFUL, totals.vat)];
    }
    vec![(CUSTOMERS, totals.total), (SERVICES, Cents(-totals.base.0)), (tax, Cents(-totals.vat.0))]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accounting::service::example;

    fn entry(invoice: &Invoice) -> Vec<(String, String, String)> {
        let lines = lines(invoice, 1);
        let cells = lines.lines().map(|line| line.split(';').map(str::to_owned).collect::<Vec<_>>());
        cells.map(|cells| (cells[2].clone(), cells[5].clone(), cells[6].clone())).collect()
    }

    fn row_of(account: &str, debit: &str, credit: &str) -> (String, String, String) {
        (account.into(), debit.into(), credit.into())
    }

    // BOOKS-3
    #[test]
    fn an_entry_is_balanced() {
        let mut invoice = example();
        assert_eq!(entry(&invoice), [row_of("430", "37,51", ""), row_of("705", "", "31,00"), row_of("4770", "", "6,51")]);
        let totals = &mut invoice.totals;
        (totals.base, totals.vat, totals.total) = (Cents(-500), Cents(-105), Cents(-605));
        assert_eq!(
            entry(&invoice),
            [row_of("430", "", "6,05"), row_of("705", "5,00", ""), row_of("4770", "1,05", "")],
            "back again"
        );
        invoice.invoice_type = "R3".into();
        assert_eq!(entry(&invoice), [row_of("4770", "1,05", ""), row_of("436", "", "1,05")], "the debt stays");
        let mut islands = example();
        islands.header.issuer.postal_code = "35001".into();
        assert_eq!(entry(&islands)[2].0, "4777");
        assert_eq!(headings(), "Asiento;Fecha;Cuenta;Concepto;Documento;Debe;Haber;NIF;Nombre\r\n");
    }
}
