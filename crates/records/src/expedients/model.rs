//! A note about a case.

use atalaya_kernel::UserId;
use chrono::{DateTime, Utc};
use uuid::Uuid;

/// What somebody wrote about a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    pub id: Uuid,
    pub user: UserId,
    pub user_name: String,
    pub text: String,
    pub created_at: DateTime<Utc>,
}
