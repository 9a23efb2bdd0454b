//! Who may come in: accounts, companies, sessions, guards and the menu by role.
//!
//! Called by `assistance` and everything above. *Invariant:* every query of users and companies is scoped by tenant in
//! the store; passwords and tokens never reach a log.

pub mod auth;
pub mod companies;
mod error;
pub mod guards;
mod keys;
pub mod menu;
mod passwords;
mod sealing;
pub mod users;

pub use error::{IdentityError, IdentityResult};
pub use keys::{SessionClaims, TokenKeys, TokenKind};
pub use passwords::{PasswordCost, PasswordHash, Passwords};
pub use sealing::FieldKey;

use atalaya_db::Db;
use atalaya_kernel::Sources;
use utoipa_axum::router::OpenApiRouter;

/// What this context needs. Cheap to clone.
#[derive(Clone)]
pub struct Identity {
    pub db: Db,
    pub sources: Sources,
    pub keys: TokenKeys,
    pub passwords: Passwords,
    /// Seals IBANs and other fields that must not lie in the database in clear.
    pub field_key: FieldKey,
    /// The public address is https: cookies are `Secure`.
    pub secure_cookies: bool,
}

/// Every route of this context, under its full path.
pub fn routes(identity: Identity) -> OpenApiRouter {
    OpenApiRouter::new().merge(auth::routes(identity.clone())).merge(users::routes(identity))
}
