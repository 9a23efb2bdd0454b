//! Accounts of the platform: the first administrator, and `atalaya admin create`.

use crate::config::{Config, Secrets};
use crate::keys::Rings;
use crate::start;
use anyhow::{Context, Result, bail};
use atalaya_checks::password::{self, Refusal};
use atalaya_identity::users::service as users;
use atalaya_identity::{Identity, PasswordCost};
use atalaya_kernel::{Role, Sources};
use atalaya_messaging::Providers;
use secrecy::ExposeSecret;
use std::io::{BufRead, IsTerminal};

/// User name of an administrator that nobody named.
const DEFAULT_NAME: &str = "admin@localhost";
/// Characters of a generated password: 62^20 possibilities.
const PASSWORD_LENGTH: usize = 20;

/// An account whose password must be shown now, because nobody can read it later.
#[derive(Debug, PartialEq, Eq)]
pub struct MadeAccount {
    pub user_name: String,
    pub password: String,
    /// What the account is for, in words.
    pub role: String,
}

/// Why this password is none for an account of this name (SETUP-7).
pub fn weakness(email: &str, password: &str) -> Option<Refusal> {
    password::refusal(password, &[email, email.split('@').next().unwrap_or(email)])
}

/// Makes the first administrator when there is none. Answers the account when its password was generated.
pub async fn first(config: &Config, identity: &Identity) -> Result<Option<MadeAccount>> {
    if users::has_admin(identity).await? {
        return Ok(None);
    }
    let user_name = config.admin.email.clone().unwrap_or_else(|| DEFAULT_NAME.to_owned());
    let given = config.admin.password.as_ref().map(|password| password.expose_secret().to_owned());
    let generated = given.is_none();
    let password = given.unwrap_or_else(|| identity.sources.base62(PASSWORD_LENGTH));
    users::admin_create(identity, &user_name, &password, Role::Admin).await.context("the first administrator")?;
    Ok(generated.then_some(MadeAccount { user_name, password, role: "administrator".into() }))
}

/// `atalaya admin create`.
pub async fn create(config: &Config, email: &str, role: i16) -> Result<String> {
    let role = match Role::try_from(role) {
        Ok(role @ (Role::Admin | Role::PasswordOperator)) => role,
        _ => bail!("--role is 1 (administrator) or 8 (password operator); other accounts are invited in the web app"),
    };
    let fits = matches!(email.split_once('@'), Some((user, host)) if !user.is_empty() && !host.is_empty());
    if !fits || email.contains(|c: char| c.is_whitespace() || c.is_control()) {
        bail!("--email is not an e-mail address");
    }
    let given = password_from_stdin()?;
    if let Some(refusal) = given.as_deref().and_then(|password| weakness(email, password)) {
        bail!("{refusal}");
    }
    let sources = Sources::system();
    start::data_dir(config)?;
    let secrets = Secrets::load_or_create(config, &sources)?;
    let db = start::database(config).await?;
    let keys = Rings::new(&secrets);
    let outbox = start::outbox(&keys, &sources, Providers::none());
    let identity = start::identity(config, &keys, &sources, &db, outbox, PasswordCost::Standard);
    let password = given.clone().unwrap_or_else(|| sources.base62(PASSWORD_LENGTH));
    users::admin_create(&identity, email, &password, role).await?;
    Ok(match given {
        Some(_) => format!("Created {email}.\n"),
        None => format!("Created {email}. Password, shown only now: {password}\n"),
    })
}

/// The first line of standard input; nothing when a person sits at it.
fn password_from_stdin() -> Result<Option<String>> {
    let stdin = std::io::stdin();
    if stdin.is_terminal() {
        return Ok(None);
    }
    let mut line = String::new();
    stdin.lock().read_line(&mut line).context("reading the password from standard input")?;
    let password = line.trim_end_matches(['\r', '\n']);
    Ok((!password.is_empty()).then(|| password.to_owned()))
}
