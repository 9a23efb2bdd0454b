//! Whatever people type and however many records there are: well-formed XML with their text in it, and a whole chain.

use atalaya_einvoice::cii::cii;
use atalaya_einvoice::facturae::facturae;
use atalaya_einvoice::tree::parse;
use atalaya_einvoice::ubl::ubl;
use atalaya_einvoice::verifactu::*;
use atalaya_einvoice::{BuyerCodes, DocumentLine, InvoiceDocument, LineKind, Party, Rectified};
use atalaya_tariff::{Cents, Percent};
use chrono::{DateTime, NaiveDate, TimeDelta};
use proptest::prelude::*;

fn person(name: &str) -> Person {
    Person { name: name.into(), nif: "B12345674".into() }
}

fn invoice_id(number: usize) -> InvoiceId {
    let issue_date = NaiveDate::from_ymd_opt(2026, 11, 3).expect("a date");
    InvoiceId { issuer: "B12345674".into(), number: format!("A2026-{number:06}"), issue_date }
}

fn record(number: usize, text: &str, cents: i64, annul: bool, previous: Option<Previous>) -> Record {
    let id = invoice_id(number);
    let body = if annul {
        Body::Annulment(Annulment { id, without_record: cents % 2 == 0, rejected_before: cents % 3 == 0 })
    } else {
        Body::Registration(Box::new(Registration {
            id,
            issuer_name: text.into(),
            correction: Correction::None,
            kind: if cents < 0 { InvoiceType::R1 } else { InvoiceType::F1 },
            rectifies: if cents < 0 { vec![invoice_id(0)] } else { vec![] },
            operation_date: None,
            description: text.into(),
            recipient: person(text),
            elsewhere: None,
            tax: Tax::Iva,
            breakdown: vec![Breakdown { regime: Regime::General, rate: Percent(2100), base: Cents(cents), vat: Cents(0) }],
            vat: Cents(0),
            total: Cents(cents),
        }))
    };
    let system =
        System { producer: person(text), name: text.into(), id: "AT".into(), version: "1".into(), installation: text.into() };
    let at = DateTime::from_timestamp(1_795_000_000, 0).expect("a time") + TimeDelta::seconds(number as i64);
    Record { body, previous, system, at }
}

fn chain(steps: &[(String, i64, bool)]) -> Vec<String> {
    let mut previous = None;
    let link = |(number, (text, cents, annul)): (usize, &(String, i64, bool))| {
        let record = record(number, text, *cents, *annul, previous.take());
        previous = Some(Previous { id: record.body.id().clone(), hash: record.hash() });
        fragment(&record)
    };
    steps.iter().enumerate().map(link).collect()
}

/// As the schema's texts are written: without control characters, single spaces.
fn words(text: &str) -> Vec<String> {
    let parts = text.split(|c: char| c.is_whitespace() || c.is_control() || matches!(c, '\u{FFFE}' | '\u{FFFF}'));
    parts.filter(|part| !part.is_empty()).map(str::to_owned).collect()
}

proptest! {
    // EINV-3
    #[test]
    fn every_chain_is_whole_and_every_change_of_it_is_found(
        steps in prop::collection::vec((".{0,80}", -9_999_999_i64..9_999_999, any::<bool>()), 1..20),
        place in any::<prop::sample::Index>(),
    ) {
        let fragments = chain(&steps);
        let all = |fragments: &[String]| check(fragments.iter().map(String::as_str), None);
        prop_assert_eq!(all(&fragments), Ok(()));
        let index = place.index(fragments.len());
        let mut changed = fragments.clone();
        changed[index] = changed[index].replacen("A2026-", "B2026-", 1);
        prop_assert_eq!(all(&changed), Err(Break { index, fault: Fault::Hash }));
        let mut without = fragments.clone();
        without.remove(index);
        prop_assert_eq!(all(&without).is_ok(), index + 1 == fragments.len());
    }

    // EINV-6
    #[test]
    fn what_people_type_is_text(text in any::<String>()) {
        let xml = fragment(&record(1, &text, 100, false, None));
        let tree = parse(&xml).expect("well-formed");
        let shown = tree.text_at(&["DescripcionOperacion"]);
        prop_assert!(shown.chars().count() <= 500);
        if text.chars().count() < 400 {
            prop_assert_eq!(words(shown).concat(), words(&text).concat());
        }
        prop_assert!(tree.text_at(&["NombreRazonEmisor"]).chars().count() <= 120);
    }

    // EINV-6
    #[test]
    fn so_it_is_in_facturae_ubl_and_cii(text in any::<String>(), cents in -99_999_i64..99_999) {
        let date = NaiveDate::from_ymd_opt(2026, 11, 3).expect("a date");
        let party = |nif: &str| Party { name: text.clone(), nif: nif.into(), address: text.clone(), ..Party::default() };
        let invoice = InvoiceDocument {
            number: "R2026-000001".into(),
            issue_date: date,
            operation_date: date,
            period_from: date,
            period_to: date,
            due_date: date,
            issuer: party("B12345674"),
            recipient: party("12345678Z"),
            language: "es".into(),
            lines: vec![DocumentLine { kind: LineKind::Text { text: text.clone() }, quantity: None, unit: None, amount: Cents(cents) }],
            base: Cents(cents),
            vat_rate: 0,
            vat: Cents(0),
            total: Cents(cents),
            regime: atalaya_tariff::VatRegime::General,
            payment: None,
            transfer_iban: None,
            buyer: BuyerCodes::default(),
            rectifies: Some(Rectified { number: "A2026-000001".into(), issue_date: date, reason: text.clone(), unpaid: false }),
        };
        let tree = parse(&facturae(&invoice, Some(&text))).expect("well-formed");
        let total = tree.find("InvoiceTotal").map(|element| element.text.clone());
        prop_assert_eq!(total, Some(Cents(cents).to_string()));
        for (xml, name) in [(ubl(&invoice, Some(&text)), "PayableAmount"), (cii(&invoice, Some(&text)), "DuePayableAmount")] {
            let tree = parse(&xml).expect("well-formed");
            prop_assert_eq!(tree.find(name).map(|element| element.text.clone()), Some(Cents(cents.abs()).to_string()));
        }
    }

    // EINV-5
    #[test]
    fn no_answer_breaks_the_reader(text in any::<String>(), cut in 0_usize..400) {
        let _ = read_answer(&text);
        let good = "<R><RespuestaRegFactuSistemaFacturacion><CSV>A</CSV><TiempoEsperaEnvio>60</TiempoEsperaEnvio><RespuestaLinea><EstadoRegistro>Correcto</EstadoRegistro></RespuestaLinea></RespuestaRegFactuSistemaFacturacion></R>";
        let _ = read_answer(good.get(..cut.min(good.len())).unwrap_or(good));
    }
}
