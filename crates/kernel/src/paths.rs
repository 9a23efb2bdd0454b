//! Words for the way that the media of a call take.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// How media come, as the page's own browser sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
#[schema(as = ConnectionWay)]
pub enum Way {
    Udp,
    Tcp,
    RelayUdp,
    RelayTcp,
    RelayTls,
}

/// What fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = ConnectionFailure)]
pub enum Failure {
    /// The device has ended, or was taken away.
    Camera,
    Microphone,
    /// This way does not pass.
    Udp,
    Tcp,
    Relay,
    Bandwidth,
    /// A way is there and nothing arrives.
    Media,
    /// The server cannot be reached.
    Server,
}
