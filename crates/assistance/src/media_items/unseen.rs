//! Which files a company has not seen yet, for its lists of conferences.

use super::store;
use async_trait::async_trait;
use atalaya_cases::lists::UnseenFiles;
use atalaya_db::{Db, DbResult};
use std::collections::HashMap;
use uuid::Uuid;

/// The files of this database.
pub struct Unseen(pub Db);

#[async_trait]
impl UnseenFiles for Unseen {
    async fn count(&self, ids: &[Uuid]) -> DbResult<HashMap<Uuid, u32>> {
        store::new_files_of(self.0.read(), ids).await
    }
}
