//! Invoices as the tax office reads them, without a database: Veri*Factu records with their hashes, and Facturae.
//!
//! Called by `billing`. *Invariants:* amounts are whole cents; what is hashed is the text that stands in the XML; what
//! people typed enters XML as text only. Rules: `docs/rules/einvoice.md`.

pub mod document;
pub mod facturae;
pub mod tree;
pub mod verifactu;
mod write;

pub use document::{DocumentLine, InvoiceDocument, Legend, LineKind, Party, Payment, Rectified};
