//! The records of a ZIP archive (PKWARE APPNOTE 6.3.10 §4.3 to §4.5).

use chrono::{DateTime, Datelike, Timelike, Utc};

const LOCAL_BYTES: u64 = 30;
const CENTRAL_BYTES: u64 = 46;
const TIME_EXTRA_LOCAL_BYTES: u64 = 9;
const TIME_EXTRA_CENTRAL_BYTES: u64 = 9;
const SIZE_EXTRA_BYTES: u64 = 20;
const OFFSET_EXTRA_BYTES: u64 = 12;
const BOTH_EXTRA_BYTES: u64 = 28;
const END_BYTES: u64 = 22;
const END64_BYTES: u64 = 56 + 20;

/// A 32-bit field with all ones says that the value stands in the ZIP64 record.
const MAX32: u64 = 0xFFFF_FFFF;
const MAX16: u64 = 0xFFFF;

/// Names are UTF-8.
const FLAGS: u16 = 1 << 11;
const VERSION: u16 = 20;
const VERSION_ZIP64: u16 = 45;
/// "Made by" Unix, so that the permissions below are looked at.
const MADE_BY_UNIX: u16 = 3 << 8;
/// A regular file, rw-r--r--.
const PERMISSIONS: u32 = 0o100_644 << 16;

/// What is known of an entry before it is opened.
#[derive(Debug, Clone)]
pub(super) struct EntryHead {
    pub name: String,
    pub size_bytes: u64,
    pub modified_at: DateTime<Utc>,
}

impl EntryHead {
    fn local_bytes(&self) -> u64 {
        let size_extra = if self.size_bytes >= MAX32 { SIZE_EXTRA_BYTES } else { 0 };
        LOCAL_BYTES + self.name.len() as u64 + size_extra + TIME_EXTRA_LOCAL_BYTES
    }

    fn central_bytes(&self, offset: u64) -> u64 {
        let extra = match (self.size_bytes >= MAX32, offset >= MAX32) {
            (false, false) => 0,
            (true, false) => SIZE_EXTRA_BYTES,
            (false, true) => OFFSET_EXTRA_BYTES,
            (true, true) => BOTH_EXTRA_BYTES,
        };
        CENTRAL_BYTES + self.name.len() as u64 + extra + TIME_EXTRA_CENTRAL_BYTES
    }
}

/// The archive's length, from the heads alone.
pub(super) fn total_bytes(heads: &[EntryHead]) -> u64 {
    let (mut offset, mut central) = (0, 0);
    for head in heads {
        central += head.central_bytes(offset);
        offset += head.local_bytes() + head.size_bytes;
    }
    offset + central + end_bytes(heads.len() as u64, central, offset)
}

fn end_bytes(count: u64, central_bytes: u64, central_offset: u64) -> u64 {
    END_BYTES + if needs_end64(count, central_bytes, central_offset) { END64_BYTES } else { 0 }
}

fn needs_end64(count: u64, central_bytes: u64, central_offset: u64) -> bool {
    count >= MAX16 || central_bytes >= MAX32 || central_offset >= MAX32
}

/// Writes local headers and remembers what the end of the archive will say.
#[derive(Debug, Default)]
pub(super) struct Directory {
    central: Vec<u8>,
    count: u64,
    offset: u64,
}

impl Directory {
    /// The header that goes before the entry's content.
    pub fn add(&mut self, head: EntryHead, crc32: u32) -> Vec<u8> {
        let local = local_header(&head, crc32);
        self.put_central(&head, crc32);
        self.count += 1;
        self.offset += local.len() as u64 + head.size_bytes;
        local
    }

    /// What goes after the last entry.
    pub fn finish(self) -> Vec<u8> {
        let (central_bytes, central_offset) = (self.central.len() as u64, self.offset);
        let mut out = self.central;
        if needs_end64(self.count, central_bytes, central_offset) {
            put32(&mut out, 0x0606_4B50);
            put64(&mut out, 44);
            put16(&mut out, MADE_BY_UNIX | VERSION_ZIP64);
            put16(&mut out, VERSION_ZIP64);
            put32(&mut out, 0);
            put32(&mut out, 0);
            put64(&mut out, self.count);
            put64(&mut out, self.count);
            put64(&mut out, central_bytes);
            put64(&mut out, central_offset);
            put32(&mut out, 0x0706_4B50);
            put32(&mut out, 0);
            put64(&mut out, central_offset + central_bytes);
            put32(&mut out, 1);
        }
        put32(&mut out, 0x0605_4B50);
        put16(&mut out, 0);
        put16(&mut out, 0);
        put16(&mut out, self.count.min(MAX16) as u16);
        put16(&mut out, self.count.min(MAX16) as u16);
        put32(&mut out, central_bytes.min(MAX32) as u32);
        put32(&mut out, central_offset.min(MAX32) as u32);
        put16(&mut out, 0);
        out
    }

    fn put_central(&mut self, head: &EntryHead, crc32: u32) {
        let (big_size, big_offset) = (head.size_bytes >= MAX32, self.offset >= MAX32);
        let out = &mut self.central;
        put32(out, 0x0201_4B50);
        put16(out, MADE_BY_UNIX | VERSION_ZIP64);
        put_common(out, head, crc32, big_size || big_offset);
        let mut extra = Vec::new();
        if big_size || big_offset {
            put16(&mut extra, 0x0001);
            put16(&mut extra, if big_size { 16 } else { 0 } + if big_offset { 8 } else { 0 });
            if big_size {
                put64(&mut extra, head.size_bytes);
                put64(&mut extra, head.size_bytes);
            }
            if big_offset {
                put64(&mut extra, self.offset);
            }
        }
        put_time_extra(&mut extra, head.modified_at);
        put16(out, extra.len() as u16);
        put16(out, 0);
        put16(out, 0);
        put16(out, 0);
        put32(out, PERMISSIONS);
        put32(out, self.offset.min(MAX32) as u32);
        out.extend_from_slice(head.name.as_bytes());
        out.extend_from_slice(&extra);
    }
}

fn local_header(head: &EntryHead, crc32: u32) -> Vec<u8> {
    let is_big = head.size_bytes >= MAX32;
    let mut out = Vec::with_capacity(head.local_bytes() as usize);
    put32(&mut out, 0x0403_4B50);
    put_common(&mut out, head, crc32, is_big);
    let mut extra = Vec::new();
    if is_big {
        put16(&mut extra, 0x0001);
        put16(&mut extra, 16);
        put64(&mut extra, head.size_bytes);
        put64(&mut extra, head.size_bytes);
    }
    put_time_extra(&mut extra, head.modified_at);
    put16(&mut out, extra.len() as u16);
    out.extend_from_slice(head.name.as_bytes());
    out.extend_from_slice(&extra);
    out
}

/// The fields that both headers have in this order: version to name length.
fn put_common(out: &mut Vec<u8>, head: &EntryHead, crc32: u32, is_zip64: bool) {
    let (date, time) = dos_date_time(head.modified_at);
    put16(out, if is_zip64 { VERSION_ZIP64 } else { VERSION });
    put16(out, FLAGS);
    put16(out, 0);
    put16(out, time);
    put16(out, date);
    put32(out, crc32);
    put32(out, head.size_bytes.min(MAX32) as u32);
    put32(out, head.size_bytes.min(MAX32) as u32);
    put16(out, head.name.len() as u16);
}

/// Info-ZIP's extended timestamp: the modification time in UTC seconds, which the DOS fields cannot say.
fn put_time_extra(extra: &mut Vec<u8>, modified_at: DateTime<Utc>) {
    let seconds = modified_at.timestamp().clamp(i32::MIN.into(), i32::MAX.into()) as i32;
    put16(extra, 0x5455);
    put16(extra, 5);
    extra.push(1);
    put32(extra, seconds as u32);
}

/// Date and time as DOS had them: two-second steps from 1980 to 2107, without a zone (UTC here).
fn dos_date_time(at: DateTime<Utc>) -> (u16, u16) {
    let year = at.year();
    if year < 1980 {
        return ((1 << 5) | 1, 0);
    }
    let years = (year - 1980).min(127) as u16;
    let date = (years << 9) | ((at.month() as u16) << 5) | at.day() as u16;
    let time = ((at.hour() as u16) << 11) | ((at.minute() as u16) << 5) | (at.second() as u16 / 2);
    (date, time)
}

fn put16(out: &mut Vec<u8>, value: u16) {
    out.extend_from_slice(&value.to_le_bytes());
}

fn put32(out: &mut Vec<u8>, value: u32) {
    out.extend_from_slice(&value.to_le_bytes());
}

fn put64(out: &mut Vec<u8>, value: u64) {
    out.extend_from_slice(&value.to_le_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Builds everything but the contents, so that archives of any size are checked in no memory.
    fn produced_bytes(heads: &[EntryHead]) -> u64 {
        let mut directory = Directory::default();
        let mut total = 0;
        for head in heads {
            total += directory.add(head.clone(), 7).len() as u64 + head.size_bytes;
        }
        total + directory.finish().len() as u64
    }

    fn head(name: &str, size_bytes: u64) -> EntryHead {
        EntryHead { name: name.to_owned(), size_bytes, modified_at: DateTime::from_timestamp(1_790_000_000, 0).expect("valid") }
    }

    #[test]
    fn lengths_agree_around_every_limit() {
        for size in [0, 1, MAX32 - 1, MAX32, MAX32 + 1, 10 << 32] {
            for later in [0, 5, MAX32] {
                let heads = [head("one", size), head("zwei-ñ", later), head("three", 3)];
                assert_eq!(total_bytes(&heads), produced_bytes(&heads), "{size} {later}");
            }
        }
        // The offset of the second entry, and of the directory, exactly at the limit.
        for missing in 0..60 {
            let heads = [head("a", MAX32 - missing), head("b", 0)];
            assert_eq!(total_bytes(&heads), produced_bytes(&heads), "{missing}");
        }
        for count in [MAX16 - 1, MAX16, MAX16 + 1] {
            let heads = vec![head("same", 1); count as usize];
            assert_eq!(total_bytes(&heads), produced_bytes(&heads), "{count}");
        }
    }

    #[test]
    fn dos_times() {
        let at = DateTime::parse_from_rfc3339("2026-11-21T13:05:59Z").expect("valid").to_utc();
        assert_eq!(dos_date_time(at), ((46 << 9) | (11 << 5) | 21, (13 << 11) | (5 << 5) | 29));
        assert_eq!(dos_date_time(DateTime::UNIX_EPOCH), (33, 0));
    }

    proptest! {
        #[test]
        fn lengths_always_agree(sizes in prop::collection::vec(0u64..1 << 34, 0..12)) {
            let heads: Vec<_> = sizes.iter().map(|size| head("photo.jpg", *size)).collect();
            prop_assert_eq!(total_bytes(&heads), produced_bytes(&heads));
        }
    }
}
