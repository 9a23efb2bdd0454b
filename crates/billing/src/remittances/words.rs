//! The bank's codes in words.

use atalaya_content::languages::{find, text};
use atalaya_kernel::Language;

/// A reason code as people read it: `Motivo {code}` for one that is not in the table (DOMAIN §3.8).
pub(crate) fn reason(code: &str, language: Language) -> String {
    let known = find(language, "documents", &format!("reason_{}", code.to_lowercase()));
    known.map_or_else(|| text(language, "documents", "reason_unknown").replace("{code}", code), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use atalaya_sepa::reasons;

    #[test]
    fn every_code_of_the_table_has_its_words() {
        for code in reasons::codes() {
            for language in Language::ALL {
                assert!(!reason(code, language).contains(code), "{code} {language:?}");
            }
        }
        assert_eq!(reason("AM04", Language::Es), "Saldo insuficiente");
        assert_eq!(reason("ZZ99", Language::En), "Reason ZZ99");
    }
}
