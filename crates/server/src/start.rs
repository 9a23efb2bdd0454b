//! What every command that touches data does first: folder, database, secrets, storage.

use crate::config::{Config, Secrets};
use crate::keys::Rings;
use anyhow::{Context, Result, anyhow};
use atalaya_blobs::BlobStore;
use atalaya_content::Content;
use atalaya_db::{Db, DbError, DbOptions, Engine};
use atalaya_identity::{AccountSettings, Identity, OutboxSeal, PasswordCost, Passwords};
use atalaya_kernel::live::Announcer;
use atalaya_kernel::{Hook, Sources};
use atalaya_messaging::{Outbox, Providers, Templates};
use atalaya_outreach::push::{PushGateway, PushKeys, PushServices};
use secrecy::ExposeSecret;
use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// Makes the data folder when it is not there; nobody else may look into it.
pub fn data_dir(config: &Config) -> Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    let dir = &config.data_dir;
    std::fs::DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(dir)
        .with_context(|| format!("cannot make the data folder {}", dir.display()))?;
    tighten(dir).with_context(|| format!("the files in the data folder {}", dir.display()))
}

/// Takes from others the files that an earlier version or a copy left readable for them (STORE-23).
fn tighten(dir: &Path) -> std::io::Result<()> {
    for entry in std::fs::read_dir(dir)? {
        let entry = entry?;
        let about = entry.metadata()?;
        let mode = about.permissions().mode();
        if about.is_file() && mode & 0o077 != 0 {
            std::fs::set_permissions(entry.path(), Permissions::from_mode(mode & 0o700))?;
        }
    }
    Ok(())
}

/// Connects, without migrating.
///
/// Errors name the file or engine, never the address with its password.
pub async fn connect(config: &Config) -> Result<Db> {
    let url = config.database_url();
    let options = DbOptions {
        url: url.expose_secret().to_owned(),
        max_connections: config.database.max_connections,
        acquire_timeout: Duration::from_secs(5),
    };
    Db::connect(options).await.map_err(|error| explain(config, &error))
}

fn explain(config: &Config, error: &DbError) -> anyhow::Error {
    let cause = atalaya_rest::problem::chain(error);
    let damaged = ["not a database", "malformed", "disk image"].iter().any(|word| cause.contains(word));
    match config.sqlite_file() {
        Some(file) if damaged => anyhow!(
            "the database {} is damaged or not a database ({cause}). It was not changed. Put a backup back with \
             `atalaya restore DIR`, or move the file away to start empty",
            file.display()
        ),
        Some(file) => anyhow!("the database {} cannot be opened: {cause}", file.display()),
        None => anyhow!("PostgreSQL cannot be reached (ATALAYA_DATABASE_URL): {cause}"),
    }
}

/// Connects and brings the schema up to date.
pub async fn database(config: &Config) -> Result<Db> {
    let db = connect(config).await?;
    db.migrate().await.map_err(|error| explain(config, &error))?;
    Ok(db)
}

/// `atalaya migrate`.
pub async fn migrate(config: &Config) -> Result<String> {
    data_dir(config)?;
    let db = connect(config).await?;
    let pending = db.pending_migrations().await.map_err(|error| explain(config, &error))?;
    db.migrate().await.map_err(|error| explain(config, &error))?;
    Ok(match pending {
        0 => "The database is up to date.".to_owned(),
        n => format!("Applied {n} migration(s); the database is up to date."),
    })
}

/// Opens the storage of files.
pub fn storage(config: &Config, sources: &Sources) -> Result<BlobStore> {
    BlobStore::open(&config.storage, sources.clone()).context("the storage of files (ATALAYA_STORAGE_URL)")
}

/// The outbox, with the secrets of its messages under the field key.
pub fn outbox(keys: &Rings, sources: &Sources, providers: Providers) -> Outbox {
    let key = keys.fields.clone();
    Outbox::new(sources.clone(), providers).with_seal(Arc::new(OutboxSeal { key, sources: sources.clone() }))
}

/// Who may come in, over this database.
pub fn identity(config: &Config, keys: &Rings, sources: &Sources, db: &Db, outbox: Outbox, cost: PasswordCost) -> Identity {
    // One core is left to the calls, whatever storm of log-ins there is.
    let workers = std::thread::available_parallelism().map_or(1, |cores| cores.get() - 1).max(1);
    Identity {
        db: db.clone(),
        sources: sources.clone(),
        keys: keys.session.clone(),
        passwords: Passwords::new(sources.clone(), cost, workers),
        field_key: keys.fields.clone(),
        settings: Arc::new(AccountSettings {
            public_url: config.public_url.clone(),
            admin_mailbox: config.links.admin_mailbox.clone(),
            business_url: config.links.business_url.clone(),
            trial_days: config.trial_days,
            keeping: config.privacy.keeping.clone(),
            processors: crate::config::processors(config),
            backup_keep_days: config.privacy.backup_keep_days,
            privacy_officer: config.privacy.officer.clone(),
        }),
        content: Content { db: db.clone(), sources: sources.clone() },
        outbox,
        templates: Arc::new(Templates::load()),
        // A serving process puts its sockets in.
        announcer: Announcer::silent(),
        account_watch: Hook::default(),
        marketing_tokens: Hook::default(),
        more_records: Hook::default(),
        fiscal_desk: Hook::default(),
        node: sources.id(),
        session_watch: atalaya_identity::sessions::SessionWatch::default(),
        kept: atalaya_identity::sessions::KeptSessions::new(db.changes()),
    }
}

/// What advertising is sent by, and where its pages lead.
pub fn marketing(config: &Config) -> atalaya_outreach::marketing::Settings {
    atalaya_outreach::marketing::Settings {
        per_minute: config.campaigns_per_minute,
        business_url: config.links.business_url.clone(),
        search_url: config.links.search_url.clone(),
    }
}

/// What sends web pushes.
pub fn push_gateway(config: &Config, secrets: &Secrets, sources: &Sources) -> PushGateway {
    let keys = PushKeys::read(secrets.vapid_private_key.expose_secret(), &config.push.contact);
    let services = PushServices::new(config.push.services.clone());
    PushGateway::new(keys.expect("checked when the secrets were read"), services, sources)
}

/// A line for people: which database this is.
pub fn describe(config: &Config, db: &Db) -> String {
    match (db.engine(), config.sqlite_file()) {
        (Engine::Sqlite, Some(file)) => format!("SQLite {}", file.display()),
        _ => "PostgreSQL".to_owned(),
    }
}
