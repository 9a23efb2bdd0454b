//! Previews of pictures that the server cannot decode, made by the sender's browser and drawn anew here (FILES-23).

use super::error::Refusal;
use super::link::Link;
use super::{FilesError, store};
use crate::Assistance;
use crate::media::{MediaError, previews};
use atalaya_cases::conferences::Scope;
use atalaya_cases::conferences::vault;
use atalaya_rest::extract::{Multipart, multipart_problem};
use atalaya_rest::problem::Problem;
use bytes::{Bytes, BytesMut};
use uuid::Uuid;

/// Bytes of a preview at most.
pub const MAX_BYTES: usize = 2 << 20;

/// The file of a multipart body. Errors: `FILE_TOO_LARGE` (413), `INVALID_FIELDS` (422).
pub async fn read(mut multipart: Multipart) -> Result<Bytes, Problem> {
    let too_large = |problem: Problem| match problem.code() {
        "BODY_TOO_LARGE" => FilesError::Refused(Refusal::TooLarge).into(),
        _ => problem,
    };
    while let Some(mut field) = multipart.next_field().await.map_err(too_large)? {
        if field.name() != Some("file") {
            continue;
        }
        let mut bytes = BytesMut::new();
        while let Some(chunk) = field.chunk().await.map_err(|error| too_large(multipart_problem(error)))? {
            if bytes.len() + chunk.len() > MAX_BYTES {
                return Err(FilesError::Refused(Refusal::TooLarge).into());
            }
            bytes.extend_from_slice(&chunk);
        }
        return Ok(bytes.freeze());
    }
    Err(MediaError::Missing.into())
}

/// Stores preview and thumbnail of a picture of this request, once; a repetition changes nothing.
///
/// Errors: `MEDIA_NOT_FOUND`, `NOT_A_PICTURE`, `PICTURE_TOO_BIG`.
pub async fn put(deps: &Assistance, link: &Link, media: Uuid, bytes: Bytes) -> Result<(), FilesError> {
    let found = store::find_media(deps.db.read(), Scope::All, media).await?;
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
    let key = vault::unwrap(deps, link.id(), link.conference.data_key.as_deref())?;
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
    store::set_preview(&tx, media, preview, thumbnail, size).await?;
    tx.commit().await?;
    super::service::tell_files(deps, link.id(), link.request.id, file.item_id, Some(media), "preview");
    Ok(())
}
