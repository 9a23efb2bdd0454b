//! The published and our own vectors: identifiers, texts, days.

use atalaya_sepa::{CreditorId, target, text};
use chrono::{Datelike, NaiveDate};
use serde_json::Value;

fn vectors(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

// SEPA-1
#[test]
fn creditor_identifiers() {
    let all = vectors(include_str!("../../../vectors/sepa_creditor_id.json"));
    let cases = all["cases"].as_array().unwrap();
    assert!(cases.len() >= 10);
    for case in cases {
        let (nif, suffix) = (case["nif"].as_str().unwrap(), case["suffix"].as_str().unwrap());
        let id = CreditorId::spanish(nif, suffix).unwrap();
        assert_eq!(id.as_str(), case["creditor_id"], "{nif} {suffix}");
        assert_eq!(CreditorId::parse(id.as_str()), Some(id), "it is its own proof");
    }
    for case in all["invalid"].as_array().unwrap() {
        assert_eq!(CreditorId::parse(case["creditor_id"].as_str().unwrap()), None, "{case}");
    }
    for case in all["other_countries"].as_array().unwrap() {
        assert!(CreditorId::parse(case["creditor_id"].as_str().unwrap()).is_some(), "{case}");
    }
    assert!(CreditorId::spanish("B85626241", "000").is_err() && CreditorId::spanish("B85626240", "00").is_err());
}

// SEPA-2
#[test]
fn texts_and_identifiers() {
    let all = vectors(include_str!("../../../vectors/sepa_text_dates.json"));
    for case in all["text"].as_array().unwrap() {
        let max = case["max"].as_u64().map_or(usize::MAX, |max| max.try_into().unwrap());
        assert_eq!(text::latin(case["input"].as_str().unwrap(), max), case["output"].as_str().unwrap(), "{case}");
    }
    for id in all["ids"]["valid"].as_array().unwrap() {
        assert!(text::is_identifier(id.as_str().unwrap()), "{id}");
    }
    for id in all["ids"]["invalid"].as_array().unwrap() {
        assert!(!text::is_identifier(id.as_str().unwrap()), "{id}");
    }
}

// SEPA-3
#[test]
fn days_of_target() {
    let all = vectors(include_str!("../../../vectors/sepa_text_dates.json"));
    for (year, listed) in all["target"]["holidays"].as_object().unwrap() {
        let listed: Vec<NaiveDate> =
            listed.as_array().unwrap().iter().map(|day| day.as_str().unwrap().parse().unwrap()).collect();
        let mut day: NaiveDate = format!("{year}-01-01").parse().unwrap();
        while day.year().to_string() == *year {
            let weekend = day.weekday().number_from_monday() > 5;
            assert_eq!(target::is_open(day), !weekend && !listed.contains(&day), "{day}");
            day = day.succ_opt().unwrap();
        }
    }
    let number = |value: &Value| u32::try_from(value.as_u64().unwrap()).unwrap();
    let cases = all["target"]["collection_date"].as_array().unwrap();
    assert_eq!(cases.len(), 8);
    for case in cases {
        let issued = case["issue_date"].as_str().unwrap().parse().unwrap();
        let asked = target::collection(issued, number(&case["notice_days"]), number(&case["lead_business_days"]));
        assert_eq!(asked.to_string(), case["requested_collection_date"], "{case}");
    }
}
