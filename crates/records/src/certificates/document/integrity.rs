//! The last two sections: what ties the case together, and what that proves.

use super::Case;
use super::sections::{facts, note};
use super::words::Words;
use atalaya_pdf::{Block, Cell};

pub(super) fn integrity(case: &Case, words: &Words) -> Vec<Block> {
    let seal = &case.seal;
    let mut list = vec![
        words.fact("events", Cell::new(seal.seq.to_string())),
        words.fact("head", Cell::hash(&seal.head)),
        words.fact("root", Cell::hash(&seal.root)),
        words.fact("sealedAt", words.time(seal.at)),
    ];
    match &case.proof {
        None => list.push(words.fact("stamp", Cell::new(words.of("noStamp")))),
        Some(proof) => {
            let kind = if proof.stamped.qualified { "stampQualified" } else { "stampPlain" };
            list.push(words.fact("stamp", Cell::new(words.of(kind))));
            list.push(words.maybe("authority", Some(&proof.stamped.authority)));
            list.push(words.fact("serial", Cell::mono(&proof.stamped.serial)));
            list.push(words.fact("stampedAt", words.time(proof.stamped.at)));
            list.push(words.fact("stampedRoot", Cell::hash(&proof.root)));
        }
    }
    let mut blocks = vec![facts(list), note(&words.of("howToVerify").replace("{url}", &case.url))];
    if let (Some(signed), Some(key)) = (&seal.signed, &case.key) {
        let signature = vec![
            words.fact("keyFingerprint", Cell::hash(&signed.fingerprint)),
            words.fact("publicKey", code_lines(&key.base64())),
            words.fact("sealSignature", code_lines(&signed.signature)),
        ];
        let site = case.url.split("/verificar/").next().unwrap_or_default();
        blocks.push(Block::Facts { heading: Some(words.of("signature").to_owned()), facts: signature });
        blocks.push(note(&words.of("howToVerifyKey").replace("{url}", &format!("{site}/.well-known/atalaya-evidence.pem"))));
    }
    blocks
}

/// Base64 in lines that fit beside their label.
fn code_lines(text: &str) -> Cell {
    let lines = text.as_bytes().chunks(48).map(|line| String::from_utf8_lossy(line).into_owned()).collect();
    Cell { lines, mono: true, ..Cell::default() }
}

/// Only an outside time stamp shows more than what the installation says of itself (CERT-30).
pub(super) fn scope(case: &Case, words: &Words) -> Vec<Block> {
    let proves = if case.proof.is_some() { "proves" } else { "records" };
    vec![Block::Text { text: words.of("scope").to_owned(), strong: true }, note(words.of(proves)), note(words.of("provesNot"))]
}
