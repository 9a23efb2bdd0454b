//! Files that nobody but the server may read: keys and other secrets of the installation.

use anyhow::{Context, Result, bail};
use std::fs::{Metadata, OpenOptions};
use std::io::Write;
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::Path;

const MODE: u32 = 0o600;

/// Written whole beside its place and moved there, so that a crash leaves no half file.
pub fn write(path: &Path, content: &str) -> Result<()> {
    let part = path.with_added_extension("part");
    let opened = OpenOptions::new().write(true).create(true).truncate(true).mode(MODE).open(&part);
    let mut out = opened.with_context(|| format!("cannot write {}", part.display()))?;
    out.write_all(content.as_bytes())?;
    out.sync_all()?;
    std::fs::rename(&part, path).with_context(|| format!("cannot write {}", path.display()))
}

/// What the file system says of the file. Errors: it cannot be read, or others may read it.
pub fn metadata(path: &Path) -> Result<Metadata> {
    let meta = std::fs::metadata(path).with_context(|| format!("cannot read {}", path.display()))?;
    let mode = meta.permissions().mode() & 0o777;
    if mode & 0o077 != 0 {
        bail!("{} may be read by others (mode {mode:o}); run: chmod 600 {}", path.display(), path.display());
    }
    Ok(meta)
}
