//! A report of pictures: values and JPEG files in, bytes out. Every text is already in its language.

use crate::document::{Cell, Words, breakable};
use crate::letters::printable;
use crate::render::{Engine, PdfError, engine, qr_svg, set_with};
use crate::sheet::Labelled;
use chrono::{DateTime, Utc};
use serde::Serialize;
use std::sync::LazyLock;
use typst::foundations::{Array, Bytes, Dict, IntoValue, Value};

static REPORT: Engine = LazyLock::new(|| engine(include_str!("photo.typ")));

/// Characters without a space after which a line may be broken: a third of the page.
const UNBROKEN_MAX: usize = 26;

/// A picture with what is known of it.
#[derive(Clone, Debug)]
pub struct Picture {
    /// `1`, `2` …
    pub number: String,
    /// What it shows, in a few words.
    pub label: String,
    pub note: Option<String>,
    /// Time, place, origin.
    pub facts: Vec<Labelled>,
    /// Of the original file, in hexadecimal.
    pub sha256: String,
    /// Baseline or progressive JPEG; `None` when there is nothing to show, and then `missing` says why.
    pub jpeg: Option<Vec<u8>>,
    /// SVG that is laid over it, of the same shape, the last one uppermost.
    pub layers: Vec<String>,
    pub missing: String,
}

/// The pictures of a case, two to a page.
#[derive(Clone, Debug)]
pub struct PhotoReport {
    /// Two letters.
    pub language: String,
    pub title: String,
    /// One line in the header of every page.
    pub subtitle: String,
    /// Identifies the file.
    pub number: String,
    /// Becomes the creation date in the file; no clock is read.
    pub issued_at: DateTime<Utc>,
    /// In the footer of every page, with the address in the QR code.
    pub code: String,
    pub url: String,
    pub words: Words,
    pub facts: Vec<Labelled>,
    pub hash_label: String,
    pub pictures: Vec<Picture>,
    /// Printed instead of pictures when there are none.
    pub empty: Option<String>,
    /// Small print after the last picture.
    pub note: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PreparedPicture {
    number: String,
    label: String,
    note: Option<String>,
    facts: Vec<Labelled>,
    hash_label: String,
    hash: Vec<String>,
    missing: String,
}

impl PhotoReport {
    fn prepared(&self) -> Result<serde_json::Value, PdfError> {
        let text = |text: &str| breakable(&printable(text, false), UNBROKEN_MAX);
        let facts = |facts: &[Labelled]| -> Vec<Labelled> {
            facts.iter().map(|fact| Labelled::new(fact.label.clone(), text(&fact.value))).collect()
        };
        let pictures: Vec<PreparedPicture> = self
            .pictures
            .iter()
            .map(|picture| PreparedPicture {
                number: picture.number.clone(),
                label: text(&picture.label),
                note: picture.note.as_deref().map(text),
                facts: facts(&picture.facts),
                hash_label: self.hash_label.clone(),
                hash: Cell::hash(&picture.sha256).lines,
                missing: picture.missing.clone(),
            })
            .collect();
        Ok(serde_json::json!({
            "language": self.language, "title": self.title, "subtitle": text(&self.subtitle), "number": self.number,
            "code": self.code, "url": self.url, "words": self.words, "facts": facts(&self.facts), "pictures": pictures,
            "empty": self.empty, "note": self.note, "qr": qr_svg(&self.url)?,
        }))
    }

    fn files(&self) -> Array {
        let file = |picture: &Picture| picture.jpeg.clone().map_or(Value::None, |jpeg| Value::Bytes(Bytes::new(jpeg)));
        self.pictures.iter().map(file).collect()
    }

    fn layers(&self) -> Array {
        let svg = |svg: &String| Value::Bytes(Bytes::new(svg.clone().into_bytes()));
        let of = |picture: &Picture| -> Array {
            let shown: &[String] = if picture.jpeg.is_some() { &picture.layers } else { &[] };
            shown.iter().map(svg).collect()
        };
        self.pictures.iter().map(|picture| Value::Array(of(picture))).collect()
    }
}

/// The report as PDF/A-2b; pictures are embedded as they come. Call it where blocking is allowed.
///
/// Errors: [`PdfError`], always internal; a picture that is no JPEG is one.
pub fn render_photo_report(report: &PhotoReport) -> Result<Vec<u8>, PdfError> {
    let mut inputs = Dict::new();
    inputs.insert("data".into(), report.prepared()?.to_string().into_value());
    inputs.insert("pictures".into(), report.files().into_value());
    inputs.insert("layers".into(), report.layers().into_value());
    set_with(&REPORT, inputs, &report.number, report.issued_at)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(note: &str, jpeg: Option<Vec<u8>>) -> PhotoReport {
        let picture = |n: usize| Picture {
            number: n.to_string(),
            label: "Daño".into(),
            note: Some(note.to_owned()),
            facts: vec![Labelled::new("Lugar", "x".repeat(80))],
            sha256: "ab".repeat(32),
            jpeg: jpeg.clone(),
            layers: Vec::new(),
            missing: "Ya no se conserva".into(),
        };
        PhotoReport {
            language: "es".into(),
            title: "Informe fotográfico".into(),
            subtitle: "Expediente 1".into(),
            number: "IF-1".into(),
            issued_at: chrono::DateTime::from_timestamp(1_795_000_000, 0).expect("a time"),
            code: "7H2KQ-9VX0M-RT4CA-PZ81D".into(),
            url: "https://atalaya.example/verificar/7H2KQ-9VX0M-RT4CA-PZ81D".into(),
            words: Words { page: "{n}/{m}".into(), code: "Código".into(), qr: "QR".into() },
            facts: vec![],
            hash_label: "SHA-256".into(),
            pictures: (1..=3).map(picture).collect(),
            empty: None,
            note: "Nota".into(),
        }
    }

    // PHOTO-4
    #[test]
    fn a_layer_lies_over_its_picture_and_the_picture_is_embedded_as_it_comes() {
        let jpeg = include_bytes!("../examples/picture.jpg").to_vec();
        let plain = report("", Some(jpeg.clone()));
        let mut marked = plain.clone();
        let svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"1000\" height=\"750\" viewBox=\"0 0 10000 7500\">\
                   <path d=\"M0 0L5000 5000\" stroke=\"#ff5a4f\" stroke-width=\"45\"/><text x=\"9\" y=\"900\" font-size=\"280\" \
                   font-family=\"Inter\" fill=\"#ffe14a\" stroke=\"#0b0b0b\" paint-order=\"stroke\">Golpe</text></svg>";
        marked.pictures[0].layers = vec![svg.into(), svg.replace("#ff5a4f", "#5ce1ff")];
        let (plain, marked) = (render_photo_report(&plain).expect("it is set"), render_photo_report(&marked).expect("it is set"));
        assert_ne!(plain, marked);
        let scan = &jpeg[jpeg.len() / 2..jpeg.len() / 2 + 64];
        assert!(marked.windows(scan.len()).any(|window| window == scan), "the file itself is in the PDF");
        let gone = |layers| Picture { jpeg: None, layers, ..report("", None).pictures[0].clone() };
        let mut missing = report("", None);
        missing.pictures = vec![gone(vec![svg.into()])];
        assert!(render_photo_report(&missing).is_ok(), "marks of a picture that is not kept are not shown");
    }

    // DOC-1, DOC-2, DOC-8
    #[test]
    fn pictures_are_embedded_as_they_come_and_text_is_never_markup() {
        let jpeg = include_bytes!("../examples/picture.jpg").to_vec();
        let first = render_photo_report(&report("= #panic(\"x\") 🚗", Some(jpeg.clone()))).expect("it is set");
        assert_eq!(render_photo_report(&report("= #panic(\"x\") 🚗", Some(jpeg.clone()))).expect("it is set"), first);
        assert!(first.starts_with(b"%PDF-1.7"));
        let scan = &jpeg[jpeg.len() / 2..jpeg.len() / 2 + 64];
        assert!(first.windows(scan.len()).any(|window| window == scan), "the file itself is in the PDF");
        assert!(render_photo_report(&report("", None)).is_ok(), "what is not kept leaves an empty frame");
        assert!(render_photo_report(&report("", Some(b"no picture".to_vec()))).is_err());
    }
}
