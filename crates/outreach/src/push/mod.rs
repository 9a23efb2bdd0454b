//! Web push: devices that asked for it, and what is sent to them (`docs/rules/push.md`; RFC 8030, 8291, 8292).
//!
//! Called by the rooms that notify somebody (`service::queue`, in their transaction) and by devices about their own
//! subscription. *Invariants:* pushes go only to a push service we know, under TLS, without following redirects (PUSH-5); an
//! endpoint and its keys are stored sealed and never logged (PUSH-4); an expired message is not sent (PUSH-6).
//!
//! A push. A room's transaction calls `service::queue`: one row per device, in its owner's language, and one job. After the
//! commit the job encrypts for each device (RFC 8291), signs (RFC 8292) and posts to its push service. Accepted: done. Busy:
//! retried until the message expires. Gone: the device is deleted (decision 0024).

mod delivery;
mod devices;
mod endpoint;
mod entity;
mod error;
mod gateway;
pub(crate) mod http;
mod model;
mod requests;
pub mod service;
mod store;
mod subscription;
mod vapid;

pub use delivery::{CleanUpPush, DeliverPush};
pub use endpoint::{PushServices, origin};
pub use error::{PushError, PushResult};
pub use gateway::{PushGateway, is_outside};
pub use model::{PushKind, PushMessage, PushText};
pub use requests::{NoRequests, OpenRequests};
pub use vapid::PushKeys;
