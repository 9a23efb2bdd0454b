//! Key pairs (ECDSA, P-256, SHA-256), public keys as PEM, and the texts that are signed: pure (EVID-40, EVID-41).

use async_trait::async_trait;
use atalaya_kernel::Sources;
use aws_lc_rs::agreement::{ECDH_P256, PrivateKey};
use aws_lc_rs::digest::{SHA256, digest};
use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::signature::{
    ECDSA_P256_SHA256_ASN1, ECDSA_P256_SHA256_ASN1_SIGNING, EcdsaKeyPair, KeyPair as _, UnparsedPublicKey,
};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use std::fmt;
use std::sync::Arc;

/// DER before the uncompressed point of a P-256 key (RFC 5480).
const SPKI_P256: [u8; 26] = [
    0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01, 0x06, 0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03,
    0x01, 0x07, 0x03, 0x42, 0x00,
];
const POINT_BYTES: usize = 65;

/// A public key, of this installation or claimed to be.
#[derive(Clone, PartialEq, Eq)]
pub struct PublicKey(Vec<u8>);

impl PublicKey {
    /// Reads the DER of a SubjectPublicKeyInfo; `None` unless it is a P-256 key.
    pub fn of_der(der: &[u8]) -> Option<Self> {
        (der.len() == SPKI_P256.len() + POINT_BYTES && der.starts_with(&SPKI_P256)).then(|| Self(der.to_vec()))
    }

    /// Of an uncompressed point.
    pub fn of_point(point: &[u8]) -> Option<Self> {
        Self::of_der(&[&SPKI_P256[..], point].concat())
    }

    /// The same from base64.
    pub fn of_base64(text: &str) -> Option<Self> {
        Self::of_der(&STANDARD.decode(text).ok()?)
    }

    pub fn base64(&self) -> String {
        STANDARD.encode(&self.0)
    }

    /// Lower-case hex of the SHA-256 of the DER, by which the key is named everywhere.
    pub fn fingerprint(&self) -> String {
        hex::encode(digest(&SHA256, &self.0))
    }

    pub fn pem(&self) -> String {
        pem("PUBLIC KEY", &self.0)
    }

    /// Whether this key signed a text; the signature is base64 of DER.
    pub fn signed(&self, text: &str, signature: &str) -> bool {
        let key = UnparsedPublicKey::new(&ECDSA_P256_SHA256_ASN1, &self.0[SPKI_P256.len()..]);
        STANDARD.decode(signature).is_ok_and(|signature| key.verify(text.as_bytes(), &signature).is_ok())
    }
}

impl fmt::Debug for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PublicKey({})", self.fingerprint())
    }
}

/// A private key with its public one.
pub struct KeyPair {
    pair: EcdsaKeyPair,
    public: PublicKey,
}

impl KeyPair {
    pub fn generate(sources: &Sources) -> Self {
        loop {
            // Numbers outside the curve's order are not valid keys, about one in 2^32.
            if let Some(key) = Self::of_number(&sources.bytes::<32>()) {
                return key;
            }
        }
    }

    fn of_number(number: &[u8; 32]) -> Option<Self> {
        let point = PrivateKey::from_private_key(&ECDH_P256, number).ok()?.compute_public_key().ok()?;
        let signing = &ECDSA_P256_SHA256_ASN1_SIGNING;
        Some(Self::of_pair(EcdsaKeyPair::from_private_key_and_public_key(signing, number, point.as_ref()).ok()?))
    }

    fn of_pair(pair: EcdsaKeyPair) -> Self {
        let public = PublicKey([&SPKI_P256[..], pair.public_key().as_ref()].concat());
        Self { pair, public }
    }

    /// Reads what [`KeyPair::pem`] wrote.
    pub fn of_pem(text: &str) -> Option<Self> {
        let (_, der) = pem_blocks(text, "PRIVATE KEY").into_iter().next()?;
        Some(Self::of_pair(EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_ASN1_SIGNING, &der).ok()?))
    }

    /// The private key as PKCS#8.
    pub fn pem(&self) -> String {
        let der = self.pair.to_pkcs8v1().expect("a P-256 key can be written");
        pem("PRIVATE KEY", der.as_ref())
    }

    pub fn public(&self) -> &PublicKey {
        &self.public
    }

    /// Base64 of the DER of a signature.
    pub fn sign(&self, text: &str) -> String {
        // Only the number of the signature is drawn; the library draws it from the system, whatever it is given.
        let signature = self.pair.sign(&SystemRandom::new(), text.as_bytes()).expect("a P-256 key signs any text");
        STANDARD.encode(signature)
    }
}

impl fmt::Debug for KeyPair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "KeyPair({})", self.public.fingerprint())
    }
}

/// A private key that never leaves its token, an HSM for instance, which signs for us (EVID-54).
#[async_trait]
pub trait TokenSigner: Send + Sync + fmt::Debug {
    /// The DER of a signature. Errors: the token does not answer, or has not the key.
    async fn sign(&self, text: &str) -> Result<Vec<u8>, Unsigned>;
}

/// Why there is no signature.
#[derive(Clone, Debug, thiserror::Error)]
#[error("the token with the evidence key: {0}")]
pub struct Unsigned(pub String);

/// A key that signs, wherever its private half is.
#[derive(Clone, Debug)]
pub enum SigningKey {
    Here(Arc<KeyPair>),
    Token(PublicKey, Arc<dyn TokenSigner>),
}

impl SigningKey {
    pub fn public(&self) -> &PublicKey {
        match self {
            Self::Here(pair) => pair.public(),
            Self::Token(public, _) => public,
        }
    }

    /// Base64 of the DER of a signature. Errors: [`Unsigned`], never without a token.
    pub async fn sign(&self, text: &str) -> Result<String, Unsigned> {
        match self {
            Self::Here(pair) => Ok(pair.sign(text)),
            Self::Token(_, token) => Ok(STANDARD.encode(token.sign(text).await?)),
        }
    }
}

/// Which key signs now. It may change while the server runs.
pub trait KeySource: Send + Sync + fmt::Debug {
    fn current(&self) -> SigningKey;
}

impl KeySource for Arc<KeyPair> {
    fn current(&self) -> SigningKey {
        SigningKey::Here(self.clone())
    }
}

/// What is signed: a line that says what it is, then a line for each value, every one ended by a line feed (EVID-41).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Statement<'a> {
    /// Conference, `seq`, head, root and time of a seal.
    Seal([&'a str; 5]),
    /// Conference, number, `seq`, head, root, SHA-256 of the PDF and time of issue of a certificate.
    Certificate([&'a str; 7]),
    /// Day, root before it, leaves of its tree, root and time of closing.
    Day([&'a str; 5]),
    /// That a key follows another: the earlier one, the later one, since when.
    Key([&'a str; 3]),
    /// Conference, name of the capture, method, time of the phone and SHA-256 of a picture, by the key of a client's device
    /// (EVID-60).
    Still([&'a str; 5]),
}

impl Statement<'_> {
    /// The text for a signature by this key; an endorsement names its keys itself.
    pub fn text(&self, fingerprint: &str) -> String {
        let (kind, values): (_, &[&str]) = match self {
            Self::Seal(values) => ("VASEAL1", values),
            Self::Certificate(values) => ("VACERT1", values),
            Self::Day(values) => ("VADAY1", values),
            Self::Key(values) => ("VAKEY1", values),
            Self::Still(values) => ("VASTILL1", values),
        };
        let by = (!matches!(self, Self::Key(_))).then_some(fingerprint);
        std::iter::once(kind).chain(values.iter().copied()).chain(by).map(|line| format!("{line}\n")).collect()
    }
}

/// A signature of WebCrypto, whose two numbers stand side by side (base64), as everybody else writes it: base64 of DER.
pub fn der_of_raw(raw: &str) -> Option<String> {
    let raw = STANDARD.decode(raw).ok().filter(|raw| raw.len() == 64)?;
    let number = |bytes: &[u8]| {
        let start = bytes.iter().position(|byte| *byte != 0).unwrap_or(bytes.len() - 1);
        // A leading one-bit would make the number negative.
        let sign = (bytes[start] & 0x80 != 0).then_some(0);
        let body: Vec<u8> = sign.into_iter().chain(bytes[start..].iter().copied()).collect();
        [&[0x02, body.len() as u8][..], &body].concat()
    };
    let body = [number(&raw[..32]), number(&raw[32..])].concat();
    Some(STANDARD.encode([&[0x30, body.len() as u8][..], &body].concat()))
}

/// RFC 7468, lines of 64.
fn pem(label: &str, der: &[u8]) -> String {
    let text = STANDARD.encode(der);
    let lines: Vec<&str> = text.as_bytes().chunks(64).map(|line| std::str::from_utf8(line).unwrap_or_default()).collect();
    format!("-----BEGIN {label}-----\n{}\n-----END {label}-----\n", lines.join("\n"))
}

/// The blocks of a PEM file with this label: the text before each, and its content.
pub fn pem_blocks(text: &str, label: &str) -> Vec<(String, Vec<u8>)> {
    let (begin, end) = (format!("-----BEGIN {label}-----"), format!("-----END {label}-----"));
    let (mut found, mut rest) = (Vec::new(), text);
    while let Some((before, after)) = rest.split_once(&begin) {
        let Some((body, after)) = after.split_once(&end) else { break };
        let body: String = body.chars().filter(|c| !c.is_whitespace()).collect();
        if let Ok(der) = STANDARD.decode(body) {
            found.push((before.to_owned(), der));
        }
        rest = after;
    }
    found
}

/// The public keys of a PEM file, each with the day on which it was stolen, where the text before it says `Stolen: DAY`.
pub fn key_blocks(text: &str) -> Vec<(PublicKey, Option<String>)> {
    let stolen = |before: &str| before.lines().find_map(|line| line.strip_prefix("Stolen: ")).map(|day| day.trim().to_owned());
    let key = |(before, der): (String, Vec<u8>)| Some((PublicKey::of_der(&der)?, stolen(&before)));
    pem_blocks(text, "PUBLIC KEY").into_iter().filter_map(key).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    // EVID-40
    #[test]
    fn a_key_signs_and_survives_its_file() {
        let key = KeyPair::generate(&Sources::system());
        let again = KeyPair::of_pem(&key.pem()).expect("what was written");
        assert_eq!(again.public(), key.public());
        let text = Statement::Seal(["c", "1", "h", "r", "t"]).text("f");
        assert_eq!(text, "VASEAL1\nc\n1\nh\nr\nt\nf\n");
        assert!(key.public().signed(&text, &again.sign(&text)));
        assert!(!key.public().signed("VASEAL1\n", &again.sign(&text)));
        assert!(!KeyPair::generate(&Sources::system()).public().signed(&text, &again.sign(&text)));
        for wrong in ["", "AAAA", "no base64"] {
            assert!(!key.public().signed(&text, wrong));
        }
    }

    // EVID-41
    #[test]
    fn an_endorsement_names_both_keys_and_nobody_else() {
        assert_eq!(Statement::Key(["old", "new", "t"]).text("old"), "VAKEY1\nold\nnew\nt\n");
    }

    // EVID-60
    #[test]
    fn the_signature_of_a_browser_is_one_of_ours_in_another_form() {
        let (pair, rng) = (KeyPair::generate(&Sources::system()), SystemRandom::new());
        let text = Statement::Still(["c", "id", "takePhoto", "2026-11-20T09:00:00.000Z", "ab"]).text("f");
        assert_eq!(text, "VASTILL1\nc\nid\ntakePhoto\n2026-11-20T09:00:00.000Z\nab\nf\n");
        let key = aws_lc_rs::signature::EcdsaKeyPair::from_pkcs8(
            &aws_lc_rs::signature::ECDSA_P256_SHA256_FIXED_SIGNING,
            pair.pair.to_pkcs8v1().expect("written").as_ref(),
        )
        .expect("the same key");
        // Numbers have one byte less now and then, and one more as often as not.
        for _ in 0..300 {
            let raw = key.sign(&rng, text.as_bytes()).expect("a signature");
            let der = der_of_raw(&STANDARD.encode(raw)).expect("two numbers");
            assert!(pair.public().signed(&text, &der));
        }
        for wrong in ["", "AAAA", "no base64"] {
            assert_eq!(der_of_raw(wrong), None);
        }
    }

    // EVID-43
    #[test]
    fn public_keys_are_read_with_the_day_of_their_theft() {
        let keys = [(); 2].map(|()| KeyPair::generate(&Sources::system()));
        let [first, second] = keys.each_ref().map(|key| key.public().pem());
        let text = format!("Key: a\nStolen: 2026-11-25\n{first}\nKey: b\n{second}");
        let read = key_blocks(&text);
        assert_eq!(read[0], (keys[0].public().clone(), Some("2026-11-25".into())));
        assert_eq!(read[1], (keys[1].public().clone(), None));
        let rsa_or_rubbish = "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----";
        assert!(key_blocks(rsa_or_rubbish).is_empty() && key_blocks("").is_empty());
        assert!(KeyPair::of_pem(&first).is_none());
    }
}
