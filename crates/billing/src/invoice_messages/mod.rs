//! What a recipient said of an electronic invoice: accepted, rejected, paid (art. 12 Ley 18/2022, RD 238/2026), kept one after the other.
//!
//! Behind the setting `invoice_messages`, off until the duty holds. *Invariants:* a message is never changed or deleted; none moves the
//! invoice itself, whose payment is that of `invoices`. Rules: `docs/rules/einvoice.md`, EINV-16 and EINV-17.

mod entity;
pub(crate) mod http;
mod model;
mod store;
