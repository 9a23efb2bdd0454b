//! One process per SQLite data folder.

use anyhow::{Context, Result, bail};
use std::fs::{File, TryLockError};
use std::io::{Read, Seek, Write};
use std::path::{Path, PathBuf};

/// Held as long as the value lives; the operating system releases it when the process ends, however it ends.
#[derive(Debug)]
pub struct DataLock {
    file: File,
}

impl DataLock {
    fn path(database: &Path) -> PathBuf {
        let mut name = database.file_name().unwrap_or_default().to_owned();
        name.push(".lock");
        database.with_file_name(name)
    }

    /// Takes the lock beside the database file.
    ///
    /// Errors: another process has it (its number is named), or the file cannot be made.
    pub fn take(database: &Path) -> Result<Self> {
        let path = Self::path(database);
        let mut file = File::options()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
            .with_context(|| format!("cannot open {}", path.display()))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let mut owner = String::new();
                let _ = file.read_to_string(&mut owner);
                let owner = owner.trim();
                let who = if owner.is_empty() { "another process".into() } else { format!("process {owner}") };
                bail!(
                    "{} is in use by {who}: one SQLite database serves one process. Stop the other one, give this one a \
                     data folder of its own (ATALAYA_DATA_DIR), or use PostgreSQL (ATALAYA_DATABASE_URL)",
                    database.display()
                );
            }
            Err(TryLockError::Error(error)) => {
                return Err(error).with_context(|| format!("cannot lock {}", path.display()));
            }
        }
        file.set_len(0)?;
        file.rewind()?;
        write!(file, "{}", std::process::id())?;
        Ok(Self { file })
    }
}

impl Drop for DataLock {
    fn drop(&mut self) {
        let _ = self.file.unlock();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_one_is_refused_and_told_why() {
        let database = std::env::temp_dir().join(format!("atalaya-lock-{}.db", std::process::id()));
        let first = DataLock::take(&database).unwrap();
        let error = DataLock::take(&database).unwrap_err().to_string();
        assert!(error.contains(&std::process::id().to_string()) && error.contains("ATALAYA_DATA_DIR"), "{error}");
        drop(first);
        drop(DataLock::take(&database).unwrap());
        std::fs::remove_file(DataLock::path(&database)).unwrap();
    }
}
