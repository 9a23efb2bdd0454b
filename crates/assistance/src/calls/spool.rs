//! Names of spool files: where a running recording is kept until it becomes a video of the case.

use atalaya_blobs::{BlobError, BlobName};
use atalaya_kernel::RecordingId;
use chrono::{DateTime, Utc};

/// What a spool file is, as its name says: `{recording}/{identity in hex}.{participant|screen}.{milliseconds}`.
#[derive(Clone, Debug, PartialEq)]
pub struct SpoolFile {
    pub recording: RecordingId,
    pub identity: String,
    pub screen: bool,
    /// Its time zero: when the first frame arrived.
    pub started_at: DateTime<Utc>,
}

impl SpoolFile {
    pub fn name(&self) -> Result<BlobName, BlobError> {
        let source = if self.screen { "screen" } else { "participant" };
        let identity = hex::encode(&self.identity);
        BlobName::new(format!("{}/{identity}.{source}.{}", self.recording, self.started_at.timestamp_millis()))
    }

    pub fn parse(name: &BlobName) -> Option<Self> {
        let (recording, rest) = name.as_str().split_once('/')?;
        let mut parts = rest.split('.');
        let identity = String::from_utf8(hex::decode(parts.next()?).ok()?).ok()?;
        let screen = match parts.next()? {
            "screen" => true,
            "participant" => false,
            _ => return None,
        };
        let started_at = DateTime::from_timestamp_millis(parts.next()?.parse().ok()?)?;
        Some(Self { recording: recording.parse().ok()?, identity, screen, started_at })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spool_names_tell_all() {
        let file = SpoolFile {
            recording: atalaya_kernel::Sources::system().id(),
            identity: "user:0190-á".into(),
            screen: true,
            started_at: DateTime::from_timestamp_millis(1_800_000_000_123).expect("valid"),
        };
        assert_eq!(SpoolFile::parse(&file.name().expect("a name")), Some(file));
        for bad in ["x", "x/y", "x/00.camera.1", "0190/zz.screen.1"] {
            assert_eq!(SpoolFile::parse(&BlobName::new(bad).expect("a name")), None, "{bad}");
        }
    }
}
