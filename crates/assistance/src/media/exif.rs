//! The position that a picture's file claims. It can be written by anybody, so it is kept apart from measured ones.

use exif::{In, Reader, Tag, Value};
use std::io::Cursor;

/// Latitude and longitude with six decimals, as the file's EXIF data have them.
pub async fn claimed_position(bytes: bytes::Bytes) -> Option<(String, String)> {
    tokio::task::spawn_blocking(move || read(&bytes)).await.ok().flatten()
}

pub fn read(bytes: &[u8]) -> Option<(String, String)> {
    let exif = Reader::new().read_from_container(&mut Cursor::new(bytes)).ok()?;
    let degrees = |value: Tag, side: Tag, negative: u8, max: f64| {
        let Value::Rational(parts) = &exif.get_field(value, In::PRIMARY)?.value else { return None };
        let [d, m, s] = parts.get(..3)? else { return None };
        let number = d.to_f64() + m.to_f64() / 60.0 + s.to_f64() / 3600.0;
        let Value::Ascii(side) = &exif.get_field(side, In::PRIMARY)?.value else { return None };
        let sign = if side.first()?.first()? == &negative { -1.0 } else { 1.0 };
        Some(sign * number).filter(|number| number.is_finite() && number.abs() <= max)
    };
    let latitude = degrees(Tag::GPSLatitude, Tag::GPSLatitudeRef, b'S', 90.0)?;
    let longitude = degrees(Tag::GPSLongitude, Tag::GPSLongitudeRef, b'W', 180.0)?;
    // What some phones write when they do not know.
    if latitude == 0.0 && longitude == 0.0 {
        return None;
    }
    Some((format!("{latitude:.6}"), format!("{longitude:.6}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    // PLACE-5
    #[test]
    fn the_position_of_a_photo_is_read() {
        let photo = include_bytes!("../../../../vectors/photo-with-position.jpg");
        assert_eq!(read(photo), Some(("40.416800".into(), "-3.703800".into())));
        let torn = [&photo[..60], &[0; 20]].concat();
        for other in [&b"\xff\xd8\xff\xe1\x00\x10Exif\0\0garbage"[..], b"", &torn] {
            assert_eq!(read(other), None);
        }
    }
}
