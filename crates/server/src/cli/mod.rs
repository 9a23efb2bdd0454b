//! The command line. Every subcommand's `--help` explains itself.

mod run;
mod verify;

use crate::config::secrets::Which;
use crate::config::{ConfigError, Origins, collect};
use clap::{Args, Parser, Subcommand};
use std::path::PathBuf;
use std::process::ExitCode;

/// Remote assistance: a link by SMS, a video call, evidence in the gallery.
///
/// Started with no configuration at all, `atalaya serve` keeps everything in ./data, listens on
/// http://localhost:8080 and holds messages back in its outbox until a mail server or gateway is configured.
#[derive(Debug, Parser)]
#[command(
    name = "atalaya",
    version,
    propagate_version = true,
    after_help = "Every setting: docs/reference/config.md, or `atalaya config-reference`."
)]
pub struct Cli {
    #[command(flatten)]
    pub sources: SourceArgs,
    #[command(subcommand)]
    pub command: Command,
}

/// Where the configuration comes from. Flags win over the environment, which wins over the file.
#[derive(Debug, Args)]
pub struct SourceArgs {
    /// Configuration file [default: atalaya.toml in the working folder, when there is one]
    #[arg(long, global = true, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Folder of database, files and secrets [default: ./data]
    #[arg(long, global = true, value_name = "DIR")]
    pub data_dir: Option<PathBuf>,
    /// Any setting, for instance --set media_udp_port=7882; may be repeated
    #[arg(long = "set", global = true, value_name = "KEY=VALUE", value_parser = key_value)]
    pub set: Vec<(String, String)>,
}

fn key_value(text: &str) -> Result<(String, String), String> {
    let (key, value) = text.split_once('=').ok_or("expected KEY=VALUE")?;
    Ok((key.trim().to_ascii_lowercase(), value.to_owned()))
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Start the server: web app, API, media engine, message dispatch
    ///
    /// Brings the database up to date first. On an empty database it makes the first administrator: from
    /// ATALAYA_ADMIN_EMAIL and ATALAYA_ADMIN_PASSWORD, or else one whose password is printed once.
    /// Stops on SIGTERM or Ctrl-C: calls are told, running requests and writes finish.
    Serve {
        /// Fill an empty database with example companies, users and closed conferences, and print their passwords
        #[arg(long)]
        demo: bool,
        /// Address and port of the web server [default: 127.0.0.1:8080]
        #[arg(long, value_name = "ADDRESS:PORT")]
        listen: Option<String>,
        /// Origin under which browsers reach the server, for the links in messages
        #[arg(long, value_name = "URL")]
        public_url: Option<String>,
    },
    /// Bring the database up to date and stop
    Migrate,
    /// Accounts of the platform itself
    Admin {
        #[command(subcommand)]
        command: AdminCommand,
    },
    /// Check configuration, database, storage, mail and media, one line each; fails when one of them does
    Doctor {
        /// Also recompute what lists show from the conferences' track log, and prove both equal
        #[arg(long)]
        rebuild: bool,
        /// Also walk database, storage and chains: every reference, file, number, sum and state; reads every file
        ///
        /// A line for each kind of damage, with its code, how often and where first. Changes nothing.
        #[arg(long)]
        deep: bool,
    },
    /// Copy database, files and secrets into a new folder; the server may go on running
    Backup {
        /// Folder to make; must not exist yet, or be empty
        dir: PathBuf,
        /// Copy the private evidence key too: whoever has it can sign in this installation's name
        #[arg(long)]
        with_evidence_key: bool,
    },
    /// Put a backup back; the server must not be running
    ///
    /// What was erased after the backup was made is in it still. The register of erasures (erasures.jsonl in the data
    /// folder, in no backup) says what: it is carried out before the restored data can be read. On a new machine, give it
    /// the old one's with --erasures.
    Restore {
        /// Folder that `atalaya backup` made
        dir: PathBuf,
        /// Replace what is in the data folder and database
        #[arg(long)]
        force: bool,
        /// Register of erasures of the machine that the backup is from; what it names is erased before anything can be read
        /// [default: the one in the data folder]
        #[arg(long, value_name = "FILE")]
        erasures: Option<PathBuf>,
    },
    /// Check the ZIP of a case: files, events, seal, signatures and time stamp against its manifest
    ///
    /// Exit code 0: whole, and a key, an authority or the page that was named vouches for it. 1: something is wrong. 2: not
    /// readable. 3: consistent, but nothing that was named vouches for it; a forger who makes everything anew gets that too.
    Verify {
        /// The archive, as the web app or `GET /api/v1/zip/{id}` gave it
        file: PathBuf,
        #[command(flatten)]
        named: verify::Named,
    },
    /// The key that signs seals and certificates
    ///
    /// The public keys are at /.well-known/atalaya-evidence.pem of the running server, which takes a new key without a restart.
    EvidenceKey {
        #[command(subcommand)]
        command: EvidenceKeyCommand,
    },
    /// The installation's keys: see them, change them while the server runs, forget earlier ones
    ///
    /// Nobody is logged out and no call ends: servers take changed keys within a second, and what earlier ones signed or
    /// sealed stays good until they are forgotten. Nodes that do not share the data folder: rotate with --prepare, copy
    /// secrets.toml to all of them, rotate, copy it again, and reseal.
    Keys {
        #[command(subcommand)]
        command: KeysCommand,
    },
    /// The log of who did what
    Audit {
        #[command(subcommand)]
        command: AuditCommand,
    },
    /// Try a tariff on a file; touches no database
    Billing {
        #[command(subcommand)]
        command: BillingCommand,
    },
    /// Print the description of the API (OpenAPI, JSON)
    Openapi,
    /// Print every setting with its meaning (Markdown)
    ConfigReference,
}

#[derive(Debug, Subcommand)]
pub enum EvidenceKeyCommand {
    /// Print every public key, newest first
    List,
    /// Sign with a new key from now on; the present one endorses it and is retired, what it signed stays valid
    Rotate,
    /// Say that somebody else may have a key: what it signed after that day is not valid; a new key begins anew
    ReportStolen {
        /// The day of the theft in UTC, YYYY-MM-DD
        day: chrono::NaiveDate,
        /// Fingerprint of the key [default: the present one]
        #[arg(long, value_name = "FINGERPRINT")]
        key: Option<String>,
    },
}

#[derive(Debug, Subcommand)]
pub enum KeysCommand {
    /// Say which keys there are and how much lies under which
    List,
    /// Make a new key and use it; fields and keys of files are sealed anew under it
    Rotate {
        /// Which key
        #[arg(long, value_enum)]
        which: Which,
        /// Say what would be done, and change nothing
        #[arg(long)]
        dry_run: bool,
        /// Only make the next key and have it accepted; another run without this uses it
        #[arg(long)]
        prepare: bool,
        /// Milliseconds until every node has seen a changed file: 1500, or more than the cache of a network file system
        #[arg(long, default_value_t = 1_500, value_parser = clap::value_parser!(u64).range(1_500..))]
        settle: u64,
    },
    /// Seal anew under the present key what lies under an earlier one, as after a change that was cut short
    Reseal {
        /// Which key
        #[arg(long, value_enum)]
        which: Which,
        /// Say what would be done, and change nothing
        #[arg(long)]
        dry_run: bool,
    },
    /// Forget earlier keys once nothing needs them; refuses while something may
    Forget {
        /// Which key
        #[arg(long, value_enum)]
        which: Which,
        /// Say what would be done, and change nothing
        #[arg(long)]
        dry_run: bool,
        /// For a stolen key: do not wait until its tokens have died. Everybody logs in again, calls are joined anew
        #[arg(long)]
        now: bool,
    },
}

#[derive(Debug, Subcommand)]
pub enum AuditCommand {
    /// Walk the chain of the log, and name the first entry that was changed, removed or put in
    ///
    /// Prints the place and hash of the last entry. Whoever notes them elsewhere can prove later, with --known, that
    /// nothing before them was cut off or written anew.
    Verify {
        /// What an earlier run printed: place and hash of an entry
        #[arg(long, value_name = "PLACE:HASH", value_parser = known_entry)]
        known: Option<(i64, String)>,
    },
}

fn known_entry(text: &str) -> Result<(i64, String), String> {
    let expected = "expected PLACE:HASH, as this command prints them";
    let (place, hash) = text.split_once(':').ok_or(expected)?;
    let is_hash = hash.len() == 64 && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
    let place = place.parse().ok().filter(|place| *place > 0 && is_hash);
    place.map(|place| (place, hash.to_ascii_lowercase())).ok_or_else(|| expected.to_owned())
}

#[derive(Debug, Subcommand)]
pub enum BillingCommand {
    /// Calculate the invoices of a file of pricing examples and print their lines and totals as JSON, in cents
    Simulate {
        /// `{"examples": […]}` or one example: year, month, customer, prices, sessions
        file: PathBuf,
    },
}

#[derive(Debug, Subcommand)]
pub enum AdminCommand {
    /// Make an account that may log in; the password is the first line of standard input, or a new one is printed
    Create {
        /// User name and address of the account
        #[arg(long, value_name = "ADDRESS")]
        email: String,
        /// 1 administrator, 8 password operator
        #[arg(long, default_value_t = 1)]
        role: i16,
    },
}

impl SourceArgs {
    fn origins(&self, extra: &[(&str, Option<String>)]) -> Origins {
        let data_dir = self.data_dir.as_ref().map(|dir| dir.display().to_string());
        let named = extra.iter().map(|(key, value)| (*key, value.clone())).chain([("data_dir", data_dir)]);
        let mut flags = self.set.clone();
        flags.extend(named.filter_map(|(key, value)| Some((key.to_owned(), value?))));
        Origins { file: self.config.clone(), environment: std::env::vars().collect(), flags }
    }

    fn collect(&self, extra: &[(&str, Option<String>)]) -> Result<crate::config::Config, ConfigError> {
        collect(&self.origins(extra))
    }
}

/// Runs the command line of this process.
pub fn main() -> ExitCode {
    // Whatever this process writes, the database's own files included, is nobody else's (STORE-23).
    rustix::process::umask(rustix::fs::Mode::from_raw_mode(0o077));
    // Every TLS user of the process shares this one provider; a second call would find it already there.
    let _ = rustls::crypto::aws_lc_rs::default_provider().install_default();
    match run::run(Cli::parse()) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("atalaya: {error:#}");
            ExitCode::FAILURE
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_sound_and_every_command_explains_itself() {
        let command = Cli::command();
        command.clone().debug_assert();
        for sub in command.get_subcommands() {
            assert!(sub.get_about().is_some(), "{}", sub.get_name());
        }
        let names: Vec<_> = command.get_subcommands().map(|c| c.get_name().to_owned()).collect();
        for name in
            ["serve", "migrate", "admin", "doctor", "backup", "restore", "openapi", "verify", "evidence-key", "audit", "keys"]
        {
            assert!(names.iter().any(|n| n == name), "{name}");
        }
    }

    #[test]
    fn flags_become_settings() {
        let cli = Cli::parse_from(["atalaya", "serve", "--listen", "127.0.0.1:9", "--set", "Log=warn", "--data-dir", "/d"]);
        let Command::Serve { listen, .. } = &cli.command else { panic!() };
        let origins = cli.sources.origins(&[("listen", listen.clone()), ("public_url", None)]);
        let expected = [("log", "warn"), ("listen", "127.0.0.1:9"), ("data_dir", "/d")];
        assert_eq!(origins.flags, expected.map(|(k, v)| (k.to_owned(), v.to_owned())));
    }
}
