//! Size and thumbnail of a picture, bounded in memory and time.

use image::metadata::Orientation;
use image::{DynamicImage, ImageDecoder, ImageReader, Limits};
use std::io::Cursor;
use std::sync::LazyLock;
use tokio::sync::Semaphore;

/// Longest side of a thumbnail in pixels.
const SIDE: u32 = 480;
/// Pixels of a picture that is decoded at most: the largest phones have 108 million, more is a decompression bomb.
const MAX_PIXELS: u64 = 110_000_000;
/// Bytes one decoding may allocate.
const MAX_ALLOC: u64 = 512 << 20;

/// Decoding is expensive: with two at a time the rest of the server keeps its processors.
pub(super) static DECODERS: LazyLock<Semaphore> = LazyLock::new(|| Semaphore::new(2));

/// The result of decoding a picture.
pub struct Looked {
    pub width: u32,
    pub height: u32,
    /// JPEG, turned upright, without metadata.
    pub thumbnail: Vec<u8>,
}

/// Why a picture was not decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoPicture {
    /// Not a picture, or a torn one.
    Unreadable,
    /// Its header promises too many pixels; nothing was decoded.
    TooBig,
}

/// Decodes a picture where blocking is allowed. Its declared size is checked before anything is decoded.
pub async fn look(bytes: bytes::Bytes) -> Result<Looked, NoPicture> {
    let _permit = DECODERS.acquire().await.map_err(|_| NoPicture::Unreadable)?;
    tokio::task::spawn_blocking(move || decode(&bytes)).await.map_err(|_| NoPicture::Unreadable)?
}

pub(super) fn refused(error: image::ImageError) -> NoPicture {
    if matches!(error, image::ImageError::Limits(_)) { NoPicture::TooBig } else { NoPicture::Unreadable }
}

/// A picture about to be decoded: its header was read and promises at most `max_pixels`. A truncated JPEG is refused.
pub(super) fn begin(bytes: &[u8], max_pixels: u64) -> Result<(impl ImageDecoder + '_, Orientation), NoPicture> {
    if bytes.starts_with(JPEG_START) && !is_whole_jpeg(bytes) {
        return Err(NoPicture::Unreadable);
    }
    let mut reader = ImageReader::new(Cursor::new(bytes)).with_guessed_format().map_err(|_| NoPicture::Unreadable)?;
    let mut limits = Limits::default();
    limits.max_image_width = None;
    limits.max_image_height = None;
    limits.max_alloc = Some(MAX_ALLOC);
    reader.limits(limits);
    let mut decoder = reader.into_decoder().map_err(refused)?;
    let (width, height) = decoder.dimensions();
    if u64::from(width) * u64::from(height) > max_pixels || decoder.total_bytes() > MAX_ALLOC {
        return Err(NoPicture::TooBig);
    }
    let orientation = decoder.orientation().map_err(refused)?;
    Ok((decoder, orientation))
}

/// A picture upright as a JPEG of at most `side` pixels, without metadata.
pub async fn scale(bytes: bytes::Bytes, side: u32) -> Result<Vec<u8>, NoPicture> {
    let _permit = DECODERS.acquire().await.map_err(|_| NoPicture::Unreadable)?;
    let drawn = tokio::task::spawn_blocking(move || jpeg(begin(&bytes, MAX_PIXELS)?, side));
    drawn.await.map_err(|_| NoPicture::Unreadable)?
}

fn jpeg((decoder, orientation): (impl ImageDecoder, Orientation), side: u32) -> Result<Vec<u8>, NoPicture> {
    let picture = DynamicImage::from_decoder(decoder).map_err(refused)?;
    // Rotated after scaling: rotating twelve million pixels costs more than decoding them.
    let mut small = if picture.width().max(picture.height()) > side { picture.thumbnail(side, side) } else { picture };
    small.apply_orientation(orientation);
    let mut bytes = Vec::new();
    let encoder = image::codecs::jpeg::JpegEncoder::new_with_quality(&mut bytes, 80);
    small.into_rgb8().write_with_encoder(encoder).map_err(refused)?;
    Ok(bytes)
}

/// What [`look`] does, on this thread.
pub fn decode(bytes: &[u8]) -> Result<Looked, NoPicture> {
    let (decoder, orientation) = begin(bytes, MAX_PIXELS)?;
    let (width, height) = decoder.dimensions();
    let sideways = matches!(
        orientation,
        Orientation::Rotate90 | Orientation::Rotate270 | Orientation::Rotate90FlipH | Orientation::Rotate270FlipH
    );
    let (width, height) = if sideways { (height, width) } else { (width, height) };
    let thumbnail = jpeg((decoder, orientation), SIDE)?;
    Ok(Looked { width, height, thumbnail })
}

const JPEG_START: &[u8] = b"\xff\xd8\xff";

/// Whether a JPEG has a scan and an end marker (ITU-T T.81 §B.1, §B.2). The decoder would paint what is missing grey,
/// while a real capture is complete. Bytes after the end are ignored: phones append data there.
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

    // STORE-5
    #[tokio::test]
    async fn a_jpeg_must_reach_its_end() {
        let whole = include_bytes!("../demo/media/matricula.jpg");
        assert!(look(whole.as_slice().into()).await.is_ok());
        let trailer = [whole.as_slice(), b"MPF and such"].concat();
        assert!(look(trailer.into()).await.is_ok());
        for end in [3, 4, 20, 400, 700, whole.len() / 2, whole.len() - 2] {
            assert!(look(whole[..end].to_vec().into()).await.is_err(), "cut at {end}");
        }
    }

    // STORE-8
    #[tokio::test]
    async fn what_is_no_picture_is_none() {
        assert!(look(b"\xff\xd8\xff\xe0 not really".as_slice().into()).await.is_err());
        let mut torn = png(200, 200);
        torn.truncate(60);
        assert!(look(torn.into()).await.is_err());
        // A header that promises 50,000 × 50,000 pixels.
        let mut flood = png(10, 10);
        flood[16..24].copy_from_slice(&[0, 0, 0xc3, 0x50, 0, 0, 0xc3, 0x50]);
        let sum = atalaya_blobs::Digest::of(&flood[12..29]).crc32;
        flood[29..33].copy_from_slice(&sum.to_be_bytes());
        assert_eq!(look(flood.into()).await.err(), Some(NoPicture::TooBig));
    }

    /// A JPEG of 30 × 20 whose EXIF says "rotate right" and whose maker's note is a script.
    fn sideways() -> Vec<u8> {
        let mut plain = Vec::new();
        let encoder = image::codecs::jpeg::JpegEncoder::new_with_quality(&mut plain, 90);
        DynamicImage::new_rgb8(30, 20).to_rgb8().write_with_encoder(encoder).expect("encodes");
        let script = b"<script>alert(1)</script>\0";
        let mut tiff =
            b"MM\0\x2a\0\0\0\x08\0\x02\x01\x0f\0\x02\0\0\0\x1a\0\0\0\x26\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0".to_vec();
        tiff.extend_from_slice(script);
        let length = u16::try_from(2 + 6 + tiff.len()).expect("short").to_be_bytes();
        [&plain[..2], b"\xff\xe1", &length, b"Exif\0\0", &tiff, &plain[2..]].concat()
    }

    // STORE-7
    #[tokio::test]
    async fn the_small_copy_is_upright_and_carries_no_metadata() {
        let picture = sideways();
        assert!(picture.windows(8).any(|w| w == b"<script>"));
        let looked = look(picture.into()).await.expect("a picture");
        assert_eq!((looked.width, looked.height), (20, 30));
        let small = image::load_from_memory(&looked.thumbnail).expect("a JPEG");
        assert!(small.height() > small.width());
        for word in [&b"Exif"[..], b"script"] {
            assert!(!looked.thumbnail.windows(word.len()).any(|w| w == word));
        }
    }
}
