//! What a measure may contain, and how a change is applied. Pure. The web app measures the same
//! (`web/src/shared/measure`, `vectors/measures.json`).

use super::geometry::{self, BY_HAND, FOUND, Frame, Point, Seen};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use utoipa::ToSchema;

/// References of one picture at most.
pub const PLANES_MAX: usize = 8;
/// Lengths and areas of one picture at most.
pub const SHAPES_MAX: usize = 60;
/// Corners of one area at most.
pub const POINTS_MAX: usize = 40;
/// Letters and digits of an id.
const ID_LENGTH: std::ops::RangeInclusive<usize> = 8..=24;

/// A thing of known size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Reference {
    /// A long European number plate: 520 × 110 mm.
    Plate,
    /// A bank or identity card (ISO/IEC 7810 ID-1): 85.60 × 53.98 mm.
    Card,
    /// A sheet of paper (ISO 216): 297 × 210 mm.
    A4,
    /// Our printed marker: 150 × 150 mm.
    Marker,
}

impl Reference {
    /// Its longer and its shorter side in millimetres.
    fn size(self) -> Point {
        match self {
            Reference::Plate => (520.0, 110.0),
            Reference::Card => (85.60, 53.98),
            Reference::A4 => (297.0, 210.0),
            Reference::Marker => (150.0, 150.0),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ShapeKind {
    Length,
    Area,
}

/// A length or an area that is to be measured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ShapeInput {
    /// 8 to 24 letters and digits, made by whoever measures.
    pub id: String,
    pub kind: ShapeKind,
    /// `x, y, x, y, …`, each from 0 (left, top) to 1 of the upright picture: both ends of a length, 3 to 40 corners of an area.
    pub points: Vec<f64>,
}

/// A reference in a picture, with what is to be measured in its plane.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct PlaneInput {
    /// 8 to 24 letters and digits, made by whoever measures; a plane with a known id replaces it.
    pub id: String,
    pub reference: Reference,
    /// Its four corners going round, as `x, y, …` from 0 to 1; the first two are the ends of a longer side.
    pub corners: Vec<f64>,
    /// Whether the edges in the picture gave the corners; false when a hand placed one.
    #[serde(default)]
    pub found: bool,
    /// At most 60 in the whole picture.
    #[serde(default)]
    pub shapes: Vec<ShapeInput>,
}

/// A length or an area that was measured. The server alone computes its value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct MeasuredShape {
    pub id: String,
    pub kind: ShapeKind,
    /// `x, y, x, y, …`, each from 0 to 1 of the upright picture.
    pub points: Vec<f64>,
    /// Millimetres of a length, square millimetres of an area.
    pub value: f64,
    /// In the same unit: the true value lies within `value ± error` 95 times in 100.
    pub error: f64,
}

/// A reference in a picture, with what was measured in its plane.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct MeasuredPlane {
    pub id: String,
    pub reference: Reference,
    /// Its four corners going round, as `x, y, …` from 0 to 1.
    pub corners: Vec<f64>,
    pub found: bool,
    /// The lens is so wide that lines near the border may be bent: values there can be wrong by more than they say.
    pub wide: bool,
    pub shapes: Vec<MeasuredShape>,
}

/// A field that is wrong, below the change: `add.0.corners.7`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrong {
    pub field: String,
    pub code: &'static str,
    pub max: Option<usize>,
}

impl Wrong {
    pub fn new(field: impl Into<String>, code: &'static str) -> Self {
        Self { field: field.into(), code, max: None }
    }

    fn over(field: impl Into<String>, max: usize) -> Self {
        Self { field: field.into(), code: "TOO_MANY", max: Some(max) }
    }
}

fn is_id(text: &str) -> bool {
    ID_LENGTH.contains(&text.len()) && text.bytes().all(|b| b.is_ascii_alphanumeric())
}

/// Places in hundred-thousandths: a fraction of a pixel of the largest picture.
fn rounded(places: Vec<f64>) -> Vec<f64> {
    places.into_iter().map(|place| (place * 1e5).round() / 1e5).collect()
}

fn paired(places: &[f64]) -> Vec<Point> {
    places.chunks_exact(2).map(|place| (place[0], place[1])).collect()
}

/// The first place that is none. It is enough: there may be a thousand.
fn check_places(field: &str, places: &[f64], wrong: &mut Vec<Wrong>) {
    if let Some(nth) = places.iter().position(|place| !(0.0..=1.0).contains(place)) {
        wrong.push(Wrong::new(format!("{field}.{nth}"), "INVALID"));
    }
}

fn check_shape(shape: ShapeInput, seen: Option<&Seen>) -> Result<MeasuredShape, Vec<Wrong>> {
    let mut wrong = Vec::new();
    if !is_id(&shape.id) {
        wrong.push(Wrong::new("id", "INVALID"));
    }
    let (least, most) = if shape.kind == ShapeKind::Area { (3, POINTS_MAX) } else { (2, 2) };
    match shape.points.len() {
        n if n > 2 * most => wrong.push(Wrong::over("points", most)),
        n if n < 2 * least || n % 2 == 1 => wrong.push(Wrong::new("points", "INVALID")),
        _ => check_places("points", &shape.points, &mut wrong),
    }
    let points = rounded(shape.points);
    let seen = match (seen, wrong.is_empty()) {
        (Some(seen), true) => seen,
        // Without a plane nothing can be measured; that it is wrong is told of the plane.
        _ => return Err(wrong),
    };
    let places = paired(&points);
    let value = match shape.kind {
        ShapeKind::Length => geometry::length_of(seen, &places),
        ShapeKind::Area if geometry::is_crossed(&places) => return Err(vec![Wrong::new("points", "CROSSED")]),
        ShapeKind::Area => geometry::area_of(seen, &places),
    };
    // The true value is not nearer than a tenth of a millimetre is: neither is what is stored.
    let tenth = |value: f64| (value * 10.0).round() / 10.0;
    let value = value.ok_or_else(|| vec![Wrong::new("points", "BEYOND_HORIZON")])?;
    let (value, error) = (tenth(value.value), (value.error * 10.0).ceil() / 10.0);
    Ok(MeasuredShape { id: shape.id, kind: shape.kind, points, value, error })
}

fn check_plane(plane: PlaneInput, frame: Frame) -> Result<MeasuredPlane, Vec<Wrong>> {
    let mut wrong = Vec::new();
    if !is_id(&plane.id) {
        wrong.push(Wrong::new("id", "INVALID"));
    }
    match plane.corners.len() {
        n if n > 8 => wrong.push(Wrong::over("corners", 4)),
        n if n < 8 => wrong.push(Wrong::new("corners", "INVALID")),
        _ => check_places("corners", &plane.corners, &mut wrong),
    }
    if plane.shapes.len() > SHAPES_MAX {
        wrong.push(Wrong::over("shapes", SHAPES_MAX));
        return Err(wrong);
    }
    let corners = rounded(plane.corners);
    let places = <[Point; 4]>::try_from(paired(&corners)).ok().filter(|_| wrong.iter().all(|w| !w.field.starts_with("corners")));
    if places.is_some_and(|corners| !geometry::is_quad(&corners)) {
        wrong.push(Wrong::new("corners", "NOT_A_RECTANGLE"));
    }
    let sigma = if plane.found { FOUND } else { BY_HAND };
    let seen = places.filter(geometry::is_quad).map(|corners| Seen { corners, size: plane.reference.size(), sigma, frame });
    let mut shapes = Vec::with_capacity(plane.shapes.len());
    for (nth, shape) in plane.shapes.into_iter().enumerate() {
        match check_shape(shape, seen.as_ref()) {
            Ok(shape) => shapes.push(shape),
            Err(found) => {
                wrong.extend(found.into_iter().map(|one| Wrong { field: format!("shapes.{nth}.{}", one.field), ..one }));
            }
        }
    }
    match seen {
        Some(seen) if wrong.is_empty() => {
            let wide = geometry::is_wide(&seen);
            Ok(MeasuredPlane { id: plane.id, reference: plane.reference, corners, found: plane.found, wide, shapes })
        }
        _ => Err(wrong),
    }
}

/// A change of what is measured on a picture. What is to be removed and is not there is ignored, so that a repeated change is
/// the same.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(default)]
pub struct MeasureChange {
    /// At most 8.
    pub add: Vec<PlaneInput>,
    /// Ids; at most 8.
    pub remove: Vec<String>,
}

/// What is measured after a change; planes keep their order.
///
/// Errors, all of them: `add` and `remove` TOO_MANY; `add.N.id|corners|corners.K|shapes|shapes.M.id|shapes.M.points|…`,
/// `remove.N`.
pub fn apply(before: &[MeasuredPlane], change: MeasureChange, frame: Frame) -> Result<Vec<MeasuredPlane>, Vec<Wrong>> {
    if change.add.len() > PLANES_MAX {
        return Err(vec![Wrong::over("add", PLANES_MAX)]);
    }
    if change.remove.len() > PLANES_MAX {
        return Err(vec![Wrong::over("remove", PLANES_MAX)]);
    }
    let (mut added, mut wrong) = (Vec::with_capacity(change.add.len()), Vec::new());
    for (nth, plane) in change.add.into_iter().enumerate() {
        match check_plane(plane, frame) {
            Ok(plane) => added.push(plane),
            Err(found) => wrong.extend(found.into_iter().map(|one| Wrong { field: format!("add.{nth}.{}", one.field), ..one })),
        }
    }
    let bad = change.remove.iter().enumerate().filter(|(_, id)| !is_id(id));
    wrong.extend(bad.map(|(nth, _)| Wrong::new(format!("remove.{nth}"), "INVALID")));
    if !wrong.is_empty() {
        return Err(wrong);
    }
    let gone: HashSet<&str> = change.remove.iter().map(String::as_str).collect();
    let mut planes: Vec<MeasuredPlane> = before.iter().filter(|plane| !gone.contains(plane.id.as_str())).cloned().collect();
    for plane in added {
        match planes.iter_mut().find(|known| known.id == plane.id) {
            Some(known) => *known = plane,
            None => planes.push(plane),
        }
    }
    if planes.len() > PLANES_MAX {
        return Err(vec![Wrong::over("add", PLANES_MAX)]);
    }
    if planes.iter().map(|plane| plane.shapes.len()).sum::<usize>() > SHAPES_MAX {
        return Err(vec![Wrong::over("add", SHAPES_MAX)]);
    }
    Ok(planes)
}

/// Whether a camera calls itself a wide one, as phones call their second lens.
pub fn is_wide_name(lens: &str) -> bool {
    let name = lens.to_lowercase();
    ["ultra", "gran angular", "wide angle", "wide-angle", "0.5×", "0,5×", "0.5x", "0,5x", "0.5 ×", "0,5 ×"]
        .iter()
        .any(|part| name.contains(part))
}

/// `432 mm ± 9 mm`, `1234 cm² ± 30 cm²`: whole numbers, which are written alike in every language; an error is never made
/// smaller.
pub fn shown(shape: &MeasuredShape) -> String {
    let (unit, name) = match shape.kind {
        ShapeKind::Length => (1.0, "mm"),
        ShapeKind::Area => (100.0, "cm²"),
    };
    format!("{:.0} {name} ± {:.0} {name}", shape.value / unit, (shape.error / unit).ceil().max(1.0))
}

#[cfg(test)]
mod tests;
