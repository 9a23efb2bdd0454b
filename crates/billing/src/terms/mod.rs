//! Terms and price tables: their administration, what a company still has to accept, the accepted contract as PDF.
//!
//! Called by nobody but the router. *Invariant:* versions are added, never changed (`content`); what a company stands by is
//! written by `identity::companies::legal` alone.

pub mod http;
mod input;
pub(crate) mod keeping;
mod simulation;
