//! Invoices as the tax office and other programs read them, without a database: Veri*Factu records with their hashes, Facturae, and
//! EN 16931 as UBL and CII.
//!
//! Called by `billing`. *Invariants:* amounts are whole cents; what is hashed is the text that stands in the XML; what
//! people typed enters XML as text only. Rules: `docs/rules/einvoice.md`.

pub mod cii;
pub mod document;
mod en16931;
pub mod facturae;
pub mod tree;
pub mod ubl;
pub mod verifactu;
mod write;
pub mod xades;

pub use document::{BuyerCodes, DocumentLine, InvoiceDocument, Legend, LineKind, Offices, Party, Payment, Rectified};
