//! Facturae against the vector and the official schema.

use atalaya_einvoice::facturae::facturae;
use atalaya_einvoice::tree::{Element, parse};
use atalaya_einvoice::{BuyerCodes, DocumentLine, InvoiceDocument, LineKind, Offices, Party, Payment, Rectified};
use atalaya_tariff::{Cents, VatRegime};
use chrono::NaiveDate;
use std::io::Write;
use std::process::{Command, Stdio};

const VECTOR: &str = include_str!("../../../vectors/xml/facturae322_unsigned_ok.xml");

fn date(text: &str) -> NaiveDate {
    text.parse().expect("a date")
}

fn party(name: &str, nif: &str, address: [&str; 4]) -> Party {
    let [address, postal_code, city, region] = address.map(str::to_owned);
    Party { name: name.into(), nif: nif.into(), address, postal_code, city, region, ..Party::default() }
}

fn line(kind: LineKind, quantity: i64, unit: i64) -> DocumentLine {
    DocumentLine { kind, quantity: Some(quantity), unit: Some(Cents(unit)), amount: Cents(quantity * unit) }
}

/// The invoice of the vector.
fn example() -> InvoiceDocument {
    InvoiceDocument {
        number: "A2026-000002".into(),
        issue_date: date("2026-11-03"),
        operation_date: date("2026-10-31"),
        period_from: date("2026-10-01"),
        period_to: date("2026-10-31"),
        due_date: date("2026-11-12"),
        issuer: party("Plataforma Ejemplo SL", "B12345674", ["Calle Mayor 1", "28013", "Madrid", "Madrid"]),
        recipient: party("Gabinete Pericial Gómez SLP", "B00000000", ["Gran Vía 2", "48001", "Bilbao", "Bizkaia"]),
        language: "es".into(),
        lines: vec![
            line(LineKind::Connection, 3, 600),
            line(LineKind::OtherConnections, 1, 300),
            line(LineKind::ExceededMinute, 16, 35),
            line(LineKind::GuestMinute, 22, 20),
        ],
        base: Cents(3100),
        vat_rate: 2100,
        vat: Cents(651),
        total: Cents(3751),
        regime: VatRegime::General,
        payment: Some(Payment { iban_masked: None, umr: Some("VP-000001-01".into()), creditor_id: None }),
        transfer_iban: None,
        buyer: BuyerCodes::default(),
        rectifies: None,
    }
}

/// Without what we leave out on purpose (the whole IBAN), or add (mandate, QR).
fn comparable(element: &Element) -> Element {
    let ours = ["AdditionalData", "DebitReconciliationReference", "AccountToBeDebited"];
    let children = element.children.iter().filter(|child| !ours.contains(&child.name.as_str())).map(comparable).collect();
    Element { children, ..element.clone() }
}

// EINV-7
#[test]
fn it_is_the_vector_element_by_element() {
    let written = facturae(&example(), Some("https://prewww2.aeat.es/x?a=1&b=2"));
    let (ours, theirs) = (parse(&written).expect("XML"), parse(VECTOR).expect("XML"));
    assert_eq!(comparable(&ours), comparable(&theirs));
    assert_eq!(ours.find("InvoiceAdditionalInformation").map(|e| e.text.as_str()), Some("https://prewww2.aeat.es/x?a=1&b=2"));
}

fn validate(xml: &str) {
    let Ok(folder) = std::env::var("ATALAYA_TEST_SCHEMAS") else {
        return eprintln!("not run: ATALAYA_TEST_SCHEMAS is not set (scripts/schemas.sh)");
    };
    // The schema names its signature schema at an address; a catalog leads to the copy beside it.
    let signature = format!("{folder}/facturae/xmldsig-core-schema.xsd");
    let schema = std::fs::read_to_string(format!("{folder}/facturae/Facturaev3_2_2.xsd")).expect("the schema");
    let imported = regex_location(&schema);
    let catalog = std::env::temp_dir().join(format!("atalaya-facturae-{}.xml", std::process::id()));
    let entries = format!(
        "<catalog xmlns=\"urn:oasis:names:tc:entity:xmlns:xml:catalog\"><system systemId=\"{imported}\" uri=\"file://{signature}\"/><uri name=\"{imported}\" uri=\"file://{signature}\"/></catalog>"
    );
    std::fs::write(&catalog, entries).expect("a file");
    let mut child = Command::new("xmllint")
        .args(["--nonet", "--noout", "--schema", &format!("{folder}/facturae/Facturaev3_2_2.xsd"), "-"])
        .env("XML_CATALOG_FILES", &catalog)
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("xmllint runs");
    child.stdin.take().expect("piped").write_all(xml.as_bytes()).expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success(), "{}\n{xml}", String::from_utf8_lossy(&output.stderr));
}

fn regex_location(schema: &str) -> String {
    let after = schema.split("schemaLocation=\"").nth(1).expect("an import");
    after.split('"').next().expect("a value").to_owned()
}

// EINV-7
#[test]
fn every_kind_of_invoice_fits_the_official_schema() {
    validate(VECTOR);
    validate(&facturae(&example(), Some("https://prewww2.aeat.es/x?a=1&b=2")));

    let mut discounted = example();
    discounted.lines = vec![
        line(LineKind::Connection, 100, 600),
        DocumentLine { kind: LineKind::Discount { percent: 550 }, quantity: None, unit: None, amount: Cents(-3300) },
        DocumentLine {
            kind: LineKind::Minimum { days: 16, days_in_month: 31, minimum: 60_000 },
            quantity: None,
            unit: None,
            amount: Cents(3300),
        },
    ];
    (discounted.base, discounted.vat_rate, discounted.vat, discounted.total) = (Cents(60_000), 0, Cents(0), Cents(60_000));
    discounted.recipient =
        party("María López", "12345678Z", ["Calle <b>&\u{1}", "35001", "Las Palmas", "Las Palmas de Gran Canaria"]);
    discounted.payment = None;
    discounted.regime = VatRegime::Outside;
    let written = facturae(&discounted, Some("x"));
    let gross = parse(&written).expect("XML");
    assert_eq!(gross.find("TotalGrossAmount").map(|e| e.text.as_str()), Some("633.00"));
    validate(&written);

    let mut rectifying = example();
    rectifying.number = "R2026-000001".into();
    let reason = "Error en <minutos> & más".to_owned();
    rectifying.rectifies =
        Some(Rectified { number: "A2026-000002".into(), issue_date: date("2026-11-03"), reason, unpaid: false });
    rectifying.lines = vec![DocumentLine {
        kind: LineKind::Text { text: "Abono de conexiones".into() },
        quantity: None,
        unit: None,
        amount: Cents(-500),
    }];
    (rectifying.base, rectifying.vat, rectifying.total) = (Cents(-500), Cents(-105), Cents(-605));
    validate(&facturae(&rectifying, Some("x")));
}

// ABROAD-4, ABROAD-5, EINV-7
#[test]
fn a_recipient_elsewhere_has_an_overseas_address_and_the_reverse_charge() {
    let mut abroad = example();
    abroad.recipient = Party {
        country: Some("PT".into()),
        ..party("Peritos de Lisboa, Lda.", "PT501964843", ["Rua Augusta 1", "1100-048", "Lisboa", ""])
    };
    (abroad.vat_rate, abroad.vat, abroad.total, abroad.regime) = (0, Cents(0), Cents(3100), VatRegime::ReverseCharge);
    let written = facturae(&abroad, Some("x"));
    validate(&written);
    let tree = parse(&written).expect("XML");
    let buyer = tree.find("BuyerParty").expect("a buyer");
    let of = |name: &str| buyer.find(name).map(|element| element.text.clone());
    assert_eq!((of("ResidenceTypeCode").as_deref(), of("PersonTypeCode").as_deref()), (Some("U"), Some("J")));
    assert_eq!((of("CountryCode").as_deref(), of("PostCodeAndTown").as_deref()), (Some("PRT"), Some("1100-048 Lisboa")));
    assert_eq!((of("Province").as_deref(), of("AddressInSpain")), (Some("Lisboa"), None));
    let reason = tree.find("SpecialTaxableEventReason").map(|element| element.text.clone()).unwrap_or_default();
    assert!(reason.contains("Inversión del sujeto pasivo (art. 196 Directiva 2006/112/CE)"), "{reason}");

    let mut world = abroad.clone();
    (world.recipient.country, world.regime) = (Some("GB".into()), VatRegime::Outside);
    let written = facturae(&world, Some("x"));
    validate(&written);
    assert!(written.contains("<ResidenceTypeCode>E</ResidenceTypeCode>") && !written.contains("sujeto pasivo"));
}

// ABROAD-6
#[test]
fn an_issuer_in_the_canaries_charges_igic() {
    let mut islands = example();
    islands.issuer = party("Atalaya Canarias SL", "B12345674", ["Calle Triana 1", "35002", "Las Palmas", "Las Palmas"]);
    islands.recipient = party("Gabinete Pericial Gómez SLP", "B00000000", ["Calle Real 2", "38001", "Santa Cruz", "Tenerife"]);
    (islands.vat_rate, islands.vat, islands.total, islands.regime) = (700, Cents(217), Cents(3317), VatRegime::Igic);
    let written = facturae(&islands, Some("x"));
    validate(&written);
    assert!(written.contains("<TaxTypeCode>03</TaxTypeCode>") && !written.contains("<TaxTypeCode>01</TaxTypeCode>"), "{written}");
    assert!(!written.contains("SpecialTaxableEvent"));
}

// EINV-12
#[test]
fn a_public_body_reads_its_offices_and_where_to_pay() {
    let mut body = example();
    body.payment = None;
    body.transfer_iban = Some("ES9121000418450200051332".into());
    let office = |code: &str| code.to_owned();
    body.buyer.offices =
        Some(Offices { accounting: office("L01280796"), managing: office("L01280797"), processing: office("L01280798") });
    let written = facturae(&body, None);
    validate(&written);
    let tree = parse(&written).expect("XML");
    let centres = tree.find("BuyerParty").and_then(|buyer| buyer.find("AdministrativeCentres")).expect("offices");
    let texts: Vec<_> = centres
        .children
        .iter()
        .map(|one| ["RoleTypeCode", "CentreCode"].map(|name| one.find(name).map(|found| found.text.clone()).unwrap_or_default()))
        .collect();
    assert_eq!(texts, [["01", "L01280796"], ["02", "L01280797"], ["03", "L01280798"]]);
    assert!(tree.find("SellerParty").is_some_and(|seller| seller.find("AdministrativeCentres").is_none()));
    let account = tree.find("AccountToBeCredited").and_then(|account| account.find("IBAN"));
    assert_eq!(account.map(|iban| iban.text.as_str()), Some("ES9121000418450200051332"));
    // Who pays by debit is not told where to pay.
    body.payment = example().payment;
    assert!(!facturae(&body, None).contains("AccountToBeCredited"));
}

// EINV-12
#[test]
fn the_reason_is_of_the_official_list() {
    let mut rectifying = example();
    (rectifying.base, rectifying.vat, rectifying.total) = (Cents(-3100), Cents(-651), Cents(-3751));
    for (unpaid, code) in [(false, "16"), (true, "85")] {
        let reason = "Concurso".to_owned();
        rectifying.rectifies = Some(Rectified { number: "A2026-000002".into(), issue_date: date("2026-11-03"), reason, unpaid });
        let written = facturae(&rectifying, None);
        validate(&written);
        assert_eq!(parse(&written).expect("XML").find("ReasonCode").map(|e| e.text.clone()).as_deref(), Some(code));
    }
}
