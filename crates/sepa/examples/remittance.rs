//! How long a file of ten thousand debits takes: `cargo run --release -p atalaya-sepa --example remittance`.

use atalaya_sepa::{Block, Creditor, CreditorId, Debit, Message, Scheme, Sequence, Version};
use std::time::Instant;

fn main() {
    let begun = Instant::now();
    let debits = (1..=10_000).map(|n| Debit {
        end_to_end: format!("A2026-{n:06}"),
        amount: 3000 + n,
        umr: format!("VP-{n:06}-01"),
        signed: "2026-01-15".parse().expect("a day"),
        debtor: format!("Talleres Núñez & Peña {n}, S.L."),
        iban: "ES9200490001561234567890".into(),
        bic: None,
        address: None,
        amendment: None,
        concept: format!("Factura A2026-{n:06} octubre 2026"),
    });
    let message = Message {
        id: "VP-20261105-0001".into(),
        created: "2026-11-05T09:00:00".parse().expect("a time"),
        version: Version::V08,
        creditor: Creditor {
            name: "Plataforma Ejemplo SL".into(),
            id: CreditorId::spanish("B12345674", "000").expect("valid"),
            iban: "ES9121000418450200051332".into(),
            bic: None,
            address: None,
        },
        blocks: vec![Block {
            id: "VP-20261105-0001-RCUR".into(),
            scheme: Scheme::Core,
            sequence: Sequence::Rcur,
            collection: "2026-11-12".parse().expect("a day"),
            debits: debits.collect(),
        }],
    };
    let xml = message.to_xml().expect("valid debits");
    println!("{} debits, {} bytes, {} ms", message.count(), xml.len(), begun.elapsed().as_millis());
    let begun = Instant::now();
    let root = atalaya_sepa::read::parse_xml(&xml).expect("our own file");
    println!("read back in {} ms: {}", begun.elapsed().as_millis(), root.name);
}
