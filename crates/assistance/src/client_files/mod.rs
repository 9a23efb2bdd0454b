//! Requests for files by a link, and the client's uploads into them (SPEC §4 Media requests, §5 Client-file request).

pub mod http;
