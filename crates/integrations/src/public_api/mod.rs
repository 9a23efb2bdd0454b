//! The calls that a customer's programs make with an API key: `/ext-api/v1`
//! (`docs/rules/public_api.md`).
//!
//! Called by programs of customers. A call goes through the same services as the web app, as the customer's principal or
//! as the worker that it names, with no more rights than theirs. *Invariants:* the key's company is the tenant of every
//! query (PUBLIC-1); a call with an idempotency key opens one conference, however often it is repeated (PUBLIC-5).
//!
//! A call. `POST /ext-api/v1/conferences` with an API key: `api_keys` finds the customer and counts the call; this
//! room acts as the principal, or as the worker whom the body names, and uses the services and guards of the web app; one
//! transaction writes the idempotency key (repeating the call answers the same conference), the program's own reference and the
//! conference. `/ext-api/api-doc` is generated from the description of exactly these calls.

mod entity;
mod error;
pub mod http;
mod model;
mod service;
mod store;
mod view;

pub(crate) use http::caller::ExtCaller;
pub(crate) use store::{forget_requests, references};
