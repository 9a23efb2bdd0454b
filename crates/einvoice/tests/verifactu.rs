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
        breakdown: vec![Breakdown { rate: Percent(rate), base: Cents(base), vat: Cents(vat) }],
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
    document(&Remittance { issuer: &issuer, incident, fragments })
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
    assert!(matches!(read_answer(&answer(&line("A1", "Quizás", ""), "60")), Err(AnswerError::Strange(_))));
    assert!(matches!(read_answer("<html><body>503</body></html>"), Err(AnswerError::Strange(_))));
    assert!(matches!(read_answer("<!DOCTYPE x><a/>"), Err(AnswerError::Unreadable(_))));
    let fault = "<e:Envelope xmlns:e=\"x\"><e:Body><e:Fault><faultcode>env:Client</faultcode><faultstring>Codigo[4102].El XML no cumple el esquema</faultstring></e:Fault></e:Body></e:Envelope>";
    assert_eq!(read_answer(fault), Err(AnswerError::Fault("env:Client Codigo[4102].El XML no cumple el esquema".into())));
}
