//! How our HTTP speaks: problems, extractors, the caller with his token and guards, the edge every request passes.
//!
//! Called by every room that has routes and by `server`. *Invariant:* no SQL and no domain here; texts come from
//! `locales/<lang>/errors.json`, time and chance from [`atalaya_kernel::Sources`].

pub mod address;
pub mod caller;
pub mod edge;
pub mod extract;
pub mod forms;
pub mod headers;
pub mod openapi;
pub mod pace;
pub mod page;
pub mod problem;
pub mod ratelimit;
pub mod response;
pub mod routing;
pub mod shares;
pub mod sheet_stream;
pub mod texts;
pub mod tokens;
pub mod uploads;
pub mod xlsx;
pub mod xsrf;

pub use address::ClientAddress;
pub use caller::{AdminOnly, AdminOrCustomer, AdminOrRepairSide, Caller, CustomerOnly, RepairSide, WorkerOnly, WorkerOrCustomer};
pub use extract::{Json, Multipart, Path, Query, RequestLanguage};
pub use problem::{FieldError, Problem};
pub use response::{ApiResult, Created, NoContent};

/// Bytes of a JSON body at most, unless a route says otherwise.
pub const JSON_LIMIT_BYTES: usize = 256 * 1024;
