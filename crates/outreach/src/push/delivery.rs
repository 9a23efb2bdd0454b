//! The job that sends what is due.

use crate::Outreach;

/// Sends the deliveries of a batch.
pub struct DeliverPush(pub Outreach);

impl DeliverPush {
    pub const KIND: &'static str = "web_push";
}
