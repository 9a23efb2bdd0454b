//! Gathers what a report prints, and sets it.

use crate::certificates::{CertificateError, service as certificate};
use crate::measures::{self, MeasuredPlane};
use crate::{Records, drawings};
use atalaya_assistance::media::printable::{self, Printable};
use atalaya_cases::conferences::vault;
use atalaya_content::languages::text;
use atalaya_kernel::{ConferenceId, Language, calendar};
use atalaya_pdf::{Labelled, PhotoReport, Picture, Words};
use atalaya_rest::caller::Caller;
use chrono::{DateTime, Utc};
use std::collections::HashMap;
use uuid::Uuid;

/// Pictures in one report at most (PHOTO-2).
const PICTURES_MAX: usize = 200;

/// A report that was set.
pub struct Report {
    pub pdf: Vec<u8>,
    pub expedient_number: String,
}

/// The report of a conference's pictures, in the case's language unless another is asked for; with `marks` what is drawn and
/// measured on them lies over them (PHOTO-4). Values are printed either way.
///
/// Errors: `CONFERENCE_NOT_FOUND`, `MEDIA_ERASED`, `MEDIA_EXPIRED`.
pub async fn report(
    deps: &Records,
    caller: &Caller,
    id: ConferenceId,
    language: Option<Language>,
    marks: bool,
) -> Result<Report, CertificateError> {
    let (issued, row) = certificate::current(deps, caller, id).await?;
    let key = vault::unwrap(deps, id, row.data_key.as_deref()).await?;
    if certificate::files_gone(deps, &row).await? {
        return Err(CertificateError::FilesExpired);
    }
    let (pictures, total) = printable::of_case(deps, id, &key, PICTURES_MAX).await?;
    let layers = if marks { drawings::layers(deps, id).await? } else { Vec::new() };
    let mut over: HashMap<Uuid, Vec<String>> = layers.into_iter().map(|layer| (layer.media, vec![layer.svg])).collect();
    let mut measured: HashMap<Uuid, Vec<MeasuredPlane>> = HashMap::new();
    for layer in measures::layers(deps, id).await? {
        if marks {
            over.entry(layer.media).or_default().push(layer.svg);
        }
        measured.insert(layer.media, layer.planes);
    }
    let language = language.or_else(|| Language::parse(&row.language)).unwrap_or_default();
    let of = |key: &'static str| text(language, "photoreports", key).to_owned();
    let note = note_of(language, pictures.len(), total);
    let contact = row.contact_person.clone().unwrap_or_default();
    let facts = [
        ("expedient", row.expedient_number.clone()),
        ("company", row.customer_name.clone()),
        ("contact", contact),
        ("plate", row.car_id.clone().unwrap_or_default()),
        ("openedAt", local(row.created_at)),
        ("author", row.user_name.clone()),
    ];
    let sheet = PhotoReport {
        language: language.code().to_owned(),
        title: of("title"),
        subtitle: of("subtitle").replace("{expedient}", &row.expedient_number).replace("{company}", &row.customer_name),
        number: issued.number.clone(),
        issued_at: issued.issued_at,
        code: issued.code.clone(),
        url: format!("{}{}", deps.public_url, certificate::path_of(&issued)),
        words: Words { page: of("page"), code: of("code"), qr: of("qr") },
        facts: facts
            .into_iter()
            .filter(|(_, value)| !value.is_empty())
            .map(|(key, value)| Labelled::new(of(key), value))
            .collect(),
        hash_label: "SHA-256".to_owned(),
        empty: pictures.is_empty().then(|| of("empty")),
        pictures: (1..)
            .zip(pictures)
            .map(|(n, picture)| {
                let (layers, planes) = (over.remove(&picture.id), measured.remove(&picture.id));
                printed(language, n, picture, layers.unwrap_or_default(), &planes.unwrap_or_default())
            })
            .collect(),
        note,
    };
    let expedient_number = row.expedient_number;
    let pdf = tokio::task::spawn_blocking(move || atalaya_pdf::render_photo_report(&sheet)).await;
    let pdf = pdf.map_err(|_| CertificateError::Interrupted)??;
    tracing::info!(conference.id = %id, pdf.size_bytes = pdf.len(), "photo report set");
    Ok(Report { pdf, expedient_number })
}

/// The small print; it says when only the first pictures are shown.
fn note_of(language: Language, shown: usize, total: usize) -> String {
    match total > shown {
        true => text(language, "photoreports", "noteFirst")
            .replace("{count}", &shown.to_string())
            .replace("{total}", &total.to_string()),
        false => text(language, "photoreports", "note").to_owned(),
    }
}

/// Day and time in Madrid.
fn local(at: DateTime<Utc>) -> String {
    calendar::local(at).format("%d/%m/%Y %H:%M").to_string()
}

fn printed(language: Language, n: usize, picture: Printable, layers: Vec<String>, planes: &[MeasuredPlane]) -> Picture {
    let of = |key: &'static str| text(language, "photoreports", key).to_owned();
    let mut facts = vec![Labelled::new(of("capturedAt"), local(picture.captured_at))];
    if let Some(device) = picture.device {
        facts.push(Labelled::new(of("device"), device));
    }
    if let Some(place) = picture.position {
        let metres = picture.accuracy_m.map(|metres| format!(" (± {metres} m)")).unwrap_or_default();
        facts.push(Labelled::new(of("place"), format!("{place}{metres}")));
    }
    facts.push(Labelled::new(of("file"), picture.name));
    if let Some(values) = values_of(planes) {
        let wide = if planes.iter().any(|plane| plane.wide) { format!(" {}", of("measureWide")) } else { String::new() };
        facts.push(Labelled::new(of("measures"), values + &wide));
    }
    Picture {
        number: n.to_string(),
        label: picture.label.unwrap_or_else(|| of("picture")),
        note: picture.note,
        facts,
        sha256: picture.sha256,
        missing: of(if picture.expired { "notKept" } else { "notShown" }),
        jpeg: picture.jpeg,
        layers,
    }
}

/// `1: 432 mm ± 9 mm; 2: 1234 cm² ± 30 cm²`, numbered as in the layer (MEASURE-7); `None` without any.
fn values_of(planes: &[MeasuredPlane]) -> Option<String> {
    let shapes = planes.iter().flat_map(|plane| &plane.shapes);
    let values: Vec<String> = (1..).zip(shapes).map(|(n, shape)| format!("{n}: {}", measures::shown(shape))).collect();
    (!values.is_empty()).then(|| values.join("; "))
}

#[cfg(test)]
mod tests {
    use super::*;

    // PHOTO-2
    #[test]
    fn a_report_says_when_there_are_more_pictures() {
        assert!(note_of(Language::Es, PICTURES_MAX, PICTURES_MAX + 40).contains("primeras 200 de 240 fotos"));
        assert!(!note_of(Language::Es, PICTURES_MAX, PICTURES_MAX).contains("primeras"));
    }
}
