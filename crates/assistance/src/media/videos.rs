//! Length and size of a video that somebody uploads.

use std::io::Cursor;

/// The result of reading a video.
pub struct Shape {
    pub width: u32,
    pub height: u32,
    pub duration_ms: u64,
}

/// Reads a WebM file to its end. `None` when it cannot be read; it is stored nevertheless, because players tolerate more.
pub async fn measure(bytes: bytes::Bytes) -> Option<Shape> {
    tokio::task::spawn_blocking(move || {
        let index = atalaya_webm::scan(Cursor::new(bytes)).ok()?;
        let video = index.tracks().video?;
        Some(Shape { width: video.width, height: video.height, duration_ms: index.duration_ms() })
    })
    .await
    .ok()?
}
