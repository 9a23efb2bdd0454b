//! The company's own text and sender name in the SMS to its clients (`docs/rules/sms_texts.md`).
//!
//! Called by the page of a company's principal and by administrators, who keep the registration of sender names. The
//! values belong to the company and are stored with it (`identity::companies::sms`); the rules are here.

mod ceilings;
mod error;
pub(crate) mod http;
mod model;
mod service;

pub use ceilings::TellCeiling;
pub use error::SmsTextError;
