//! Messages to people: every SMS, e-mail and WhatsApp message is first a row of the outbox, then sent by a worker.
//!
//! Called by rooms ([`Outbox::enqueue`] inside their transaction) and by the server, which runs the [`Dispatcher`] and
//! knows the providers. *Invariants:* a message exists if and only if its transaction committed; without a provider
//! it stays, state `captured`; nothing that a person typed reaches a header unchecked. Source: DESIGN §1 Outbox.

mod dispatch;
mod email;
mod entity;
mod model;
pub mod sms;
mod store;
mod templates;

pub use dispatch::{Dispatcher, Observer};
pub use email::{Smtp, SmtpError};
pub use model::{Channel, Message, MessageError, MessageState, NewMessage, Provider, Providers, Receipt, SendFailure};
pub use store::{Outbox, OutboxFilter};
pub use templates::{Email, TemplateError, Templates};
