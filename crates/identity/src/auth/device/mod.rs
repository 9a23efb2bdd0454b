//! Devices that logged in to an account before (AUTH-10).

mod cookies;

pub(crate) use cookies::{Devices, remember};
