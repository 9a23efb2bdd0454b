//! The file we send: as the sample in meaning, valid against the official schemas, hostile names included.

use atalaya_sepa::debits::{Address, check};
use atalaya_sepa::read::{Node, parse_xml};
use atalaya_sepa::{Block, Creditor, CreditorId, Debit, DebitsError, Message, Scheme, Sequence, Version};
use std::io::Write as _;
use std::process::{Command, Stdio};

fn debit(end_to_end: &str, amount: i64, umr: &str, signed: &str, debtor: &str, iban: &str) -> Debit {
    Debit {
        end_to_end: end_to_end.into(),
        amount,
        umr: umr.into(),
        signed: signed.parse().unwrap(),
        debtor: debtor.into(),
        iban: iban.into(),
        bic: None,
        address: None,
        amendment: None,
        concept: format!("Factura {end_to_end} octubre 2026"),
    }
}

/// The three invoices of `vectors/xml/pain008_*_ok.xml`.
fn sample(version: Version) -> Message {
    let british = Debit {
        bic: Some("NWBKGB2LXXX".into()),
        address: Some(Address {
            street: "10 High Street".into(),
            post_code: "EC1A 1BB".into(),
            town: "London".into(),
            province: String::new(),
            country: "GB".into(),
        }),
        ..debit("A2026-000004", 33571, "VP-000031-01", "2026-11-02", "Reparadores Costa Lda", "GB29NWBK60161331926819")
    };
    let block = |id: &str, sequence, debits| Block {
        id: id.into(),
        scheme: Scheme::Core,
        sequence,
        collection: "2026-11-12".parse().unwrap(),
        debits,
    };
    Message {
        id: "VP-20261105-0001".into(),
        created: "2026-11-05T09:00:00".parse().unwrap(),
        version,
        creditor: Creditor {
            name: "Plataforma Ejemplo SL".into(),
            id: CreditorId::spanish("B12345674", "000").unwrap(),
            iban: "ES9121000418450200051332".into(),
            bic: Some("CAIXESBBXXX".into()),
            address: Some(Address {
                street: "Calle Mayor, 1".into(),
                post_code: "28013".into(),
                town: "Madrid".into(),
                province: "Madrid".into(),
                country: "ES".into(),
            }),
        },
        blocks: vec![
            block(
                "VP-20261105-0001-RCUR",
                Sequence::Rcur,
                vec![
                    debit(
                        "A2026-000001",
                        3630,
                        "VP-000017-01",
                        "2026-01-15",
                        "Talleres Núñez y Peña SL",
                        "ES9200490001561234567890",
                    ),
                    debit(
                        "A2026-000002",
                        3751,
                        "VP-000023-01",
                        "2026-03-02",
                        "Gabinete Pericial Gómez SLP",
                        "ES6700810140800001234561",
                    ),
                ],
            ),
            block("VP-20261105-0001-FRST", Sequence::Frst, vec![british]),
        ],
    }
}

/// Without what only lays the text out.
fn meaning(node: &Node) -> Node {
    let mut children: Vec<Node> = node.children.iter().map(meaning).collect();
    children.iter_mut().for_each(|child| child.text = child.text.trim().to_owned());
    Node { text: node.text.trim().to_owned(), children, ..node.clone() }
}

fn drop_addresses(node: &mut Node) {
    node.children.retain(|child| child.name != "PstlAdr");
    node.children.iter_mut().for_each(drop_addresses);
}

// SEPA-4
#[test]
fn the_file_means_what_the_sample_means() {
    for (version, expected) in [
        (Version::V08, include_str!("../../../vectors/xml/pain008_v08_ok.xml")),
        (Version::V02, include_str!("../../../vectors/xml/pain008_v02_ok.xml")),
    ] {
        let message = sample(version);
        assert_eq!((message.total(), message.count()), (40952, 3));
        let mut ours = meaning(&parse_xml(&message.to_xml().unwrap()).unwrap());
        let mut theirs = meaning(&parse_xml(expected).unwrap());
        if version == Version::V02 {
            // The sample writes addresses as free lines only; ours are structured in both editions.
            drop_addresses(&mut ours);
            drop_addresses(&mut theirs);
        }
        assert!(ours == theirs, "{version:?}\n{ours:?}\n{theirs:?}");
    }
}

/// Names that banks would choke on.
fn hostile() -> Message {
    let mut message = sample(Version::V08);
    message.creditor.name = "Ñandú & Hijos <S.L.> «Peritación»".into();
    message.creditor.address.as_mut().unwrap().street = "Polígono Industrial Çà, nave B".into();
    let mut block = message.blocks[0].clone();
    block.id = "VP-20261105-0001-B2B".into();
    block.scheme = Scheme::B2b;
    block.debits[0].debtor = "  \u{202e}\"<![CDATA[ & ]]>\"  Œuvre 東京 ".into();
    block.debits[0].concept = "x".repeat(400);
    block.debits[0].end_to_end = "A2026-000001-2".into();
    message.blocks.push(block);
    message
}

// SEPA-2
#[test]
fn hostile_names_become_letters_that_banks_take() {
    let xml = hostile().to_xml().unwrap();
    let root = parse_xml(&xml).unwrap();
    let mut texts = Vec::new();
    collect(&root, &mut texts);
    assert!(texts.iter().all(|text| text.chars().all(|c| sepa::charset::is_sepa_char(c) || c == '\n')), "{texts:?}");
    assert!(xml.contains("Nandu + Hijos ") && xml.contains("<LclInstrm><Cd>B2B</Cd></LclInstrm>"));
    assert!(!xml.contains("Pol\u{ed}gono") && xml.contains("<AdrLine>Poligono Industrial Ca, nave B</AdrLine>"));
}

fn collect(node: &Node, texts: &mut Vec<String>) {
    texts.push(node.text.clone());
    node.children.iter().for_each(|child| collect(child, texts));
}

// SEPA-5, SEPA-6
#[test]
fn what_a_bank_would_refuse_is_refused_here() {
    let good = sample(Version::V08).blocks[0].debits[0].clone();
    assert_eq!(check(&good), Ok(()));
    let wrong = |change: fn(&mut Debit)| {
        let mut debit = good.clone();
        change(&mut debit);
        check(&debit).unwrap_err()
    };
    assert!(matches!(wrong(|d| d.amount = 0), DebitsError::Rules(_)));
    assert!(matches!(wrong(|d| d.amount = -1), DebitsError::Rules(_)));
    assert!(matches!(wrong(|d| d.umr = "VP_1".into()), DebitsError::Identifier(_)));
    assert!(matches!(wrong(|d| d.end_to_end = "A//1".into()), DebitsError::Identifier(_)));
    assert!(matches!(wrong(|d| d.debtor = "東京".into()), DebitsError::Name(_)));
    for iban in ["ES3000490001571234567890", "LC55HEMM000100010012001200023015", "ES9921000418440000000377", ""] {
        assert!(matches!(check(&Debit { iban: iban.into(), ..good.clone() }), Err(DebitsError::Iban(_))), "{iban}");
    }
    assert!(matches!(wrong(|d| d.iban = "GB29NWBK60161331926819".into()), DebitsError::Abroad(_)));
    let mut message = sample(Version::V08);
    message.blocks.clear();
    assert_eq!(message.to_xml(), Err(DebitsError::Empty));
}

// SEPA-4
#[test]
fn files_are_valid_against_the_official_schemas() {
    let Ok(schemas) = std::env::var("ATALAYA_TEST_SCHEMAS") else {
        println!("not run: no schemas (scripts/schemas.sh)");
        return;
    };
    for (message, schema) in [
        (sample(Version::V08), "pain.008.001.08.xsd"),
        (sample(Version::V02), "pain.008.001.02.xsd"),
        (hostile(), "pain.008.001.08.xsd"),
        (Message { version: Version::V02, ..hostile() }, "pain.008.001.02.xsd"),
    ] {
        let mut lint = Command::new("xmllint")
            .args(["--nonet", "--noout", "--schema", &format!("{schemas}/{schema}"), "-"])
            .stdin(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("xmllint");
        lint.stdin.take().unwrap().write_all(message.to_xml().unwrap().as_bytes()).unwrap();
        let output = lint.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
}

// SEPA-14
#[test]
fn what_changed_of_a_mandate_is_compared_as_banks_do() {
    use atalaya_sepa::Amendment;
    let of = |name: &str, id: &str| Amendment::of_creditor((name, id), ("Atalaya Ñ, S.L.", "ES77000B85626240")).some();
    assert_eq!(of("Atalaya N, S.L.", "ES77003B85626240"), None, "letters that banks do not know, and another suffix");
    let renamed = of("Atalaya Vieja, S.L.", "ES77000B85626240").unwrap();
    assert_eq!((renamed.creditor_name.as_deref(), renamed.creditor_id), (Some("Atalaya Vieja, S.L."), None));
    let moved = of("Atalaya Ñ, S.L.", "ES11000B12345674").unwrap();
    assert_eq!((moved.creditor_name, moved.creditor_id.as_deref()), (None, Some("ES11000B12345674")));
}
