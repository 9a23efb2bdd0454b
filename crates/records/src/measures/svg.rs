//! Measures as SVG, made from checked planes alone (MEASURE-7). Pure.
//!
//! The picture's longer side has 10,000 units, as in a drawing's layer, so that both fit it at any size. There is no text of
//! anybody's in it: numbers, units and ids of letters and digits.

use super::model::{MeasuredPlane, MeasuredShape, ShapeKind, shown};
use std::fmt::Write as _;

/// Units of the longer side.
const SIDE: f64 = 10_000.0;
const INK: &str = "#5ce1ff";
const CASING: &str = "#0b0b0b";
const TEXT_SIZE: f64 = 210.0;
/// Half of the cross-line at an end.
const END: f64 = 70.0;

struct Size {
    width: f64,
    height: f64,
}

impl Size {
    fn places(&self, points: &[f64]) -> Vec<(f64, f64)> {
        points.chunks_exact(2).map(|at| (at[0] * self.width, at[1] * self.height)).collect()
    }
}

/// The layer of a picture of `width` × `height` pixels. Shapes are numbered through, as the list beside the picture is.
pub fn of(planes: &[MeasuredPlane], width: u32, height: u32) -> String {
    let longer = f64::from(width.max(height).max(1));
    let size = Size { width: (SIDE * f64::from(width) / longer).round(), height: (SIDE * f64::from(height) / longer).round() };
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{:.0}\" height=\"{:.0}\" viewBox=\"0 0 {} {}\">\n\
         <g stroke-linecap=\"round\" stroke-linejoin=\"round\">\n",
        size.width / 10.0,
        size.height / 10.0,
        size.width,
        size.height
    );
    let mut number = 0;
    for plane in planes {
        let corners = path(&size.places(&plane.corners), true);
        // Into a text nothing fails to be written.
        let _ = writeln!(out, "<g id=\"{}\">{}", plane.id, stroked(&corners, " stroke-dasharray=\"120 120\"", 20.0));
        for shape in &plane.shapes {
            number += 1;
            let _ = writeln!(out, "{}", drawn(shape, number, &size));
        }
        out.push_str("</g>\n");
    }
    out.push_str("</g>\n</svg>\n");
    out
}

fn path(places: &[(f64, f64)], is_closed: bool) -> String {
    let mut path = String::new();
    for (nth, (x, y)) in places.iter().enumerate() {
        let _ = write!(path, "{}{x:.0} {y:.0}", if nth == 0 { 'M' } else { 'L' });
    }
    if is_closed {
        path.push('Z');
    }
    path
}

/// A path twice: its casing, and its ink upon it.
fn stroked(path: &str, more: &str, width: f64) -> String {
    let stroke = |color: &str, width: f64| {
        format!("<path d=\"{path}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"{width:.0}\"{more}/>")
    };
    stroke(CASING, width + 30.0) + &stroke(INK, width)
}

fn drawn(shape: &MeasuredShape, number: usize, size: &Size) -> String {
    let places = size.places(&shape.points);
    let line = match shape.kind {
        ShapeKind::Length => path(&places, false) + &ends(&places),
        ShapeKind::Area => path(&places, true),
    };
    stroked(&line, "", 35.0) + &label(&places, &format!("{number}: {}", shown(shape)), size)
}

/// A line across at each end, as on a drawing to scale.
fn ends(places: &[(f64, f64)]) -> String {
    let [(ax, ay), (bx, by)] = places else { return String::new() };
    let length = (bx - ax).hypot(by - ay).max(1.0);
    let (nx, ny) = (-(by - ay) / length * END, (bx - ax) / length * END);
    let across = |x: &f64, y: &f64| format!("M{:.0} {:.0}L{:.0} {:.0}", x - nx, y - ny, x + nx, y + ny);
    across(ax, ay) + &across(bx, by)
}

/// The value in the middle, moved so that it ends within the frame.
fn label(places: &[(f64, f64)], text: &str, size: &Size) -> String {
    let count = f64::from(u32::try_from(places.len().max(1)).unwrap_or(1));
    let (x, y) = places.iter().fold((0.0, 0.0), |sum, at| (sum.0 + at.0 / count, sum.1 + at.1 / count));
    let letters = f64::from(u32::try_from(text.chars().count()).unwrap_or(40));
    let half = (letters * TEXT_SIZE * 0.29).min(size.width / 2.0);
    let x = x.clamp(half, size.width - half);
    let y = (y - 0.5 * TEXT_SIZE).clamp(TEXT_SIZE, size.height - 0.3 * TEXT_SIZE);
    format!(
        "<text x=\"{x:.0}\" y=\"{y:.0}\" font-family=\"Inter, Arial, sans-serif\" font-weight=\"600\" \
         font-size=\"{TEXT_SIZE:.0}\" text-anchor=\"middle\" fill=\"{INK}\" stroke=\"{CASING}\" stroke-width=\"60\" \
         paint-order=\"stroke\">{text}</text>"
    )
}

#[cfg(test)]
mod tests {
    use super::super::model::Reference;
    use super::*;

    fn plane(kind: ShapeKind, points: &[f64]) -> MeasuredPlane {
        let shape = MeasuredShape { id: "shape0001".into(), kind, points: points.to_vec(), value: 432.0, error: 8.2 };
        MeasuredPlane {
            id: "plane0001".into(),
            reference: Reference::Plate,
            corners: vec![0.3, 0.4, 0.7, 0.4, 0.7, 0.55, 0.3, 0.55],
            found: true,
            wide: false,
            shapes: vec![shape],
        }
    }

    // MEASURE-7
    #[test]
    fn the_layer_fits_the_picture_at_any_size_and_says_value_and_band() {
        let planes = [plane(ShapeKind::Length, &[0.2, 0.8, 0.8, 0.8]), plane(ShapeKind::Area, &[0.1, 0.1, 0.4, 0.1, 0.4, 0.4])];
        let small = of(&planes, 400, 300);
        assert_eq!(small, of(&planes, 4_000, 3_000));
        assert!(small.contains("viewBox=\"0 0 10000 7500\"") && small.contains("M2000 6000L8000 6000"), "{small}");
        assert!(small.contains(">1: 432 mm ± 9 mm</text>") && small.contains(">2: 4 cm² ± 1 cm²</text>"), "{small}");
        assert!(small.contains("M1000 750L4000 750L4000 3000Z"), "{small}");
    }

    // MEASURE-7
    #[test]
    fn a_value_at_the_border_stays_within_the_frame() {
        let svg = of(&[plane(ShapeKind::Length, &[0.0, 0.0, 0.0, 0.02])], 400, 300);
        let x: f64 = svg.split("<text x=\"").nth(1).and_then(|rest| rest.split('"').next()?.parse().ok()).expect("a place");
        assert!(x > 900.0, "{svg}");
        assert!(!of(&[plane(ShapeKind::Length, &[0.5, 0.5, 0.5, 0.5])], 400, 300).contains("NaN"));
    }
}
