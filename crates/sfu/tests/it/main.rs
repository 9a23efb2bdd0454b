//! The engine between str0m clients, without sockets and without waiting.

mod calls;
mod doors;
mod packets;
mod recording;
mod relay;
mod world;
