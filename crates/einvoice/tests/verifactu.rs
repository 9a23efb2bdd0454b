//! Vectors of the AEAT and ours; the official schema.

use atalaya_einvoice::tree::{Element, parse};
use atalaya_einvoice::verifactu::*;
use atalaya_tariff::{Cents, Percent};
use chrono::{DateTime, NaiveDate, Utc};
use serde_json::Value;
use std::io::Write;
use std::process::{Command, Stdio};

const VECTORS: &str = include_str!("../../../vectors/verifactu.json");
const FIVE: &str = include_str!("../../../vectors/xml/verifactu_5_records.xml");

fn vectors() -> Value {
    serde_json::from_str(VECTORS).expect("the vectors are JSON")
}

fn text(value: &Value, name: &str) -> String {
    value[name].as_str().unwrap_or_default().to_owned()
}

fn date(dotted: &str) -> NaiveDate {
    NaiveDate::parse_from_str(dotted, "%d-%m-%Y").expect("a date")
}

// EINV-1
#[test]
fn every_hash_vector() {
    let vectors = vectors();
    let cases = vectors["hash"].as_array().expect("a list");
    assert_eq!(cases.len(), 6);
    for case in cases {
        let fields = &case["fields"];
        let values = Hashed {
            issuer: text(fields, "id_emisor"),
            number: text(fields, "num_serie"),
            issue_date: text(fields, "fecha_expedicion"),
            kind: text(fields, "tipo_factura"),
            vat: text(fields, "cuota_total"),
            total: text(fields, "importe_total"),
            previous: text(fields, "huella_anterior"),
            at: text(fields, "fecha_hora_huso"),
        };
        let line = if text(case, "kind") == "alta" { registration_text(&values) } else { annulment_text(&values) };
        assert_eq!(line, text(case, "input"));
        assert_eq!(fingerprint(&line), text(case, "sha256"));
    }
}

// EINV-4
#[test]
fn every_qr_vector() {
    let vectors = vectors();
    let cases = vectors["qr"].as_array().expect("a list");
    assert_eq!(cases.len(), 6);
    for case in cases {
        let environment = if text(case, "env") == "test" { Environment::Test } else { Environment::Production };
        let id = InvoiceId { issuer: text(case, "nif"), number: text(case, "numserie"), issue_date: date(&text(case, "fecha")) };
        let total = (text(case, "importe").parse::<f64>().expect("an amount") * 100.0).round() as i64;
        let verifiable = case["verifactu"] == true;
        assert_eq!(qr_url(environment, verifiable, &id, Cents(total)), text(case, "url"));
    }
}

fn id(number: &str, issued: &str) -> InvoiceId {
    InvoiceId { issuer: "B12345674".into(), number: number.into(), issue_date: date(issued) }
}

fn person(name: &str, nif: &str) -> Person {
    Person { name: name.into(), nif: nif.into() }
}

fn registration(id: InvoiceId, recipient: Person, rate: u32, base: i64, vat: i64) -> Registration {
    Registration {
        id,
        issuer_name: "Plataforma Ejemplo SL".into(),
        correction: Correction::None,
        kind: InvoiceType::F1,
        rectifies: vec![],
        operation_date: Some(date("31-10-2026")),
        description: "Servicio de videoasistencia, octubre de 2026".into(),
        recipient,
        elsewhere: None,
        tax: Tax::Iva,
        breakdown: vec![Breakdown { regime: Regime::General, rate: Percent(rate), base: Cents(base), vat: Cents(vat) }],
        vat: Cents(vat),
        total: Cents(base + vat),
    }
}

fn chained(bodies: Vec<(Body, &str)>) -> Vec<Record> {
    let mut records: Vec<Record> = vec![];
    for (body, at) in bodies {
        let previous = records.last().map(|last| Previous { id: last.body.id().clone(), hash: last.hash() });
        let system = System {
            producer: person("Plataforma Ejemplo SL", "B12345674"),
            name: "Videoasistencia".into(),
            id: "VA".into(),
            version: "1.0.0".into(),
            installation: "1".into(),
        };
        let at = DateTime::parse_from_rfc3339(at).expect("a moment").with_timezone(&Utc);
        records.push(Record { body, previous, system, at });
    }
    records
}

/// The five records of the vector file.
fn five() -> Vec<Record> {
    let gomez = || person("Gabinete Pericial Gomez SLP", "B00000000");
    let first = registration(id("A2026-000001", "03-11-2026"), person("Talleres Nunez y Pena SL", "B64717838"), 2100, 3000, 630);
    let second = registration(id("A2026-000002", "03-11-2026"), gomez(), 2100, 3100, 651);
    let mut rectifying = registration(id("R2026-000001", "04-11-2026"), gomez(), 2100, -500, -105);
    rectifying.kind = InvoiceType::R1;
    rectifying.rectifies = vec![second.id.clone()];
    let third = registration(id("A2026-000003", "04-11-2026"), person("Talleres Atlantico SL", "B35000009"), 0, 7800, 0);
    let annulment = Annulment { id: third.id.clone(), without_record: false, rejected_before: false };
    let body = |one| Body::Registration(Box::new(one));
    chained(vec![
        (body(first), "2026-11-03T09:30:00+01:00"),
        (body(second), "2026-11-03T09:30:01+01:00"),
        (body(rectifying), "2026-11-04T12:00:00+01:00"),
        (body(third), "2026-11-04T12:00:01+01:00"),
        (Body::Annulment(annulment), "2026-11-04T12:05:00+01:00"),
    ])
}

fn call(fragments: &[String], incident: bool) -> String {
    let issuer = person("Plataforma Ejemplo SL", "B12345674");
    document(&Remittance { issuer: &issuer, incident, inquiry: None, fragments })
}

fn sorted(element: &Element) -> Element {
    Element { name: element.name.clone(), text: element.text.clone(), children: element.children.iter().map(sorted).collect() }
}

// EINV-2
#[test]
fn the_five_records_are_those_of_the_vector_element_by_element() {
    let fragments: Vec<String> = five().iter().map(fragment).collect();
    let ours = parse(&call(&fragments, false)).expect("it is XML");
    assert_eq!(sorted(&ours), sorted(&parse(FIVE).expect("the vector is XML")));
}

/// A recipient without a NIF, not subject.
fn elsewhere(country: &str, taxpayer: &str, is_vat_number: bool) -> Registration {
    let mut one = registration(id("A2026-000007", "03-11-2026"), person("Peritos de Lisboa, Lda.", taxpayer), 0, 7800, 0);
    one.elsewhere = Some(Elsewhere { country: country.into(), id: taxpayer.into(), is_vat_number });
    one
}

// ABROAD-4, EINV-2
#[test]
fn a_recipient_elsewhere_is_named_by_idotro() {
    let body = |one: Registration| Body::Registration(Box::new(one));
    let mut islands =
        registration(id("A2026-000009", "03-11-2026"), person("Talleres Atlantico SL", "B35000009"), 700, 10000, 700);
    islands.tax = Tax::Igic;
    let records = chained(vec![
        (body(elsewhere("PT", "PT501964843", true)), "2026-11-03T09:30:00+01:00"),
        (body(elsewhere("GB", "GB 123 4567 89", false)), "2026-11-03T09:30:01+01:00"),
        (body(islands), "2026-11-03T09:30:02+01:00"),
    ]);
    let fragments: Vec<String> = records.iter().map(fragment).collect();
    validated("verifactu/SuministroLR.xsd", &call(&fragments, false));
    let trees: Vec<Element> = fragments.iter().map(|xml| parse(xml).expect("XML")).collect();
    let of = |nth: usize, name: &str| trees[nth].find(name).map(|element| element.text.clone());
    assert_eq!(
        (of(0, "IDType").as_deref(), of(0, "ID").as_deref(), of(0, "CodigoPais")),
        (Some("02"), Some("PT501964843"), None)
    );
    assert_eq!((of(1, "IDType").as_deref(), of(1, "CodigoPais").as_deref()), (Some("04"), Some("GB")));
    for nth in [0, 1] {
        let recipient = trees[nth].find("IDDestinatario").expect("a recipient");
        assert!(recipient.find("NIF").is_none());
        assert_eq!((of(nth, "CalificacionOperacion").as_deref(), of(nth, "Impuesto").as_deref()), (Some("N2"), Some("01")));
    }
    assert_eq!((of(2, "Impuesto").as_deref(), of(2, "TipoImpositivo").as_deref()), (Some("03"), Some("7")));
    assert_eq!(check(fragments.iter().map(String::as_str), None), Ok(()));
}

fn flawed(change: impl FnOnce(&mut Registration)) -> Option<&'static str> {
    let mut one = registration(id("A2026-000001", "03-11-2026"), person("Talleres SL", "B64717838"), 2100, 3000, 630);
    change(&mut one);
    let record = chained(vec![(Body::Registration(Box::new(one)), "2026-11-03T09:30:00+01:00")]).remove(0);
    flaw(&fragment(&record))
}

// FACTU-4
#[test]
fn what_the_schema_refuses_is_found_before_it_is_sent() {
    for record in five() {
        assert_eq!(flaw(&fragment(&record)), None);
    }
    assert_eq!(flawed(|_| ()), None);
    assert_eq!(flawed(|one| one.recipient.nif = "ESB64717838".into()), Some("NIF"));
    assert_eq!(flawed(|one| one.recipient.name = " \u{0} ".into()), Some("NombreRazon"));
    assert_eq!(flawed(|one| one.description = String::new()), Some("DescripcionOperacion"));
    assert_eq!(flawed(|one| one.id.number = "A\"1".into()), Some("NumSerieFactura"));
    assert_eq!(flawed(|one| one.id.issuer = "B1".into()), Some("IDEmisorFactura"));
    assert_eq!(flawed(|one| one.total = Cents(i64::MAX)), Some("ImporteTotal"));
    let sound = fragment(&five()[0]);
    assert_eq!(flaw(&sound.replace(">36.30<", ">36.31<")), Some("Huella"));
    assert_eq!(flaw(&sound[..sound.len() / 2]), Some("XML"));
    assert_eq!(flaw("<otro/>"), Some("XML"));
}

// FACTU-2
#[test]
fn what_lies_outside_the_territory_of_the_tax_has_its_own_key() {
    let islands = Breakdown { regime: Regime::of(Percent(0)), rate: Percent(0), base: Cents(7800), vat: Cents(0) };
    let mut one = registration(id("A2026-000003", "04-11-2026"), person("Talleres Atlantico SL", "B35000009"), 0, 7800, 0);
    one.breakdown = vec![islands];
    let record = chained(vec![(Body::Registration(Box::new(one)), "2026-11-04T12:00:01+01:00")]).remove(0);
    let xml = fragment(&record);
    for (element, value) in [("Impuesto", "01"), ("ClaveRegimen", "08"), ("CalificacionOperacion", "N2")] {
        assert!(xml.contains(&format!("<sum1:{element}>{value}<")), "{xml}");
    }
    assert!(!xml.contains("TipoImpositivo") && !xml.contains("CuotaRepercutida"), "no tax is charged: {xml}");
    assert_eq!(Regime::of(Percent(2100)).code(), "01");
    validated("verifactu/SuministroLR.xsd", &call(&[xml], false));
}

// FACTU-1
#[test]
fn what_a_correction_says_of_what_was_refused() {
    let said = |correction| {
        let mut one = registration(id("A1", "03-11-2026"), person("Talleres SL", "B64717838"), 2100, 3000, 630);
        one.correction = correction;
        let xml = fragment(&chained(vec![(Body::Registration(Box::new(one)), "2026-11-03T09:30:00+01:00")]).remove(0));
        validated("verifactu/SuministroLR.xsd", &call(std::slice::from_ref(&xml), false));
        let tree = parse(&xml).expect("it is XML");
        (tree.text_at(&["Subsanacion"]).to_owned(), tree.text_at(&["RechazoPrevio"]).to_owned())
    };
    let pair = |one: &str, other: &str| (one.to_owned(), other.to_owned());
    assert_eq!(said(Correction::None), pair("", ""));
    assert_eq!(said(Correction::Accepted), pair("S", ""));
    assert_eq!(said(Correction::Refused), pair("S", "S"));
    assert_eq!(said(Correction::Unknown), pair("S", "X"));
}

// FACTU-9
#[test]
fn what_an_inspection_asked_for_names_its_request() {
    let fragments: Vec<String> = five().iter().map(fragment).collect();
    let issuer = person("Plataforma Ejemplo SL", "B12345674");
    for (last, word) in [(false, "N"), (true, "S")] {
        let inquiry = Some(Inquiry { reference: "REQ-2027/0000012345", last });
        let xml = document(&Remittance { issuer: &issuer, incident: false, inquiry, fragments: &fragments });
        assert!(xml.contains("<sum1:RefRequerimiento>REQ-2027/000001234<"), "eighteen characters: {xml}");
        assert!(xml.contains(&format!("<sum1:FinRequerimiento>{word}<")), "{xml}");
        validated("verifactu/SuministroLR.xsd", &xml);
    }
}

// EINV-3
#[test]
fn a_chain_is_whole_until_something_in_it_changes() {
    let mut fragments: Vec<String> = five().iter().map(fragment).collect();
    let whole = |fragments: &[String]| check(fragments.iter().map(String::as_str), None);
    assert_eq!(whole(&fragments), Ok(()));
    let rest = fragments[2..].iter().map(String::as_str);
    let before = ["B12345674", "A2026-000002", "03-11-2026"].map(str::to_owned);
    assert_eq!(check(rest, Some((&before, &five()[1].hash()))), Ok(()));

    let mut changed = fragments.clone();
    changed[1] = changed[1].replace(">37.51<", ">37.52<");
    assert_eq!(whole(&changed), Err(Break { index: 1, fault: Fault::Hash }));
    changed[1] = "<cut".into();
    assert_eq!(whole(&changed), Err(Break { index: 1, fault: Fault::Unreadable }));
    let mut swapped = fragments.clone();
    swapped.swap(2, 3);
    assert_eq!(whole(&swapped), Err(Break { index: 2, fault: Fault::Link }));
    fragments.remove(1);
    assert_eq!(whole(&fragments), Err(Break { index: 1, fault: Fault::Link }));
    assert_eq!(whole(&fragments[1..]), Err(Break { index: 0, fault: Fault::Link }));
}

/// Runs xmllint with a schema; `false` when the schemas are not here.
fn validated(schema: &str, xml: &str) -> bool {
    let Ok(folder) = std::env::var("ATALAYA_TEST_SCHEMAS") else {
        eprintln!("not run: ATALAYA_TEST_SCHEMAS is not set (scripts/schemas.sh)");
        return false;
    };
    let mut child = Command::new("xmllint")
        .args(["--nonet", "--noout", "--schema", &format!("{folder}/{schema}"), "-"])
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("xmllint runs");
    child.stdin.take().expect("piped").write_all(xml.as_bytes()).expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success(), "{}\n{xml}", String::from_utf8_lossy(&output.stderr));
    true
}

// EINV-2
#[test]
fn what_is_written_fits_the_official_schema() {
    let mut records = five();
    let hostile = "<script>&amp; \"O'Brien\" ]]> ñ ❤ \u{0}\u{b} ".repeat(60);
    let mut odd = registration(id("A 2027/1&<>", "02-07-2027"), person(&hostile, "B64717838"), 1050, 1, 0);
    odd.description = hostile.clone();
    odd.correction = Correction::Unknown;
    odd.operation_date = None;
    let previous = Previous { id: records[4].body.id().clone(), hash: records[4].hash() };
    let system = records[0].system.clone();
    let at = DateTime::parse_from_rfc3339("2027-07-02T08:00:00+02:00").expect("a moment").with_timezone(&Utc);
    records.push(Record { body: Body::Registration(Box::new(odd)), previous: Some(previous), system, at });
    let gone = Annulment { id: id("A2026-000009", "04-11-2026"), without_record: true, rejected_before: true };
    let previous = Some(Previous { id: records[5].body.id().clone(), hash: records[5].hash() });
    records.push(Record { body: Body::Annulment(gone), previous, system: records[0].system.clone(), at });
    let fragments: Vec<String> = records.iter().map(fragment).collect();
    assert!(fragments[5].contains("+02:00"), "summer");
    assert_eq!(check(fragments.iter().map(String::as_str), None), Ok(()));
    validated("verifactu/SuministroLR.xsd", &call(&fragments, true));
}

fn answer(lines: &str, wait: &str) -> String {
    format!(
        "<env:Envelope xmlns:env=\"http://schemas.xmlsoap.org/soap/envelope/\"><env:Body><tikR:RespuestaRegFactuSistemaFacturacion xmlns:tikR=\"r\" xmlns:tik=\"i\"><tikR:CSV>A-ABCD</tikR:CSV><tikR:TiempoEsperaEnvio>{wait}</tikR:TiempoEsperaEnvio><tikR:EstadoEnvio>ParcialmenteCorrecto</tikR:EstadoEnvio>{lines}</tikR:RespuestaRegFactuSistemaFacturacion></env:Body></env:Envelope>"
    )
}

fn line(number: &str, state: &str, more: &str) -> String {
    format!(
        "<tikR:RespuestaLinea><tikR:IDFactura><tik:IDEmisorFactura>B12345674</tik:IDEmisorFactura><tik:NumSerieFactura>{number}</tik:NumSerieFactura><tik:FechaExpedicionFactura>03-11-2026</tik:FechaExpedicionFactura></tikR:IDFactura><tikR:Operacion><tik:TipoOperacion>Alta</tik:TipoOperacion></tikR:Operacion><tikR:EstadoRegistro>{state}</tikR:EstadoRegistro>{more}</tikR:RespuestaLinea>"
    )
}

// EINV-5
#[test]
fn answers_are_read_record_by_record() {
    let error = "<tikR:CodigoErrorRegistro>2004</tikR:CodigoErrorRegistro><tikR:DescripcionErrorRegistro>La hora</tikR:DescripcionErrorRegistro>";
    let twice = "<tikR:CodigoErrorRegistro>3000</tikR:CodigoErrorRegistro><tikR:RegistroDuplicado><tik:EstadoRegistroDuplicado>Correcta</tik:EstadoRegistroDuplicado></tikR:RegistroDuplicado>";
    let lines = [line("A1", "Correcto", ""), line("A2", "AceptadoConErrores", error), line("A3", "Incorrecto", twice)].concat();
    let read = read_answer(&answer(&lines, "90")).expect("it is an answer");
    assert_eq!((read.csv.as_deref(), read.wait_s, read.lines.len()), (Some("A-ABCD"), 90, 3));
    let states: Vec<_> = read.lines.iter().map(|line| (line.state, line.code.as_deref(), line.duplicate_of)).collect();
    assert_eq!(
        states,
        [
            (LineState::Accepted, None, None),
            (LineState::AcceptedWithErrors, Some("2004"), None),
            (LineState::Rejected, Some("3000"), Some(LineState::Accepted)),
        ]
    );
}

// EINV-5
#[test]
fn strange_answers_are_none() {
    assert_eq!(read_answer(&answer("", "99999999")).expect("an answer").wait_s, 86_400);
    assert!(matches!(read_answer(&answer("", "soon")), Err(AnswerError::Strange(_))));
    let odd = read_answer(&answer(&[line("A1", "Quizás", ""), line("A2", "Correcto", "")].concat(), "60")).expect("an answer");
    let numbers: Vec<_> = odd.lines.iter().map(|line| line.number.as_str()).collect();
    assert_eq!(numbers, ["A2"], "a line that makes no sense takes none of the others with it");
    assert!(matches!(read_answer("<html><body>503</body></html>"), Err(AnswerError::Strange(_))));
    assert!(matches!(read_answer("<!DOCTYPE x><a/>"), Err(AnswerError::Unreadable(_))));
    let fault = "<e:Envelope xmlns:e=\"x\"><e:Body><e:Fault><faultcode>env:Client</faultcode><faultstring>Codigo[4102].El XML no cumple el esquema</faultstring></e:Fault></e:Body></e:Envelope>";
    assert_eq!(read_answer(fault), Err(AnswerError::Fault("env:Client Codigo[4102].El XML no cumple el esquema".into())));
}
