//! How sharp a picture is: the variance of the Laplacian in tiles, of which only the sharpest count, because smooth paint has no
//! edges by itself. The client's page judges pictures in the same way before they are sent (`web/external/files/quality.ts`).

/// Sharpness from which a dent can be seen in a small copy. Sharp tiles have hundreds; a hand that shook leaves less than this.
pub const SHARP: i32 = 60;

const TILES: usize = 8;

/// The mean of the sharpest tenth of the tiles of a grey picture, rows of `width` pixels; 0 when there is nothing to measure.
pub fn detail(grey: &[u8], width: u32) -> i32 {
    let width = usize::try_from(width).unwrap_or(0);
    let height = grey.len().checked_div(width).unwrap_or(0);
    let (w, h) = (width / TILES, height / TILES);
    if w < 4 || h < 4 {
        return whole(variance(grey, width, (0, width), (0, height)));
    }
    let mut tiles: Vec<f64> = (0..TILES * TILES)
        .map(|tile| {
            let (x, y) = (tile % TILES * w, tile / TILES * h);
            variance(grey, width, (x, x + w), (y, y + h))
        })
        .collect();
    tiles.sort_by(|a, b| b.total_cmp(a));
    tiles.truncate(tiles.len().div_ceil(10));
    whole(tiles.iter().sum::<f64>() / tiles.len() as f64)
}

fn whole(value: f64) -> i32 {
    value.clamp(0.0, f64::from(i32::MAX)).round() as i32
}

/// The variance of the Laplacian inside a part of the picture.
fn variance(grey: &[u8], width: usize, (left, right): (usize, usize), (top, bottom): (usize, usize)) -> f64 {
    let (mut sum, mut squares, mut count) = (0.0, 0.0, 0.0);
    let at = |x: usize, y: usize| f64::from(grey.get(y * width + x).copied().unwrap_or(0));
    for y in top + 1..bottom.saturating_sub(1).max(top + 1) {
        for x in left + 1..right.saturating_sub(1).max(left + 1) {
            let value = 4.0 * at(x, y) - at(x - 1, y) - at(x + 1, y) - at(x, y - 1) - at(x, y + 1);
            sum += value;
            squares += value * value;
            count += 1.0;
        }
    }
    if count == 0.0 { 0.0 } else { squares / count - (sum / count) * (sum / count) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(pixel: impl Fn(usize, usize) -> u8) -> Vec<u8> {
        (0..240 * 320).map(|at| pixel(at % 320, at / 320)).collect()
    }

    // REPORT-9
    #[test]
    fn edges_are_sharp_and_what_is_blurred_is_not() {
        let edges = picture(|x, y| if (x / 6 + y / 6) % 2 == 0 { 200 } else { 40 });
        let blurred = picture(|x, _| (128.0 + 80.0 * (x as f64 / 25.0).sin()) as u8);
        // One dent on smooth paint is enough.
        let one = picture(|x, y| if (40..80).contains(&x) && (30..60).contains(&y) && (x / 4) % 2 == 0 { 220 } else { 120 });
        assert!(detail(&edges, 320) > SHARP && detail(&one, 320) > SHARP, "{} {}", detail(&edges, 320), detail(&one, 320));
        assert!(detail(&blurred, 320) < SHARP, "{}", detail(&blurred, 320));
        assert_eq!(detail(&picture(|_, _| 90), 320), 0);
    }

    // REPORT-9
    #[test]
    fn nothing_to_measure_is_no_sharpness() {
        assert_eq!((detail(&[], 0), detail(&[7], 1), detail(&[1, 2, 3], 3), detail(&[0; 10], 100)), (0, 0, 0, 0));
        assert!(detail(&[0, 255, 0, 255, 0, 255, 0, 255, 0], 3) >= 0);
    }
}
