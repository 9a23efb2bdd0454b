//! Who is there, for the other rooms.

use super::store;
use crate::{Identity, IdentityResult};
use atalaya_kernel::{CompanyId, UserId};

/// The active users of a company who have a registered socket on any node that lives, each once, by id.
pub async fn online(d: &Identity, company: CompanyId) -> IdentityResult<Vec<UserId>> {
    store::online(d, company).await
}
