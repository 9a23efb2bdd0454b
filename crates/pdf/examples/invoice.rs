//! Renders invoices repeatedly and prints how many a second: `cargo run --release --example invoice -- [out.pdf] [rows] [turns]`.

use atalaya_pdf::{Detail, DetailColumn, InvoiceSheet, Labelled, SheetLine, SheetPayment, Who, render_invoice};
use std::time::Instant;

fn who(heading: &str, name: &str, lines: [&str; 3]) -> Who {
    Who { heading: heading.into(), name: name.into(), lines: lines.map(str::to_owned).to_vec() }
}

fn line(text: &str, quantity: &str, unit: &str, amount: &str) -> SheetLine {
    let detail = Some("Según el detalle de las páginas siguientes".to_owned());
    SheetLine { text: text.into(), detail, quantity: quantity.into(), unit: unit.into(), amount: amount.into() }
}

fn detail(rows: usize) -> Detail {
    let titles = ["Fecha", "Expediente", "Usuario", "Duración", "Min.", "Exced.", "Invit.", "Precio", "Importe"];
    let widths = [Some(26), None, Some(38), Some(16), Some(11), Some(13), Some(12), Some(14), Some(17)];
    let columns = titles.iter().zip(widths).enumerate();
    let columns = columns.map(|(i, (title, width))| DetailColumn { title: (*title).into(), width, right: i > 2, letters: 26 });
    let row = |n: usize| {
        let expedient = format!("EXP-2026-{n:06}");
        ["03/10/2026 09:30", &expedient, "Lucía Fernández", "11:01", "11", "1", "–", "6,00", "6,35"].map(str::to_owned).to_vec()
    };
    Detail {
        title: "Detalle de conexiones".into(),
        subtitle: "01/10/2026 – 31/10/2026".into(),
        columns: columns.collect(),
        rows: (0..rows).map(row).collect(),
    }
}

/// Each invoice differs, so that nothing comes from a cache.
fn example(turn: usize, rows: usize) -> InvoiceSheet {
    let number = format!("A2026-{turn:06}");
    InvoiceSheet {
        language: "es".into(),
        title: "Factura".into(),
        issued_at: chrono::DateTime::from_timestamp(1_795_000_000, 0).expect("a time"),
        qr_url: Some(format!(
            "https://prewww2.aeat.es/wlpl/TIKE-CONT/ValidarQR?nif=B12345674&numserie={number}&fecha=03-11-2026&importe=37.51"
        )),
        qr_above: "QR tributario:".into(),
        qr_below: "VERI*FACTU".into(),
        trial: Some("ENTORNO DE PRUEBAS".into()),
        facts: vec![
            Labelled::new("Fecha de expedición", "03/11/2026"),
            Labelled::new("Fecha de operación", "31/10/2026"),
            Labelled::new("Periodo", "01/10/2026 – 31/10/2026"),
            Labelled::new("Vencimiento", "12/11/2026"),
        ],
        issuer: who("Emisor", "Plataforma Ejemplo, S.L.", ["NIF B12345674", "Calle Mayor 1", "28013 Madrid (Madrid)"]),
        recipient: who("Cliente", &format!("Talleres {turn}, S.L."), ["NIF B64717838", "Avenida del Puerto 7", "46023 Valencia"]),
        rectifies: None,
        columns: ["Concepto", "Cantidad", "Precio sin IVA", "Importe"].map(str::to_owned),
        lines: vec![
            line("Conexiones", "3", "6,00 €", "18,00 €"),
            line("Otras conexiones", "1", "3,00 €", "3,00 €"),
            line("Minutos excedidos", "16", "0,35 €", "5,60 €"),
            line("Minutos de invitados", "22", "0,20 €", "4,40 €"),
        ],
        payment: SheetPayment {
            heading: "Forma de pago".into(),
            facts: vec![Labelled::new("Medio", "Domiciliación bancaria SEPA"), Labelled::new("Mandato", "VP-000042-01")],
            note: Some("El importe se cargará en su cuenta el 12/11/2026.".into()),
        },
        totals: vec![Labelled::new("Base imponible", "31,00 €"), Labelled::new("IVA 21 %", "6,51 €")],
        total: Labelled::new("Total factura", "37,51 €"),
        notes: vec![],
        footer: "Plataforma Ejemplo, S.L. · NIF B12345674 · Registro Mercantil de Madrid, tomo 1, hoja M-1".into(),
        page: "Página {n} de {m}".into(),
        detail: (rows > 0).then(|| detail(rows)),
        number,
    }
}

fn main() {
    let path = std::env::args().nth(1);
    let number = |index| std::env::args().nth(index).and_then(|text| text.parse().ok());
    let (rows, turns) = (number(2).unwrap_or(100), number(3).unwrap_or(200));
    let first = Instant::now();
    let mut bytes = render_invoice(&example(0, rows)).expect("the example is set");
    println!("the first, with fonts and template: {} ms, {} bytes, {rows} rows", first.elapsed().as_millis(), bytes.len());
    let start = Instant::now();
    for turn in 1..=turns {
        bytes = render_invoice(&example(turn, rows)).expect("the example is set");
    }
    let each = start.elapsed() / u32::try_from(turns).expect("a few");
    println!("{turns} one after the other: {:.1} ms each, {:.0} a second", each.as_secs_f64() * 1000.0, 1.0 / each.as_secs_f64());
    if let Some(path) = path {
        std::fs::write(path, bytes).expect("the file can be written");
    }
}
