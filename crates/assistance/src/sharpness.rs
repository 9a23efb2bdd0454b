//! How sharp pictures are (REPORT-9).

use atalaya_checks::sharpness::detail;

/// The sharpness of a small copy; none when it cannot be decoded.
pub fn of(jpeg: &[u8]) -> Option<i32> {
    image::load_from_memory(jpeg).ok().map(|small| small.into_luma8()).map(|grey| detail(grey.as_raw(), grey.width()))
}
