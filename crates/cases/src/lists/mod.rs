//! Lists of conferences by company, type and range of days.
//!
//! Called by the web app's lists. *Invariant:* workers see their own, principals their company's, administrators all
//! (CASE-17); only administrators get the derived columns (CASE-21).

pub mod http;
pub mod model;
pub mod rows;
mod store;
mod workbook;

pub use model::SortBy;
pub use store::{Filter, count, list};

use async_trait::async_trait;
use atalaya_db::DbResult;
use std::collections::HashMap;
use uuid::Uuid;

/// Counts the files that lists mark as new; the room of media, above this one, answers it.
#[async_trait]
pub trait UnseenFiles: Send + Sync {
    /// How many files of each of these conferences arrived since its company last opened them.
    async fn count(&self, ids: &[Uuid]) -> DbResult<HashMap<Uuid, u32>>;
}
