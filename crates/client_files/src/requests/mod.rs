//! Requests for files: asking, cancelling, sending again and reviewing, and what a link still allows.
//!
//! Called by staff's screens, the case's page and the public API; `uploads` and `pages` find a request by its link. `service`
//! asks and reviews; `link` is what the client's link still allows; `notices` writes what is due.

mod entity;
pub mod http;
pub mod link;
pub mod messages;
pub mod model;
pub mod notices;
mod rows;
pub mod service;
mod store;
pub mod view;

pub use link::{Link, call_back, state_of};
pub use model::{Item, Request};
pub use service::{tell_files, told};
pub use store::{find, find_by_code, items_of, last_page_text, over, receive, reload, update, with_recipient};
