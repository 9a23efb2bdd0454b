//! The form of an administrator's change: Spanish, or of a taxpayer elsewhere (ABROAD-1).

use super::{FiscalChange, checked};
use crate::model::Block;
use atalaya_checks::{country, vat_number};
use atalaya_identity::companies::desk::Texts;
use atalaya_identity::companies::form::{CompanyInput, Field};
use atalaya_kernel::CompanyKind;
use atalaya_rest::FieldError;

/// Characters of a postal code outside Spain.
const POSTAL_CODE_MAX: usize = 12;

/// What the form says.
pub(super) struct Form {
    pub texts: Texts,
    /// Two letters; none: Spain.
    pub country: Option<String>,
}

/// Checks the form against what is in force: who moves to another country keeps no tax id or postal code that is none there.
pub(super) fn check(sent: &FiscalChange, present: &Block, kind: CompanyKind, errors: &mut Vec<FieldError>) -> Form {
    let named = sent.country.as_deref().map(|code| code.trim().to_ascii_uppercase());
    let code = named.unwrap_or_else(|| present.country().to_owned());
    let abroad = code != country::SPAIN;
    // The issuer's obligations here are Spanish ones.
    if !country::is_country(&code) || (abroad && kind == CompanyKind::Platform) {
        errors.push(FieldError::new("country", "INVALID"));
        return Form { texts: Texts::new(), country: present.country.clone() };
    }
    let moved = code != present.country();
    let or_present = |sent: &Option<String>, present: &Option<String>| {
        sent.clone().or_else(|| moved.then(|| present.clone().unwrap_or_default()))
    };
    let (cif, postal_code) = (or_present(&sent.cif, &present.cif), or_present(&sent.postal_code, &present.postal_code));
    let some = |text: &Option<String>| text.clone().map(Some);
    let no_region = abroad && sent.region.as_deref().is_some_and(|text| text.trim().is_empty());
    let input = CompanyInput {
        cif: cif.clone().filter(|_| !abroad).map(Some),
        company: some(&sent.company),
        address: some(&sent.address),
        postal_code: postal_code.clone().filter(|_| !abroad).map(Some),
        city: some(&sent.city),
        region: some(&sent.region).filter(|_| !no_region),
        ..CompanyInput::default()
    };
    let mut texts = checked(&input, kind, errors);
    if abroad {
        texts.extend(no_region.then_some((Field::Region, None)));
        texts.extend(cif.and_then(|text| tax_id(&code, &text, errors)));
        texts.extend(postal_code.and_then(|text| foreign_postal_code(&text, errors)));
    }
    Form { texts, country: abroad.then_some(code) }
}

fn tax_id(country: &str, text: &str, errors: &mut Vec<FieldError>) -> Option<(Field, Option<String>)> {
    let id = vat_number::check(country, text);
    if id.is_none() {
        errors.push(FieldError::new("cif", if text.trim().is_empty() { "REQUIRED" } else { vat_number::CODE }));
    }
    id.map(|id| (Field::Cif, Some(id)))
}

/// Some countries have none.
fn foreign_postal_code(text: &str, errors: &mut Vec<FieldError>) -> Option<(Field, Option<String>)> {
    let text = text.trim();
    let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, ' ' | '-');
    if text.chars().count() > POSTAL_CODE_MAX || !text.chars().all(allowed) {
        errors.push(FieldError::new("postalCode", "POSTAL_CODE_INVALID"));
        return None;
    }
    Some((Field::PostalCode, Some(text.to_owned()).filter(|text| !text.is_empty())))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn present() -> Block {
        Block { cif: Some("B64717838".into()), company: "Uno".into(), postal_code: Some("46001".into()), ..Block::default() }
    }

    fn run(sent: FiscalChange, present: &Block, kind: CompanyKind) -> (Form, Vec<(String, String)>) {
        let mut errors = Vec::new();
        let form = check(&sent, present, kind, &mut errors);
        (form, errors.into_iter().map(|error| (error.field.to_string(), error.code.to_string())).collect())
    }

    fn wrong(field: &str, code: &str) -> Vec<(String, String)> {
        vec![(field.into(), code.into())]
    }

    // ABROAD-1
    #[test]
    fn who_moves_needs_a_tax_id_and_a_postal_code_of_there() {
        let to = |code: &str| FiscalChange { country: Some(code.into()), ..FiscalChange::default() };
        let customer = CompanyKind::Customer;
        assert_eq!(run(to("pt"), &present(), customer).1, wrong("cif", "VAT_NUMBER_INVALID"), "the Spanish one is none there");
        let whole = FiscalChange {
            cif: Some("501 964 843".into()),
            postal_code: Some("1250-096".into()),
            region: Some(String::new()),
            ..to("PT")
        };
        let (form, errors) = run(whole, &present(), customer);
        assert!(errors.is_empty(), "{errors:?}");
        assert_eq!(form.country.as_deref(), Some("PT"));
        let of = |field| form.texts.iter().find(|(of, _)| *of == field).and_then(|(_, text)| text.clone());
        assert_eq!(
            (of(Field::Cif).as_deref(), of(Field::PostalCode).as_deref(), of(Field::Region)),
            (Some("PT501964843"), Some("1250-096"), None)
        );
        // And back
        let abroad = Block { cif: Some("PT501964843".into()), country: Some("PT".into()), ..present() };
        assert_eq!(run(to("ES"), &abroad, customer).1, wrong("cif", "FISCAL_INCORRECT"));
        assert!(run(FiscalChange { city: Some("Porto".into()), ..FiscalChange::default() }, &abroad, customer).1.is_empty());
        assert_eq!(run(to("XX"), &present(), customer).1, wrong("country", "INVALID"));
        assert_eq!(run(to("PT"), &present(), CompanyKind::Platform).1, wrong("country", "INVALID"));
        let long = FiscalChange { cif: Some("501964843".into()), postal_code: Some("x".repeat(13)), ..to("PT") };
        assert_eq!(run(long, &present(), customer).1, wrong("postalCode", "POSTAL_CODE_INVALID"));
    }
}
