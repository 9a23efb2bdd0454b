//! One case number: its calls, media, requests and notes.

pub mod http;
