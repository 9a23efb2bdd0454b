//! The texts in force.

use super::model::{LegalKind, LegalText, NewLegal, Notice, NoticeParams, SEEDS, render};
use super::{store, terms};
use crate::{Content, ContentError, ContentResult};
use atalaya_db::Tx;
use atalaya_kernel::ClientLanguage;
use uuid::Uuid;

/// Writes the texts of this release into the database, except those it already has (LEGAL-5). Runs at every start.
pub async fn seed(d: &Content) -> ContentResult<()> {
    let tx = d.db.write().await?;
    for text in SEEDS {
        if !store::exists(&tx, text).await? {
            let now = d.sources.now();
            let text = LegalText {
                id: d.sources.uuid(),
                kind: text.kind,
                version: text.version,
                language: text.language,
                title: text.title.to_owned(),
                html: text.html.to_owned(),
                sha256: sha256_hex(text.html),
                in_force_from: now,
            };
            store::insert(&tx, &text, now).await?;
        }
    }
    tx.commit().await?;
    Ok(())
}

/// The notice an end client reads before a call, in the client's language, or in Spanish when it has none.
///
/// Errors: [`ContentError::NoLegalText`] before [`seed`].
pub async fn notice_in_force(d: &Content, language: impl Into<ClientLanguage>, params: &NoticeParams) -> ContentResult<Notice> {
    let text = in_force(d, LegalKind::ClientNotice, language).await?;
    let html = terms::with_terms(&render(&text.html, params), text.language, &params.terms);
    Ok(Notice {
        document_id: text.id,
        version: text.version,
        language: text.language,
        title: text.title,
        sha256: sha256_hex(&html),
        html,
    })
}

/// The text of a kind in force, in this language or in Spanish, in which every version is written.
///
/// Errors: [`ContentError::NoLegalText`] before [`seed`].
pub async fn in_force(d: &Content, kind: LegalKind, language: impl Into<ClientLanguage>) -> ContentResult<LegalText> {
    let db = d.db.read();
    let language = language.into();
    let spanish = store::find_in_force(db, kind, ClientLanguage::default(), d.sources.now()).await?;
    let spanish = spanish.ok_or(ContentError::NoLegalText(kind as i16))?;
    if language == spanish.language {
        return Ok(spanish);
    }
    // An older version in the right language cannot stand in for the one in force.
    Ok(store::find_version(db, kind, spanish.version, language).await?.unwrap_or(spanish))
}

/// The kinds of conditions whose text in force is still the one that this program brings.
pub async fn samples_in_force(d: &Content) -> ContentResult<Vec<LegalKind>> {
    let mut samples = Vec::new();
    for text in conditions_in_force(d, ClientLanguage::default()).await? {
        if SEEDS.iter().any(|seed| seed.kind == text.kind && sha256_hex(seed.html) == text.sha256) {
            samples.push(text.kind);
        }
    }
    Ok(samples)
}

/// Every text, by kind and then the newest version first.
pub async fn list(d: &Content) -> ContentResult<Vec<LegalText>> {
    Ok(store::list(d.db.read()).await?)
}

/// Adds a text in the caller's transaction; the caller has checked its rules. A version begins in Spanish; other languages
/// follow.
///
/// Errors: [`ContentError::LegalNotFound`] for a version that does not exist, [`ContentError::LegalLanguage`] for a language
/// that it already has, or for a new version in a language other than Spanish.
pub async fn add(d: &Content, tx: &Tx, new: NewLegal) -> ContentResult<LegalText> {
    let now = d.sources.now();
    let (version, in_force_from) = match new.version {
        None if new.language != ClientLanguage::default() => return Err(ContentError::LegalLanguage),
        None => (store::last_version(tx, new.kind).await? + 1, new.in_force_from),
        Some(version) => {
            let begun = store::find_version(&**tx, new.kind, version, ClientLanguage::default()).await?;
            let begun = begun.ok_or(ContentError::LegalNotFound)?;
            if store::find_version(&**tx, new.kind, version, new.language).await?.is_some() {
                return Err(ContentError::LegalLanguage);
            }
            (version, begun.in_force_from)
        }
    };
    let text = LegalText {
        id: d.sources.uuid(),
        kind: new.kind,
        version,
        language: new.language,
        title: new.title,
        sha256: sha256_hex(&new.html),
        html: new.html,
        in_force_from,
    };
    store::insert(tx, &text, now).await?;
    Ok(text)
}

/// The conditions a company accepts today: general and particular.
pub async fn conditions_in_force(d: &Content, language: impl Into<ClientLanguage>) -> ContentResult<Vec<LegalText>> {
    let language = language.into();
    let mut texts = Vec::with_capacity(LegalKind::CONDITIONS.len());
    for kind in LegalKind::CONDITIONS {
        texts.push(in_force(d, kind, language).await?);
    }
    Ok(texts)
}

/// Conditions by their id, in force or not; with a language, the same version in it where it exists.
///
/// Errors: [`ContentError::LegalNotFound`], also for texts that are not conditions.
pub async fn conditions(d: &Content, id: Uuid, language: Option<ClientLanguage>) -> ContentResult<LegalText> {
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

/// A text of any kind and version by its id, also one shown long ago.
pub async fn find(d: &Content, id: Uuid) -> ContentResult<Option<LegalText>> {
    Ok(store::find_text(d.db.read(), id).await?)
}
