//! Providers' receipts for messages they accepted (MSG-12).
//!
//! A receipt is checked, stored and answered at once; the dispatcher applies it. So a receipt that is faster than the
//! transaction of its message waits for it, and a repeated one is the same row.

mod entity;
pub(crate) mod store;

use crate::model::MessageState;
use atalaya_kernel::OutboxId;
use chrono::{DateTime, Utc};
use reqwest::header::HeaderMap;

/// What receipts are called among the changes of the outbox.
pub(crate) const RECEIPT: &str = "receipt";

/// The maximum age of a receipt whose signature includes its time.
pub(crate) const TOLERANCE_S: i64 = 300;

/// A call of a provider, as received.
pub struct ReceiptCall<'a> {
    /// Path and query.
    pub target: &'a str,
    pub headers: &'a HeaderMap,
    pub body: &'a [u8],
    pub now: DateTime<Utc>,
}

/// The reported outcome of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeliveryReport {
    /// Our own id, where the provider repeats it.
    pub message: Option<OutboxId>,
    pub provider_id: Option<String>,
    pub outcome: Delivery,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Delivery {
    /// The provider accepted it.
    Sent,
    Delivered,
    /// With the provider's own word for it.
    Failed(String),
}

impl Delivery {
    pub(crate) fn state(&self) -> MessageState {
        match self {
            Self::Sent => MessageState::Sent,
            Self::Delivered => MessageState::Delivered,
            Self::Failed(_) => MessageState::Failed,
        }
    }
}

/// Why a call is not a valid receipt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReceiptError {
    /// No such provider is configured, or it sends no receipts.
    #[error("there are no receipts here")]
    NotOffered,
    #[error("the signature does not fit")]
    Signature,
    #[error("the receipt cannot be read")]
    Unreadable,
}

/// The state of a message after a report, if it changes. A delivered message stays delivered (MSG-4).
pub(crate) fn moved(from: MessageState, to: MessageState) -> Option<MessageState> {
    use MessageState::{Captured, Delivered, Failed, Queued, Sent};
    match (from, to) {
        (Captured | Delivered, _) => None,
        (Queued | Sent | Failed, Delivered) => Some(Delivered),
        (Queued | Sent, Failed) => Some(Failed),
        (Queued, Sent) => Some(Sent),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use MessageState::*;

    // MSG-4
    #[test]
    fn states_only_go_forward() {
        for (from, to, expected) in [
            (Queued, Sent, Some(Sent)),
            (Queued, Failed, Some(Failed)),
            (Queued, Delivered, Some(Delivered)),
            (Sent, Sent, None),
            (Sent, Delivered, Some(Delivered)),
            (Sent, Failed, Some(Failed)),
            (Failed, Sent, None),
            (Failed, Failed, None),
            (Failed, Delivered, Some(Delivered)),
            (Delivered, Sent, None),
            (Delivered, Failed, None),
            (Delivered, Delivered, None),
            (Captured, Delivered, None),
        ] {
            assert_eq!(moved(from, to), expected, "{from:?} {to:?}");
        }
    }
}
