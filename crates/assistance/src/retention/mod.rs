//! How long media stay, erasure with proof, and export of a person's data (SPEC §4 Media requests; DOMAIN §6.3, §6.4).

pub mod http;
pub mod model;
