//! UBL and CII against the arithmetic of EN 16931, the official schemas and the official rules.

mod en16931 {
    pub mod official;
    pub mod sums;
}

use atalaya_einvoice::cii::cii;
use atalaya_einvoice::tree::{Element, parse};
use atalaya_einvoice::ubl::ubl;
use atalaya_einvoice::{BuyerCodes, DocumentLine, InvoiceDocument, LineKind, Party, Payment, Rectified};
use atalaya_tariff::{Cents, VatRegime};
use chrono::NaiveDate;
use en16931::{official, sums};

const QR: &str =
    "https://prewww2.aeat.es/wlpl/TIKE-CONT/ValidarQR?nif=B12345674&numserie=A2026-000002&fecha=03-11-2026&importe=37.51";

fn date(text: &str) -> NaiveDate {
    text.parse().expect("a date")
}

fn party(name: &str, nif: &str, address: [&str; 4]) -> Party {
    let [address, postal_code, city, region] = address.map(str::to_owned);
    let email = Some("facturas@example.es".into());
    Party { name: name.into(), nif: nif.into(), address, postal_code, city, region, email, ..Party::default() }
}

fn line(kind: LineKind, quantity: i64, unit: i64) -> DocumentLine {
    DocumentLine { kind, quantity: Some(quantity), unit: Some(Cents(unit)), amount: Cents(quantity * unit) }
}

fn whole(kind: LineKind, amount: i64) -> DocumentLine {
    DocumentLine { kind, quantity: Some(1), unit: Some(Cents(amount)), amount: Cents(amount) }
}

/// By direct debit, with every kind of line.
fn monthly() -> InvoiceDocument {
    let mut issuer = party("Plataforma Ejemplo SL", "B12345674", ["Calle Mayor 1", "28013", "Madrid", "Madrid"]);
    issuer.registry_data = Some("R. M. de Madrid, T. 1, F. 2, S. 8, H. M-3".into());
    InvoiceDocument {
        number: "A2026-000002".into(),
        issue_date: date("2026-11-03"),
        operation_date: date("2026-10-31"),
        period_from: date("2026-10-01"),
        period_to: date("2026-10-31"),
        due_date: date("2026-11-12"),
        issuer,
        recipient: party("Gabinete Pericial Gómez & <Hijos> SLP", "B00000000", ["Gran Vía 2", "48001", "Bilbao", "Bizkaia"]),
        language: "es".into(),
        lines: vec![
            line(LineKind::Connection, 100, 600),
            line(LineKind::OtherConnections, 1, 300),
            line(LineKind::ExceededMinute, 16, 35),
            line(LineKind::GuestMinute, 22, 20),
            whole(LineKind::Discount { percent: 550 }, -3372),
            whole(LineKind::Minimum { days: 31, days_in_month: 31, minimum: 60_000 }, 2072),
        ],
        base: Cents(60_000),
        vat_rate: 2100,
        vat: Cents(12_600),
        total: Cents(72_600),
        regime: VatRegime::General,
        payment: Some(Payment {
            iban_masked: Some("ES•• •••• 1332".into()),
            umr: Some("VP-000001-01".into()),
            creditor_id: Some("ES77000B12345674".into()),
        }),
        transfer_iban: None,
        buyer: BuyerCodes::default(),
        rectifies: None,
    }
}

fn rectified(reason: &str) -> Option<Rectified> {
    Some(Rectified { number: "A2026-000001".into(), issue_date: date("2026-10-03"), reason: reason.into(), unpaid: false })
}

/// Everything back: what billing makes of an invoice that is rectified to zero.
fn back() -> InvoiceDocument {
    let mut invoice = monthly();
    invoice.number = "R2026-000001".into();
    for line in &mut invoice.lines {
        line.amount = Cents(-line.amount.0);
        line.quantity = line.quantity.map(|quantity| -quantity);
    }
    (invoice.base, invoice.vat, invoice.total) = (Cents(-60_000), Cents(-12_600), Cents(-72_600));
    invoice.rectifies = rectified("Facturado dos veces");
    invoice
}

/// A difference that asks for more, with a part that goes the other way.
fn more() -> InvoiceDocument {
    let mut invoice = monthly();
    invoice.number = "R2026-000002".into();
    let text = |text: &str| LineKind::Text { text: text.into() };
    invoice.lines = vec![whole(text("Conexiones no facturadas"), 1200), whole(text("Minutos de más"), -200)];
    (invoice.base, invoice.vat, invoice.total) = (Cents(1000), Cents(210), Cents(1210));
    invoice.rectifies = rectified("Faltaban conexiones");
    invoice.payment = None;
    invoice.transfer_iban = Some("ES91 2100 0418 4502 0005 1332".into());
    invoice
}

fn untaxed(regime: VatRegime, recipient: Party) -> InvoiceDocument {
    InvoiceDocument { vat_rate: 0, vat: Cents(0), total: Cents(60_000), regime, recipient, ..monthly() }
}

fn abroad(country: &str, nif: &str) -> Party {
    Party { country: Some(country.into()), ..party("Peritos, Lda.", nif, ["Rua Augusta 1", "1100-048", "Lisboa", ""]) }
}

/// An invoice of each kind, with its category and its kind.
fn all() -> Vec<(InvoiceDocument, &'static str, &'static str)> {
    let islands = |regime, rate, vat, recipient| {
        let issuer = party("Atalaya Canarias SL", "B12345674", ["Calle Triana 1", "35002", "Las Palmas", "Las Palmas"]);
        InvoiceDocument { issuer, vat_rate: rate, vat: Cents(vat), total: Cents(60_000 + vat), regime, recipient, ..monthly() }
    };
    let peninsula = monthly().recipient;
    let tenerife = party("Peritos del Teide SL", "B00000000", ["Calle Real 2", "38001", "Santa Cruz", "Tenerife"]);
    vec![
        (monthly(), "S", "380"),
        (back(), "S", "381"),
        (more(), "S", "383"),
        (untaxed(VatRegime::ReverseCharge, abroad("PT", "PT501964843")), "AE", "380"),
        (untaxed(VatRegime::Outside, abroad("GB", "123456789")), "O", "380"),
        (untaxed(VatRegime::Outside, tenerife.clone()), "O", "380"),
        (islands(VatRegime::Igic, 700, 4200, tenerife), "L", "380"),
        (islands(VatRegime::ReverseCharge, 0, 0, peninsula), "AE", "380"),
        (islands(VatRegime::ReverseCharge, 0, 0, abroad("PT", "PT501964843")), "AE", "380"),
    ]
}

fn tree(xml: &str) -> Element {
    parse(xml).expect("XML")
}

fn text(tree: &Element, name: &str) -> Option<String> {
    tree.find(name).map(|element| element.text.clone())
}

// EINV-9, EINV-10, EINV-11
#[test]
fn every_kind_of_invoice_adds_up_and_names_its_category() {
    for (invoice, category, kind) in all() {
        let (ubl, cii) = (tree(&ubl(&invoice, Some(QR))), tree(&cii(&invoice, Some(QR))));
        let credit = kind == "381";
        assert_eq!(ubl.name, if credit { "CreditNote" } else { "Invoice" });
        let found = text(&ubl, if credit { "CreditNoteTypeCode" } else { "InvoiceTypeCode" });
        assert_eq!((found.as_deref(), text(&cii, "TypeCode").as_deref()), (Some(kind), Some(kind)));
        let (ubl, cii) = (sums::of_ubl(&ubl), sums::of_cii(&cii));
        ubl.check();
        assert_eq!(ubl, cii, "both say the same");
        assert!(ubl.categories.iter().all(|one| one == category), "{:?}", ubl.categories);
        assert_eq!(ubl.total, invoice.total.0.abs());
    }
}

// EINV-9
#[test]
fn they_fit_the_official_schemas_and_rules() {
    for (invoice, _, _) in all() {
        let mut named = invoice;
        named.buyer.reference = Some("Pedido 7/2026".into());
        official::check_ubl(&ubl(&named, Some(QR)));
        official::check_cii(&cii(&named, Some(QR)));
    }
}

// EINV-10
#[test]
fn what_bears_no_tax_says_why_and_vat_numbers_stand_where_they_may() {
    let reverse = untaxed(VatRegime::ReverseCharge, abroad("PT", "PT501964843"));
    let xml = ubl(&reverse, None);
    assert!(xml.contains("VATEX-EU-AE") && xml.contains("Inversión del sujeto pasivo"), "{xml}");
    assert!(xml.contains("<cbc:CompanyID>PT501964843<") && xml.contains("<cbc:CompanyID>ESB12345674<"), "{xml}");
    let outside = untaxed(VatRegime::Outside, abroad("GB", "123456789"));
    for xml in [ubl(&outside, None), cii(&outside, None)] {
        assert!(xml.contains("VATEX-EU-O") && !xml.contains("ESB12345674") && xml.contains(">B12345674<"), "{xml}");
        assert!(!xml.contains("RateApplicablePercent") && !xml.contains("<cbc:Percent>"), "{xml}");
    }
}

// EINV-11
#[test]
fn a_rectification_names_what_it_rectifies_and_why() {
    for xml in [ubl(&back(), None), cii(&back(), None)] {
        assert!(xml.contains(">A2026-000001<") && xml.contains("A2026-000001: Facturado dos veces"), "{xml}");
        assert!(!xml.contains(">-"), "nothing on a credit note is negative here: {xml}");
    }
    assert!(cii(&back(), None).contains("<qdt:DateTimeString format=\"102\">20261003<"));
    let more = ubl(&more(), None);
    assert!(more.contains("<cbc:InvoicedQuantity unitCode=\"C62\">-1<") && !more.contains("PriceAmount currencyID=\"EUR\">-"));
}

// EINV-13
#[test]
fn it_says_how_it_is_paid_and_what_the_buyer_wants_to_read() {
    let (debit, transfer) = (monthly(), more());
    for xml in [ubl(&debit, Some(QR)), cii(&debit, Some(QR))] {
        assert!(xml.contains(">59<") && xml.contains(">VP-000001-01<") && xml.contains(">ES77000B12345674<"), "{xml}");
        assert!(!xml.contains("1332") && xml.contains("ValidarQR?nif=B12345674&amp;numserie"), "{xml}");
        assert!(!xml.contains("BuyerReference"));
    }
    for xml in [ubl(&transfer, None), cii(&transfer, None)] {
        assert!(xml.contains(">58<") && xml.contains(">ES9121000418450200051332<"), "{xml}");
    }
    let credit = ubl(&back(), None);
    assert!(!credit.contains("PaymentMeans") && credit.contains("Importe a favor del cliente"));
    let buyer = BuyerCodes { reference: Some(" Pedido  7 ".into()), ..BuyerCodes::default() };
    let named = InvoiceDocument { buyer, ..monthly() };
    for xml in [ubl(&named, None), cii(&named, None)] {
        assert!(xml.contains("BuyerReference>Pedido 7<"), "{xml}");
    }
}
