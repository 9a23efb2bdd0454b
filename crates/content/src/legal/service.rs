//! The texts in force.

use super::model::{LegalKind, LegalText, Notice, NoticeParams, SEEDS, render};
use super::store;
use crate::{Content, ContentError, ContentResult};
use atalaya_kernel::Language;
use uuid::Uuid;

/// Puts the texts of this release into the database; does nothing for those that are there. Run at every start.
pub async fn seed(d: &Content) -> ContentResult<()> {
    let tx = d.db.write().await?;
    for text in SEEDS {
        if !store::exists(&tx, text).await? {
            store::insert_text(&tx, d.sources.uuid(), text, sha256_hex(text.html), d.sources.now()).await?;
        }
    }
    tx.commit().await?;
    Ok(())
}

/// The notice an end client reads before a call, in his language or in Spanish when it has none.
///
/// Errors: [`ContentError::NoLegalText`] before [`seed`].
pub async fn notice_in_force(d: &Content, language: Language, params: &NoticeParams) -> ContentResult<Notice> {
    let text = in_force(d, LegalKind::ClientNotice, language).await?;
    let html = render(&text.html, params);
    Ok(Notice {
        document_id: text.id,
        version: text.version,
        language: text.language,
        title: text.title,
        sha256: sha256_hex(&html),
        html,
    })
}

/// The text of a kind in force, in this language or in Spanish.
///
/// Errors: [`ContentError::NoLegalText`] before [`seed`].
pub async fn in_force(d: &Content, kind: LegalKind, language: Language) -> ContentResult<LegalText> {
    let now = d.sources.now();
    let mut found = store::find_in_force(d.db.read(), kind, language, now).await?;
    if found.is_none() {
        found = store::find_in_force(d.db.read(), kind, Language::default(), now).await?;
    }
    found.and_then(store::to_text).ok_or(ContentError::NoLegalText(kind as i16))
}

/// What a company accepts today: general and particular conditions (SPEC §3 Legal).
pub async fn conditions_in_force(d: &Content, language: Language) -> ContentResult<Vec<LegalText>> {
    let mut texts = Vec::with_capacity(LegalKind::CONDITIONS.len());
    for kind in LegalKind::CONDITIONS {
        texts.push(in_force(d, kind, language).await?);
    }
    Ok(texts)
}

/// Conditions by their id, in force or not; with a language, the same version in it where it exists.
///
/// Errors: [`ContentError::LegalNotFound`], also for texts that are no conditions.
pub async fn conditions(d: &Content, id: Uuid, language: Option<Language>) -> ContentResult<LegalText> {
    let found = store::find_text(d.db.read(), id).await?;
    let text = found.filter(|text| text.kind.is_condition()).ok_or(ContentError::LegalNotFound)?;
    match language.filter(|language| *language != text.language) {
        Some(language) => Ok(store::find_version(d.db.read(), text.kind, text.version, language).await?.unwrap_or(text)),
        None => Ok(text),
    }
}

fn sha256_hex(text: &str) -> String {
    hex::encode(aws_lc_rs::digest::digest(&aws_lc_rs::digest::SHA256, text.as_bytes()))
}

/// A text of any kind and version by its id: what somebody was once shown.
pub async fn find(d: &Content, id: Uuid) -> ContentResult<Option<LegalText>> {
    Ok(store::find_text(d.db.read(), id).await?)
}
