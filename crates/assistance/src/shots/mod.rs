//! Shot lists: what a case of a type should show, ticked in the call and asked for afterwards.

pub mod http;
