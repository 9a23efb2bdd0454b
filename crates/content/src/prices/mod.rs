//! Price tables by the day they come into force, for everybody or offered to one company.
//!
//! Called by `server` (seed at start), `identity` (what a company accepts) and `billing`. *Invariant:* rows are added,
//! never changed; the database refuses changes.

mod entity;
mod http;
mod model;
pub mod service;
mod store;

pub(crate) use http::routes;
pub use http::{CallPrices, DiscountView, PriceView};
pub use model::{NewPrice, Price};
