//! The bell: general notifications of the administrator and personal ones (`docs/rules/notifications.md`).
//!
//! Rooms write personal ones with [`crate::Outreach::notify`] inside their transaction and notify open screens with
//! [`crate::Outreach::announce`] after its commit. *Invariants:* nobody reads or marks another's notifications, or a general
//! one that is not in force for their role (NOTICE-2); HTML is sanitised before it is stored (NOTICE-12).
//!
//! A notification. [`crate::Outreach::notify`] writes a row per person and queues the push in the caller's transaction;
//! [`crate::Outreach::announce`] tells open screens after the commit, and they count again. A general notification is written
//! by the administrator, sanitised, and announced to its roles by a job at its start; each reader has a row.

mod entity;
mod error;
mod general;
pub mod html;
pub(crate) mod http;
mod model;
mod service;
mod store;

pub use error::NotificationError;
pub use general::{AnnounceGeneral, TidyNotifications, create as create_general};
pub use model::{NewGeneral, NewNotification, NoticeAction, NoticeText, RoleGroup};
pub use service::Told;
pub(crate) use service::records_of;
