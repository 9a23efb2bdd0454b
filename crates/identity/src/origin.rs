//! Where a request comes from.

use std::net::IpAddr;

/// Where a request comes from, kept with its session and in the activity log.
#[derive(Clone, Debug)]
pub struct Origin {
    pub address: IpAddr,
    pub user_agent: Option<String>,
}
