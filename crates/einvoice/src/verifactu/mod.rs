//! Veri*Factu: records of issued and annulled invoices, their chain of hashes, how they are sent and answered.
//!
//! Source: EINV-1 to EINV-5 (RD 1007/2023, Orden HAC/1177/2024, AEAT documents of hash and QR).

mod answer;
mod chain;
mod flaw;
mod hash;
mod qr;
mod record;
mod xml;

pub use answer::{Answer, AnswerError, AnswerLine, LineState, read_answer};
pub use chain::{Break, Fault, check};
pub use flaw::flaw;
pub use hash::{Hashed, annulment_text, fingerprint, registration_text};
pub use qr::{Environment, qr_url};
pub use record::{
    Annulment, Body, Breakdown, Correction, Elsewhere, InvoiceId, InvoiceType, Person, Previous, Record, Regime, Registration,
    System, Tax, day, moment,
};
pub use xml::{Inquiry, Remittance, Words, document, fragment, soap, words};

/// Records of one call at most (art. 16).
pub const MOST_PER_CALL: usize = 1000;
