//! Renders an example with 50 files and prints how long it took: `cargo run --release --example certificate -- out.pdf`.

use atalaya_pdf::{Block, Cell, Column, Document, Fact, Section, Words, render};
use std::time::Instant;

fn fact(label: &str, value: Cell) -> Fact {
    Fact { label: label.into(), value }
}

fn example() -> Document {
    let hash = "6da71ea51b927c7913d2e84cc559ebfe852ade5f60369625b22ad290a5e021d5";
    let column = |title: &str, width_mm, right| Column { title: title.into(), width_mm, right };
    let row = |n: usize| {
        vec![
            Cell::new(n.to_string()),
            Cell::with_detail(format!("foto-{n:03}.jpg"), "Foto"),
            Cell::with_detail("20/11/2026 10:00:07 +01:00", "2026-11-20 09:00:07 UTC"),
            Cell::new("1,24 MB"),
            Cell::with_detail("40.416800, -3.703800", "±12 m"),
            Cell::hash(hash),
        ]
    };
    let columns = vec![
        column("N.º", Some(9), true),
        column("Nombre y tipo", None, false),
        column("Captura", Some(42), false),
        column("Tamaño", Some(18), true),
        column("Coordenadas", Some(23), false),
        column("SHA-256", Some(46), false),
    ];
    let long = "María de los Ángeles Fernández-Villaverde y Rodríguez de la Peña".repeat(3);
    let facts = vec![
        fact("Número de certificado", Cell::new("CE-2026-000001")),
        fact("Fecha de emisión", Cell::with_detail("20/11/2026 10:00:07 +01:00", "2026-11-20 09:00:07 UTC")),
        fact("Solicitante", Cell::new(long)),
        fact("Palabra larga", Cell::new("x".repeat(300))),
        fact("Cabeza de la cadena", Cell::hash(hash)),
    ];
    let sections = vec![
        Section { title: "Identificación".into(), blocks: vec![Block::Facts { heading: None, facts: facts.clone() }] },
        Section { title: "Comunicación".into(), blocks: vec![Block::Facts { heading: Some("SMS".into()), facts }] },
        Section { title: "Archivos".into(), blocks: vec![Block::Table { columns, rows: (1..=50).map(row).collect() }] },
        Section { title: "Alcance".into(), blocks: vec![Block::Text { text: "No sustituye al dictamen.".into(), strong: true }] },
    ];
    Document {
        language: "es".into(),
        title: "Certificado de evidencias electrónicas".into(),
        subtitle: "Expediente EXP-1".into(),
        number: "CE-2026-000001".into(),
        issued_at: chrono::DateTime::from_timestamp(1_795_000_000, 0).expect("a time"),
        code: "7H2KQ-9VX0M-RT4CA-PZ81D".into(),
        url: "https://atalaya.example/verificar/7H2KQ-9VX0M-RT4CA-PZ81D".into(),
        words: Words { page: "Página {n} de {m}".into(), code: "Código de verificación".into(), qr: "QR".into() },
        sections,
    }
}

fn main() {
    let document = example();
    let mut last = Vec::new();
    for turn in 1..=4 {
        let start = Instant::now();
        let bytes = render(&document).expect("the example is set");
        println!(
            "{turn}: {} ms, {} bytes, the same as before: {}",
            start.elapsed().as_millis(),
            bytes.len(),
            turn == 1 || bytes == last
        );
        last = bytes;
    }
    if let Some(path) = std::env::args().nth(1) {
        std::fs::write(path, last).expect("the file can be written");
    }
}
