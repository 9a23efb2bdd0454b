//! The pack, made while it is sent: memory holds some invoices, however many there are.

use super::csv::MARK;
use super::period::Period;
use super::{entries, register};
use crate::invoices::model::{BookTotals, Invoice};
use crate::invoices::service as invoices;
use crate::issuing::prints::{self, Format};
use crate::{Billing, BillingError, BillingResult};
use atalaya_blobs::zip::ZipFile;
use atalaya_kernel::InvoiceId;
use futures::stream::{self, BoxStream};
use futures::{StreamExt, TryStreamExt};
use std::collections::HashMap;

/// Invoices that are read at once.
const PAGE: usize = 200;
/// Documents that are made at once; each takes a processor while it is set.
const AT_ONCE: usize = 2;

/// Texts as they become ready.
pub(super) type Texts = BoxStream<'static, BillingResult<String>>;

/// What the invoices of a period come to.
pub(super) async fn totals(d: &Billing, period: Period) -> BillingResult<BookTotals> {
    let (from, to) = period.days();
    invoices::booked_totals(d, from, to).await
}

async fn ids(d: &Billing, period: Period) -> BillingResult<Vec<InvoiceId>> {
    let (from, to) = period.days();
    invoices::booked_ids(d, from, to).await
}

/// The invoices, some at a time, in this order.
fn pages(d: &Billing, ids: &[InvoiceId]) -> BoxStream<'static, BillingResult<Vec<Invoice>>> {
    let parts: Vec<Vec<InvoiceId>> = ids.chunks(PAGE).map(<[InvoiceId]>::to_vec).collect();
    let d = d.clone();
    let read = move |ids: Vec<InvoiceId>| {
        let d = d.clone();
        async move {
            let found = invoices::find_many(&d, &ids).await?;
            let mut by_id: HashMap<InvoiceId, Invoice> = found.into_iter().map(|invoice| (invoice.id, invoice)).collect();
            Ok::<Vec<Invoice>, BillingError>(ids.iter().filter_map(|id| by_id.remove(id)).collect())
        }
    };
    stream::iter(parts).then(read).boxed()
}

/// A heading and the lines of each invoice.
async fn table(
    d: &Billing,
    period: Period,
    headings: String,
    mut line: impl FnMut(&Invoice) -> String + Send + 'static,
) -> BillingResult<Texts> {
    let lines = pages(d, &ids(d, period).await?).map_ok(move |some| some.iter().map(&mut line).collect::<String>());
    Ok(stream::once(async move { Ok(format!("{MARK}{headings}")) }).chain(lines).boxed())
}

/// The register of issued invoices (BOOKS-2).
pub(super) async fn register(d: &Billing, period: Period) -> BillingResult<Texts> {
    table(d, period, register::headings(), move |invoice| register::line(invoice, period)).await
}

/// Entries for an accounting program (BOOKS-3).
pub(super) async fn entries(d: &Billing, period: Period) -> BillingResult<Texts> {
    let mut number = 0;
    let line = move |invoice: &Invoice| {
        number += 1;
        entries::lines(invoice, number)
    };
    table(d, period, entries::headings(), line).await
}

/// Which files of each invoice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Files {
    Pdf,
    Xml,
    All,
}

impl Files {
    pub(super) fn parse(name: &str) -> Option<Self> {
        match name {
            "pdf" => Some(Self::Pdf),
            "xml" => Some(Self::Xml),
            "all" => Some(Self::All),
            _ => None,
        }
    }
}

/// Every invoice of the period as PDF, Facturae and UBL, each in a folder of its kind (BOOKS-4).
pub(super) async fn documents(
    d: &Billing,
    period: Period,
    want: Files,
) -> BillingResult<BoxStream<'static, BillingResult<ZipFile>>> {
    let ids = ids(d, period).await?;
    let d = d.clone();
    let made = move |id: InvoiceId| {
        let d = d.clone();
        async move { files(&d, id, want).await }
    };
    let files = stream::iter(ids).map(made).buffered(AT_ONCE);
    Ok(files.map_ok(|some| stream::iter(some.into_iter().map(Ok::<_, BillingError>))).try_flatten().boxed())
}

async fn files(d: &Billing, id: InvoiceId, want: Files) -> BillingResult<Vec<ZipFile>> {
    let invoice = invoices::get(d, id).await?;
    let modified_at = invoice.issued_at;
    let mut files = Vec::with_capacity(3);
    if want != Files::Xml {
        let pdf = prints::invoice_pdf(d, id).await?;
        files.push(ZipFile { name: format!("pdf/{}", pdf.name), modified_at, content: pdf.bytes.into() });
    }
    if want != Files::Pdf {
        for (folder, format) in [("xml", Format::Facturae), ("ubl", Format::Ubl)] {
            let (name, xml) = prints::xml(d, &invoice, format).await?;
            files.push(ZipFile { name: format!("{folder}/{name}"), modified_at, content: xml.into() });
        }
    }
    Ok(files)
}

/// An invoice of 31.00 € and 21 %, for tests.
#[cfg(test)]
pub(super) fn example() -> Invoice {
    use crate::invoices::model::{Header, Kind, Party, Payment, State, Totals};
    use atalaya_kernel::{CompanyId, Language};
    use atalaya_tariff::{Cents, Percent};
    use uuid::Uuid;
    let day = |text: &str| text.parse().expect("a day");
    Invoice {
        id: InvoiceId(Uuid::nil()),
        number: "A2026-000001".into(),
        kind: Kind::Normal,
        invoice_type: "F1".into(),
        customer: CompanyId(Uuid::nil()),
        period: Some("2026-10".into()),
        period_from: day("2026-10-01"),
        period_to: day("2026-10-31"),
        issue_date: day("2026-11-02"),
        operation_date: day("2026-10-31"),
        due_date: day("2026-11-16"),
        issued_at: "2026-11-02T09:00:00Z".parse().expect("a moment"),
        connections: 4,
        totals: Totals {
            subtotal: Cents(3100),
            discount: Percent(0),
            base: Cents(3100),
            vat_rate: Percent(2100),
            vat: Cents(651),
            total: Cents(3751),
        },
        header: Header {
            issuer: Party { postal_code: "28013".into(), ..Party::default() },
            recipient: Party { name: "Peritos Núñez".into(), nif: "B64717838".into(), ..Party::default() },
            payment: Payment::default(),
            language: Language::Es,
            rectified: None,
            regime: None,
        },
        lines: Vec::new(),
        state: State::issued(),
    }
}
