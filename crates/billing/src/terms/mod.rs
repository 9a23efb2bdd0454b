//! Terms and price tables: their administration, what a company still has to accept, the accepted contract as PDF.
//!
//! Called by the router only. *Invariant:* versions are added, never changed (`content`); what a company accepted is
//! written by `identity::terms_acceptance` alone.
//!
//! A change of terms. An administrator publishes a text or a price table; the principal's next log-in shows what changed;
//! `legal-accept` writes both texts and the table with proof and ends the acceptance that was in force. A connection is priced
//! by the acceptance in force when it began. Rules: `docs/rules/terms.md`.

pub mod contracts;
pub mod http;
