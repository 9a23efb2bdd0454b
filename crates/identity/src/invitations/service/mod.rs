//! Decisions of invitations, one subject per file.

pub mod accounts;
pub mod enable;
pub mod invite;
mod messages;
pub mod notice;
pub mod register;

use super::model::Invitation;
use crate::auth::service::Opened;
use crate::directory::{Company, User};

/// What an invitation became.
pub struct Created {
    pub user: User,
    pub company: Company,
    /// The session opened for somebody who had none.
    pub opened: Option<Opened>,
}

/// A page of invitations.
pub struct Page {
    pub invitations: Vec<Invitation>,
    pub total: u64,
}
