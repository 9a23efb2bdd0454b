//! A picture drawn anew from its pixels: upright, bounded, without metadata or anything else that its file contained.

use super::thumbnails::{DECODERS, NoPicture, begin, refused};
use crate::media_items::FileKind;
use bytes::Bytes;
use image::codecs::jpeg::JpegEncoder;
use image::codecs::png::PngEncoder;
use image::imageops::FilterType;
use image::{DynamicImage, Rgba, RgbaImage};

/// Longest side that is kept, in pixels: a screen of 4K with room to spare.
const SIDE: u32 = 4096;
/// Pixels that are decoded at most: what phones take by default, and twice the largest screen.
const MAX_PIXELS: u64 = 64_000_000;
const QUALITY: u8 = 88;

/// The new file.
#[derive(Debug)]
pub struct Cleaned {
    pub width: u32,
    pub height: u32,
    /// PNG or JPEG.
    pub mime: &'static str,
    pub extension: &'static str,
    pub bytes: Vec<u8>,
}

/// Draws a PNG, JPEG or WebP anew, where blocking is allowed. Screenshots (PNG, and what is transparent) stay PNG while
/// that fits into `max_bytes`; everything else becomes JPEG.
pub async fn clean(bytes: Bytes, max_bytes: usize) -> Result<Cleaned, NoPicture> {
    let _permit = DECODERS.acquire().await.map_err(|_| NoPicture::Unreadable)?;
    tokio::task::spawn_blocking(move || remake(&bytes, max_bytes)).await.map_err(|_| NoPicture::Unreadable)?
}

fn remake(bytes: &[u8], max_bytes: usize) -> Result<Cleaned, NoPicture> {
    let kind = FileKind::of(bytes).map(|kind| kind.mime).ok_or(NoPicture::Unreadable)?;
    if !["image/png", "image/jpeg", "image/webp"].contains(&kind) {
        return Err(NoPicture::Unreadable);
    }
    let (decoder, orientation) = begin(bytes, MAX_PIXELS)?;
    let mut picture = DynamicImage::from_decoder(decoder).map_err(refused)?;
    if picture.width().max(picture.height()) > SIDE {
        picture = picture.resize(SIDE, SIDE, FilterType::Triangle);
    }
    picture.apply_orientation(orientation);
    let (width, height) = (picture.width(), picture.height());
    if kind == "image/png" || picture.color().has_alpha() {
        let bytes = png(&picture)?;
        if bytes.len() <= max_bytes {
            return Ok(Cleaned { width, height, mime: "image/png", extension: "png", bytes });
        }
    }
    Ok(Cleaned { width, height, mime: "image/jpeg", extension: "jpg", bytes: jpeg(picture)? })
}

fn png(picture: &DynamicImage) -> Result<Vec<u8>, NoPicture> {
    let mut bytes = Vec::new();
    let encoder = PngEncoder::new(&mut bytes);
    let written = match picture.color().has_alpha() {
        true => picture.to_rgba8().write_with_encoder(encoder),
        false => picture.to_rgb8().write_with_encoder(encoder),
    };
    written.map(|()| bytes).map_err(refused)
}

/// JPEG has no transparency: transparent pixels become white, as on a page.
fn jpeg(picture: DynamicImage) -> Result<Vec<u8>, NoPicture> {
    let flat = match picture.color().has_alpha() {
        true => {
            let mut page = RgbaImage::from_pixel(picture.width(), picture.height(), Rgba([255; 4]));
            image::imageops::overlay(&mut page, &picture.into_rgba8(), 0, 0);
            DynamicImage::ImageRgba8(page).into_rgb8()
        }
        false => picture.into_rgb8(),
    };
    let mut bytes = Vec::new();
    flat.write_with_encoder(JpegEncoder::new_with_quality(&mut bytes, QUALITY)).map_err(refused)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::ImageFormat;
    use std::io::Cursor;

    fn encoded(picture: &DynamicImage, format: ImageFormat) -> Bytes {
        let mut bytes = Vec::new();
        picture.write_to(&mut Cursor::new(&mut bytes), format).expect("encodes");
        bytes.into()
    }

    #[tokio::test]
    async fn photos_become_photos_and_screens_stay_exact() {
        let photo = DynamicImage::new_rgb8(60, 40);
        for (format, mime) in
            [(ImageFormat::Jpeg, "image/jpeg"), (ImageFormat::Png, "image/png"), (ImageFormat::WebP, "image/jpeg")]
        {
            let made = clean(encoded(&photo, format), 1 << 20).await.expect("a picture");
            assert_eq!((made.mime, made.width, made.height), (mime, 60, 40), "{format:?}");
        }
        let tight = clean(encoded(&DynamicImage::new_rgba8(60, 40), ImageFormat::Png), 10).await.expect("a picture");
        assert_eq!(tight.mime, "image/jpeg", "what does not fit as PNG is flattened");
        let page = image::load_from_memory(&tight.bytes).expect("a JPEG").into_rgb8();
        assert!(page.get_pixel(5, 5).0.iter().all(|value| *value > 250), "nothing is white");
    }

    // STORE-7
    #[tokio::test]
    async fn what_hangs_on_to_a_file_is_gone() {
        let plain = encoded(&DynamicImage::new_rgb8(30, 20), ImageFormat::Jpeg);
        let secret = b"GPS 39.4699 -0.3763 <script>";
        let length = u16::try_from(2 + secret.len()).expect("short").to_be_bytes();
        let marked = [&plain[..2], b"\xff\xfe", &length, secret, &plain[2..], b"and a trailer"].concat();
        let made = clean(marked.into(), 1 << 20).await.expect("a picture");
        assert!(!made.bytes.windows(6).any(|w| w == b"script") && !made.bytes.windows(7).any(|w| w == b"trailer"));
    }

    #[tokio::test]
    async fn large_ones_are_made_smaller_and_others_refused() {
        let wide = clean(encoded(&DynamicImage::new_luma8(5000, 50), ImageFormat::Png), 1 << 20).await.expect("a picture");
        assert_eq!((wide.width, wide.height), (4096, 41));
        for bytes in [&b"GIF89a\x01\0\x01\0"[..], b"<svg/>", b"\x89PNG\r\n\x1a\n torn", b""] {
            assert_eq!(clean(Bytes::copy_from_slice(bytes), 1 << 20).await.err(), Some(NoPicture::Unreadable));
        }
    }
}
