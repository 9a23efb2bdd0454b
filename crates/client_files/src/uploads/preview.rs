//! Previews of pictures that the server cannot decode, made by the sender's browser and drawn anew here (FILES-23).

use crate::FilesError;
use crate::error::Refusal;
use crate::requests::{Link, tell_files};
use atalaya_assistance::Assistance;
use atalaya_assistance::media::{MediaError, previews};
use atalaya_assistance::media_items;
use atalaya_cases::conferences::Scope;
use atalaya_cases::conferences::vault;
use atalaya_kernel::MediaId;
use bytes::Bytes;
use uuid::Uuid;

/// Bytes of a preview at most.
pub const MAX_BYTES: usize = 2 << 20;

/// Stores preview and thumbnail of a picture of this request, once; a repetition changes nothing.
///
/// Errors: `MEDIA_NOT_FOUND`, `NOT_A_PICTURE`, `PICTURE_TOO_BIG`.
pub async fn put(deps: &Assistance, link: &Link, media: Uuid, bytes: Bytes) -> Result<(), FilesError> {
    let found = media_items::find(deps.db.read(), Scope::All, MediaId(media)).await?;
    let (file, _) = found.filter(|(file, _)| file.request_id == Some(link.request.id)).ok_or(MediaError::NotFound)?;
    if file.mime != "image/heif" || file.expired_at.is_some() {
        return Err(MediaError::NotFound.into());
    }
    if file.preview_blob.is_some() {
        return Ok(());
    }
    if previews::is_flood(&bytes) {
        return Err(FilesError::Refused(Refusal::PictureTooBig));
    }
    let drawn = previews::redraw(bytes).await.ok_or(FilesError::Refused(Refusal::NotAPicture))?;
    let key = vault::unwrap(deps, link.id(), link.conference.data_key.as_deref()).await?;
    let stem = file.filename.split('.').next().unwrap_or_default();
    let mut names = Vec::new();
    for (kind, content) in [("preview", &drawn.preview), ("thumb", &drawn.thumbnail)] {
        let name = vault::blob_name(link.id(), &format!("{stem}.{kind}.jpg"))?;
        let digest = deps.blobs.put(&name, &key, content).await?;
        names.push((name.as_str().to_owned(), digest.sha256_hex()));
    }
    let [preview, thumbnail]: [(String, String); 2] = names.try_into().expect("two were written");
    let size = (i32::try_from(drawn.width).unwrap_or(0), i32::try_from(drawn.height).unwrap_or(0));
    let size = (file.width.unwrap_or(size.0), file.height.unwrap_or(size.1));
    let tx = deps.db.write().await?;
    atalaya_cases::conferences::lock_living(&tx, link.id()).await?;
    media_items::set_preview(&tx, media, preview, thumbnail, size).await?;
    tx.commit().await?;
    tell_files(deps, link.id(), link.request.id, file.item_id, Some(media), "preview");
    Ok(())
}
