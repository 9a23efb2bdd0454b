//! Facturae 3.2.2, which [`crate::xades`] signs: the invoice as structured data for the recipient's own program (EINV-7).

use crate::document::{DocumentLine, InvoiceDocument, LineKind, Offices, Party, Rectified};
use crate::write::{Xml, clean};
use atalaya_checks::country;
use atalaya_tariff::{Cents, Percent};

pub(crate) const NAMESPACE: &str = "http://www.facturae.gob.es/formato/Versiones/Facturaev3_2_2.xml";
/// Spanish, as the tax words of the format are.
const LANGUAGE: &str = "es";
/// Direct debit; else by transfer.
const DEBIT: &str = "02";
const TRANSFER: &str = "04";
/// Spanish VAT, and the tax of the Canaries.
const IVA: &str = "01";
const IGIC: &str = "03";
/// Why an invoice is rectified, by the list of the schema: what was invoiced was wrong, or tax that nobody paid comes back.
const BASE: (&str, &str) = ("16", "Base imponible");
const UNPAID: (&str, &str) =
    ("85", "Base imponible modificada cuotas repercutidas no satisfechas. Auto de declaración de concurso");

/// The invoice. `qr` is the address of its QR, which a structured invoice carries in a field (art. 20.2).
pub fn facturae(invoice: &InvoiceDocument, qr: Option<&str>) -> String {
    let mut xml = Xml::with_declaration();
    xml.element("fe:Facturae", &[("xmlns:fe", NAMESPACE)], |xml| {
        xml.inside("FileHeader", |xml| header(xml, invoice));
        xml.inside("Parties", |xml| {
            xml.inside("SellerParty", |xml| party(xml, &invoice.issuer, None));
            xml.inside("BuyerParty", |xml| party(xml, &invoice.recipient, invoice.buyer.offices.as_ref()));
        });
        xml.inside("Invoices", |xml| xml.inside("Invoice", |xml| content(xml, invoice, qr)));
    });
    xml.finish()
}

fn header(xml: &mut Xml, invoice: &InvoiceDocument) {
    xml.text("SchemaVersion", "3.2.2");
    xml.text("Modality", "I");
    xml.text("InvoiceIssuerType", "EM");
    xml.inside("Batch", |xml| {
        xml.text("BatchIdentifier", &clean(&format!("{}{}", invoice.issuer.nif, invoice.number), 70));
        xml.text("InvoicesCount", "1");
        for name in ["TotalInvoicesAmount", "TotalOutstandingAmount", "TotalExecutableAmount"] {
            total(xml, name, invoice.total);
        }
        xml.text("InvoiceCurrencyCode", "EUR");
    });
}

fn party(xml: &mut Xml, party: &Party, offices: Option<&Offices>) {
    // Who is elsewhere has no NIF that would tell; customers are firms.
    let person = party.country.is_none() && party.nif.starts_with(|c: char| c.is_ascii_digit() || "KLMXYZ".contains(c));
    let residence = match party.country.as_deref() {
        None => "R",
        Some(code) if country::is_in_union(code) => "U",
        Some(_) => "E",
    };
    xml.inside("TaxIdentification", |xml| {
        xml.text("PersonTypeCode", if person { "F" } else { "J" });
        xml.text("ResidenceTypeCode", residence);
        xml.text("TaxIdentificationNumber", &clean(&party.nif, 30));
    });
    if let Some(offices) = offices {
        xml.inside("AdministrativeCentres", |xml| centres(xml, party, offices));
    }
    let name = clean(&party.name, 80);
    if person {
        let (first, rest) = name.split_once(' ').unwrap_or((&name, "-"));
        let (surname, second) = rest.split_once(' ').map_or((rest, None), |(a, b)| (a, Some(b)));
        xml.inside("Individual", |xml| {
            xml.text("Name", &clean(first, 40));
            xml.text("FirstSurname", &clean(surname, 40));
            xml.maybe("SecondSurname", second.map(|second| clean(second, 40)).as_deref());
            address(xml, party);
        });
    } else {
        xml.inside("LegalEntity", |xml| {
            xml.text("CorporateName", &name);
            address(xml, party);
        });
    }
}

/// The offices of a public body; each has the body's address, since we know no other.
fn centres(xml: &mut Xml, party: &Party, offices: &Offices) {
    let roles = [
        (&offices.accounting, "01", "Oficina contable"),
        (&offices.managing, "02", "Órgano gestor"),
        (&offices.processing, "03", "Unidad tramitadora"),
    ];
    for (code, role, name) in roles {
        xml.inside("AdministrativeCentre", |xml| {
            xml.text("CentreCode", &clean(code, 10));
            xml.text("RoleTypeCode", role);
            address(xml, party);
            xml.text("CentreDescription", name);
        });
    }
}

fn address(xml: &mut Xml, party: &Party) {
    if let Some(code) = party.country.as_deref().and_then(country::three_letters) {
        xml.inside("OverseasAddress", |xml| {
            xml.text("Address", &clean(&party.address, 80));
            xml.text("PostCodeAndTown", &clean(format!("{} {}", party.postal_code, party.city).trim(), 50));
            // The schema wants one; a country without provinces has its town.
            let province = if party.region.trim().is_empty() { &party.city } else { &party.region };
            xml.text("Province", &clean(province, 20));
            xml.text("CountryCode", code);
        });
        return;
    }
    xml.inside("AddressInSpain", |xml| {
        xml.text("Address", &clean(&party.address, 80));
        xml.text("PostCode", &clean(&party.postal_code, 5));
        xml.text("Town", &clean(&party.city, 50));
        xml.text("Province", &clean(&party.region, 20));
        xml.text("CountryCode", "ESP");
    });
}

fn content(xml: &mut Xml, invoice: &InvoiceDocument, qr: Option<&str>) {
    let (series, number) = invoice.number.split_once('-').unwrap_or(("", &invoice.number));
    xml.inside("InvoiceHeader", |xml| {
        xml.text("InvoiceNumber", &clean(number, 20));
        xml.text("InvoiceSeriesCode", &clean(series, 20));
        xml.text("InvoiceDocumentType", "FC");
        xml.text("InvoiceClass", if invoice.rectifies.is_some() { "OR" } else { "OO" });
        if let Some(rectified) = &invoice.rectifies {
            xml.inside("Corrective", |xml| corrective(xml, invoice, rectified));
        }
    });
    xml.inside("InvoiceIssueData", |xml| {
        xml.text("IssueDate", &invoice.issue_date.to_string());
        xml.text("OperationDate", &invoice.operation_date.to_string());
        xml.inside("InvoicingPeriod", |xml| period(xml, invoice));
        xml.text("InvoiceCurrencyCode", "EUR");
        xml.text("TaxCurrencyCode", "EUR");
        xml.text("LanguageName", LANGUAGE);
    });
    xml.inside("TaxesOutputs", |xml| tax(xml, invoice, invoice.base, invoice.vat));
    xml.inside("InvoiceTotals", |xml| totals(xml, invoice));
    let items = invoice.lines.iter().filter(|line| !matches!(line.kind, LineKind::Discount { .. }));
    xml.inside("Items", |xml| items.for_each(|line| xml.inside("InvoiceLine", |xml| item(xml, invoice, line))));
    xml.inside("PaymentDetails", |xml| {
        xml.inside("Installment", |xml| {
            xml.text("InstallmentDueDate", &invoice.due_date.to_string());
            xml.text("InstallmentAmount", &invoice.total.to_string());
            let mandate = invoice.payment.as_ref().and_then(|payment| payment.umr.as_deref());
            xml.text("PaymentMeans", if mandate.is_some() { DEBIT } else { TRANSFER });
            if let Some(iban) = invoice.transfer_iban.as_deref().filter(|_| mandate.is_none()) {
                xml.inside("AccountToBeCredited", |xml| xml.text("IBAN", &clean(iban, 34)));
            }
            xml.maybe("DebitReconciliationReference", mandate.map(|umr| clean(umr, 60)).as_deref());
        });
    });
    let registry = invoice.issuer.registry_data.as_deref().unwrap_or_default();
    let more = clean(format!("{} {registry}", qr.unwrap_or_default()).trim(), 2500);
    if !more.is_empty() {
        xml.inside("AdditionalData", |xml| xml.text("InvoiceAdditionalInformation", &more));
    }
}

fn corrective(xml: &mut Xml, invoice: &InvoiceDocument, rectified: &Rectified) {
    let (series, number) = rectified.number.split_once('-').unwrap_or(("", &rectified.number));
    xml.text("InvoiceNumber", &clean(number, 20));
    xml.text("InvoiceSeriesCode", &clean(series, 20));
    let (code, description) = if rectified.unpaid { UNPAID } else { BASE };
    xml.text("ReasonCode", code);
    xml.text("ReasonDescription", description);
    xml.inside("TaxPeriod", |xml| period(xml, invoice));
    xml.text("CorrectionMethod", "02");
    xml.text("CorrectionMethodDescription", "Rectificación por diferencias");
    xml.text("AdditionalReasonDescription", &clean(&rectified.reason, 2500));
    xml.text("InvoiceIssueDate", &rectified.issue_date.to_string());
}

fn period(xml: &mut Xml, invoice: &InvoiceDocument) {
    xml.text("StartDate", &invoice.period_from.to_string());
    xml.text("EndDate", &invoice.period_to.to_string());
}

fn totals(xml: &mut Xml, invoice: &InvoiceDocument) {
    let discounts: Vec<(u32, Cents)> = invoice.lines.iter().filter_map(discount).collect();
    let discounted: i64 = discounts.iter().map(|(_, amount)| amount.0).sum();
    xml.text("TotalGrossAmount", &Cents(invoice.base.0 + discounted).to_string());
    if !discounts.is_empty() {
        xml.inside("GeneralDiscounts", |xml| {
            for (percent, amount) in &discounts {
                xml.inside("Discount", |xml| {
                    xml.text("DiscountReason", "Descuento por volumen");
                    xml.text("DiscountRate", &rate(Percent(*percent)));
                    xml.text("DiscountAmount", &amount.to_string());
                });
            }
        });
        xml.text("TotalGeneralDiscounts", &Cents(discounted).to_string());
    }
    xml.text("TotalGrossAmountBeforeTaxes", &invoice.base.to_string());
    xml.text("TotalTaxOutputs", &invoice.vat.to_string());
    xml.text("TotalTaxesWithheld", "0.00");
    for name in ["InvoiceTotal", "TotalOutstandingAmount", "TotalExecutableAmount"] {
        xml.text(name, &invoice.total.to_string());
    }
}

/// A discount's percentage and its amount as a positive number.
fn discount(line: &DocumentLine) -> Option<(u32, Cents)> {
    match line.kind {
        LineKind::Discount { percent } => Some((percent, Cents(-line.amount.0))),
        _ => None,
    }
}

fn item(xml: &mut Xml, invoice: &InvoiceDocument, line: &DocumentLine) {
    xml.text("ItemDescription", &clean(line.kind.text(), 2500));
    xml.text("Quantity", &line.quantity.unwrap_or(1).to_string());
    xml.text("UnitPriceWithoutTax", &line.unit.unwrap_or(line.amount).to_string());
    xml.text("TotalCost", &line.amount.to_string());
    xml.text("GrossAmount", &line.amount.to_string());
    let vat = line.amount.percent(invoice.rate()).unwrap_or_default();
    xml.inside("TaxesOutputs", |xml| tax(xml, invoice, line.amount, vat));
    if let Some(legend) = invoice.legend() {
        xml.inside("SpecialTaxableEvent", |xml| {
            xml.text("SpecialTaxableEventCode", "02");
            xml.text("SpecialTaxableEventReason", legend.text());
        });
    }
}

fn tax(xml: &mut Xml, invoice: &InvoiceDocument, base: Cents, vat: Cents) {
    xml.inside("Tax", |xml| {
        xml.text("TaxTypeCode", if invoice.is_igic() { IGIC } else { IVA });
        xml.text("TaxRate", &rate(invoice.rate()));
        total(xml, "TaxableBase", base);
        total(xml, "TaxAmount", vat);
    });
}

fn total(xml: &mut Xml, name: &str, amount: Cents) {
    xml.inside(name, |xml| xml.text("TotalAmount", &amount.to_string()));
}

/// `21.00`.
fn rate(percent: Percent) -> String {
    Cents(percent.0.into()).to_string()
}
