//! Identity: accounts, companies, sessions, guards and the menu by role.
//!
//! Called by `assistance` and everything above. *Invariant:* every query of users and companies is scoped by tenant in
//! the store; passwords and tokens never reach a log.

pub mod audit;
pub mod auth;
pub mod bank_accounts;
pub mod companies;
pub mod devices;
mod digest;
pub mod directory;
mod error;
pub mod guards;
pub mod insurers;
pub mod invitations;
pub mod links;
pub mod menu;
mod notices;
mod origin;
pub mod passkeys;
pub mod personal_data;
pub mod presence;
pub mod proofs;
pub mod recovery;
pub mod second_factor;
pub mod sessions;
pub mod tasks;
pub mod terms_acceptance;
pub mod users;

pub use error::{IdentityError, IdentityResult};
pub use origin::Origin;

pub use atalaya_messaging::{FieldKey, OutboxSeal};
pub use atalaya_passwords::{Lane, PasswordCost, PasswordHash, Passwords};
pub use atalaya_rest::tokens::{SessionClaims, TokenKeys, TokenKind};

use atalaya_content::Content;
use atalaya_db::Db;
use atalaya_kernel::live::Announcer;
use atalaya_kernel::{Hook, NodeId, Sources};
use atalaya_messaging::{Outbox, Templates};
use std::sync::Arc;
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
    pub settings: Arc<AccountSettings>,
    pub content: Content,
    pub outbox: Outbox,
    pub templates: Arc<Templates>,
    /// Notifies open screens; call it after the commit.
    pub announcer: Announcer,
    /// Notified of changed accounts of companies.
    pub account_watch: Hook<dyn bank_accounts::AccountWatcher>,
    /// Tokens of advertising.
    pub marketing_tokens: Hook<dyn auth::MarketingTokens>,
    /// What other contexts keep of an account.
    pub more_records: Hook<dyn personal_data::MoreRecords>,
    /// Decides on changes of fiscal data.
    pub fiscal_desk: Hook<dyn companies::FiscalDesk>,
    /// This run of this process.
    pub node: NodeId,
    /// Log-ins that streams and calls depend on.
    pub session_watch: sessions::SessionWatch,
    /// Who is valid, as this process has read it.
    pub kept: sessions::KeptSessions,
}

/// Configuration that accounts depend on.
#[derive(Clone, Debug)]
pub struct AccountSettings {
    /// Without a trailing slash; links of messages begin with it.
    pub public_url: String,
    /// Where a company that registered itself is announced.
    pub admin_mailbox: String,
    pub business_url: String,
    /// Days between an activation and the first paid day.
    pub trial_days: i64,
    /// How long each class of data is kept.
    pub keeping: atalaya_kernel::keeping::Terms,
    /// Who else processes data, as configured.
    pub processors: Vec<atalaya_kernel::keeping::Processor>,
    /// Days after which every backup is deleted; `None`: not written down.
    pub backup_keep_days: Option<i64>,
    /// Who answers about privacy.
    pub privacy_officer: Option<String>,
}

impl Identity {
    /// The public address is https: cookies are `Secure`.
    pub fn secure_cookies(&self) -> bool {
        self.settings.public_url.starts_with("https://")
    }
}

/// Every route of this context, under its full path.
pub fn routes(identity: Identity) -> OpenApiRouter {
    let rooms = [
        auth::routes,
        second_factor::routes,
        passkeys::routes,
        proofs::routes,
        recovery::routes,
        invitations::routes,
        devices::routes,
        users::routes,
        companies::routes,
        insurers::routes,
        audit::routes,
        presence::routes,
        personal_data::routes,
    ];
    rooms.into_iter().fold(OpenApiRouter::new(), |all, room| all.merge(room(identity.clone())))
}
