use super::*;
use proptest::prelude::*;
use serde_json::Value;

fn vectors() -> Value {
    serde_json::from_str(include_str!("../../../../vectors/iban.json")).unwrap()
}

fn reason(error: IbanError) -> &'static str {
    match error {
        IbanError::Format => "format",
        IbanError::Country => "country",
        IbanError::Length => "length",
        IbanError::Bban => "bban_format",
        IbanError::CheckDigits => "check_digits_range",
        IbanError::Checksum => "checksum",
        IbanError::Ccc => "ccc",
    }
}

#[test]
fn both_levels_of_every_vector() {
    for case in vectors()["cases"].as_array().unwrap() {
        let input = case["input"].as_str().unwrap();
        assert_eq!(passes_form_check(input), case["seed"] == true, "form: {input}");
        let found = Iban::parse(input);
        assert_eq!(found.as_ref().err().copied().map(reason), case["reason"].as_str(), "{input}");
        if let Ok(iban) = found {
            assert_eq!(iban.as_str(), case["normalized"].as_str().unwrap());
        }
    }
}

#[test]
fn accounts() {
    for case in vectors()["ccc_cases"].as_array().unwrap() {
        let text = |key: &str| case[key].as_str().unwrap().to_owned();
        let iban = Iban::from_ccc(&text("ccc")).unwrap();
        assert_eq!((iban.as_str(), iban.ccc()), (text("iban").as_str(), Some(text("ccc").as_str())));
        assert_eq!(iban.entity(), Some(text("entity").as_str()));
        assert_eq!(control_digits(&format!("{}{}", text("entity"), text("office")), &text("account")), text("control"));
    }
}

#[test]
fn the_registry_is_the_vectors() {
    let vectors = vectors();
    let lengths = vectors["lengths"].as_object().unwrap();
    assert_eq!(registry::COUNTRIES.len(), lengths.len());
    assert!(registry::COUNTRIES.is_sorted() && banks::BANKS.is_sorted());
    for (code, expected) in lengths {
        assert_eq!(length(code).map(|l| l as u64), expected.as_u64(), "{code}");
        let sepa = vectors["sepa_countries"].as_array().unwrap().iter().any(|c| c == code);
        assert_eq!(country(code).unwrap().1, sepa, "{code}");
    }
}

#[test]
fn people_see_a_masked_account() {
    let iban = Iban::parse("ES91 2100 0418 4502 0005 1332").unwrap();
    assert_eq!(iban.masked(), "ES91 **** **** **** **** 1332");
    assert_eq!(format!("{iban:?}"), "Iban(ES91 **** **** **** **** 1332)");
    assert!(is_masked(&iban.masked()) && !is_masked(iban.as_str()));
    assert_eq!((iban.country(), iban.last4(), iban.is_sepa()), ("ES", "1332", true));
    assert_eq!(iban.entity().and_then(bank_name), Some("CaixaBank"));
    let norwegian = Iban::parse("NO93 8601 1117 947").unwrap();
    assert_eq!(norwegian.masked(), "NO93 **** ***7 947");
    assert_eq!((norwegian.ccc(), norwegian.entity()), (None, None));
}

proptest! {
    #[test]
    fn from_account_to_iban_and_back(entity_and_office in 0..100_000_000_u64, number in 0..10_000_000_000_u64) {
        let (head, tail) = (format!("{entity_and_office:08}"), format!("{number:010}"));
        let ccc = format!("{head}{}{tail}", control_digits(&head, &tail));
        let iban = Iban::from_ccc(&ccc).unwrap();
        prop_assert_eq!(iban.ccc(), Some(ccc.as_str()));
        prop_assert_eq!(Iban::parse(&iban.as_str().to_lowercase()), Ok(iban));
    }

    #[test]
    fn one_changed_digit_is_found(number in 0..10_000_000_000_u64, at in 4..24_usize, by in 1..10_u8) {
        let tail = format!("{number:010}");
        let iban = Iban::from_ccc(&format!("21000418{}{tail}", control_digits("21000418", &tail))).unwrap();
        let mut bytes = iban.as_str().as_bytes().to_vec();
        bytes[at] = b'0' + (bytes[at] - b'0' + by) % 10;
        prop_assert!(Iban::parse(std::str::from_utf8(&bytes).unwrap()).is_err());
    }

    #[test]
    fn any_text_is_answered(text in "\\PC{0,40}") {
        let _ = (Iban::parse(&text), passes_form_check(&text));
    }
}
