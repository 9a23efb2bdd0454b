//! EN 16931 as UBL 2.1 (ISO/IEC 19845): `Invoice`, or `CreditNote` where money goes back (EINV-9).

use crate::document::InvoiceDocument;
use crate::en16931::{Adjustment, Category, DISCOUNT, EMAIL, EURO, GUIDELINE, Kind, Line, Means, Model, QR, Trader, rate};
use crate::write::Xml;
use atalaya_tariff::Cents;

const INVOICE: &str = "urn:oasis:names:specification:ubl:schema:xsd:Invoice-2";
const CREDIT_NOTE: &str = "urn:oasis:names:specification:ubl:schema:xsd:CreditNote-2";
const AGGREGATES: &str = "urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2";
const BASICS: &str = "urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2";

/// The invoice. `qr` is the address of its QR.
pub fn ubl(invoice: &InvoiceDocument, qr: Option<&str>) -> String {
    let model = Model::of(invoice, qr);
    let credit = model.kind == Kind::CreditNote;
    let (root, namespace) = if credit { ("CreditNote", CREDIT_NOTE) } else { ("Invoice", INVOICE) };
    let mut xml = Xml::with_declaration();
    xml.element(root, &[("xmlns", namespace), ("xmlns:cac", AGGREGATES), ("xmlns:cbc", BASICS)], |xml| {
        header(xml, &model, credit);
        references(xml, &model);
        xml.inside("cac:AccountingSupplierParty", |xml| party(xml, &model.seller, sepa_creditor(&model)));
        xml.inside("cac:AccountingCustomerParty", |xml| party(xml, &model.buyer, None));
        xml.inside("cac:Delivery", |xml| xml.text("cbc:ActualDeliveryDate", &invoice.operation_date.to_string()));
        payment(xml, &model);
        for one in &model.adjustments {
            xml.inside("cac:AllowanceCharge", |xml| adjustment(xml, one, model.category));
        }
        xml.inside("cac:TaxTotal", |xml| tax(xml, &model));
        xml.inside("cac:LegalMonetaryTotal", |xml| sums(xml, &model));
        for (number, one) in (1..).zip(&model.lines) {
            let (name, quantity) = match credit {
                true => ("cac:CreditNoteLine", "cbc:CreditedQuantity"),
                false => ("cac:InvoiceLine", "cbc:InvoicedQuantity"),
            };
            xml.inside(name, |xml| line(xml, number, one, quantity, model.category));
        }
    });
    xml.finish()
}

fn header(xml: &mut Xml, model: &Model<'_>, credit: bool) {
    xml.text("cbc:CustomizationID", GUIDELINE);
    xml.text("cbc:ID", &model.number);
    xml.text("cbc:IssueDate", &model.invoice.issue_date.to_string());
    if credit {
        xml.text("cbc:CreditNoteTypeCode", model.kind.code());
    } else {
        xml.text("cbc:DueDate", &model.invoice.due_date.to_string());
        xml.text("cbc:InvoiceTypeCode", model.kind.code());
    }
    for note in &model.notes {
        xml.text("cbc:Note", note);
    }
    xml.text("cbc:DocumentCurrencyCode", EURO);
    xml.maybe("cbc:BuyerReference", model.reference.as_deref());
    xml.inside("cac:InvoicePeriod", |xml| {
        xml.text("cbc:StartDate", &model.invoice.period_from.to_string());
        xml.text("cbc:EndDate", &model.invoice.period_to.to_string());
    });
}

/// The invoice that this one rectifies (BG-3), and its QR (BG-24).
fn references(xml: &mut Xml, model: &Model<'_>) {
    if let Some(rectified) = &model.invoice.rectifies {
        xml.inside("cac:BillingReference", |xml| {
            xml.inside("cac:InvoiceDocumentReference", |xml| {
                xml.text("cbc:ID", &rectified.number);
                xml.text("cbc:IssueDate", &rectified.issue_date.to_string());
            });
        });
    }
    if let Some(qr) = &model.qr {
        xml.inside("cac:AdditionalDocumentReference", |xml| {
            xml.text("cbc:ID", QR);
            xml.inside("cac:Attachment", |xml| xml.inside("cac:ExternalReference", |xml| xml.text("cbc:URI", qr)));
        });
    }
}

/// BT-90, which UBL keeps with the seller.
fn sepa_creditor<'a>(model: &'a Model<'_>) -> Option<&'a str> {
    match &model.means {
        Some(Means::Debit { creditor, .. }) => creditor.as_deref(),
        _ => None,
    }
}

fn party(xml: &mut Xml, trader: &Trader, sepa_creditor: Option<&str>) {
    xml.inside("cac:Party", |xml| {
        if let Some(email) = &trader.email {
            xml.with("cbc:EndpointID", &[("schemeID", EMAIL)], email);
        }
        if let Some(id) = sepa_creditor {
            xml.inside("cac:PartyIdentification", |xml| xml.with("cbc:ID", &[("schemeID", "SEPA")], id));
        }
        xml.inside("cac:PostalAddress", |xml| {
            xml.maybe("cbc:StreetName", trader.street.as_deref());
            xml.maybe("cbc:CityName", trader.city.as_deref());
            xml.maybe("cbc:PostalZone", trader.postal_code.as_deref());
            xml.maybe("cbc:CountrySubentity", trader.region.as_deref());
            xml.inside("cac:Country", |xml| xml.text("cbc:IdentificationCode", &trader.country));
        });
        if let Some(vat) = &trader.vat {
            xml.inside("cac:PartyTaxScheme", |xml| {
                xml.text("cbc:CompanyID", vat);
                scheme(xml);
            });
        }
        xml.inside("cac:PartyLegalEntity", |xml| {
            xml.text("cbc:RegistrationName", &trader.name);
            xml.maybe("cbc:CompanyID", trader.id.as_deref());
            xml.maybe("cbc:CompanyLegalForm", trader.legal.as_deref());
        });
    });
}

fn payment(xml: &mut Xml, model: &Model<'_>) {
    if let Some(means) = &model.means {
        xml.inside("cac:PaymentMeans", |xml| {
            xml.text("cbc:PaymentMeansCode", means.code());
            xml.text("cbc:PaymentID", &model.number);
            match means {
                Means::Debit { mandate, .. } => xml.inside("cac:PaymentMandate", |xml| xml.text("cbc:ID", mandate)),
                Means::Transfer { iban } => xml.inside("cac:PayeeFinancialAccount", |xml| xml.text("cbc:ID", iban)),
            }
        });
    }
    if let Some(terms) = model.terms {
        xml.inside("cac:PaymentTerms", |xml| xml.text("cbc:Note", terms));
    }
}

fn adjustment(xml: &mut Xml, one: &Adjustment, of: Category) {
    xml.text("cbc:ChargeIndicator", if one.charge { "true" } else { "false" });
    if !one.charge {
        xml.text("cbc:AllowanceChargeReasonCode", DISCOUNT);
    }
    xml.text("cbc:AllowanceChargeReason", &one.reason);
    xml.text("cbc:MultiplierFactorNumeric", &rate(one.percent));
    amount(xml, "cbc:Amount", one.amount);
    amount(xml, "cbc:BaseAmount", one.base);
    xml.inside("cac:TaxCategory", |xml| category(xml, of));
}

/// The category of lines, discounts and the whole; only the whole says why it bears no tax.
fn category(xml: &mut Xml, of: Category) {
    xml.text("cbc:ID", of.code);
    xml.maybe("cbc:Percent", of.rate.map(rate).as_deref());
    scheme(xml);
}

fn scheme(xml: &mut Xml) {
    xml.inside("cac:TaxScheme", |xml| xml.text("cbc:ID", "VAT"));
}

fn tax(xml: &mut Xml, model: &Model<'_>) {
    let of = model.category;
    amount(xml, "cbc:TaxAmount", model.sums.vat);
    xml.inside("cac:TaxSubtotal", |xml| {
        amount(xml, "cbc:TaxableAmount", model.sums.base);
        amount(xml, "cbc:TaxAmount", model.sums.vat);
        xml.inside("cac:TaxCategory", |xml| {
            xml.text("cbc:ID", of.code);
            xml.maybe("cbc:Percent", of.rate.map(rate).as_deref());
            xml.maybe("cbc:TaxExemptionReasonCode", of.exemption);
            xml.maybe("cbc:TaxExemptionReason", of.reason);
            scheme(xml);
        });
    });
}

fn sums(xml: &mut Xml, model: &Model<'_>) {
    let sums = model.sums;
    amount(xml, "cbc:LineExtensionAmount", sums.lines);
    amount(xml, "cbc:TaxExclusiveAmount", sums.base);
    amount(xml, "cbc:TaxInclusiveAmount", sums.total);
    for (name, sum) in [("cbc:AllowanceTotalAmount", sums.allowances), ("cbc:ChargeTotalAmount", sums.charges)] {
        if sum != Cents(0) {
            amount(xml, name, sum);
        }
    }
    amount(xml, "cbc:PayableAmount", sums.total);
}

fn line(xml: &mut Xml, number: usize, line: &Line, quantity: &str, of: Category) {
    xml.text("cbc:ID", &number.to_string());
    xml.with(quantity, &[("unitCode", line.unit_code)], &line.quantity.to_string());
    amount(xml, "cbc:LineExtensionAmount", line.amount);
    xml.inside("cac:Item", |xml| {
        xml.text("cbc:Name", &line.name);
        xml.inside("cac:ClassifiedTaxCategory", |xml| category(xml, of));
    });
    xml.inside("cac:Price", |xml| amount(xml, "cbc:PriceAmount", line.price));
}

fn amount(xml: &mut Xml, name: &str, amount: Cents) {
    xml.with(name, &[("currencyID", EURO)], &amount.to_string());
}
