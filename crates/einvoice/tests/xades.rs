//! The signature of Facturae, verified as a recipient does.

use atalaya_einvoice::facturae::facturae;
use atalaya_einvoice::tree::{Element, parse};
use atalaya_einvoice::xades::{Signer, signed};
use atalaya_einvoice::{BuyerCodes, DocumentLine, InvoiceDocument, LineKind, Party};
use atalaya_tariff::{Cents, VatRegime};
use aws_lc_rs::digest::{SHA256, digest};
use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::rsa::KeySize;
use aws_lc_rs::signature::{KeyPair, RSA_PKCS1_2048_8192_SHA256, RSA_PKCS1_SHA256, RsaKeyPair, UnparsedPublicKey};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use chrono::{DateTime, NaiveDate};
use std::io::Write;
use std::process::{Command, Stdio};

fn invoice() -> InvoiceDocument {
    let day = NaiveDate::from_ymd_opt(2026, 11, 3).expect("a date");
    let party = |nif: &str| Party {
        name: "Peritos \"Núñez\" & <'Hijos'> &quot; SL".into(),
        nif: nif.into(),
        address: "Calle Mayor 1".into(),
        postal_code: "28013".into(),
        city: "Madrid".into(),
        region: "Madrid".into(),
        ..Party::default()
    };
    InvoiceDocument {
        number: "A2026-000002".into(),
        issue_date: day,
        operation_date: day,
        period_from: day,
        period_to: day,
        due_date: day,
        issuer: party("B12345674"),
        recipient: party("B00000000"),
        language: "es".into(),
        lines: vec![DocumentLine { kind: LineKind::Connection, quantity: Some(5), unit: Some(Cents(600)), amount: Cents(3000) }],
        base: Cents(3000),
        vat_rate: 2100,
        vat: Cents(630),
        total: Cents(3630),
        regime: VatRegime::General,
        payment: None,
        transfer_iban: None,
        buyer: BuyerCodes::default(),
        rectifies: None,
    }
}

fn signed_with(key: &RsaKeyPair) -> String {
    let signer = Signer { certificate: b"a certificate", issuer: "CN=AC \"Raíz\",C=ES", serial: "1234567890" };
    let at = DateTime::from_timestamp(1_795_000_000, 0).expect("a time");
    signed(&facturae(&invoice(), Some("https://x/?a=1&b=2")), signer, at, |bytes| {
        let mut signature = vec![0; key.public_modulus_len()];
        key.sign(&RSA_PKCS1_SHA256, &SystemRandom::new(), bytes, &mut signature).map(|()| signature)
    })
    .expect("it is signed")
}

fn find<'a>(tree: &'a Element, name: &str) -> &'a str {
    tree.find(name).map_or("", |element| &element.text)
}

/// From the first to the last letter of an element.
fn part<'a>(xml: &'a str, name: &str) -> &'a str {
    let (start, end) = (xml.find(&format!("<{name}")).expect("its begin"), format!("</{name}>"));
    &xml[start..xml.find(&end).expect("its end") + end.len()]
}

fn sha256(text: &str) -> String {
    STANDARD.encode(digest(&SHA256, text.as_bytes()))
}

/// An element with the namespaces that are in scope where it stands.
fn alone(xml: &str, name: &str) -> String {
    let spaces = "xmlns:ds=\"http://www.w3.org/2000/09/xmldsig#\" \
                  xmlns:fe=\"http://www.facturae.gob.es/formato/Versiones/Facturaev3_2_2.xml\" \
                  xmlns:xades=\"http://uri.etsi.org/01903/v1.3.2#\"";
    part(xml, name).replacen(&format!("<{name}"), &format!("<{name} {spaces}"), 1)
}

// EINV-15
#[test]
fn every_digest_and_the_signature_fit() {
    let key = RsaKeyPair::generate(KeySize::Rsa2048).expect("a key");
    let xml = signed_with(&key);
    let tree = parse(&xml).expect("XML");
    let info = tree.find("SignedInfo").expect("what is signed");
    let digests: Vec<&str> =
        info.children.iter().filter(|one| one.name == "Reference").map(|one| find(one, "DigestValue")).collect();
    let document = xml.replace(part(&xml, "ds:Signature"), "");
    let root = document.split_once("?>\n").expect("a declaration").1;
    let expected = [sha256(root), sha256(&alone(&xml, "xades:SignedProperties")), sha256(&alone(&xml, "ds:KeyInfo"))];
    assert_eq!(digests, expected);
    let value = STANDARD.decode(find(&tree, "SignatureValue")).expect("base64");
    let public = UnparsedPublicKey::new(&RSA_PKCS1_2048_8192_SHA256, key.public_key().as_ref());
    public.verify(alone(&xml, "ds:SignedInfo").as_bytes(), &value).expect("it was signed so");
    let other = alone(&xml, "ds:SignedInfo").replace(digests[0], &sha256(""));
    public.verify(other.as_bytes(), &value).expect_err("another document");
    assert_eq!(find(&tree, "ClaimedRole"), "emisor");
    assert_eq!((find(&tree, "SigningTime"), find(&tree, "X509SerialNumber")), ("2026-11-18T11:06:40Z", "1234567890"));
}

// EINV-15
#[test]
fn what_is_digested_is_canonical() {
    if std::env::var("ATALAYA_TEST_SCHEMAS").is_err() {
        return eprintln!("not run: ATALAYA_TEST_SCHEMAS is not set (scripts/schemas.sh)");
    }
    let xml = signed_with(&RsaKeyPair::generate(KeySize::Rsa2048).expect("a key"));
    let mut child = Command::new("xmllint")
        .args(["--nonet", "--c14n", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("xmllint runs");
    child.stdin.take().expect("piped").write_all(xml.as_bytes()).expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    let canonical = String::from_utf8(output.stdout).expect("UTF-8");
    assert_eq!(canonical.trim_end(), xml.split_once("?>\n").expect("a declaration").1);
}
