//! The street door: configuration, wiring, HTTP front, start and stop of the process.
//!
//! Called by the binary and by the test kit. *Invariant:* everything is built once in [`app::build`] and handed down;
//! nothing below this crate reads the environment, opens a port or knows its neighbours.

mod about;
pub mod admin;
mod api_page;
pub mod app;
pub mod assets;
pub mod audit;
pub mod backup;
pub mod cli;
mod client_pages;
mod compression;
pub mod config;
pub mod deep;
pub mod demo;
mod demo_invoices;
mod demo_notifications;
pub mod doctor;
pub mod evidence_key;
pub mod head;
pub mod health;
pub mod keys;
pub mod lock;
pub mod media;
pub mod outbox;
mod page_policy;
mod private_file;
mod reads;
mod schedule;
pub mod serve;
pub mod setup;
pub mod sockets;
pub mod start;
pub mod telemetry;
pub mod tls;
