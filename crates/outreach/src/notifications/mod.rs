//! The bell: general notifications of the administrator and personal ones (SPEC §3, §4 Notifications, §7).

pub(crate) mod http;
