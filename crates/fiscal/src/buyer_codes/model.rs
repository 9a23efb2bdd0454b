//! Which codes there can be. Pure.

use atalaya_rest::FieldError;

/// BT-10 of EN 16931 has no limit; a form has one.
const REFERENCE_MAX: usize = 100;
/// Codes of the directory DIR3: `L01280796`, `EA0003089`.
const DIR3_LENGTH: usize = 9;

/// The offices of a public body, by their codes in the directory DIR3.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offices {
    pub accounting: String,
    pub managing: String,
    pub processing: String,
}

/// What a company wants to read on electronic invoices to it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BuyerCodes {
    pub reference: Option<String>,
    pub offices: Option<Offices>,
}

/// As somebody typed them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Typed {
    pub reference: Option<String>,
    pub accounting: Option<String>,
    pub managing: Option<String>,
    pub processing: Option<String>,
}

/// Checks what was typed.
///
/// Errors: `TOO_LONG` on `reference`; of the offices `REQUIRED`, when others are there, and `INVALID`.
pub(crate) fn checked(typed: Typed) -> Result<BuyerCodes, Vec<FieldError>> {
    let mut wrong = Vec::new();
    let some = |text: Option<String>| text.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
    let reference = some(typed.reference);
    if reference.as_ref().is_some_and(|text| text.chars().count() > REFERENCE_MAX) {
        wrong.push(FieldError::new("reference", "TOO_LONG").param("max", REFERENCE_MAX));
    }
    let codes =
        [("accounting", some(typed.accounting)), ("managing", some(typed.managing)), ("processing", some(typed.processing))];
    let body = codes.iter().any(|(_, code)| code.is_some());
    for (field, code) in &codes {
        match code {
            None if body => wrong.push(FieldError::new(*field, "REQUIRED")),
            Some(code) if !is_dir3(code) => wrong.push(FieldError::new(*field, "INVALID")),
            _ => {}
        }
    }
    if !wrong.is_empty() {
        return Err(wrong);
    }
    let offices = match codes.map(|(_, code)| code.map(|code| code.to_ascii_uppercase())) {
        [Some(accounting), Some(managing), Some(processing)] => Some(Offices { accounting, managing, processing }),
        _ => None,
    };
    Ok(BuyerCodes { reference, offices })
}

/// Nine letters and digits, a letter first.
fn is_dir3(code: &str) -> bool {
    code.len() == DIR3_LENGTH
        && code.bytes().all(|byte| byte.is_ascii_alphanumeric())
        && code.starts_with(|first: char| first.is_ascii_alphabetic())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(offices: [&str; 3]) -> Typed {
        let [accounting, managing, processing] = offices.map(|code| Some(code.to_owned()));
        Typed { reference: None, accounting, managing, processing }
    }

    fn fields(typed: Typed) -> Vec<(String, String)> {
        let errors = checked(typed).expect_err("something is wrong");
        errors.iter().map(|error| (error.field.to_string(), error.code.to_string())).collect()
    }

    // EINV-14
    #[test]
    fn a_body_has_three_offices_with_codes_of_the_directory() {
        let good = checked(typed([" l01280796", "EA0003089", "GE0000123"])).expect("they are right");
        assert_eq!(good.offices.map(|offices| offices.accounting).as_deref(), Some("L01280796"));
        let of = |field: &str, code: &str| (field.to_owned(), code.to_owned());
        assert_eq!(fields(typed(["L01280796", "", " "])), [of("managing", "REQUIRED"), of("processing", "REQUIRED")]);
        for code in ["L0128079", "L012807966", "101280796", "L0128079-", "L0128079ñ"] {
            assert_eq!(fields(typed([code, "EA0003089", "GE0000123"])), [of("accounting", "INVALID")], "{code}");
        }
    }

    // EINV-14
    #[test]
    fn nothing_typed_is_nothing_stored() {
        assert_eq!(checked(typed(["", " ", ""])), Ok(BuyerCodes::default()));
        let long = Typed { reference: Some("x".repeat(101)), ..Typed::default() };
        assert_eq!(fields(long), [("reference".to_owned(), "TOO_LONG".to_owned())]);
        let named = Typed { reference: Some(" Pedido 7 ".into()), ..Typed::default() };
        assert_eq!(checked(named).expect("it is right").reference.as_deref(), Some("Pedido 7"));
    }
}
