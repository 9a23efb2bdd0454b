//! What this context keeps of somebody with an account, for the file that he takes of it (MYDATA-1).

use crate::{Outreach, marketing, notifications};
use async_trait::async_trait;
use atalaya_identity::IdentityResult;
use atalaya_identity::personal_data::MoreRecords;
use atalaya_identity::users::User;
use serde_json::{Value, json};

/// Notifications, and answers about advertising.
pub struct AccountRecords(pub Outreach);

#[async_trait]
impl MoreRecords for AccountRecords {
    async fn of(&self, user: &User) -> IdentityResult<Value> {
        let notifications = notifications::records_of(&self.0, user.id).await?;
        let marketing = marketing::records_of(&self.0, user.id, user.email.as_deref()).await?;
        Ok(json!({"notifications": notifications, "marketing": marketing}))
    }
}
