//! An insurance company and the rules of its name. Pure.

use atalaya_kernel::{CompanyId, InsuranceId, limits};
use atalaya_rest::FieldError;
use serde_json::Value;

/// Insurance companies of one customer at most.
pub const INSURERS_MAX: usize = 500;

/// An insurance company; no tenant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Insurer {
    pub id: InsuranceId,
    pub name: String,
    /// Offered to operators; an inactive one keeps its customers.
    pub active: bool,
}

/// A customer that can be asked for a video call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    pub id: CompanyId,
    pub name: String,
    /// The province of its postal code; what it calls its region without one.
    pub region: Option<String>,
}

/// The tidied name. Codes: `REQUIRED`, `TOO_LONG`, `CHARACTERS_NOT_ALLOWED`.
pub fn tidy_name(raw: &str) -> Result<String, FieldError> {
    let name = raw.split_whitespace().collect::<Vec<_>>().join(" ");
    if name.is_empty() {
        return Err(FieldError::new("name", "REQUIRED"));
    }
    if name.chars().count() > limits::LINE_MAX {
        return Err(FieldError::new("name", "TOO_LONG").param("max", limits::LINE_MAX));
    }
    if name.chars().any(char::is_control) {
        return Err(FieldError::new("name", "CHARACTERS_NOT_ALLOWED"));
    }
    Ok(name)
}

/// Ids of insurance companies, each once. Code: `INVALID`.
pub fn parse_ids(value: &Value) -> Result<Vec<InsuranceId>, FieldError> {
    let wrong = || FieldError::new("insuranceCompanies", "INVALID");
    let list = value.as_array().filter(|list| list.len() <= INSURERS_MAX).ok_or_else(wrong)?;
    let mut ids = list.iter().map(|id| id.as_str()?.parse().ok()).collect::<Option<Vec<InsuranceId>>>().ok_or_else(wrong)?;
    ids.sort_unstable();
    ids.dedup();
    Ok(ids)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_tidied() {
        assert_eq!(tidy_name("  Mutua   del Ebro ").as_deref(), Ok("Mutua del Ebro"));
        let code = |raw: &str| tidy_name(raw).unwrap_err().code.into_owned();
        assert_eq!(code("   "), "REQUIRED");
        assert_eq!(code(&"a".repeat(201)), "TOO_LONG");
        assert_eq!(code("a\u{7}b"), "CHARACTERS_NOT_ALLOWED");
    }
}
