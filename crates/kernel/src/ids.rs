//! Ids as newtypes over UUIDv7, so that a conference's id can never be passed where a company's is wanted.

use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};
use uuid::Uuid;

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident),+ $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, utoipa::ToSchema)]
        #[serde(transparent)]
        #[schema(value_type = String, format = "uuid")]
        pub struct $name(pub Uuid);

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result { write!(f, concat!(stringify!($name), "({})"), self.0) }
        }
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result { self.0.fmt(f) }
        }
        impl FromStr for $name {
            type Err = uuid::Error;
            fn from_str(s: &str) -> Result<Self, uuid::Error> { Uuid::parse_str(s).map(Self) }
        }
        impl From<Uuid> for $name { fn from(id: Uuid) -> Self { Self(id) } }
        impl From<$name> for Uuid { fn from(id: $name) -> Self { id.0 } }
    )+};
}

ids! {
    /// An account of a person.
    UserId,
    /// A tenant: customer, repairer, workshop or the platform itself.
    CompanyId,
    /// A session row, the `jti` of a session token.
    SessionId,
    /// A conference with an end client.
    ConferenceId,
    /// A stored picture, video or document.
    MediaId,
    /// An insurance company; no tenant.
    InsuranceId,
    /// An API key of a company.
    ApiKeyId,
    /// A passkey of a user.
    PasskeyId,
    /// A row of the outbox.
    OutboxId,
    /// A background job.
    JobId,
    /// A line of chat kept with the case.
    ChatMessageId,
    /// One recording of a conference, start to stop.
    RecordingId,
    /// A notification, general or personal.
    NotificationId,
    /// A browser on a device that web push reaches.
    PushSubscriptionId,
    /// One run of one server process.
    NodeId,
    /// A workshop's or repairer's request for a video call.
    VideoCallRequestId,
    /// An advertising e-mail to many.
    CampaignId,
    /// An issued invoice.
    InvoiceId,
    /// A support ticket.
    IncidenceId,
}
