//! Length and size of a video that somebody uploads.

use std::io::Cursor;

/// What reading a video gave.
pub struct Shape {
    pub width: u32,
    pub height: u32,
    pub duration_ms: u64,
}

/// Reads a WebM file through. `None` when it cannot be read: it is kept all the same, players are more patient.
pub async fn measure(bytes: bytes::Bytes) -> Option<Shape> {
    tokio::task::spawn_blocking(move || {
        let index = atalaya_webm::scan(Cursor::new(bytes)).ok()?;
        let video = index.tracks().video?;
        Some(Shape { width: video.width, height: video.height, duration_ms: index.duration_ms() })
    })
    .await
    .ok()?
}
