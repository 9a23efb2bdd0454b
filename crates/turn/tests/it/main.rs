//! The relay with clients that are written here, without sockets and without waiting.

mod client;
mod limits;
mod relaying;
mod requests;
