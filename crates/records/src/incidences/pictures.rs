//! Images of incidences: read from data URLs, re-encoded, stored sealed with their incidence's key (INCID-5, INCID-6).

use crate::Records;
use crate::tickets::Image;
use crate::tickets::model::{IncidenceError, NewImage};
use atalaya_assistance::media::reencoding::{Cleaned, clean};
use atalaya_assistance::media::thumbnails::NoPicture;
use atalaya_assistance::media_items::kinds::tidy_name;
use atalaya_blobs::{BlobName, DataKey};
use atalaya_cases::conferences::ConferenceError;
use atalaya_kernel::limits;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use uuid::Uuid;

/// A re-encoded image.
#[derive(Debug)]
pub struct Picture {
    name: String,
    cleaned: Cleaned,
}

/// The folder of an incidence's images.
pub fn folder(incidence: Uuid) -> String {
    format!("incidences/{incidence}")
}

fn owner(incidence: Uuid) -> String {
    format!("incidence:{incidence}")
}

/// A new key for an incidence, and the same key wrapped for its row.
pub async fn new_key(deps: &Records, incidence: Uuid) -> Result<(DataKey, Vec<u8>), ConferenceError> {
    let key = DataKey::generate(&deps.sources);
    let wrapped = deps.master.wrap(&key, &owner(incidence), &deps.sources).await?;
    Ok((key, wrapped))
}

/// The key of an incidence. Errors: `MEDIA_ERASED` once it was erased with its conference.
pub async fn unwrap(deps: &Records, incidence: Uuid, wrapped: Option<&[u8]>) -> Result<DataKey, ConferenceError> {
    let wrapped = wrapped.ok_or(ConferenceError::MediaErased)?;
    Ok(deps.master.unwrap(wrapped, &owner(incidence)).await?)
}

/// Reads images as forms send them, one after the other so that one is in memory in the clear at a time.
///
/// Errors: [`IncidenceError::FileTooLarge`], [`IncidenceError::FileNotImage`] with the image's place.
pub async fn read(files: &[NewImage]) -> Result<Vec<Picture>, IncidenceError> {
    let mut pictures = Vec::with_capacity(files.len());
    for (nth, file) in files.iter().enumerate() {
        let bytes = bytes_of(&file.src, nth)?;
        let cleaned = clean(bytes, limits::INCIDENCE_FILE_MAX_BYTES).await.map_err(|error| match error {
            NoPicture::TooBig => IncidenceError::FileTooLarge(nth),
            NoPicture::Unreadable => IncidenceError::FileNotImage(nth),
        })?;
        pictures.push(Picture { name: tidy_name(&file.name, cleaned.extension), cleaned });
    }
    Ok(pictures)
}

/// The bytes of a data URL. Its declared type is ignored; the bytes show what they are.
fn bytes_of(src: &str, nth: usize) -> Result<Bytes, IncidenceError> {
    let (head, data) = src.split_once(',').ok_or(IncidenceError::FileNotImage(nth))?;
    if !head.starts_with("data:") || !head.ends_with(";base64") {
        return Err(IncidenceError::FileNotImage(nth));
    }
    // Four characters of base64 are three bytes.
    if data.len() / 4 * 3 > limits::INCIDENCE_FILE_MAX_BYTES + 2 {
        return Err(IncidenceError::FileTooLarge(nth));
    }
    let bytes = STANDARD.decode(data).map_err(|_| IncidenceError::FileNotImage(nth))?;
    match bytes.len() > limits::INCIDENCE_FILE_MAX_BYTES {
        true => Err(IncidenceError::FileTooLarge(nth)),
        false => Ok(bytes.into()),
    }
}

/// Seals and stores images; answers their rows, to be written in the caller's transaction.
///
/// Errors: those of the storage; what was stored by then is deleted again.
pub async fn keep(
    deps: &Records,
    incidence: Uuid,
    entry: Option<Uuid>,
    key: &DataKey,
    pictures: Vec<Picture>,
) -> Result<Vec<Image>, IncidenceError> {
    let mut rows: Vec<Image> = Vec::with_capacity(pictures.len());
    for (position, picture) in (1..).zip(pictures) {
        match keep_one(deps, incidence, entry, key, (position, picture)).await {
            Ok(row) => rows.push(row),
            Err(error) => {
                forget(deps, &rows).await;
                return Err(error);
            }
        }
    }
    Ok(rows)
}

async fn keep_one(
    deps: &Records,
    incidence: Uuid,
    entry: Option<Uuid>,
    key: &DataKey,
    (position, picture): (i32, Picture),
) -> Result<Image, IncidenceError> {
    let Picture { name, cleaned } = picture;
    let id = deps.sources.uuid();
    let blob_name = format!("{}/{id}", folder(incidence));
    deps.blobs.put(&BlobName::new(blob_name.clone())?, key, &cleaned.bytes).await?;
    let number = |n: u32| i32::try_from(n).unwrap_or(i32::MAX);
    Ok(Image {
        id,
        incidence_id: incidence,
        entry_id: entry,
        name,
        mime: cleaned.mime.to_owned(),
        blob_name,
        position,
        width: number(cleaned.width),
        height: number(cleaned.height),
        size_bytes: i64::try_from(cleaned.bytes.len()).unwrap_or(i64::MAX),
        at: deps.sources.now(),
    })
}

/// Deletes images whose rows were not written.
pub async fn forget(deps: &Records, rows: &[Image]) {
    for row in rows {
        let Ok(name) = BlobName::new(row.blob_name.clone()) else { continue };
        if let Err(error) = deps.blobs.delete(&name).await {
            tracing::warn!(%error, "an image that nobody refers to stays in the storage, sealed");
        }
    }
}

/// Maximum size of a stored image: a re-encoded JPEG may be larger than what was sent.
const READ_MAX: u64 = 64 << 20;

/// The bytes of a stored image.
///
/// Errors: `MEDIA_ERASED`, `MEDIA_NOT_FOUND`, those of the storage.
pub async fn open(deps: &Records, row: &Image, wrapped: Option<&[u8]>) -> Result<Bytes, IncidenceError> {
    let key = unwrap(deps, row.incidence_id, wrapped).await?;
    let reader = deps.blobs.get(&BlobName::new(row.blob_name.clone())?, &key).await?;
    Ok(reader.read_all(READ_MAX).await?)
}

#[cfg(test)]
mod tests {
    use super::*;

    // INCID-5
    #[test]
    fn only_whole_data_urls_of_bearable_size_are_read() {
        assert_eq!(bytes_of("data:image/png;base64,AAEC", 0).expect("good").as_ref(), [0, 1, 2]);
        for src in ["", "AAEC", "data:image/png,AAEC", "https://x/y.png", "data:image/png;base64,A=A"] {
            assert!(matches!(bytes_of(src, 3), Err(IncidenceError::FileNotImage(3))), "{src}");
        }
        let of = |bytes: usize| format!("data:;base64,{}", STANDARD.encode(vec![0; bytes]));
        assert!(bytes_of(&of(limits::INCIDENCE_FILE_MAX_BYTES), 0).is_ok());
        let over = bytes_of(&of(limits::INCIDENCE_FILE_MAX_BYTES + 1), 1);
        assert!(matches!(over, Err(IncidenceError::FileTooLarge(1))));
    }
}
