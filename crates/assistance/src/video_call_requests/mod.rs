//! Requests for a video call: the repair side asks, the customer's people answer (SPEC §3, §7 Video calls, DESIGN §5).

pub(crate) mod http;
