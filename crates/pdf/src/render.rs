//! Renders a document with Typst. One engine for the whole process: fonts are read and the template is parsed once.

use crate::document::Document;
use chrono::{DateTime, Datelike, Timelike, Utc};
use qrcode::{EcLevel, QrCode};
use std::sync::LazyLock;
use typst::foundations::{Datetime, Dict, IntoValue, Smart};
use typst_as_lib::{TypstEngine, TypstTemplateMainFile};
use typst_layout::PagedDocument;
use typst_pdf::{PdfOptions, PdfStandard, PdfStandards, Timestamp};

const TEMPLATE: &str = include_str!("document.typ");
pub(crate) const REGULAR: &[u8] = include_bytes!("../fonts/Inter-Regular.otf");
pub(crate) const MONO: &[u8] = include_bytes!("../fonts/JetBrainsMono-Regular.ttf");
const FONTS: [&[u8]; 4] =
    [REGULAR, include_bytes!("../fonts/Inter-Medium.otf"), include_bytes!("../fonts/Inter-SemiBold.otf"), MONO];

pub(crate) type Engine = LazyLock<TypstEngine<TypstTemplateMainFile>>;

static ENGINE: Engine = LazyLock::new(|| engine(TEMPLATE));

pub(crate) fn engine(template: &'static str) -> TypstEngine<TypstTemplateMainFile> {
    TypstEngine::builder().main_file(template).fonts(FONTS).build()
}

/// A document that could not be rendered: a bug of ours, never the fault of the values.
#[derive(Debug, thiserror::Error)]
pub enum PdfError {
    #[error("the document could not be set: {0}")]
    Set(String),
    #[error("the code could not be drawn: {0}")]
    Code(String),
}

/// The document as PDF/A-2b (DOC-1). Takes tens of milliseconds of CPU: call it where blocking is allowed.
///
/// Errors: [`PdfError`], always internal.
pub fn render(document: &Document) -> Result<Vec<u8>, PdfError> {
    let mut data = serde_json::to_value(document.prepared()).expect("a document is plain data");
    data["qr"] = qr_svg(&document.url)?.into();
    set(&ENGINE, &data, &document.number, document.issued_at)
}

/// Renders prepared values with a template; `ident` identifies the file.
pub(crate) fn set(engine: &Engine, data: &serde_json::Value, ident: &str, at: DateTime<Utc>) -> Result<Vec<u8>, PdfError> {
    set_with(engine, inputs(data), ident, at)
}

/// Renders a template with inputs of any kind, pictures among them.
pub(crate) fn set_with(engine: &Engine, inputs: Dict, ident: &str, at: DateTime<Utc>) -> Result<Vec<u8>, PdfError> {
    let paged = laid_out(engine, inputs)?;
    let standards = PdfStandards::new(&[PdfStandard::A_2b]).map_err(|error| PdfError::Set(format!("{error:?}")))?;
    let options = PdfOptions {
        ident: Smart::Custom(ident.to_owned()),
        creator: Smart::Custom(Some("Atalaya".into())),
        timestamp: created(at),
        standards,
        ..PdfOptions::default()
    };
    typst_pdf::pdf(&paged, &options).map_err(|errors| PdfError::Set(format!("{errors:?}")))
}

/// Lays prepared values out on pages, before they are written as a file.
#[cfg(test)]
pub(crate) fn pages(engine: &Engine, data: &serde_json::Value) -> Result<PagedDocument, PdfError> {
    laid_out(engine, inputs(data))
}

fn inputs(data: &serde_json::Value) -> Dict {
    let mut inputs = Dict::new();
    inputs.insert("data".into(), data.to_string().into_value());
    inputs
}

fn laid_out(engine: &Engine, inputs: Dict) -> Result<PagedDocument, PdfError> {
    let set = engine.compile_with_input::<_, PagedDocument>(inputs).output;
    set.map_err(|error| PdfError::Set(error.to_string()))
}

fn created(at: DateTime<Utc>) -> Option<Timestamp> {
    let small = |number: u32| u8::try_from(number).unwrap_or(0);
    let datetime = Datetime::from_ymd_hms(
        at.year(),
        small(at.month()),
        small(at.day()),
        small(at.hour()),
        small(at.minute()),
        small(at.second()),
    )?;
    Some(Timestamp::new_utc(datetime))
}

/// The QR as one path without a quiet zone: the page around it is white.
pub(crate) fn qr_svg(url: &str) -> Result<String, PdfError> {
    let code = QrCode::with_error_correction_level(url, EcLevel::M).map_err(|error| PdfError::Code(error.to_string()))?;
    let width = code.width();
    let mut path = String::new();
    for (y, row) in code.to_colors().chunks(width).enumerate() {
        let mut x = 0;
        // A run of dark modules is one rectangle.
        for run in row.chunk_by(PartialEq::eq) {
            if run[0] == qrcode::Color::Dark {
                path.push_str(&format!("M{x} {y}h{0}v1h-{0}z", run.len()));
            }
            x += run.len();
        }
    }
    Ok(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {width}\" shape-rendering=\"crispEdges\"><path fill=\"#000\" d=\"{path}\"/></svg>"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::{Block, Cell, Column, Fact, Section, Words};

    fn example(text: &str) -> Document {
        let fact = Fact { label: "Texto".into(), value: Cell::new(text) };
        let column = |title: &str| Column { title: title.into(), width_mm: None, right: false };
        let blocks = vec![
            Block::Facts { heading: Some(text.to_owned()), facts: vec![fact] },
            Block::Table { columns: vec![column("a"), column("b")], rows: vec![vec![Cell::new(text), Cell::hash(text)]] },
            Block::Text { text: text.to_owned(), strong: true },
        ];
        Document {
            language: "es".into(),
            title: "Título".into(),
            subtitle: text.to_owned(),
            number: "CE-2026-000001".into(),
            issued_at: chrono::DateTime::from_timestamp(1_795_000_000, 0).expect("a time"),
            code: "7H2KQ-9VX0M-RT4CA-PZ81D".into(),
            url: "https://atalaya.example/verificar/7H2KQ-9VX0M-RT4CA-PZ81D".into(),
            words: Words { page: "{n}/{m}".into(), code: "Código".into(), qr: "QR".into() },
            sections: vec![Section { title: "Uno".into(), blocks }],
        }
    }

    // DOC-1
    #[test]
    fn the_same_values_give_the_same_bytes_and_an_archival_file() {
        let first = render(&example("Calle Mayor")).expect("it is set");
        render(&example("otra cosa")).expect("it is set");
        assert_eq!(render(&example("Calle Mayor")).expect("it is set"), first);
        assert!(first.starts_with(b"%PDF-1.7"));
        let xmp = String::from_utf8_lossy(&first);
        assert!(xmp.contains("pdfaid:part>2<") && xmp.contains("pdfaid:conformance>B<"));
    }

    // DOC-2
    #[test]
    fn what_people_type_is_text_and_never_markup() {
        for text in
            ["", "#panic(\"x\")", "= Título *negrita* $x$ @nadie \\ `código`", "ñandú 漢字 عربى 🚗 \u{0}\u{7}", "\n\n", "{n} {m}"]
        {
            render(&example(text)).unwrap_or_else(|error| panic!("{text:?}: {error}"));
        }
    }
}
