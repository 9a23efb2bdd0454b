//! Lengths and areas in a plane of which four corners are known, with the error that the corners' places leave. Pure.
//! The web app measures the same (`web/src/shared/measure/geometry.ts`, `vectors/measures.json`).
//!
//! Places are of the frame, from 0 to 1; lengths in millimetres. A plane seen by a camera is a homography, which four corners of
//! a known rectangle determine (Hartley and Zisserman, *Multiple View Geometry*, 2nd edition, 2.3 and 4.1).

pub type Point = (f64, f64);

/// How far a corner or an end may lie from where it was put: standard deviation, by the picture's longer side.
pub const BY_HAND: f64 = 0.000_8;
/// The same of a corner that the edges in the picture gave.
pub const FOUND: f64 = 0.000_4;
/// A band holds 95 of 100 true values.
const BAND: f64 = 2.0;
/// Smaller than this, by the picture's area, four corners hold nothing.
const AREA_MIN: f64 = 2e-5;
/// A focal length of 0.6 of the longer side: the widest that the main camera of a phone has is 0.67 (24 mm).
const WIDE: f64 = 1.0 / (0.6 * 0.6);

/// A camera's picture: its sides in pixels.
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    pub width: u32,
    pub height: u32,
}

impl Frame {
    fn longer(self) -> f64 {
        f64::from(self.width.max(self.height).max(1))
    }

    /// Width and height by the longer side.
    fn shape(self) -> Point {
        (f64::from(self.width.max(1)) / self.longer(), f64::from(self.height.max(1)) / self.longer())
    }
}

/// A rectangle of known size, as it was found in a picture.
#[derive(Clone, Copy, Debug)]
pub struct Seen {
    /// Around it, the first two at an end each of a side of `size.0`.
    pub corners: [Point; 4],
    /// Millimetres.
    pub size: Point,
    /// Standard deviation of each corner, by the longer side.
    pub sigma: f64,
    pub frame: Frame,
}

/// A value with its band, in millimetres or square millimetres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Value {
    pub value: f64,
    /// The true value lies within `value ± error` 95 times in 100.
    pub error: f64,
}

fn cross(a: Point, b: Point, c: Point) -> f64 {
    (b.0 - a.0) * (c.1 - a.1) - (b.1 - a.1) * (c.0 - a.0)
}

/// The homography from the plane's unit square to the picture.
fn projection(c: &[Point; 4]) -> Option<[f64; 8]> {
    let (dx1, dx2) = (c[1].0 - c[2].0, c[3].0 - c[2].0);
    let (dy1, dy2) = (c[1].1 - c[2].1, c[3].1 - c[2].1);
    let (sx, sy) = (c[0].0 - c[1].0 + c[2].0 - c[3].0, c[0].1 - c[1].1 + c[2].1 - c[3].1);
    let den = dx1 * dy2 - dx2 * dy1;
    if den.abs() < 1e-12 {
        return None;
    }
    let (g, h) = ((sx * dy2 - dx2 * sy) / den, (dx1 * sy - sx * dy1) / den);
    let x = [c[1].0 - c[0].0 + g * c[1].0, c[3].0 - c[0].0 + h * c[3].0, c[0].0];
    let y = [c[1].1 - c[0].1 + g * c[1].1, c[3].1 - c[0].1 + h * c[3].1, c[0].1];
    Some([x[0], x[1], x[2], y[0], y[1], y[2], g, h])
}

/// From the picture to the plane.
struct Plane {
    inverse: [f64; 9],
    size: Point,
    /// The sign that the last coordinate has on this side of the horizon.
    side: f64,
}

impl Plane {
    fn of(corners: &[Point; 4], size: Point) -> Option<Self> {
        let [a, b, c, d, e, f, g, h] = projection(corners)?;
        let inverse = [
            e - f * h,
            c * h - b,
            b * f - c * e,
            f * g - d,
            a - c * g,
            c * d - a * f,
            d * h - e * g,
            b * g - a * h,
            a * e - b * d,
        ];
        let side = inverse[6] * corners[0].0 + inverse[7] * corners[0].1 + inverse[8];
        (side.abs() > 1e-12).then_some(Self { inverse, size, side })
    }

    /// Millimetres in the plane; `None` at the horizon and beyond it.
    fn place(&self, at: Point) -> Option<Point> {
        let m = &self.inverse;
        let row = |n: usize| m[n] * at.0 + m[n + 1] * at.1 + m[n + 2];
        let w = row(6);
        // A thousandth: what is 1,000 times as far as the reference is as good as at the horizon.
        (w / self.side > 1e-3).then(|| (row(0) / w * self.size.0, row(3) / w * self.size.1))
    }
}

/// Whether four corners can be those of a rectangle: going round, convex, and with something between them.
pub fn is_quad(corners: &[Point; 4]) -> bool {
    let turn = |n: usize| cross(corners[n], corners[(n + 1) % 4], corners[(n + 2) % 4]);
    let turns = [turn(0), turn(1), turn(2), turn(3)];
    let is_convex = turns.iter().all(|t| *t > AREA_MIN / 2.0) || turns.iter().all(|t| *t < -AREA_MIN / 2.0);
    is_convex && shoelace(corners).abs() > AREA_MIN
}

fn shoelace(points: &[Point]) -> f64 {
    let next = points.iter().cycle().skip(1);
    points.iter().zip(next).map(|(a, b)| a.0 * b.1 - b.0 * a.1).sum::<f64>() / 2.0
}

/// Whether sides of a polygon cross.
pub fn is_crossed(points: &[Point]) -> bool {
    let n = points.len();
    let side = |i: usize| (points[i], points[(i + 1) % n]);
    let meet = |(a, b): (Point, Point), (c, d): (Point, Point)| {
        cross(a, b, c) * cross(a, b, d) < 0.0 && cross(c, d, a) * cross(c, d, b) < 0.0
    };
    (0..n).any(|i| (i + 2..n).any(|j| (i != 0 || j + 1 != n) && meet(side(i), side(j))))
}

fn length(plane: &Plane, points: &[Point]) -> Option<f64> {
    let places: Option<Vec<Point>> = points.iter().map(|at| plane.place(*at)).collect();
    let places = places?;
    Some(places.windows(2).map(|ends| (ends[1].0 - ends[0].0).hypot(ends[1].1 - ends[0].1)).sum())
}

fn area(plane: &Plane, points: &[Point]) -> Option<f64> {
    let places: Option<Vec<Point>> = points.iter().map(|at| plane.place(*at)).collect();
    Some(shoelace(&places?).abs())
}

/// Central differences of `measure` by each place, moved by its standard deviation, summed as independent errors are.
fn spread(seen: &Seen, points: &[Point], measure: impl Fn(&[Point; 4], &[Point]) -> Option<f64>) -> Option<f64> {
    let shape = seen.frame.shape();
    let step = |sigma: f64, axis: usize| if axis == 0 { (sigma / shape.0, 0.0) } else { (0.0, sigma / shape.1) };
    let moved = |at: Point, by: Point, sign: f64| (at.0 + sign * by.0, at.1 + sign * by.1);
    let mut sum = 0.0;
    for axis in 0..2 {
        for n in 0..4 {
            let at = |sign: f64| {
                let mut corners = seen.corners;
                corners[n] = moved(corners[n], step(seen.sigma, axis), sign);
                measure(&corners, points)
            };
            sum += ((at(1.0)? - at(-1.0)?) / 2.0).powi(2);
        }
        for n in 0..points.len() {
            let at = |sign: f64| {
                let mut points = points.to_vec();
                points[n] = moved(points[n], step(BY_HAND, axis), sign);
                measure(&seen.corners, &points)
            };
            sum += ((at(1.0)? - at(-1.0)?) / 2.0).powi(2);
        }
    }
    Some(sum.sqrt())
}

fn measured(seen: &Seen, points: &[Point], measure: impl Fn(&Plane, &[Point]) -> Option<f64>) -> Option<Value> {
    let of = |corners: &[Point; 4], points: &[Point]| measure(&Plane::of(corners, seen.size)?, points);
    let value = of(&seen.corners, points)?;
    Some(Value { value, error: BAND * spread(seen, points, of)? }).filter(|v| v.value.is_finite() && v.error.is_finite())
}

/// The length of a line; `None` when it leaves the plane's visible side.
pub fn length_of(seen: &Seen, points: &[Point]) -> Option<Value> {
    measured(seen, points, length)
}

/// The area within a polygon; `None` when it leaves the plane's visible side.
pub fn area_of(seen: &Seen, points: &[Point]) -> Option<Value> {
    measured(seen, points, area)
}

/// `1 / f²` of a camera whose axis meets the picture in its middle, from the two conditions that a rotation puts on the
/// homography; infinite when a picture taken straight from the front tells nothing.
fn inverse_square(seen: &Seen, corners: &[Point; 4]) -> Option<f64> {
    let shape = seen.frame.shape();
    let centred = corners.map(|(x, y)| ((x - 0.5) * shape.0, (y - 0.5) * shape.1));
    let [a, b, _, d, e, _, g, h] = projection(&centred)?;
    let (w, t) = seen.size;
    let (u, v) = ([a / w, d / w, g / w], [b / t, e / t, h / t]);
    let (skew, skew_z) = (2.0 * (u[0] * v[0] + u[1] * v[1]), 2.0 * u[2] * v[2]);
    let (more, more_z) = (u[0] * u[0] + u[1] * u[1] - v[0] * v[0] - v[1] * v[1], u[2] * u[2] - v[2] * v[2]);
    let den = skew * skew + more * more;
    (den > 0.0).then(|| -(skew * skew_z + more * more_z) / den)
}

/// Whether the perspective of the reference shows a lens so wide that straight lines may be bent near the border. Only said
/// when the corners' places leave no doubt.
pub fn is_wide(seen: &Seen) -> bool {
    let Some(found) = inverse_square(seen, &seen.corners) else { return false };
    let spread = spread(seen, &[], |corners, _| inverse_square(seen, corners));
    spread.is_some_and(|spread| found - BAND * spread > WIDE)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FRAME: Frame = Frame { width: 1_280, height: 720 };

    fn seen(corners: [Point; 4]) -> Seen {
        Seen { corners, size: (520.0, 110.0), sigma: BY_HAND, frame: FRAME }
    }

    fn flat() -> Seen {
        seen([(0.3, 0.4), (0.7, 0.4), (0.7, 0.55), (0.3, 0.55)])
    }

    // MEASURE-2
    #[test]
    fn a_plane_from_the_front_is_a_scale() {
        let whole = length_of(&flat(), &[(0.3, 0.4), (0.7, 0.4)]).expect("in the plane");
        assert!((whole.value - 520.0).abs() < 1e-9, "{whole:?}");
        let half = length_of(&flat(), &[(0.4, 0.5), (0.6, 0.5)]).expect("in the plane");
        assert!((half.value - 260.0).abs() < 1e-9, "{half:?}");
        let area = area_of(&flat(), &[(0.3, 0.4), (0.7, 0.4), (0.7, 0.55), (0.3, 0.55)]).expect("in the plane");
        assert!((area.value - 57_200.0).abs() < 1e-6, "{area:?}");
    }

    // MEASURE-3
    #[test]
    fn the_band_grows_with_the_distance_from_the_reference_and_shrinks_with_better_corners() {
        let near = length_of(&flat(), &[(0.4, 0.45), (0.6, 0.45)]).expect("in the plane");
        let far = length_of(&flat(), &[(0.4, 0.95), (0.6, 0.95)]).expect("in the plane");
        let found = length_of(&Seen { sigma: FOUND, ..flat() }, &[(0.4, 0.95), (0.6, 0.95)]).expect("in the plane");
        assert!(far.error > 2.0 * near.error && found.error < far.error, "{near:?} {far:?} {found:?}");
    }

    // MEASURE-4
    #[test]
    fn what_is_no_quad_and_what_lies_beyond_the_horizon_is_not_measured() {
        for corners in [
            [(0.1, 0.1), (0.9, 0.9), (0.9, 0.1), (0.1, 0.9)],
            [(0.1, 0.1), (0.5, 0.1), (0.9, 0.1), (0.5, 0.5)],
            [(0.5, 0.5); 4],
            [(0.1, 0.1), (0.9, 0.1), (0.3, 0.2), (0.1, 0.9)],
        ] {
            assert!(!is_quad(&corners), "{corners:?}");
        }
        assert!(is_quad(&flat().corners));
        // The sides left and right meet at a height of 0.3.
        let steep = seen([(0.45, 0.4), (0.55, 0.4), (0.7, 0.7), (0.3, 0.7)]);
        assert!(length_of(&steep, &[(0.5, 0.5), (0.5, 0.6)]).is_some());
        assert!(length_of(&steep, &[(0.5, 0.5), (0.5, 0.1)]).is_none());
    }

    // MEASURE-4
    #[test]
    fn a_polygon_whose_sides_cross_is_seen() {
        assert!(is_crossed(&[(0.0, 0.0), (1.0, 1.0), (1.0, 0.0), (0.0, 1.0)]));
        assert!(!is_crossed(&[(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)]));
        assert!(!is_crossed(&[(0.0, 0.0), (1.0, 0.0), (0.5, 1.0)]));
    }

    /// The corners of an A4 sheet, turned by 35° about both axes, in a camera of focal length `f` by the longer side.
    fn sheet(f: f64) -> [Point; 4] {
        let (sin, cos) = (35_f64.to_radians().sin(), 35_f64.to_radians().cos());
        let shape = FRAME.shape();
        [(-148.5, -105.0), (148.5, -105.0), (148.5, 105.0), (-148.5, 105.0)].map(|(x, y)| {
            let (x1, z1) = (cos * x, sin * x);
            let (y2, z2) = (cos * y - sin * z1, sin * y + cos * z1);
            let depth = f * 480.0 + z2;
            (0.5 + f * x1 / depth / shape.0, 0.5 + f * y2 / depth / shape.1)
        })
    }

    // MEASURE-5
    #[test]
    fn a_wide_lens_is_named_and_a_usual_one_is_not() {
        for (f, expected) in [(0.36, true), (0.45, true), (0.72, false), (1.0, false)] {
            let seen = Seen { corners: sheet(f), size: (297.0, 210.0), sigma: FOUND, frame: FRAME };
            assert!(is_quad(&seen.corners));
            assert_eq!(is_wide(&seen), expected, "f = {f}, found {:?}", inverse_square(&seen, &seen.corners));
        }
        assert!(!is_wide(&flat()), "from the front nothing can be told");
    }
}
