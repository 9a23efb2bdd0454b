//! Size and thumbnail of a picture, bounded in memory and time.

use image::{DynamicImage, ImageDecoder, ImageReader, Limits};
use std::io::Cursor;
use std::sync::LazyLock;
use tokio::sync::Semaphore;

/// Longest side of a thumbnail in pixels.
const SIDE: u32 = 480;
/// Longest side of a picture that is opened: above it lies no camera but a pixel flood.
const MAX_SIDE: u32 = 16_384;
/// Bytes one decoding may allocate.
const MAX_ALLOC: u64 = 512 << 20;

/// Decoding is heavy: two at a time leave the rest of the server its processors.
static DECODERS: LazyLock<Semaphore> = LazyLock::new(|| Semaphore::new(2));

/// What decoding a picture gave.
pub struct Looked {
    pub width: u32,
    pub height: u32,
    /// JPEG, turned upright, without metadata.
    pub thumbnail: Vec<u8>,
}

/// Opens a picture. `None` when it is not one, or too large to be one.
pub async fn look(bytes: bytes::Bytes) -> Option<Looked> {
    let _permit = DECODERS.acquire().await.ok()?;
    tokio::task::spawn_blocking(move || decode(&bytes)).await.ok()?
}

fn decode(bytes: &[u8]) -> Option<Looked> {
    if bytes.starts_with(JPEG_START) && !is_whole_jpeg(bytes) {
        return None;
    }
    let mut reader = ImageReader::new(Cursor::new(bytes)).with_guessed_format().ok()?;
    let mut limits = Limits::default();
    limits.max_image_width = Some(MAX_SIDE);
    limits.max_image_height = Some(MAX_SIDE);
    limits.max_alloc = Some(MAX_ALLOC);
    reader.limits(limits);
    let mut decoder = reader.into_decoder().ok()?;
    let orientation = decoder.orientation().ok()?;
    let mut picture = DynamicImage::from_decoder(decoder).ok()?;
    picture.apply_orientation(orientation);
    let (width, height) = (picture.width(), picture.height());
    let small = picture.thumbnail(SIDE, SIDE).into_rgb8();
    let mut thumbnail = Vec::new();
    image::codecs::jpeg::JpegEncoder::new_with_quality(&mut thumbnail, 80).encode_image(&small).ok()?;
    Some(Looked { width, height, thumbnail })
}

const JPEG_START: &[u8] = b"\xff\xd8\xff";

/// Whether a JPEG has a scan and reaches its end marker. The decoder would paint what is missing grey; what somebody
/// captured has an end (ITU-T T.81 §B.1, §B.2). What comes behind the end is of no concern: phones put things there.
fn is_whole_jpeg(bytes: &[u8]) -> bool {
    let mut rest = &bytes[2..];
    loop {
        let [0xff, marker, tail @ ..] = rest else { return false };
        match (*marker, tail) {
            // Fill bytes.
            (0xff, _) => rest = &rest[1..],
            (0xda, scan) => return scan.windows(2).any(|pair| pair == b"\xff\xd9"),
            (0x01 | 0xd0..=0xd7, _) => rest = tail,
            (_, [high, low, ..]) => {
                let length = usize::from(u16::from_be_bytes([*high, *low]));
                match tail.get(length..) {
                    Some(next) if length >= 2 => rest = next,
                    _ => return false,
                }
            }
            _ => return false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn png(width: u32, height: u32) -> Vec<u8> {
        let mut bytes = Vec::new();
        DynamicImage::new_rgb8(width, height).write_to(&mut Cursor::new(&mut bytes), image::ImageFormat::Png).expect("encodes");
        bytes
    }

    #[tokio::test]
    async fn a_picture_gets_its_size_and_a_small_copy() {
        let looked = look(png(1920, 1080).into()).await.expect("a picture");
        assert_eq!((looked.width, looked.height), (1920, 1080));
        let small = image::load_from_memory(&looked.thumbnail).expect("a JPEG");
        assert_eq!((small.width(), small.height()), (480, 270));
    }

    #[tokio::test]
    async fn a_jpeg_must_reach_its_end() {
        let whole = include_bytes!("../demo/media/matricula.jpg");
        assert!(look(whole.as_slice().into()).await.is_some());
        let trailer = [whole.as_slice(), b"MPF and such"].concat();
        assert!(look(trailer.into()).await.is_some());
        for end in [3, 4, 20, 400, 700, whole.len() / 2, whole.len() - 2] {
            assert!(look(whole[..end].to_vec().into()).await.is_none(), "cut at {end}");
        }
    }

    #[tokio::test]
    async fn what_is_no_picture_is_none() {
        assert!(look(b"\xff\xd8\xff\xe0 not really".as_slice().into()).await.is_none());
        let mut torn = png(200, 200);
        torn.truncate(60);
        assert!(look(torn.into()).await.is_none());
        // A header that promises 50,000 × 50,000 pixels must not be believed.
        let mut flood = png(10, 10);
        flood[16..24].copy_from_slice(&[0, 0, 0xc3, 0x50, 0, 0, 0xc3, 0x50]);
        assert!(look(flood.into()).await.is_none());
    }
}
