//! The root of the day of an archive's seal (EVID-53).

use super::{Examination, hash, list, text};
use atalaya_cases::evidence::merkle;
use std::io::{Read, Seek};

impl<R: Read + Seek> Examination<'_, R> {
    /// The path from the seal's root to its day's; then whether that root is one of those that were named.
    pub(super) fn day(&mut self) {
        let day = self.manifest["day"].clone();
        if day.is_null() {
            if !self.trust.roots.is_empty() {
                let note = "the archive is under no day's root yet: download it anew when the day of its seal is over";
                self.report.notes.push(note.into());
            }
            return;
        }
        let place = |key: &str| day[key].as_u64().and_then(|n| usize::try_from(n).ok()).unwrap_or(0);
        let path: Vec<merkle::Hash> =
            list(&day, "path").iter().map(|step| step.as_str().and_then(merkle::parse).unwrap_or_default()).collect();
        let top = merkle::climb(&hash(&self.manifest["seal"], "root"), place("index"), place("size"), &path);
        let (name, root) = (text(&day, "day"), text(&day, "root"));
        if top.map(hex::encode).as_deref() != Some(root) {
            self.miss("DAY_PATH", name);
        } else if self.trust.roots.is_empty() {
            let note =
                format!("under the root of {name}: compare it with the published ones, or with what a webhook received: {root}");
            self.report.notes.push(note);
        } else if self.trust.roots.contains(root) {
            self.report.anchors.push(format!("root {name}"));
        } else {
            self.miss("FOREIGN_ROOT", name);
        }
    }
}
