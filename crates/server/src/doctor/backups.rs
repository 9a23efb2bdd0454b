//! Whether the rotation of backups is written down, and kept (RETAIN-24).

use super::Report;
use crate::config::Config;
use chrono::{DateTime, TimeDelta, Utc};
use std::path::Path;

/// When the finished backup in this folder was made; `None` when there is none.
fn made_at(dir: &Path) -> Option<DateTime<Utc>> {
    let manifest: serde_json::Value = serde_json::from_slice(&std::fs::read(dir.join("manifest.json")).ok()?).ok()?;
    DateTime::parse_from_rfc3339(manifest["createdAt"].as_str()?).ok().map(|at| at.to_utc())
}

/// The folders below `dir` with a finished backup that is older than the term, by name; and how many backups there are.
fn overdue(dir: &Path, oldest: DateTime<Utc>) -> std::io::Result<(usize, Vec<String>)> {
    let (mut count, mut late) = (0, Vec::new());
    for entry in std::fs::read_dir(dir)? {
        let entry = entry?;
        let Some(at) = made_at(&entry.path()) else { continue };
        count += 1;
        if at < oldest {
            late.push(entry.file_name().to_string_lossy().into_owned());
        }
    }
    late.sort();
    Ok((count, late))
}

pub(super) fn check(config: &Config, now: DateTime<Utc>, report: &mut Report) {
    let Some(days) = config.privacy.backup_keep_days else {
        let text = "how long they are kept is not written down, and they hold the keys of what is erased later: set \
                    ATALAYA_BACKUP_KEEP_DAYS";
        return report.note("backups", text);
    };
    let Some(dir) = &config.privacy.backup_dir else {
        let text = format!("kept {days} days, as written down; with ATALAYA_BACKUP_DIR it is looked after");
        return report.ok("backups", text);
    };
    match overdue(dir, now - TimeDelta::days(days)) {
        Ok((count, late)) if late.is_empty() => {
            report.ok("backups", format!("{count} in {}, none older than {days} days", dir.display()));
        }
        Ok((_, late)) => {
            let text = format!("older than {days} days, with keys of what was erased since: delete {}", late.join(", "));
            report.failed("backups", text);
        }
        Err(error) => report.failed("backups", format!("{}: {error}", dir.display())),
    }
}
