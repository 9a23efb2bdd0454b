//! From a parsed command line to the work.

use super::{AdminCommand, AuditCommand, BillingCommand, Cli, Command, EvidenceKeyCommand, KeysCommand, verify};
use crate::config::{Config, reference};
use crate::keys::rotate::{self, How};
use crate::{admin, app, audit, backup, doctor, evidence_key, serve, start, telemetry};
use anyhow::{Context, Result};
use atalaya_tariff::simulate::simulate;
use std::future::Future;
use std::io::Write;
use std::process::ExitCode;
use std::time::Duration;

pub(super) fn run(cli: Cli) -> Result<ExitCode> {
    match &cli.command {
        Command::ConfigReference => print(&reference::markdown()),
        Command::Openapi => print(&app::openapi_json()),
        Command::Serve { demo, listen, public_url } => {
            let flags = [("listen", listen.clone()), ("public_url", public_url.clone())];
            let config = cli.sources.collect(&flags)?;
            telemetry::start_logging(&config.logging);
            block_on(serve::serve(config, *demo))?;
            Ok(ExitCode::SUCCESS)
        }
        Command::Migrate => {
            let config = cli.sources.collect(&[])?;
            let report = block_on(start::migrate(&config))?;
            print(&format!("{report}\n"))
        }
        Command::Admin { command: AdminCommand::Create { email, role } } => {
            let config = cli.sources.collect(&[])?;
            let report = block_on(admin::create(&config, email, *role))?;
            print(&report)
        }
        Command::Doctor { rebuild, deep } => {
            let report = match cli.sources.collect(&[]) {
                Ok(config) => block_on(doctor::examine(&config, *rebuild, *deep))?,
                Err(error) => doctor::Report::unconfigured(&error),
            };
            print(&report.to_string())?;
            Ok(if report.is_good() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
        }
        Command::Backup { dir, with_evidence_key } => {
            let config = cli.sources.collect(&[])?;
            let report = block_on(backup::backup(&config, dir, *with_evidence_key))?;
            print(&report)
        }
        Command::EvidenceKey { command } => {
            let config = cli.sources.collect(&[])?;
            let report = match command {
                EvidenceKeyCommand::List => block_on(evidence_key::list(&config))?,
                EvidenceKeyCommand::Rotate => block_on(evidence_key::rotate(&config))?,
                EvidenceKeyCommand::ReportStolen { day, key } => {
                    block_on(evidence_key::report_stolen(&config, *day, key.as_deref()))?
                }
            };
            print(&report)
        }
        Command::Keys { command } => {
            let config = cli.sources.collect(&[])?;
            print(&keys(&config, command)?)
        }
        Command::Audit { command: AuditCommand::Verify { known } } => {
            let config = cli.sources.collect(&[])?;
            let known = known.as_ref().map(|(place, hash)| (*place, hash.as_str()));
            let (report, whole) = block_on(audit::verify(&config, known))?;
            print(&report)?;
            Ok(if whole { ExitCode::SUCCESS } else { ExitCode::FAILURE })
        }
        Command::Verify { file, named } => {
            let (text, code) = match verify::run(file, named) {
                Ok(report) => (report.to_string(), report.verdict() as u8),
                Err(error) => (format!("UNREADABLE {error:#}\n"), 2),
            };
            print(&text)?;
            Ok(ExitCode::from(code))
        }
        Command::Billing { command: BillingCommand::Simulate { file } } => {
            let text = std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
            let simulation = simulate(&text).with_context(|| format!("cannot calculate {}", file.display()))?;
            print(&(serde_json::to_string_pretty(&simulation)? + "\n"))
        }
        Command::Restore { dir, force, erasures } => {
            let config = cli.sources.collect(&[])?;
            let report = block_on(backup::restore(&config, dir, *force, erasures.as_deref()))?;
            print(&report)
        }
    }
}

fn keys(config: &Config, command: &KeysCommand) -> Result<String> {
    match command {
        KeysCommand::List => block_on(rotate::list(config)),
        KeysCommand::Rotate { which, dry_run, prepare, settle } => {
            let how = How { dry: *dry_run, prepare: *prepare, settle: Duration::from_millis(*settle) };
            block_on(rotate::rotate(config, *which, how))
        }
        KeysCommand::Reseal { which, dry_run } => block_on(rotate::reseal(config, *which, *dry_run)),
        KeysCommand::Forget { which, dry_run, now } => block_on(rotate::forget(config, *which, *dry_run, *now)),
    }
}

pub(super) fn block_on<T>(work: impl Future<Output = Result<T>>) -> Result<T> {
    tokio::runtime::Builder::new_multi_thread().enable_all().build()?.block_on(work)
}

/// A closed pipe (`atalaya openapi | head`) is not an error worth a message.
fn print(text: &str) -> Result<ExitCode> {
    let mut out = std::io::stdout().lock();
    let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    Ok(if written.is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
