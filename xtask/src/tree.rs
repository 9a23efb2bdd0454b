//! The source tree, as files.

use anyhow::{Context, Result};
use std::path::{Path, PathBuf};

/// The repository's root, as `cargo xtask` says it, else the present folder. Not what was compiled in: clones that share a
/// target folder share the program, which would check one clone and report on another.
pub fn root() -> PathBuf {
    std::env::var_os("CARGO_MANIFEST_DIR").map_or_else(|| PathBuf::from("."), |xtask| PathBuf::from(xtask).join(".."))
}

/// Every file below `folder` with this ending, sorted, as a path from the root; build results are passed over.
pub fn files(folder: &str, ending: &str) -> Result<Vec<String>> {
    let mut found = Vec::new();
    walk(&root().join(folder), ending, &mut found)?;
    let prefix = root();
    let mut names: Vec<String> =
        found.into_iter().filter_map(|path| Some(path.strip_prefix(&prefix).ok()?.to_str()?.to_owned())).collect();
    names.sort();
    Ok(names)
}

fn walk(folder: &Path, ending: &str, found: &mut Vec<PathBuf>) -> Result<()> {
    if !folder.exists() {
        return Ok(());
    }
    for entry in std::fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or("");
        if path.is_dir() {
            if !matches!(name, "node_modules" | "dist" | "target" | "generated" | ".git") {
                walk(&path, ending, found)?;
            }
        } else if name.ends_with(ending) {
            found.push(path);
        }
    }
    Ok(())
}

/// A file's text.
pub fn read(name: &str) -> Result<String> {
    std::fs::read_to_string(root().join(name)).with_context(|| name.to_owned())
}
