//! Checks of what people type. Pure; the web app has the same checks, but the server has the last word.

pub mod browser;
pub mod contact;
pub mod country;
pub mod creditor;
pub mod iban;
pub mod password;
pub mod phone;
pub mod place;
pub mod province;
pub mod sharpness;
pub mod tax_id;
pub mod user_name;
pub mod vat_number;
pub mod vehicle;
