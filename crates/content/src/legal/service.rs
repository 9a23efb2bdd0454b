//! The texts in force.

use super::model::{LegalKind, Notice, NoticeParams, SEEDS, render};
use super::store;
use crate::{Content, ContentError, ContentResult};
use atalaya_kernel::Language;

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
    let (kind, now) = (LegalKind::ClientNotice, d.sources.now());
    let mut found = store::find_in_force(d.db.read(), kind, language, now).await?;
    if found.is_none() {
        found = store::find_in_force(d.db.read(), kind, Language::default(), now).await?;
    }
    let text = found.ok_or(ContentError::NoLegalText(kind as i16))?;
    let html = render(&text.html, params);
    Ok(Notice {
        document_id: text.id,
        version: text.version,
        language: Language::parse(&text.language).unwrap_or_default(),
        title: text.title,
        sha256: sha256_hex(&html),
        html,
    })
}

fn sha256_hex(text: &str) -> String {
    hex::encode(aws_lc_rs::digest::digest(&aws_lc_rs::digest::SHA256, text.as_bytes()))
}
