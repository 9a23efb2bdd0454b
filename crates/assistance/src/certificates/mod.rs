//! Seals, time stamps, the certificate of a case and its public verification (DOMAIN §5).

pub mod http;
