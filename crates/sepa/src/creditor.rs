//! The creditor identifier, which names us in direct debits (SEPA-1).

/// Why an identifier cannot be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CreditorError {
    #[error("not a Spanish tax id")]
    TaxId,
    #[error("the suffix has three letters or digits")]
    Suffix,
}

/// A valid creditor identifier of any SEPA country.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CreditorId(pub(crate) sepa::CreditorId);

impl CreditorId {
    /// The Spanish one: `ES`, two check digits, the bank's suffix (`000` when it named none), the tax id.
    ///
    /// Errors: [`CreditorError`].
    pub fn spanish(tax_id: &str, suffix: &str) -> Result<Self, CreditorError> {
        let nif = atalaya_checks::tax_id::normalise(tax_id);
        atalaya_checks::tax_id::check(&nif).map_err(|_| CreditorError::TaxId)?;
        let suffix = suffix.trim().to_ascii_uppercase();
        if suffix.len() != 3 || !suffix.bytes().all(|b| b.is_ascii_alphanumeric()) {
            return Err(CreditorError::Suffix);
        }
        // The suffix is not part of the check: banks may give one creditor several.
        let check = sepa::creditor_id::creditor_id_check_digits(&nif, "ES");
        Self::parse(&format!("ES{check}{suffix}{nif}")).ok_or(CreditorError::TaxId)
    }

    /// An identifier as written; `None` when it is wrong, separators included.
    pub fn parse(raw: &str) -> Option<Self> {
        if !raw.bytes().all(|b| b.is_ascii_alphanumeric()) {
            return None;
        }
        let id = sepa::validate_creditor_id(raw).ok()?;
        // Spanish ones have nine characters of tax id behind the suffix.
        (!raw.starts_with("ES") || raw.len() == 16).then_some(Self(id))
    }

    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }
}
