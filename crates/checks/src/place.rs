//! Where in Spain a position lies, without asking anybody: distances and provinces.
//!
//! `data/provinces.txt` holds the outlines of the provinces, one ring a line: the INE code, then longitude and latitude in
//! thousandths of a degree, each point as the difference from the one before. Derived from es-atlas 0.6.0 (MIT; data of the
//! Instituto Geográfico Nacional, CC BY 4.0), which simplifies the outlines by up to a kilometre.

use crate::province;
use std::sync::LazyLock;

/// Metres by which the outlines may be wrong, with room for an inaccurate position: within them both provinces count.
const BORDER_M: f64 = 2_000.0;
const EARTH_M: f64 = 6_371_008.8;

struct Ring {
    code: u8,
    /// Longitude and latitude in degrees.
    points: Vec<(f64, f64)>,
    west: f64,
    east: f64,
    south: f64,
    north: f64,
}

static RINGS: LazyLock<Vec<Ring>> = LazyLock::new(|| include_str!("../data/provinces.txt").lines().filter_map(ring).collect());

fn ring(line: &str) -> Option<Ring> {
    let (code, rest) = line.split_once(' ')?;
    let (mut x, mut y) = (0i32, 0i32);
    let mut points = Vec::new();
    for pair in rest.split(' ') {
        let (dx, dy) = pair.split_once(',')?;
        x += dx.parse::<i32>().ok()?;
        y += dy.parse::<i32>().ok()?;
        points.push((f64::from(x) / 1000.0, f64::from(y) / 1000.0));
    }
    let bounds = points.iter().fold((180.0f64, -180.0f64, 90.0f64, -90.0f64), |(w, e, s, n), (lon, lat)| {
        (w.min(*lon), e.max(*lon), s.min(*lat), n.max(*lat))
    });
    let (west, east, south, north) = bounds;
    Some(Ring { code: code.parse().ok()?, points, west, east, south, north })
}

impl Ring {
    fn edges(&self) -> impl Iterator<Item = ((f64, f64), (f64, f64))> + '_ {
        let next = self.points.iter().cycle().skip(1);
        self.points.iter().copied().zip(next.copied())
    }

    /// Whether a ray to the east crosses the ring an odd number of times.
    fn surrounds(&self, lat: f64, lon: f64) -> bool {
        if lat < self.south || lat > self.north || lon < self.west || lon > self.east {
            return false;
        }
        let crosses = |((ax, ay), (bx, by)): &((f64, f64), (f64, f64))| {
            (*ay > lat) != (*by > lat) && lon < (bx - ax) * (lat - ay) / (by - ay) + ax
        };
        self.edges().filter(crosses).count() % 2 == 1
    }

    /// Metres to the outline; none when it is clearly farther than `BORDER_M`.
    fn outline_m(&self, lat: f64, lon: f64) -> Option<f64> {
        let room = 0.05;
        if lat < self.south - room || lat > self.north + room || lon < self.west - room || lon > self.east + room {
            return None;
        }
        let metres = EARTH_M.to_radians();
        let (kx, ky) = (metres * lat.to_radians().cos(), metres);
        let flat = |(x, y): (f64, f64)| ((x - lon) * kx, (y - lat) * ky);
        let to_edge = |(a, b): ((f64, f64), (f64, f64))| {
            let ((ax, ay), (bx, by)) = (flat(a), flat(b));
            let (dx, dy) = (bx - ax, by - ay);
            let length = dx * dx + dy * dy;
            let along = if length == 0.0 { 0.0 } else { (-(ax * dx + ay * dy) / length).clamp(0.0, 1.0) };
            (ax + along * dx).hypot(ay + along * dy)
        };
        self.edges().map(to_edge).min_by(f64::total_cmp).filter(|metres| *metres <= BORDER_M)
    }
}

/// `40.41680, -3.70380`: how a position is written, on paper as on the screens (PLACE-6). Takes degrees as they are kept, with
/// more decimals than the metre that anybody reads.
pub fn coordinates(latitude: &str, longitude: &str) -> Option<String> {
    let (latitude, longitude): (f64, f64) = (latitude.trim().parse().ok()?, longitude.trim().parse().ok()?);
    Some(format!("{latitude:.5}, {longitude:.5}"))
}

/// Metres between two places, latitudes and longitudes in degrees (haversine).
pub fn distance_m((lat1, lon1): (f64, f64), (lat2, lon2): (f64, f64)) -> f64 {
    let (dlat, dlon) = ((lat2 - lat1).to_radians(), (lon2 - lon1).to_radians());
    let half = (dlat / 2.0).sin().powi(2) + lat1.to_radians().cos() * lat2.to_radians().cos() * (dlon / 2.0).sin().powi(2);
    2.0 * EARTH_M * half.sqrt().clamp(0.0, 1.0).asin()
}

/// The code of the province that surrounds a place. A province with an enclave of another has a ring around it.
fn code_at(lat: f64, lon: f64) -> Option<u8> {
    (1..=province::COUNT).find(|code| {
        let around = RINGS.iter().filter(|ring| ring.code == *code && ring.surrounds(lat, lon)).count();
        around % 2 == 1
    })
}

/// The nearest province of at most `BORDER_M`, for a place on a quay or a beach.
fn nearest(lat: f64, lon: f64) -> Option<u8> {
    let near = RINGS.iter().filter_map(|ring| Some((ring.outline_m(lat, lon)?, ring.code)));
    near.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, code)| code)
}

/// The name of the province that a place lies in; none abroad and at sea.
pub fn province_at(lat: f64, lon: f64) -> Option<&'static str> {
    code_at(lat, lon).or_else(|| nearest(lat, lon)).and_then(province::name)
}

/// Whether a place lies in the province of this name, or so near to its border that it may.
pub fn may_lie_in(name: &str, lat: f64, lon: f64) -> bool {
    let Some(code) = province::code_of(name) else { return false };
    code_at(lat, lon) == Some(code) || RINGS.iter().any(|ring| ring.code == code && ring.outline_m(lat, lon).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn capitals_lie_in_their_provinces() {
        for (name, lat, lon) in [
            ("Madrid", 40.4168, -3.7038),
            ("Valencia/València", 39.4699, -0.3763),
            ("A Coruña", 43.3623, -8.4115),
            ("Cádiz", 36.5271, -6.2886),
            ("Illes Balears", 39.5696, 2.6502),
            ("Las Palmas", 28.1235, -15.4363),
            ("Santa Cruz de Tenerife", 28.4636, -16.2518),
            ("Ceuta", 35.8894, -5.3213),
            ("Melilla", 35.2923, -2.9381),
            ("Álava/Araba", 42.8467, -2.6716),
            ("Gipuzkoa", 43.3183, -1.9812),
            ("Girona", 41.9794, 2.8214),
        ] {
            assert_eq!(province_at(lat, lon), Some(name));
            assert!(may_lie_in(name, lat, lon));
            assert!(!may_lie_in("Teruel", lat, lon), "{name}");
        }
        // Treviño is an island of Burgos in Álava.
        assert_eq!(province_at(42.735, -2.747), Some("Burgos"));
        for (lat, lon) in [(48.8566, 2.3522), (38.7223, -9.1393), (40.0, 2.5), (0.0, 0.0)] {
            assert_eq!(province_at(lat, lon), None, "{lat},{lon}");
        }
    }

    // PLACE-6
    #[test]
    fn positions_are_written_as_on_the_screens() {
        let vectors: serde_json::Value = serde_json::from_str(include_str!("../../../vectors/coordinates.json")).unwrap();
        for case in vectors["cases"].as_array().unwrap() {
            let kept = |name: &str| format!("{:.6}", case[name].as_f64().unwrap());
            assert_eq!(coordinates(&kept("latitude"), &kept("longitude")).as_deref(), case["text"].as_str());
        }
        assert_eq!(coordinates("40.416800", "nowhere"), None);
    }

    #[test]
    fn near_a_border_both_provinces_count() {
        // La Línea and Gibraltar's fence; Irun at the Bidasoa.
        assert!(may_lie_in("Gipuzkoa", 43.3398, -1.7894));
        // Between Madrid and Toledo, at Casarrubuelos.
        assert!(may_lie_in("Madrid", 40.171, -3.83) && may_lie_in("Toledo", 40.171, -3.83));
    }

    #[test]
    fn distances_are_those_of_the_map() {
        let madrid = (40.4168, -3.7038);
        assert!((distance_m(madrid, (39.4699, -0.3763)) - 302_000.0).abs() < 3_000.0);
        assert!((distance_m(madrid, (40.4213, -3.7038)) - 500.0).abs() < 1.0);
        assert_eq!(distance_m(madrid, madrid), 0.0);
    }
}
