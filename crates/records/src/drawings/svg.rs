//! A drawing as SVG, made from checked marks alone (DRAW-5). Pure.
//!
//! The picture's longer side has 10,000 units, so that the layer fits it at any size. The web app draws the same measures
//! (`web/src/rtc/drawing/paint.ts`): thousandths of the longer side.

use super::model::{DrawnMark, MarkKind};
use std::f64::consts::PI;
use std::fmt::Write as _;

/// Units of the longer side.
const SIDE: f64 = 10_000.0;
/// Units of a thousandth of it.
const UNIT: f64 = 10.0;
const INK: f64 = 4.5;
const CASING: f64 = 8.5;
const CASING_COLOR: &str = "#0b0b0b";
const TEXT_SIZE: f64 = 34.0;
/// A long text is smaller, so that it ends within the frame.
const TEXT_SIZE_LEAST: f64 = 14.0;
const NUMBER_SIZE: f64 = 28.0;
const DISC: f64 = 22.0;
const HEAD: f64 = 30.0;
const HEAD_TURN: f64 = PI / 7.0;
/// A text that begins further right goes to the left.
const TEXT_LEFT: f64 = 0.7;

fn ink(tone: u8) -> &'static str {
    match tone {
        2 => "#ff5a4f",
        3 => "#ffffff",
        _ => "#ffe14a",
    }
}

/// A picture's size in units.
#[derive(Clone, Copy)]
struct Size {
    width: f64,
    height: f64,
}

impl Size {
    fn place(self, mark: &DrawnMark, nth: usize) -> (f64, f64) {
        let at = |index: usize| mark.points.get(index).copied().unwrap_or_default();
        (at(2 * nth) * self.width, at(2 * nth + 1) * self.height)
    }
}

/// The layer of a picture of `width` × `height` pixels.
pub fn of(marks: &[DrawnMark], width: u32, height: u32) -> String {
    let longer = f64::from(width.max(height).max(1));
    let size = Size { width: (SIDE * f64::from(width) / longer).round(), height: (SIDE * f64::from(height) / longer).round() };
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0}\" height=\"{1:.0}\" viewBox=\"0 0 {2} {3}\">\n\
         <g stroke-linecap=\"round\" stroke-linejoin=\"round\">\n",
        size.width / UNIT,
        size.height / UNIT,
        size.width,
        size.height
    );
    for mark in marks {
        write(&mut out, mark, size);
    }
    out.push_str("</g>\n</svg>\n");
    out
}

fn write(out: &mut String, mark: &DrawnMark, size: Size) {
    let drawn = match mark.kind {
        MarkKind::Text => text(mark, size),
        MarkKind::Number => number(mark, size),
        MarkKind::Ellipse => line(mark, &ellipse(mark, size)),
        MarkKind::Arrow => line(mark, &format!("<path d=\"{}\"", arrow(mark, size))),
        MarkKind::Pen => line(mark, &format!("<path d=\"{}\"", pen(mark, size))),
    };
    // A text grows.
    let _ = writeln!(out, "<g id=\"{}\">{drawn}</g>", mark.id);
}

/// The shape twice: its casing, and its ink upon it. `shape` is an element without its end.
fn line(mark: &DrawnMark, shape: &str) -> String {
    let stroke =
        |color: &str, width: f64| format!("{shape} fill=\"none\" stroke=\"{color}\" stroke-width=\"{}\"/>", width * UNIT);
    stroke(CASING_COLOR, CASING) + &stroke(ink(mark.tone), INK)
}

fn pen(mark: &DrawnMark, size: Size) -> String {
    let mut path = String::new();
    for nth in 0..mark.points.len() / 2 {
        let (x, y) = size.place(mark, nth);
        let _ = write!(path, "{}{:.0} {:.0}", if nth == 0 { 'M' } else { 'L' }, x, y);
    }
    path
}

fn arrow(mark: &DrawnMark, size: Size) -> String {
    let ((ax, ay), (bx, by)) = (size.place(mark, 0), size.place(mark, 1));
    let way = (by - ay).atan2(bx - ax);
    let length = (HEAD * UNIT).min((bx - ax).hypot(by - ay) / 2.0);
    let mut path = format!("M{ax:.0} {ay:.0}L{bx:.0} {by:.0}");
    for turn in [way + PI - HEAD_TURN, way + PI + HEAD_TURN] {
        let _ = write!(path, "M{bx:.0} {by:.0}L{:.0} {:.0}", bx + length * turn.cos(), by + length * turn.sin());
    }
    path
}

fn ellipse(mark: &DrawnMark, size: Size) -> String {
    let ((ax, ay), (bx, by)) = (size.place(mark, 0), size.place(mark, 1));
    format!(
        "<ellipse cx=\"{:.0}\" cy=\"{:.0}\" rx=\"{:.0}\" ry=\"{:.0}\"",
        (ax + bx) / 2.0,
        (ay + by) / 2.0,
        (bx - ax).abs() / 2.0,
        (by - ay).abs() / 2.0
    )
}

fn text(mark: &DrawnMark, size: Size) -> String {
    let (x, y) = size.place(mark, 0);
    let is_left = mark.points.first().is_some_and(|x| *x > TEXT_LEFT);
    let anchor = if is_left { "end" } else { "start" };
    let text = mark.text.as_deref().unwrap_or_default();
    let units = if is_left { x } else { size.width - x };
    let letters = u32::try_from(text.chars().count()).unwrap_or(u32::MAX);
    let height = (units / UNIT / (0.6 * f64::from(letters.max(1)))).clamp(TEXT_SIZE_LEAST, TEXT_SIZE) * UNIT;
    format!(
        "<text x=\"{x:.0}\" y=\"{:.0}\" font-family=\"Inter, Arial, sans-serif\" font-weight=\"600\" font-size=\"{height:.0}\" \
         text-anchor=\"{anchor}\" fill=\"{}\" stroke=\"{CASING_COLOR}\" stroke-width=\"{:.0}\" paint-order=\"stroke\">{}</text>",
        y + 0.36 * height,
        ink(mark.tone),
        (CASING - INK + 3.0) * UNIT,
        escaped(text)
    )
}

fn number(mark: &DrawnMark, size: Size) -> String {
    let (x, y) = size.place(mark, 0);
    let height = NUMBER_SIZE * UNIT;
    format!(
        "<circle cx=\"{x:.0}\" cy=\"{y:.0}\" r=\"{:.0}\" fill=\"{}\" stroke=\"{CASING_COLOR}\" stroke-width=\"{:.0}\" \
         paint-order=\"stroke\"/><text x=\"{x:.0}\" y=\"{:.0}\" font-family=\"Inter, Arial, sans-serif\" font-weight=\"600\" \
         font-size=\"{height:.0}\" text-anchor=\"middle\" fill=\"{CASING_COLOR}\">{}</text>",
        DISC * UNIT,
        ink(mark.tone),
        5.0 * UNIT,
        y + 0.36 * height,
        mark.number.unwrap_or_default()
    )
}

/// A text as content of an element.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            // What XML cannot hold.
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            other => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mark(kind: MarkKind, points: &[f64]) -> DrawnMark {
        DrawnMark { id: "abcdefgh".into(), kind, tone: 1, points: points.to_vec(), text: None, number: None }
    }

    // DRAW-5
    #[test]
    fn places_are_those_of_the_picture_at_any_size() {
        let drawing = [mark(MarkKind::Pen, &[0.0, 0.0, 0.5, 0.5, 1.0, 1.0])];
        let small = of(&drawing, 400, 300);
        assert_eq!(small, of(&drawing, 4_000, 3_000));
        assert!(small.contains("viewBox=\"0 0 10000 7500\"") && small.contains("M0 0L5000 3750L10000 7500"), "{small}");
        let upright = of(&drawing, 3_000, 4_000);
        assert!(upright.contains("viewBox=\"0 0 7500 10000\"") && upright.contains("L7500 10000"), "{upright}");
    }

    // DRAW-5
    #[test]
    fn every_shape_has_a_casing_below_its_ink() {
        for (kind, points) in [
            (MarkKind::Pen, &[0.1, 0.1, 0.2, 0.2][..]),
            (MarkKind::Arrow, &[0.1, 0.1, 0.9, 0.9]),
            (MarkKind::Ellipse, &[0.9, 0.9, 0.1, 0.1]),
        ] {
            let svg = of(&[mark(kind, points)], 400, 300);
            let (casing, ink) = (svg.find("#0b0b0b").expect("a casing"), svg.find("#ffe14a").expect("an ink"));
            assert!(casing < ink, "{svg}");
        }
        let svg = of(&[mark(MarkKind::Ellipse, &[0.9, 0.9, 0.1, 0.1])], 400, 300);
        assert!(svg.contains("rx=\"4000\" ry=\"3000\""), "{svg}");
        let svg = of(&[mark(MarkKind::Arrow, &[0.5, 0.5, 0.5, 0.5])], 400, 300);
        assert!(!svg.contains("NaN"), "an arrow without length: {svg}");
    }

    // DRAW-5
    #[test]
    fn a_long_text_is_smaller() {
        let of_letters = |n: usize| of(&[DrawnMark { text: Some("n".repeat(n)), ..mark(MarkKind::Text, &[0.2, 0.5]) }], 400, 300);
        assert!(of_letters(5).contains("font-size=\"340\""));
        assert!(of_letters(50).contains("font-size=\"267\""));
        assert!(of_letters(80).contains("font-size=\"167\""));
    }

    // DRAW-5
    #[test]
    fn markup_in_a_text_is_a_text() {
        let evil = "</text><script>alert(1)</script> \"'&";
        let text = DrawnMark { text: Some(evil.into()), ..mark(MarkKind::Text, &[0.9, 0.5]) };
        let svg = of(&[text], 400, 300);
        assert!(svg.contains("&lt;/text&gt;&lt;script&gt;alert(1)&lt;/script&gt; &quot;&#39;&amp;"), "{svg}");
        assert!(!svg.contains("<script") && svg.contains("text-anchor=\"end\""), "{svg}");
        let number = DrawnMark { number: Some(7), tone: 2, ..mark(MarkKind::Number, &[0.5, 0.5]) };
        let svg = of(&[number], 400, 300);
        assert!(svg.contains("fill=\"#ff5a4f\"") && svg.contains(">7</text>"), "{svg}");
    }
}
