//! The marker to print: a square of known size, found easily in a picture.

use crate::letters::printable;
use crate::render::{Engine, PdfError, engine, set};
use chrono::{DateTime, Utc};
use std::sync::LazyLock;

static MARKER: Engine = LazyLock::new(|| engine(include_str!("marker.typ")));

/// Texts of the sheet; the square itself is the template's.
#[derive(Clone, Debug)]
pub struct MarkerSheet {
    /// Two letters.
    pub language: String,
    pub title: String,
    /// How to print, check and place it.
    pub steps: Vec<String>,
    /// Beside the square: how long its side is.
    pub side: String,
}

/// The sheet as PDF/A-2b: a black square of 150 mm on A4. Call it where blocking is allowed.
///
/// Errors: [`PdfError`], always internal.
pub fn render_marker(sheet: &MarkerSheet) -> Result<Vec<u8>, PdfError> {
    let steps: Vec<String> = sheet.steps.iter().map(|step| printable(step, false)).collect();
    let data = serde_json::json!({
        "language": sheet.language, "title": printable(&sheet.title, false), "steps": steps, "side": printable(&sheet.side, false),
    });
    // The same sheet is the same file (DOC-1): the day is that of the square's design.
    let at = DateTime::<Utc>::from_timestamp(1_793_491_200, 0).unwrap_or_default();
    set(&MARKER, &data, &format!("marker-150-{}", sheet.language), at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::pages;
    use typst::layout::{Frame, FrameItem};
    use typst::visualize::Geometry;

    fn sheet() -> MarkerSheet {
        MarkerSheet {
            language: "es".into(),
            title: "Marcador".into(),
            steps: vec!["Imprima al 100 %".into(), "Compruebe".into(), "#panic(\"x\")".into()],
            side: "150 mm".into(),
        }
    }

    /// Sides of every rectangle on the page, in millimetres.
    fn rectangles(frame: &Frame, out: &mut Vec<(f64, f64)>) {
        for (_, item) in frame.items() {
            match item {
                FrameItem::Group(group) => rectangles(&group.frame, out),
                FrameItem::Shape(shape, _) => {
                    if let Geometry::Rect(size) = shape.geometry {
                        out.push((size.x.to_mm(), size.y.to_mm()));
                    }
                }
                _ => {}
            }
        }
    }

    // MEASURE-8, DOC-1
    #[test]
    fn the_square_has_150_millimetres_and_the_sheet_is_one_page() {
        let data = serde_json::json!({"language": "es", "title": "t", "steps": ["a", "b", "c"], "side": "150 mm"});
        let set = pages(&MARKER, &data).expect("it is set");
        assert_eq!(set.pages().len(), 1);
        let mut found = Vec::new();
        rectangles(&set.pages()[0].frame, &mut found);
        assert!(found.iter().any(|(x, y)| (x - 150.0).abs() < 1e-6 && (y - 150.0).abs() < 1e-6), "{found:?}");
        assert_eq!(render_marker(&sheet()).expect("it is set"), render_marker(&sheet()).expect("it is set"));
    }
}
