//! The client's page of a request: what is requested and what arrived, opening it, finishing it, previews of pictures.
//!
//! Called by the page under `/external/files`. *Invariant:* reading a link changes nothing, so that a preview robot does no harm.

pub mod http;
