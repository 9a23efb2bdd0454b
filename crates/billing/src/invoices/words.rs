//! Amounts and days as people write them.

use atalaya_content::languages::format;
use atalaya_kernel::Language;
use atalaya_tariff::Cents;

pub(crate) use format::{day, month};

/// `1.548,92 €`.
pub(crate) fn euros(amount: Cents, language: Language) -> String {
    format!("{} €", format::cents(amount.0, language))
}
