//! Previews of pictures that the server cannot decode: what the sender's browser drew is drawn anew (FILES-23).

use super::thumbnails::DECODERS;
use bytes::Bytes;
use image::codecs::jpeg::JpegEncoder;
use image::{DynamicImage, ImageFormat, ImageReader};
use std::io::Cursor;

/// Pixels that a preview may declare: far more than a browser's canvas draws.
const MAX_PIXELS: u64 = 50_000_000;
/// Longest side of a preview in pixels.
const PREVIEW_SIDE: u32 = 2048;
const THUMBNAIL_SIDE: u32 = 480;

/// Whether the header promises more pixels than are decoded. Decodes nothing; what is no picture is no flood.
pub fn is_flood(bytes: &[u8]) -> bool {
    let reader = ImageReader::new(Cursor::new(bytes)).with_guessed_format();
    let size = reader.ok().and_then(|reader| reader.into_dimensions().ok());
    size.is_some_and(|(w, h)| u64::from(w) * u64::from(h) > MAX_PIXELS)
}

/// A preview and its size, with a thumbnail.
pub struct Drawn {
    pub width: u32,
    pub height: u32,
    /// JPEG, without metadata.
    pub preview: Vec<u8>,
    pub thumbnail: Vec<u8>,
}

/// Draws a JPEG anew. `None` when it is none. The caller has called [`is_flood`] before.
pub async fn redraw(bytes: Bytes) -> Option<Drawn> {
    let _permit = DECODERS.acquire().await.ok()?;
    tokio::task::spawn_blocking(move || draw(&bytes)).await.ok()?
}

fn draw(bytes: &[u8]) -> Option<Drawn> {
    let picture = image::load_from_memory_with_format(bytes, ImageFormat::Jpeg).ok()?;
    let (width, height) = (picture.width(), picture.height());
    let small = |side: u32| if width.max(height) > side { picture.thumbnail(side, side) } else { picture.clone() };
    Some(Drawn { width, height, preview: jpeg(&small(PREVIEW_SIDE), 85)?, thumbnail: jpeg(&small(THUMBNAIL_SIDE), 80)? })
}

fn jpeg(picture: &DynamicImage, quality: u8) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    JpegEncoder::new_with_quality(&mut out, quality).encode_image(&picture.to_rgb8()).ok()?;
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A small picture whose header claims another size.
    fn claiming(width: u16, height: u16) -> Vec<u8> {
        let mut bytes = jpeg(&DynamicImage::new_rgb8(4, 4), 80).expect("encodes");
        let frame = bytes.windows(2).position(|marker| marker == [0xff, 0xc0]).expect("a baseline frame");
        bytes[frame + 5..frame + 7].copy_from_slice(&height.to_be_bytes());
        bytes[frame + 7..frame + 9].copy_from_slice(&width.to_be_bytes());
        bytes
    }

    // STORE-8
    #[test]
    fn a_flood_is_seen_in_its_header() {
        for (width, height, flood) in [(4000, 3000, false), (10_000, 5000, false), (10_000, 5001, true), (50_000, 50_000, true)] {
            assert_eq!(is_flood(&claiming(width, height)), flood, "{width} × {height}");
        }
        assert!(!is_flood(b"no picture"));
    }

    #[tokio::test]
    async fn a_preview_is_drawn_anew_and_smaller() {
        let whole = include_bytes!("../demo/media/matricula.jpg");
        let drawn = redraw(Bytes::from_static(whole)).await.expect("a JPEG");
        let preview = image::load_from_memory(&drawn.preview).expect("a JPEG");
        assert!(preview.width().max(preview.height()) <= PREVIEW_SIDE);
        assert!(image::load_from_memory(&drawn.thumbnail).expect("a JPEG").width() <= THUMBNAIL_SIDE);
        assert!(redraw(Bytes::from_static(b"\xff\xd8\xff\xe0 torn")).await.is_none());
        let mut png = Vec::new();
        DynamicImage::new_luma8(4, 4).write_to(&mut Cursor::new(&mut png), ImageFormat::Png).expect("encodes");
        assert!(redraw(png.into()).await.is_none(), "a JPEG and nothing else");
    }
}
