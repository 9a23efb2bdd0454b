//! Whether messages are sent, and with what success; for the administrators' screen (MSG-14 to MSG-16).

mod entity;
pub(crate) mod store;

use crate::model::Channel;
use chrono::{DateTime, Utc};

/// Whether the dispatchers of all nodes run. They do until somebody stops them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunState {
    pub running: bool,
    /// `None` until somebody changes it.
    pub changed_at: Option<DateTime<Utc>>,
    /// Name of the person.
    pub changed_by: Option<String>,
}

/// One channel's last hour.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChannelStatus {
    pub channel: Channel,
    /// Name of its provider; `None` when its messages are captured.
    pub provider: Option<&'static str>,
    pub queued: u64,
    /// Messages held because no provider carries the channel.
    pub captured: u64,
    pub sent_last_hour: u64,
    pub failed_last_hour: u64,
    /// When the last message arrived, or was handed over where the provider reports no arrivals.
    pub last_delivered_at: Option<DateTime<Utc>>,
}

/// The dispatcher now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServiceStatus {
    pub run: RunState,
    pub oldest_queued_at: Option<DateTime<Utc>>,
    pub channels: Vec<ChannelStatus>,
    /// Failures of the last 24 hours by the name of their reason, most frequent first.
    pub failures: Vec<(String, u64)>,
}
