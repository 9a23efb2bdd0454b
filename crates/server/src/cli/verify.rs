//! `atalaya verify`: the archive, and what was named beside it.

use super::run::block_on;
use anyhow::{Context, Result, bail};
use atalaya_records::verifier::{self, Report, Trust, online};
use std::fs::File;
use std::path::{Path, PathBuf};

/// Examines an archive. Errors: whatever cannot be read or asked.
pub fn run(file: &Path, keys: &[PathBuf], authorities: &[PathBuf], page: Option<&str>) -> Result<Report> {
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
    if let Some(url) = page {
        let code = online::certificate_code(open()?).with_context(unreadable)?;
        trust.page = Some(block_on(async { Ok(online::ask(url, code.as_deref()).await?) })?);
    }
    verifier::verify(open()?, &trust).with_context(unreadable)
}

fn read(path: &Path) -> Result<String> {
    std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))
}
