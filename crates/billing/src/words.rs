//! Amounts, days and banks' codes as people read them.

use atalaya_content::languages::{find, format, text};
use atalaya_kernel::Language;
use atalaya_tariff::Cents;
use chrono::{Datelike, NaiveDate};

pub(crate) use format::{day, month};

/// Of documents that are always Spanish: bank files and records for the tax office.
const SPANISH_MONTHS: [&str; 12] =
    ["enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto", "septiembre", "octubre", "noviembre", "diciembre"];

/// `1.548,92 €`.
pub fn euros(amount: Cents, language: Language) -> String {
    format!("{} €", format::cents(amount.0, language))
}

/// `octubre`.
pub(crate) fn spanish_month(date: NaiveDate) -> &'static str {
    SPANISH_MONTHS.get(date.month0() as usize).copied().unwrap_or_default()
}

/// A bank's reason code as people read it: `Motivo {code}` for one that is not in the table.
pub fn reason(code: &str, language: Language) -> String {
    let known = find(language, "documents", &format!("reason_{}", code.to_lowercase()));
    known.map_or_else(|| text(language, "documents", "reason_unknown").replace("{code}", code), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use atalaya_sepa::reasons;

    // BANK-5
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

    #[test]
    fn amounts_are_written_as_on_invoices() {
        let euros = |cents| euros(Cents(cents), Language::Es);
        assert_eq!(
            (euros(3630), euros(123_450), euros(7), euros(123_456_789)),
            ("36,30 €".into(), "1.234,50 €".into(), "0,07 €".into(), "1.234.567,89 €".into())
        );
    }
}
