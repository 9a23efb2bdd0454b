//! What a creditor of direct debits has beside its account.

/// A BIC without white space and in upper case (ISO 9362): four letters of the bank, two of the country, two of the place,
/// perhaps three of the branch. `None` for anything else.
pub fn bic(raw: &str) -> Option<String> {
    let text: String = raw.split_whitespace().collect::<String>().to_ascii_uppercase();
    let bytes = text.as_bytes();
    let right = matches!(bytes.len(), 8 | 11)
        && bytes[..6].iter().all(u8::is_ascii_uppercase)
        && bytes[6..].iter().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit());
    right.then_some(text)
}

/// The suffix of a SEPA creditor identifier: three letters or digits, in upper case.
pub fn suffix(raw: &str) -> Option<String> {
    let text = raw.trim().to_ascii_uppercase();
    (text.len() == 3 && text.bytes().all(|b| b.is_ascii_alphanumeric())).then_some(text)
}
