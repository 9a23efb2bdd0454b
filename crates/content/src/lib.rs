//! Content: language bundles, phone prefixes, the legal texts with their versions, and the price tables.
//!
//! Called by `identity`, `assistance` (the client's notice), `billing` and the web app. *Invariant:* a text or a table that
//! somebody accepted is never changed; a new one is added beside it.

mod error;
pub mod languages;
pub mod legal;
pub mod prices;

pub use error::{ContentError, ContentResult};

use atalaya_db::Db;
use atalaya_kernel::Sources;
use utoipa_axum::router::OpenApiRouter;

/// The dependencies of this context. Cheap to clone.
#[derive(Clone)]
pub struct Content {
    pub db: Db,
    pub sources: Sources,
}

/// Every route of this context, under its full path.
pub fn routes(content: Content) -> OpenApiRouter {
    languages::routes().merge(prices::routes(content.clone())).merge(legal::routes(content))
}
