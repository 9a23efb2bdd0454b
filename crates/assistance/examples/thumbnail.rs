//! How long the small copy of a 12-megapixel picture takes: `cargo run --release -p atalaya-assistance --example thumbnail`.

use atalaya_assistance::media::thumbnails;
use image::codecs::jpeg::JpegEncoder;
use image::{Rgb, RgbImage};
use std::time::Instant;

const WIDTH: u32 = 4032;
const HEIGHT: u32 = 3024;
const ROUNDS: usize = 15;

fn main() {
    // Fine detail everywhere, like grass and gravel: the worst case of a camera.
    let picture = RgbImage::from_fn(WIDTH, HEIGHT, |x, y| {
        let noise = (x.wrapping_mul(2_654_435_761) ^ y.wrapping_mul(40_503)).rotate_left(7) as u8 / 4;
        Rgb([(x / 16) as u8 ^ noise, (y / 12) as u8 ^ noise, ((x + y) / 32) as u8])
    });
    let mut bytes = Vec::new();
    picture.write_with_encoder(JpegEncoder::new_with_quality(&mut bytes, 85)).expect("a picture is encoded");
    let mut times: Vec<f64> = (0..ROUNDS)
        .map(|_| {
            let began = Instant::now();
            let looked = thumbnails::decode(&bytes).expect("a picture");
            assert_eq!((looked.width, looked.height), (WIDTH, HEIGHT));
            began.elapsed().as_secs_f64() * 1e3
        })
        .collect();
    times.sort_by(f64::total_cmp);
    println!(
        "12 Mpx JPEG of {:.1} MiB: fastest {:.0} ms, median {:.0} ms, slowest {:.0} ms (limit 150 ms)",
        bytes.len() as f64 / f64::from(1 << 20),
        times[0],
        times[ROUNDS / 2],
        times[ROUNDS - 1]
    );
}
