//! The register of issued invoices in the layout of the tax office ("Libros registro", sheet `EXPEDIDAS_INGRESOS`): two rows of
//! headings, then a line for each invoice. Pure (BOOKS-2).

use super::csv::{amount, day, rate, row, typed};
use super::period::Period;
use crate::invoices::model::Invoice;
use atalaya_checks::country;
use atalaya_tariff::VatRegime;
use chrono::Datelike;

/// Columns: the group that stands above, and the heading.
const COLUMNS: [(&str, &str); 36] = [
    ("Autoliquidación", "Ejercicio"),
    ("", "Periodo"),
    ("Actividad", "Código"),
    ("", "Tipo"),
    ("", "Grupo o Epígrafe del IAE"),
    ("Tipo de Factura", ""),
    ("Concepto de Ingreso", ""),
    ("Ingreso Computable", ""),
    ("Fecha Expedición", ""),
    ("Fecha Operación", ""),
    ("Identificación de la Factura", "Serie"),
    ("", "Número"),
    ("", "Número-Final"),
    ("NIF Destinatario", "Tipo"),
    ("", "Código País"),
    ("", "Identificación"),
    ("Nombre Destinatario", ""),
    ("Clave de Operación", ""),
    ("Calificación de la Operación", ""),
    ("Operación Exenta", ""),
    ("Total Factura", ""),
    ("Base Imponible", ""),
    ("Tipo de IVA", ""),
    ("Cuota IVA Repercutida", ""),
    ("Tipo de Recargo eq.", ""),
    ("Cuota Recargo eq.", ""),
    ("Cobro (Operación Criterio de Caja de IVA y/o artículo 7.2.1º de Reglamento del IRPF)", "Fecha"),
    ("", "Importe"),
    ("", "Medio Utilizado"),
    ("", "Identificación Medio Utilizado"),
    ("Tipo Retención del IRPF", ""),
    ("Importe Retenido del IRPF", ""),
    ("Registro Acuerdo Facturación", ""),
    ("Inmueble", "Situación"),
    ("", "Referencia Catastral"),
    ("Referencia Externa", ""),
];

/// Characters of a name in that layout.
const NAME_MAX: usize = 40;
/// General regime, and operations that are subject to the tax of the Canaries or of Ceuta and Melilla.
const GENERAL: &str = "01";
const OTHER_TAX: &str = "08";

/// The two rows of headings.
pub(super) fn headings() -> String {
    row(&COLUMNS.map(|(group, _)| group)) + &row(&COLUMNS.map(|(_, heading)| heading))
}

/// The line of an invoice. A company has no income tax of persons, so that its activity and income stay empty.
pub(super) fn line(invoice: &Invoice, period: Period) -> String {
    let (series, number) = invoice.number.split_once('-').unwrap_or(("", &invoice.number));
    let settled = invoice.settled_on();
    let operation = (invoice.operation_date != invoice.issue_date).then(|| day(invoice.operation_date));
    let recipient = &invoice.header.recipient;
    let (id_kind, code) = identification(recipient.country.as_deref());
    let totals = &invoice.totals;
    let name: String = typed(&recipient.name).chars().take(NAME_MAX).collect();
    let mut cells = vec![String::new(); COLUMNS.len()];
    let mut set = |column: usize, text: String| cells[column] = text;
    set(0, settled.year().to_string());
    set(1, period.code(settled));
    set(5, invoice.invoice_type.clone());
    set(8, day(invoice.issue_date));
    set(9, operation.unwrap_or_default());
    set(10, series.to_owned());
    set(11, number.to_owned());
    set(13, id_kind.to_owned());
    set(14, code.to_owned());
    set(15, typed(&recipient.nif));
    set(16, name);
    set(17, key(invoice).to_owned());
    set(18, if totals.is_subject() { "S1" } else { "N2" }.to_owned());
    set(20, amount(totals.total));
    set(21, amount(totals.base));
    set(22, rate(totals.vat_rate));
    set(23, amount(totals.vat));
    row(&cells)
}

/// Kind of id and country; empty of a NIF. `02` is a VAT number, `04` the id of another country.
fn identification(code: Option<&str>) -> (&'static str, &str) {
    match code {
        None => ("", ""),
        Some(code) if country::is_in_union(code) => ("02", code),
        Some(code) => ("04", code),
    }
}

fn key(invoice: &Invoice) -> &'static str {
    match (invoice.regime(), &invoice.header.recipient.country) {
        (VatRegime::Outside, None) | (VatRegime::Igic, _) => OTHER_TAX,
        _ => GENERAL,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accounting::service::example;
    use atalaya_tariff::{Cents, Percent};

    fn cells(line: &str) -> Vec<&str> {
        line.trim_end_matches("\r\n").split(';').collect()
    }

    fn october() -> Period {
        Period::parse("2026-4T").unwrap()
    }

    // BOOKS-2
    #[test]
    fn the_layout_is_that_of_the_tax_office() {
        let all = headings();
        let rows: Vec<&str> = all.lines().collect();
        assert_eq!(rows.len(), 2);
        assert!(rows.iter().all(|row| row.split(';').count() == 36));
        assert!(rows[0].starts_with("Autoliquidación;;Actividad;;;Tipo de Factura;"));
        assert!(rows[1].starts_with(
            "Ejercicio;Periodo;Código;Tipo;Grupo o Epígrafe del IAE;;;;;;Serie;Número;Número-Final;Tipo;Código País;"
        ));
    }

    // BOOKS-1, BOOKS-2
    #[test]
    fn an_invoice_is_a_line() {
        let line_of = line(&example(), october());
        let cells = cells(&line_of);
        assert_eq!(cells.len(), 36);
        assert_eq!(cells[..12], ["2026", "4T", "", "", "", "F1", "", "", "02/11/2026", "31/10/2026", "A2026", "000001"]);
        assert_eq!(cells[13..20], ["", "", "B64717838", "Peritos Núñez", "01", "S1", ""]);
        assert_eq!(cells[20..24], ["37,51", "31,00", "21,00", "6,51"]);
    }

    // BOOKS-1, BOOKS-2, ABROAD-4
    #[test]
    fn recipients_elsewhere_and_operations_without_tax() {
        let mut abroad = example();
        abroad.header.regime = Some(VatRegime::ReverseCharge);
        abroad.header.recipient.country = Some("PT".into());
        abroad.header.recipient.nif = "PT501964843".into();
        (abroad.totals.vat_rate, abroad.totals.vat, abroad.totals.total) = (Percent(0), Cents(0), Cents(3100));
        let line_of = line(&abroad, october());
        assert_eq!(
            cells(&line_of)[13..24],
            ["02", "PT", "PT501964843", "Peritos Núñez", "01", "N2", "", "31,00", "31,00", "0,00", "0,00"]
        );

        let mut islands = example();
        (islands.totals.vat_rate, islands.totals.vat, islands.totals.total) = (Percent(0), Cents(0), Cents(3100));
        let line_of = line(&islands, october());
        assert_eq!(cells(&line_of)[17..19], ["08", "N2"], "an invoice from before regimes were kept");

        let mut rectifying = example();
        rectifying.kind = crate::invoices::model::Kind::Rectifying;
        (rectifying.number, rectifying.invoice_type) = ("R2027-000001".into(), "R1".into());
        rectifying.issue_date = "2027-01-10".parse().unwrap();
        let line_of = line(&rectifying, october());
        assert_eq!(cells(&line_of)[..2], ["2027", "1T"], "it belongs to the return of its issue");
    }
}
