//! EN 16931 as UN/CEFACT Cross Industry Invoice D16B, as Factur-X carries it (EINV-9).

use crate::document::InvoiceDocument;
use crate::en16931::{Adjustment, Category, DISCOUNT, EMAIL, EURO, GUIDELINE, Line, Means, Model, QR, Trader, rate};
use crate::write::Xml;
use atalaya_tariff::Cents;
use chrono::NaiveDate;

const NAMESPACES: &[(&str, &str)] = &[
    ("xmlns:rsm", "urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100"),
    ("xmlns:ram", "urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100"),
    ("xmlns:udt", "urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100"),
    ("xmlns:qdt", "urn:un:unece:uncefact:data:standard:QualifiedDataType:100"),
];
/// A document that belongs to the invoice, of UNCL 1001.
const RELATED: &str = "916";

/// The invoice. `qr` is the address of its QR.
pub fn cii(invoice: &InvoiceDocument, qr: Option<&str>) -> String {
    let model = Model::of(invoice, qr);
    let mut xml = Xml::with_declaration();
    xml.element("rsm:CrossIndustryInvoice", NAMESPACES, |xml| {
        xml.inside("rsm:ExchangedDocumentContext", |xml| {
            xml.inside("ram:GuidelineSpecifiedDocumentContextParameter", |xml| xml.text("ram:ID", GUIDELINE));
        });
        xml.inside("rsm:ExchangedDocument", |xml| {
            xml.text("ram:ID", &model.number);
            xml.text("ram:TypeCode", model.kind.code());
            day(xml, "ram:IssueDateTime", invoice.issue_date);
            for note in &model.notes {
                xml.inside("ram:IncludedNote", |xml| xml.text("ram:Content", note));
            }
        });
        xml.inside("rsm:SupplyChainTradeTransaction", |xml| {
            for (number, one) in (1..).zip(&model.lines) {
                xml.inside("ram:IncludedSupplyChainTradeLineItem", |xml| line(xml, number, one, model.category));
            }
            xml.inside("ram:ApplicableHeaderTradeAgreement", |xml| agreement(xml, &model));
            xml.inside("ram:ApplicableHeaderTradeDelivery", |xml| {
                xml.inside("ram:ActualDeliverySupplyChainEvent", |xml| {
                    day(xml, "ram:OccurrenceDateTime", invoice.operation_date);
                });
            });
            xml.inside("ram:ApplicableHeaderTradeSettlement", |xml| settlement(xml, &model));
        });
    });
    xml.finish()
}

fn line(xml: &mut Xml, number: usize, line: &Line, of: Category) {
    xml.inside("ram:AssociatedDocumentLineDocument", |xml| xml.text("ram:LineID", &number.to_string()));
    xml.inside("ram:SpecifiedTradeProduct", |xml| xml.text("ram:Name", &line.name));
    xml.inside("ram:SpecifiedLineTradeAgreement", |xml| {
        xml.inside("ram:NetPriceProductTradePrice", |xml| amount(xml, "ram:ChargeAmount", line.price));
    });
    xml.inside("ram:SpecifiedLineTradeDelivery", |xml| {
        xml.with("ram:BilledQuantity", &[("unitCode", line.unit_code)], &line.quantity.to_string());
    });
    xml.inside("ram:SpecifiedLineTradeSettlement", |xml| {
        xml.inside("ram:ApplicableTradeTax", |xml| category(xml, of));
        xml.inside("ram:SpecifiedTradeSettlementLineMonetarySummation", |xml| amount(xml, "ram:LineTotalAmount", line.amount));
    });
}

fn agreement(xml: &mut Xml, model: &Model<'_>) {
    xml.maybe("ram:BuyerReference", model.reference.as_deref());
    xml.inside("ram:SellerTradeParty", |xml| party(xml, &model.seller));
    xml.inside("ram:BuyerTradeParty", |xml| party(xml, &model.buyer));
    if let Some(qr) = &model.qr {
        xml.inside("ram:AdditionalReferencedDocument", |xml| {
            xml.text("ram:IssuerAssignedID", QR);
            xml.text("ram:URIID", qr);
            xml.text("ram:TypeCode", RELATED);
        });
    }
}

fn party(xml: &mut Xml, trader: &Trader) {
    xml.text("ram:Name", &trader.name);
    xml.maybe("ram:Description", trader.legal.as_deref());
    if let Some(id) = &trader.id {
        xml.inside("ram:SpecifiedLegalOrganization", |xml| xml.text("ram:ID", id));
    }
    xml.inside("ram:PostalTradeAddress", |xml| {
        xml.maybe("ram:PostcodeCode", trader.postal_code.as_deref());
        xml.maybe("ram:LineOne", trader.street.as_deref());
        xml.maybe("ram:CityName", trader.city.as_deref());
        xml.text("ram:CountryID", &trader.country);
        xml.maybe("ram:CountrySubDivisionName", trader.region.as_deref());
    });
    if let Some(email) = &trader.email {
        xml.inside("ram:URIUniversalCommunication", |xml| xml.with("ram:URIID", &[("schemeID", EMAIL)], email));
    }
    if let Some(vat) = &trader.vat {
        xml.inside("ram:SpecifiedTaxRegistration", |xml| xml.with("ram:ID", &[("schemeID", "VA")], vat));
    }
}

fn settlement(xml: &mut Xml, model: &Model<'_>) {
    let (mandate, creditor) = match &model.means {
        Some(Means::Debit { mandate, creditor }) => (Some(mandate.as_str()), creditor.as_deref()),
        _ => (None, None),
    };
    xml.maybe("ram:CreditorReferenceID", creditor);
    xml.maybe("ram:PaymentReference", model.means.as_ref().map(|_| model.number.as_str()));
    xml.text("ram:InvoiceCurrencyCode", EURO);
    if let Some(means) = &model.means {
        xml.inside("ram:SpecifiedTradeSettlementPaymentMeans", |xml| {
            xml.text("ram:TypeCode", means.code());
            if let Means::Transfer { iban } = means {
                xml.inside("ram:PayeePartyCreditorFinancialAccount", |xml| xml.text("ram:IBANID", iban));
            }
        });
    }
    xml.inside("ram:ApplicableTradeTax", |xml| tax(xml, model));
    xml.inside("ram:BillingSpecifiedPeriod", |xml| {
        day(xml, "ram:StartDateTime", model.invoice.period_from);
        day(xml, "ram:EndDateTime", model.invoice.period_to);
    });
    for one in &model.adjustments {
        xml.inside("ram:SpecifiedTradeAllowanceCharge", |xml| adjustment(xml, one, model.category));
    }
    xml.inside("ram:SpecifiedTradePaymentTerms", |xml| {
        match model.terms {
            Some(terms) => xml.text("ram:Description", terms),
            None => day(xml, "ram:DueDateDateTime", model.invoice.due_date),
        }
        xml.maybe("ram:DirectDebitMandateID", mandate);
    });
    xml.inside("ram:SpecifiedTradeSettlementHeaderMonetarySummation", |xml| sums(xml, model));
    if let Some(rectified) = &model.invoice.rectifies {
        xml.inside("ram:InvoiceReferencedDocument", |xml| {
            xml.text("ram:IssuerAssignedID", &rectified.number);
            xml.inside("ram:FormattedIssueDateTime", |xml| {
                xml.with("qdt:DateTimeString", &[("format", "102")], &digits(rectified.issue_date));
            });
        });
    }
}

/// The category of lines and discounts.
fn category(xml: &mut Xml, of: Category) {
    xml.text("ram:TypeCode", "VAT");
    xml.text("ram:CategoryCode", of.code);
    xml.maybe("ram:RateApplicablePercent", of.rate.map(rate).as_deref());
}

fn tax(xml: &mut Xml, model: &Model<'_>) {
    let of = model.category;
    amount(xml, "ram:CalculatedAmount", model.sums.vat);
    xml.text("ram:TypeCode", "VAT");
    xml.maybe("ram:ExemptionReason", of.reason);
    amount(xml, "ram:BasisAmount", model.sums.base);
    xml.text("ram:CategoryCode", of.code);
    xml.maybe("ram:ExemptionReasonCode", of.exemption);
    xml.maybe("ram:RateApplicablePercent", of.rate.map(rate).as_deref());
}

fn adjustment(xml: &mut Xml, one: &Adjustment, of: Category) {
    xml.inside("ram:ChargeIndicator", |xml| xml.text("udt:Indicator", if one.charge { "true" } else { "false" }));
    xml.text("ram:CalculationPercent", &rate(one.percent));
    amount(xml, "ram:BasisAmount", one.base);
    amount(xml, "ram:ActualAmount", one.amount);
    if !one.charge {
        xml.text("ram:ReasonCode", DISCOUNT);
    }
    xml.text("ram:Reason", &one.reason);
    xml.inside("ram:CategoryTradeTax", |xml| category(xml, of));
}

fn sums(xml: &mut Xml, model: &Model<'_>) {
    let sums = model.sums;
    amount(xml, "ram:LineTotalAmount", sums.lines);
    for (name, sum) in [("ram:ChargeTotalAmount", sums.charges), ("ram:AllowanceTotalAmount", sums.allowances)] {
        if sum != Cents(0) {
            amount(xml, name, sum);
        }
    }
    amount(xml, "ram:TaxBasisTotalAmount", sums.base);
    xml.with("ram:TaxTotalAmount", &[("currencyID", EURO)], &sums.vat.to_string());
    amount(xml, "ram:GrandTotalAmount", sums.total);
    amount(xml, "ram:DuePayableAmount", sums.total);
}

fn amount(xml: &mut Xml, name: &str, amount: Cents) {
    xml.text(name, &amount.to_string());
}

fn day(xml: &mut Xml, name: &str, day: NaiveDate) {
    xml.inside(name, |xml| xml.with("udt:DateTimeString", &[("format", "102")], &digits(day)));
}

fn digits(day: NaiveDate) -> String {
    day.format("%Y%m%d").to_string()
}
