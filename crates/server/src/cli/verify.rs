//! `atalaya verify`: the archive, and what was named beside it.

use super::run::block_on;
use anyhow::{Context, Result, bail};
use atalaya_records::verifier::{self, Report, Trust, online};
use clap::Args;
use std::fs::File;
use std::path::{Path, PathBuf};

/// What is named beside the archive.
#[derive(Args, Debug)]
pub struct Named {
    /// Public keys of the installation (PEM), from /.well-known/atalaya-evidence.pem or a certificate; may be repeated
    #[arg(long, value_name = "KEY.pem")]
    pub key: Vec<PathBuf>,
    /// Certificates of a time stamp authority (PEM); may be repeated
    #[arg(long, value_name = "CA.pem")]
    pub trust: Vec<PathBuf>,
    /// The root of the seal's day, as it was published (…/verificar/raices) or sent to a webhook; may be repeated
    #[arg(long, value_name = "HEX")]
    pub root: Vec<String>,
    /// Ask this installation's public page: its address, or that of a certificate (…/verificar/CODE)
    #[arg(long, value_name = "URL")]
    pub online: Option<String>,
}

/// Examines an archive. Errors: whatever cannot be read or asked.
pub fn run(file: &Path, named: &Named) -> Result<Report> {
    let Named { key: keys, trust: authorities, root: roots, online: page } = named;
    let open = || File::open(file).with_context(|| format!("cannot open {}", file.display()));
    let unreadable = || format!("cannot read {}", file.display());
    let mut trust = Trust::default();
    for path in keys {
        if trust.add_keys(&read(path)?) == 0 {
            bail!("{} holds no P-256 public key (PEM)", path.display());
        }
    }
    for path in authorities {
        if trust.add_authorities(&read(path)?) == 0 {
            bail!("{} holds no certificate (PEM)", path.display());
        }
    }
    for root in roots {
        if !trust.add_root(root) {
            bail!("{root} is no root of a day (64 hexadecimal digits)");
        }
    }
    if let Some(url) = page {
        let code = online::certificate_code(open()?).with_context(unreadable)?;
        trust.page = Some(block_on(async { Ok(online::ask(url, code.as_deref()).await?) })?);
    }
    verifier::verify(open()?, &trust).with_context(unreadable)
}

fn read(path: &Path) -> Result<String> {
    std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))
}
