//! Invoices and mandates: values with every text already in its language, each rendered by its own template.

use crate::document::breakable;
use crate::letters::printable;
use crate::render::{Engine, PdfError, engine, qr_svg, set};
use chrono::{DateTime, Utc};
use serde::Serialize;
use serde_json::Value;
use std::sync::LazyLock;

static INVOICE: Engine = LazyLock::new(|| engine(include_str!("invoice.typ")));
static MANDATE: Engine = LazyLock::new(|| engine(include_str!("mandate.typ")));

/// Characters without a space after which a line may be broken.
const UNBROKEN_MAX: usize = 34;
/// Rows of the detail between two hairlines, on its first page (under its title) and on the others (DOC-6).
const GROUP: usize = 5;
const FIRST_PAGE_ROWS: usize = 55;
const PAGE_ROWS: usize = 60;

/// A label with its value.
#[derive(Clone, Debug, Serialize)]
pub struct Labelled {
    pub label: String,
    pub value: String,
}

impl Labelled {
    pub fn new(label: impl Into<String>, value: impl Into<String>) -> Self {
        Self { label: label.into(), value: value.into() }
    }
}

/// A party: its role, its name, further lines.
#[derive(Clone, Debug, Serialize)]
pub struct Who {
    pub heading: String,
    pub name: String,
    pub lines: Vec<String>,
}

/// A line of an invoice, as texts.
#[derive(Clone, Debug, Default, Serialize)]
pub struct SheetLine {
    pub text: String,
    /// Smaller text below.
    pub detail: Option<String>,
    pub quantity: String,
    pub unit: String,
    pub amount: String,
}

/// How the invoice is paid.
#[derive(Clone, Debug, Serialize)]
pub struct SheetPayment {
    pub heading: String,
    pub facts: Vec<Labelled>,
    pub note: Option<String>,
}

/// A column of the detail; without a width it takes the remaining space.
#[derive(Clone, Debug, Serialize)]
pub struct DetailColumn {
    pub title: String,
    /// Millimetres.
    pub width: Option<u32>,
    pub right: bool,
    /// Characters that fit; longer texts are cut.
    #[serde(skip)]
    pub letters: usize,
}

/// The pages after the first: one row for each connection.
#[derive(Clone, Debug)]
pub struct Detail {
    pub title: String,
    pub subtitle: String,
    pub columns: Vec<DetailColumn>,
    /// Each with as many texts as there are columns.
    pub rows: Vec<Vec<String>>,
}

/// An invoice as it is printed.
#[derive(Clone, Debug)]
pub struct InvoiceSheet {
    /// Two letters.
    pub language: String,
    pub title: String,
    pub number: String,
    /// Becomes the creation date in the file; no clock is read.
    pub issued_at: DateTime<Utc>,
    /// The address in the QR code, if it has one; the texts above and below it.
    pub qr_url: Option<String>,
    pub qr_above: String,
    pub qr_below: String,
    /// A warning that this is not an invoice for the tax office.
    pub trial: Option<String>,
    pub facts: Vec<Labelled>,
    pub issuer: Who,
    pub recipient: Who,
    /// What it rectifies, and why.
    pub rectifies: Option<String>,
    /// Headings of text, quantity, unit price and amount.
    pub columns: [String; 4],
    pub lines: Vec<SheetLine>,
    pub payment: SheetPayment,
    pub totals: Vec<Labelled>,
    pub total: Labelled,
    pub notes: Vec<String>,
    /// In the footer of every page.
    pub footer: String,
    /// With `{n}` and `{m}`.
    pub page: String,
    pub detail: Option<Detail>,
}

/// A direct debit mandate for the debtor to sign.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct MandateSheet {
    /// Two letters.
    pub language: String,
    pub title: String,
    pub subtitle: String,
    /// Its reference (UMR).
    pub number: String,
    #[serde(skip)]
    pub issued_at: DateTime<Utc>,
    pub reference: Vec<Labelled>,
    pub creditor_heading: String,
    pub creditor: Vec<Labelled>,
    /// Paragraphs.
    pub authorisation: Vec<String>,
    pub debtor_heading: String,
    pub debtor: Vec<Labelled>,
    /// Kinds of payment; `true` marks the one that applies.
    pub kinds_heading: String,
    pub kinds: Vec<(String, bool)>,
    /// Place and date, signature: labels over lines to write on; a value is printed on its line.
    pub signature: Vec<Labelled>,
    pub notes: Vec<String>,
    pub footer: String,
    /// With `{n}` and `{m}`.
    pub page: String,
}

/// The invoice as PDF/A-2b; the same values give the same bytes. Call it where blocking is allowed.
///
/// Errors: [`PdfError`], always internal.
pub fn render_invoice(sheet: &InvoiceSheet) -> Result<Vec<u8>, PdfError> {
    set(&INVOICE, &values(sheet)?, &sheet.number, sheet.issued_at)
}

/// The input of the invoice's template.
fn values(sheet: &InvoiceSheet) -> Result<Value, PdfError> {
    let mut data = serde_json::json!({
        "language": sheet.language, "title": sheet.title, "number": sheet.number,
        "qrAbove": sheet.qr_above, "qrBelow": sheet.qr_below, "trial": sheet.trial,
        "facts": sheet.facts, "issuer": sheet.issuer, "recipient": sheet.recipient, "rectifies": sheet.rectifies,
        "columns": sheet.columns, "lines": sheet.lines, "payment": sheet.payment,
        "totals": sheet.totals, "total": sheet.total, "notes": sheet.notes,
        "footer": sheet.footer, "page": sheet.page,
    });
    prepare(&mut data);
    data["detail"] = sheet.detail.as_ref().map_or(Value::Null, detail);
    data["qr"] = sheet.qr_url.as_deref().map(qr_svg).transpose()?.into();
    Ok(data)
}

/// The mandate as PDF/A-2b; the same values give the same bytes. Call it where blocking is allowed.
///
/// Errors: [`PdfError`], always internal.
pub fn render_mandate(sheet: &MandateSheet) -> Result<Vec<u8>, PdfError> {
    let mut data = serde_json::to_value(sheet).expect("a mandate is plain data");
    prepare(&mut data);
    set(&MANDATE, &data, &sheet.number, sheet.issued_at)
}

/// Keeps only characters that our fonts have, and makes every long word breakable.
fn prepare(value: &mut Value) {
    match value {
        Value::String(text) => *text = breakable(&printable(text, false), UNBROKEN_MAX),
        Value::Array(values) => values.iter_mut().for_each(prepare),
        Value::Object(values) => values.values_mut().for_each(prepare),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn detail(detail: &Detail) -> Value {
    let column = |part: &[Vec<String>], index: usize| {
        let letters = detail.columns.get(index).map_or(0, |column| column.letters);
        let cells = part.iter().map(|row| row.get(index).map_or(String::new(), |text| one_line(text, letters)));
        cells.collect::<Vec<_>>().join("\n")
    };
    let (first, others) = detail.rows.split_at(detail.rows.len().min(FIRST_PAGE_ROWS));
    let parts = std::iter::once(first).chain(others.chunks(PAGE_ROWS));
    let cells = |part| (0..detail.columns.len()).map(|i| column(part, i)).collect::<Vec<_>>();
    let parts: Vec<Value> = parts.map(|part| serde_json::json!({"rows": part.len(), "cells": cells(part)})).collect();
    let mut head =
        serde_json::json!({"title": detail.title, "subtitle": detail.subtitle, "columns": detail.columns, "group": GROUP});
    prepare(&mut head);
    head["parts"] = serde_json::json!(parts);
    head
}

/// A cell that never takes a second line, which would shift the rows beside it (DOC-7).
fn one_line(text: &str, letters: usize) -> String {
    let text = printable(text, false).replace('\n', " ");
    if text.chars().count() <= letters {
        // A line that is a little too wide would break at spaces and hyphens.
        return text.replace(' ', "\u{a0}").replace('-', "\u{2011}");
    }
    let cut: String = text.chars().take(letters.saturating_sub(1)).collect();
    format!("{}…", cut.trim_end()).replace(' ', "\u{a0}").replace('-', "\u{2011}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::pages;

    fn who(text: &str) -> Who {
        Who { heading: "Emisor".into(), name: text.into(), lines: vec![text.into(), "28013 Madrid".into()] }
    }

    pub(crate) fn example(text: &str, rows: usize) -> InvoiceSheet {
        let column = |title: &str, width| DetailColumn { title: title.into(), width, right: false, letters: 20 };
        InvoiceSheet {
            language: "es".into(),
            title: "Factura".into(),
            number: "A2026-000342".into(),
            issued_at: DateTime::from_timestamp(1_795_000_000, 0).expect("a time"),
            qr_url: Some("https://prewww2.aeat.es/wlpl/TIKE-CONT/ValidarQR?nif=B12345674&numserie=A2026-000342".into()),
            qr_above: "QR tributario:".into(),
            qr_below: "VERI*FACTU".into(),
            trial: Some("ENTORNO DE PRUEBAS".into()),
            facts: vec![Labelled::new("Fecha de expedición", "03/11/2026"), Labelled::new("Vencimiento", text)],
            issuer: who(text),
            recipient: who(text),
            rectifies: Some(text.into()),
            columns: ["Concepto", "Cantidad", "Precio", "Importe"].map(str::to_owned),
            lines: vec![SheetLine { text: text.into(), detail: Some(text.into()), ..SheetLine::default() }],
            payment: SheetPayment { heading: "Forma de pago".into(), facts: vec![Labelled::new("Cuenta", text)], note: None },
            totals: vec![Labelled::new("Base imponible", "30,00 €")],
            total: Labelled::new("Total factura", "36,30 €"),
            notes: vec![text.into()],
            footer: text.into(),
            page: "{n}/{m}".into(),
            detail: (rows > 0).then(|| Detail {
                title: "Detalle".into(),
                subtitle: text.into(),
                columns: vec![column("Fecha", Some(30)), column("Expediente", None)],
                rows: (0..rows).map(|i| vec![i.to_string(), text.to_owned()]).collect(),
            }),
        }
    }

    // DOC-1
    #[test]
    fn the_same_invoice_gives_the_same_bytes_and_an_archival_file() {
        let first = render_invoice(&example("Calle Mayor", 12)).expect("it is set");
        render_invoice(&example("otra cosa", 3)).expect("it is set");
        assert_eq!(render_invoice(&example("Calle Mayor", 12)).expect("it is set"), first);
        let xmp = String::from_utf8_lossy(&first);
        assert!(xmp.contains("pdfaid:part>2<") && xmp.contains("pdfaid:conformance>B<"));
    }

    // DOC-1
    #[test]
    fn an_invoice_without_a_code_or_a_legend_is_set_too() {
        let sheet = example("Calle Mayor", 3);
        let plain = render_invoice(&InvoiceSheet { qr_url: None, trial: None, ..sheet.clone() }).expect("it is set");
        assert_ne!(plain, render_invoice(&sheet).expect("it is set"));
        render_invoice(&InvoiceSheet { qr_url: None, ..sheet }).expect("it is set");
    }

    // DOC-2
    #[test]
    fn what_people_type_is_text_and_never_markup() {
        for text in [
            "",
            "#panic(\"x\")",
            "#read(\"/etc/passwd\") #import \"x.typ\"",
            "= Título *negrita* $x$ @nadie \\ `código` <etiqueta> // nada",
            "{{ x }} {n} {m} #sys.inputs.data",
            "ñandú 漢字 عربى 🚗 \u{0}\u{7} \u{202E}fin",
            "\n\n\r\n",
            &"x".repeat(5000),
        ] {
            render_invoice(&example(text, 7)).unwrap_or_else(|error| panic!("{text:?}: {error}"));
        }
    }

    /// The rows fill the pages, the first of which has a title (DOC-6).
    #[test]
    fn the_detail_fills_its_pages() {
        for (rows, pages_of_detail) in [(1, 1), (55, 1), (56, 2), (115, 2), (116, 3), (1000, 17)] {
            let values = values(&example("Calle Mayor", rows)).expect("values");
            let paged = pages(&INVOICE, &values).expect("it is set");
            assert_eq!(paged.pages().len(), 1 + pages_of_detail, "{rows} rows");
        }
    }

    // DOC-7
    #[test]
    fn cells_of_the_detail_stay_in_their_line() {
        assert_eq!(one_line("EXP 1", 5), "EXP\u{a0}1");
        assert_eq!(one_line("Lucía Fernández", 7), "Lucía…");
        assert_eq!(one_line("a\nb", 9), "a\u{a0}b");
    }
}
