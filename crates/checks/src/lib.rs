//! Checks of what people type. Pure; the web app has the same checks, but the server has the last word.

pub mod contact;
pub mod phone;
pub mod vehicle;
