//! Billing's documents: facts in, bytes out. No database, no clock, no network.
//!
//! Called by `billing`, which gathers the facts and keeps the bytes. *Invariant:* the same facts give the same bytes.
//! Rules: `docs/rules/documents.md`.

mod contract;
mod invoice;
mod mandate;
mod words;

pub use atalaya_pdf::PdfError;
pub use contract::{Acceptance, ContractCompany, ContractFacts};
pub use invoice::{ConnectionLine, InvoiceFacts, Seal, invoice_pdf};
pub use mandate::{MandateFacts, MandateParty, mandate_pdf};

/// An IBAN in groups of four, as banks print it.
pub fn in_fours(iban: &str) -> String {
    let letters: Vec<char> = iban.chars().filter(|c| !c.is_whitespace()).collect();
    letters.chunks(4).map(|four| four.iter().collect::<String>()).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    // PRINT-3
    #[test]
    fn an_account_is_printed_in_fours() {
        assert_eq!(super::in_fours("ES7921000813610123456789"), "ES79 2100 0813 6101 2345 6789");
    }
}
