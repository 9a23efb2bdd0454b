//! What we say: language bundles, phone prefixes, and the legal texts with their versions.
//!
//! Called by `identity`, `assistance` (the client's notice) and the web app. *Invariant:* a text that somebody accepted
//! is never changed; a new wording is a new version.

mod error;
pub mod languages;
pub mod legal;

pub use error::{ContentError, ContentResult};

use atalaya_db::Db;
use atalaya_kernel::Sources;
use utoipa_axum::router::OpenApiRouter;

/// What this context needs. Cheap to clone.
#[derive(Clone)]
pub struct Content {
    pub db: Db,
    pub sources: Sources,
}

/// Every route of this context, under its full path.
pub fn routes(content: Content) -> OpenApiRouter {
    languages::routes().merge(legal::routes(content))
}
