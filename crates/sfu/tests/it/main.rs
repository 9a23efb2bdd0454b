//! The engine between str0m clients, without sockets and without waiting.

mod doors;
mod calls;
mod recording;
mod world;
