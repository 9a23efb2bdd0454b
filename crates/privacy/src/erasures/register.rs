//! The register of erasures: a file outside the database and its backups, so that a restored backup brings nothing back
//! (RETAIN-14, RETAIN-15). It has one line of JSON per erasure, is only appended to, and holds no personal value.
//!
//! *Invariant:* a line is on the disk before its erasure is reported as done. A line whose transaction failed afterwards is
//! executed at the next start.

use super::entity::erasure;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use uuid::Uuid;

/// One erasure.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Line {
    #[serde(rename = "_id")]
    pub id: Uuid,
    pub conference_id: Uuid,
    pub company_id: Uuid,
    pub at: DateTime<Utc>,
    /// Head of the chain at that time.
    pub head: String,
    pub events: i32,
    pub media: i32,
}

impl Line {
    pub(super) fn of(row: &erasure::Model) -> Self {
        Self {
            id: row.id,
            conference_id: row.conference_id,
            company_id: row.company_id,
            at: row.at,
            head: row.head.clone(),
            events: row.events,
            media: row.media,
        }
    }

    fn text(&self) -> String {
        serde_json::to_string(self).expect("a line is plain data")
    }

    /// SHA-256 of the line, which the proof names.
    pub fn digest(&self) -> String {
        atalaya_cases::evidence::chain::sha256_hex(self.text().as_bytes())
    }
}

/// The file of the register. Cheap to clone; several processes may share it.
#[derive(Clone, Debug)]
pub struct Register {
    path: PathBuf,
}

impl Register {
    /// The file is created with its first line.
    pub fn at(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into() }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    pub fn exists(&self) -> bool {
        self.path.exists()
    }

    /// Appends lines and waits until the disk has them. Blocks.
    pub fn append(&self, lines: &[Line]) -> io::Result<()> {
        use std::os::unix::fs::OpenOptionsExt;
        let mut file = File::options().read(true).append(true).create(true).mode(0o600).open(&self.path)?;
        file.lock()?;
        let mut text = String::new();
        // A line that a crash cut off must not swallow the next one.
        if file.metadata()?.len() > 0 {
            let mut last = [0];
            file.seek(SeekFrom::End(-1))?;
            file.read_exact(&mut last)?;
            if last != *b"\n" {
                text.push('\n');
            }
        }
        for line in lines {
            text.push_str(&line.text());
            text.push('\n');
        }
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        let folder = self.path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        File::open(folder)?.sync_all()
    }

    /// Every line; none when there is no file. A line that a crash cut off was never reported as done and is skipped.
    ///
    /// Errors: `InvalidData` for a file that is not a register, besides those of reading it.
    pub fn read(&self) -> io::Result<Vec<Line>> {
        let text = match std::fs::read_to_string(&self.path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(error),
        };
        let mut lines = Vec::new();
        for (nth, text) in text.lines().enumerate().filter(|(_, text)| !text.trim().is_empty()) {
            match serde_json::from_str(text) {
                Ok(line) => lines.push(line),
                Err(error) if error.is_eof() => tracing::warn!(line = nth + 1, "a line of the register of erasures was cut off"),
                Err(error) => {
                    let reason = format!("line {} of the register of erasures: {error}", nth + 1);
                    return Err(io::Error::new(io::ErrorKind::InvalidData, reason));
                }
            }
        }
        Ok(lines)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(n: u128) -> Line {
        let at = DateTime::from_timestamp(1_800_000_000, 0).expect("a date");
        let id = Uuid::from_u128(n);
        Line { id, conference_id: id, company_id: id, at, head: "00".into(), events: 3, media: 1 }
    }

    // RETAIN-16
    #[test]
    fn lines_stay_and_a_torn_one_swallows_nothing() {
        let path = std::env::temp_dir().join(format!("atalaya-register-{}.jsonl", std::process::id()));
        std::fs::remove_file(&path).ok();
        let register = Register::at(&path);
        assert!(register.read().expect("no file is no line").is_empty());
        register.append(&[line(1)]).expect("written");
        let whole = std::fs::read_to_string(&path).expect("a text");
        std::fs::write(&path, format!("{whole}{{\"_id\":\"0000")).expect("a crash");
        register.append(&[line(2), line(3)]).expect("written");
        assert_eq!(register.read().expect("readable"), [line(1), line(2), line(3)]);
        assert_ne!(line(1).digest(), line(2).digest());
        std::fs::write(&path, "not a register\n").expect("written");
        assert_eq!(register.read().expect_err("refused").kind(), io::ErrorKind::InvalidData);
        std::fs::remove_file(&path).ok();
    }
}
