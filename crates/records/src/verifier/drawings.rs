//! Layers of marks and measures beside the pictures of an archive.

use super::archive::ArchiveError;
use super::{Examination, list, named, text};
use std::io::{Read, Seek};

impl<R: Read + Seek> Examination<'_, R> {
    /// Each layer is one that an event of the chain tells (DRAW-11, MEASURE-9).
    pub(super) fn drawings(&mut self) -> Result<(), ArchiveError> {
        let drawn = self.of_type(&["DRAWING_CHANGED", "MEASURE_CHANGED"]);
        for (n, item) in (1..).zip(list(&self.manifest, "drawings").to_vec()) {
            let event = drawn.iter().find(|(seq, _)| item["seq"].as_u64() == Some(*seq));
            let is_told = event.is_some_and(|(_, data)| data["sha256"].is_string() && data["sha256"] == item["sha256"]);
            if !is_told {
                self.miss("DRAWING", n);
            } else if !self.fits(text(&item, "path"), &item["sha256"], None)? {
                self.miss("FILE", named(&item["path"]));
            }
        }
        Ok(())
    }
}
