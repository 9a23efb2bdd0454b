//! Billing: what a customer's connections of a month cost (DOMAIN §4.7).
//!
//! Pure so far: no database, no clock. Called by the server's `billing simulate`.

pub mod tariff;
