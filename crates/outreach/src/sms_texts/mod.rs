//! The company's own words and name in the SMS to its clients (SPEC §7 sms-conference-*, DOMAIN §6.7).
//!
//! Called by the page of a company's principal and by administrators, who keep the registration of sender names. The
//! values belong to the company and lie with it (`identity::companies::sms`); the rules are here.

mod ceilings;
mod error;
pub(crate) mod http;
mod model;
mod service;

pub use ceilings::TellCeiling;
pub use error::SmsTextError;
