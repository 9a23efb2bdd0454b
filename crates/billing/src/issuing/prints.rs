//! An issued invoice as PDF, made once and kept, and for programs: as Facturae and, by EN 16931, as UBL and CII.

use crate::consumption::ConnectionRow;
use crate::documents::{self, StoredPdf};
use crate::invoices::model::{Header, Invoice, InvoiceLine, Kind, Party};
use crate::invoices::service as invoices;
use crate::verifactu::Mode;
use crate::verifactu::service::{mode_of, qr_of};
use crate::{Billing, BillingError, BillingResult};
use atalaya_documents::{ConnectionLine, InvoiceFacts, Seal};
use atalaya_einvoice as einvoice;
use atalaya_kernel::InvoiceId;
use atalaya_tariff::{Percent, VatRegime};

/// The kind of stored invoices.
const INVOICE: &str = "invoice";

/// The invoice as PDF: made at the first call and kept, the same bytes ever after. Jobs may call it ahead.
///
/// Errors: `InvoiceError::NotFound`; a kept file that was changed or lost is an internal fault.
pub async fn invoice_pdf(d: &Billing, id: InvoiceId) -> BillingResult<StoredPdf> {
    if let Some(kept) = documents::kept(d, INVOICE, id.0).await? {
        return Ok(kept);
    }
    let invoice = invoices::get(d, id).await?;
    let connections = invoices::all_connections(d, id).await?;
    let mode = mode_of(d, id).await?;
    let name = format!("{}.pdf", invoice.number);
    let seal = seal(d, mode, &invoice);
    let facts = facts(&invoice, connections, seal);
    let bytes = documents::set(move || atalaya_documents::invoice_pdf(&facts)).await?;
    documents::keep(d, INVOICE, id.0, name, bytes).await
}

/// A format that programs read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// 3.2.2, signed where the issuer's certificate is configured.
    Facturae,
    /// EN 16931 as UBL 2.1.
    Ubl,
    /// EN 16931 as Cross Industry Invoice.
    Cii,
}

/// The invoice for programs, with its file name.
pub async fn xml(d: &Billing, invoice: &Invoice, format: Format) -> BillingResult<(String, String)> {
    let qr = qr_of(d, mode_of(d, invoice.id).await?, invoice);
    let document = einvoice::InvoiceDocument { buyer: buyer_codes(d, invoice).await?, ..structured(invoice) };
    let (ending, xml) = match format {
        Format::Facturae => ("", signed(d, einvoice::facturae::facturae(&document, qr.as_deref()))?),
        Format::Ubl => ("-ubl", einvoice::ubl::ubl(&document, qr.as_deref())),
        Format::Cii => ("-cii", einvoice::cii::cii(&document, qr.as_deref())),
    };
    Ok((format!("{}{ending}.xml", invoice.number), xml))
}

fn signed(d: &Billing, facturae: String) -> BillingResult<String> {
    match &d.settings.verifactu.certificate {
        Some(certificate) => certificate.signed(facturae, d.sources.now()).map_err(BillingError::internal),
        None => Ok(facturae),
    }
}

/// What its customer wants to read on it today: whoever gets a code later takes the file of an earlier invoice again.
async fn buyer_codes(d: &Billing, invoice: &Invoice) -> BillingResult<einvoice::BuyerCodes> {
    let codes = atalaya_fiscal::buyer_codes::find(&d.fiscal, invoice.customer).await?;
    let offices = codes.offices.map(|offices| einvoice::Offices {
        accounting: offices.accounting,
        managing: offices.managing,
        processing: offices.processing,
    });
    Ok(einvoice::BuyerCodes { reference: codes.reference, offices })
}

/// What the invoice says of the tax office, its record made in this mode.
fn seal(d: &Billing, mode: Mode, invoice: &Invoice) -> Seal {
    let trial = d.settings.verifactu.trial && mode != Mode::Production;
    Seal { qr_url: qr_of(d, mode, invoice), trial }
}

fn facts(invoice: &Invoice, connections: Vec<ConnectionRow>, seal: Seal) -> InvoiceFacts {
    let payment = &invoice.header.payment;
    InvoiceFacts {
        invoice: structured(invoice),
        language: invoice.header.language,
        issued_at: invoice.issued_at,
        is_rectifying: invoice.kind == Kind::Rectifying,
        transfer_iban: payment.transfer_iban.clone(),
        seal,
        connections: connections.into_iter().map(connection).collect(),
    }
}

fn connection(row: ConnectionRow) -> ConnectionLine {
    ConnectionLine {
        start: row.start,
        expedient: row.expedient,
        user_name: row.user_name,
        seconds: row.seconds,
        minutes: row.minutes,
        exceeded: row.exceeded,
        guest_minutes: row.guest_minutes,
        unit: row.unit,
        amount: row.amount,
    }
}

/// Why no tax is charged, if none is.
pub(crate) fn legend(header: &Header, rate: Percent) -> Option<einvoice::Legend> {
    let of_rate = if rate == Percent(0) { VatRegime::Outside } else { VatRegime::General };
    let regime = header.regime.unwrap_or(of_rate);
    einvoice::Legend::of(regime, &header.issuer.postal_code, header.recipient.country.is_some())
}

/// The invoice as structured data, as PDF and programs need it.
fn structured(invoice: &Invoice) -> einvoice::InvoiceDocument {
    let payment = &invoice.header.payment;
    let rectified = invoice.header.rectified.as_ref();
    einvoice::InvoiceDocument {
        number: invoice.number.clone(),
        issue_date: invoice.issue_date,
        operation_date: invoice.operation_date,
        period_from: invoice.period_from,
        period_to: invoice.period_to,
        due_date: invoice.due_date,
        issuer: party(&invoice.header.issuer),
        recipient: party(&invoice.header.recipient),
        language: invoice.header.language.code().to_owned(),
        lines: invoice.lines.iter().map(line).collect(),
        base: invoice.totals.base,
        vat_rate: invoice.totals.vat_rate.0,
        vat: invoice.totals.vat,
        total: invoice.totals.total,
        regime: invoice.regime(),
        payment: payment.direct_debit.then(|| einvoice::Payment {
            iban_masked: payment.iban.clone(),
            umr: payment.umr.clone(),
            creditor_id: payment.creditor_id.clone(),
        }),
        transfer_iban: payment.transfer_iban.clone(),
        buyer: einvoice::BuyerCodes::default(),
        rectifies: rectified.map(|rectified| einvoice::Rectified {
            number: rectified.number.clone(),
            issue_date: rectified.issue_date,
            reason: rectified.reason.clone(),
            unpaid: invoice.lowers_base_only(),
        }),
    }
}

fn party(party: &Party) -> einvoice::Party {
    einvoice::Party {
        name: party.name.clone(),
        nif: party.nif.clone(),
        address: party.address.clone(),
        postal_code: party.postal_code.clone(),
        city: party.city.clone(),
        region: party.region.clone(),
        registry_data: party.registry_data.clone(),
        email: party.email.clone(),
        country: party.country.clone(),
    }
}

fn line(line: &InvoiceLine) -> einvoice::DocumentLine {
    use einvoice::LineKind;
    let kind = match line.code.as_str() {
        "connection" => LineKind::Connection,
        "otherConnections" => LineKind::OtherConnections,
        "exceededMinute" => LineKind::ExceededMinute,
        "guestMinute" => LineKind::GuestMinute,
        "discount" => LineKind::Discount { percent: line.percent.unwrap_or_default().0 },
        "minimum" => LineKind::Minimum {
            days: line.days.unwrap_or_default(),
            days_in_month: line.days_in_month.unwrap_or_default(),
            minimum: line.minimum.unwrap_or_default().0,
        },
        _ => LineKind::Text { text: line.description.clone() },
    };
    einvoice::DocumentLine { kind, quantity: Some(line.quantity), unit: Some(line.unit), amount: line.amount }
}
