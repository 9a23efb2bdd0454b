use super::*;
use serde_json::{Value, json};

fn good() -> Value {
    json!({
        "name": " Ana Ruiz ", "company": "Peritos Núñez, S.L.", "cif": "b-64717838", "address": "Calle Mayor, 1",
        "city": "Valencia", "region": "Valencia", "postalCode": "46001", "email": "ana@ejemplo.es",
        "phone": "", "mobile": "600 12 31 23", "bankAccount": "es91 2100 0418 4502 0005 1332"
    })
}

fn input(changes: Value) -> CompanyInput {
    let mut all = good();
    all.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
    serde_json::from_value(all).unwrap()
}

fn codes(changes: Value, purpose: Purpose) -> Vec<(String, String)> {
    let errors = check(&input(changes), purpose).err().unwrap_or_default();
    errors.into_iter().map(|error| (error.field.into_owned(), error.code.into_owned())).collect()
}

const CUSTOMER: Purpose = Purpose::Update(CompanyKind::Customer);

#[test]
fn a_good_form_is_tidied() {
    let checked = check(&input(json!({})), Purpose::Create).unwrap();
    assert_eq!(checked.get(Field::Name), Some("Ana Ruiz"));
    assert_eq!(checked.get(Field::Cif), Some("B64717838"));
    assert_eq!(checked.get(Field::Mobile), Some("+34600123123"));
    assert_eq!(checked.get(Field::Phone), None);
    assert_eq!(checked.bank_account, BankAccount::Set(Iban::parse("ES9121000418450200051332").unwrap()));
}

// COMPANY-2
#[test]
fn each_field_has_its_mistakes() {
    let long = "a".repeat(201);
    for (field, value, code) in [
        ("name", "", "REQUIRED"),
        ("name", &long, "TOO_LONG"),
        ("company", &long, "TOO_LONG"),
        ("company", "a\u{0}b", "CHARACTERS_NOT_ALLOWED"),
        ("cif", "", "REQUIRED"),
        ("cif", "12345678A", "FISCAL_INCORRECT"),
        ("address", " ", "REQUIRED"),
        ("city", "", "REQUIRED"),
        ("region", "", "REQUIRED"),
        ("postalCode", "", "REQUIRED"),
        ("postalCode", "53001", "POSTAL_CODE_INVALID"),
        ("email", "", "REQUIRED"),
        ("email", "ana@", "EMAIL_INVALID"),
        ("phone", "12345678", "PHONE_INCORRECT"),
        ("phone", "+34600123123600123123", "PHONE_TOO_LONG"),
        ("mobile", "", "PHONE_REQUIRED"),
        ("mobile", "+34", "PHONE_REQUIRED"),
        ("mobile", "6001", "PHONE_INCORRECT"),
        ("bankAccount", "ES9121000418450200051333", "IBAN_INCORRECT"),
        ("bankAccount", "ES82", "IBAN_INCORRECT"),
    ] {
        let expected = vec![(field.to_owned(), code.to_owned())];
        assert_eq!(codes(json!({field: value}), Purpose::Create), expected, "{field}: {value}");
        assert_eq!(codes(json!({field: value}), CUSTOMER), expected, "{field}: {value}");
    }
    assert!(codes(json!({"phone": "+34"}), Purpose::Create).is_empty(), "a prefix alone is no phone");
}

// COMPANY-2
#[test]
fn all_mistakes_are_told_together() {
    let wrong = json!({"name": "", "cif": "x", "postalCode": "1", "email": "x", "mobile": "", "bankAccount": "ES00"});
    let fields: Vec<String> = codes(wrong, Purpose::Create).into_iter().map(|(field, _)| field).collect();
    assert_eq!(fields, ["name", "cif", "postalCode", "email", "mobile", "bankAccount"]);
    let errors = check(&CompanyInput::default(), Purpose::Create).unwrap_err();
    assert_eq!(errors.len(), 8, "what a new company lacks is missing");
}

// COMPANY-3
#[test]
fn a_change_leaves_what_was_not_sent() {
    let checked = check(&CompanyInput::default(), CUSTOMER).unwrap();
    assert_eq!(checked, Checked::default());
    let only: CompanyInput = serde_json::from_value(json!({"phone": null, "bankAccount": null})).unwrap();
    let checked = check(&only, CUSTOMER).unwrap();
    assert_eq!((checked.texts, checked.bank_account), (vec![(Field::Phone, None)], BankAccount::Clear));
    assert_eq!(codes(json!({"cif": null}), CUSTOMER), [("cif".to_owned(), "REQUIRED".to_owned())]);
}

// ACCOUNT-1
#[test]
fn a_masked_account_sent_back_is_unchanged() {
    let masked = input(json!({"bankAccount": "ES91 **** **** **** **** 1332"}));
    assert_eq!(check(&masked, CUSTOMER).unwrap().bank_account, BankAccount::Keep);
    assert!(check(&masked, Purpose::Create).is_err(), "a new company has none to keep");
}

// COMPANY-3
#[test]
fn who_trades_under_the_own_name_leaves_the_firm_empty() {
    let checked = check(&input(json!({"company": ""})), Purpose::Create).unwrap();
    assert_eq!(checked.get(Field::Company), Some("Ana Ruiz"));
}

// COMPANY-5
#[test]
fn the_platform_s_data_are_completed_step_by_step() {
    let purpose = Purpose::Update(CompanyKind::Platform);
    let emptied = json!({"cif": "", "address": "", "city": "", "region": "", "postalCode": "", "email": "", "mobile": ""});
    assert!(codes(emptied, purpose).is_empty());
    assert_eq!(codes(json!({"cif": "x"}), purpose).len(), 1);
}
