//! Messages to people: every SMS, e-mail and WhatsApp message is first a row of the outbox, then sent by a worker.
//!
//! Called by rooms ([`Outbox::enqueue`] inside their transaction) and by the server, which runs the [`Dispatcher`] and
//! knows the providers. *Invariants:* a message exists if and only if its transaction committed; without a provider
//! it stays in the state `captured`; nothing that a person typed reaches a header unchecked
//! (`docs/rules/messaging.md`).

mod attachments;
mod ceiling;
mod control;
mod dispatch;
mod email;
mod entity;
mod failure;
mod mark;
mod model;
mod providers;
mod receipts;
mod secrets;
mod session;
pub mod sms;
mod store;
mod templates;

pub use attachments::{Attachment, AttachmentFile, AttachmentInfo};
pub use ceiling::{CeilingOf, CeilingStatus, OwnCeiling, SMS_CEILING_JOB, SmsCeiling};
pub use control::{ChannelStatus, RunState, ServiceStatus};
pub use dispatch::{Dispatcher, Observer};
pub use email::{Smtp, SmtpError};
pub use failure::{Reason, SendFailure, Why};
pub use mark::standalone;
pub use model::{Channel, LATE_JOB, Message, MessageError, MessageState, NewMessage, Provider, Providers, Receipt};
pub use providers::{GatewayError, HttpGateway, HttpGatewayOptions, Twilio, Waha, WhatsappState, sign};
pub use receipts::{Delivery, DeliveryReport, ReceiptCall, ReceiptError};
pub use secrets::{FieldKey, MASK, OutboxSeal, Seal};
pub use session::session_sms;
pub use store::{Outbox, OutboxFilter};
pub use templates::{Email, Preview, TemplateError, TemplateInfo, Templates};
