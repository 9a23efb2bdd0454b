//! Sets photo reports and prints how long each took: `cargo run --release --example photo -- [out.pdf] [pictures]`.

use atalaya_pdf::{Labelled, PhotoReport, Picture, Words, render_photo_report};
use std::time::Instant;

const JPEG: &[u8] = include_bytes!("picture.jpg");

/// The picture with a comment (marker FE) after its first marker, so that no two are the same file.
fn jpeg(turn: usize, n: usize) -> Vec<u8> {
    let comment = format!("{turn:08}{n:08}");
    let length = u16::try_from(comment.len() + 2).expect("a short comment").to_be_bytes();
    [&JPEG[..2], &[0xff, 0xfe], &length, comment.as_bytes(), &JPEG[2..]].concat()
}

fn picture(turn: usize, n: usize) -> Picture {
    Picture {
        number: n.to_string(),
        label: "Parachoques delantero, lado derecho".into(),
        note: (n.is_multiple_of(3)).then(|| "Golpe de 12 cm con pérdida de pintura; no alcanza el faro ni la aleta.".into()),
        facts: vec![
            Labelled::new("Tomada", "24/11/2026 10:31"),
            Labelled::new("Lugar", "40.416800, -3.703800 (± 8 m)"),
            Labelled::new("Archivo", format!("foto-{n:03}.jpg")),
        ],
        layers: Vec::new(),
        sha256: format!("{turn:032x}{n:032x}"),
        jpeg: Some(jpeg(turn, n)),
        missing: String::new(),
    }
}

fn example(turn: usize, pictures: usize) -> PhotoReport {
    PhotoReport {
        language: "es".into(),
        title: "Informe fotográfico".into(),
        subtitle: "Expediente 2026-118392 · Peritaciones Levante, S.L.".into(),
        number: "CE-2026-000001".into(),
        issued_at: chrono::DateTime::from_timestamp(1_795_000_000, 0).expect("a time"),
        code: "7H2KQ-9VX0M-RT4CA-PZ81D".into(),
        url: "https://atalaya.example/verificar/7H2KQ-9VX0M-RT4CA-PZ81D".into(),
        words: Words { page: "Página {n} de {m}".into(), code: "Código de verificación".into(), qr: "QR".into() },
        facts: vec![Labelled::new("Expediente", "2026-118392"), Labelled::new("Matrícula", "4821 LKM")],
        hash_label: "SHA-256".into(),
        pictures: (1..=pictures).map(|n| picture(turn, n)).collect(),
        empty: None,
        note: "Las fotos se imprimen reducidas; el SHA-256 es el del archivo original.".into(),
    }
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next();
    let pictures = arguments.next().and_then(|text| text.parse().ok()).unwrap_or(30);
    for turn in 1..=4 {
        let report = example(turn, pictures);
        let start = Instant::now();
        let bytes = render_photo_report(&report).expect("the example is set");
        println!("{turn}: {} ms, {pictures} pictures, {} bytes", start.elapsed().as_millis(), bytes.len());
        if let (4, Some(path)) = (turn, &path) {
            std::fs::write(path, bytes).expect("the file can be written");
        }
    }
}
