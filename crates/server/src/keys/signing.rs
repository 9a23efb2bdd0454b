//! The evidence key in a token (PKCS#11, EVID-54): a pair on P-256 whose private half cannot be read out.
//!
//! `evidence-key.pem` then holds the key's name in the token and its public half, which is all that anybody needs to know.

use super::token::{KeyId, Open, PREFIX, Token, Trouble, id_of};
use async_trait::async_trait;
use atalaya_blobs::BlobError;
use atalaya_cases::evidence_keys::{PublicKey, SigningKey, TokenSigner, Unsigned, key_blocks};
use aws_lc_rs::digest::{SHA256, digest};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use cryptoki::mechanism::Mechanism;
use cryptoki::object::{Attribute, AttributeType, KeyType, ObjectClass, ObjectHandle};
use cryptoki::session::Session;
use std::sync::Arc;

/// By which people find the keys in the token.
const LABEL: &str = "atalaya evidence";
/// The curve's object identifier in DER.
const P256: [u8; 10] = [0x06, 0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07];
/// Of an uncompressed point.
const POINT_BYTES: usize = 65;
/// Of each of the two numbers of a signature.
const NUMBER_BYTES: usize = 32;

/// A key's name in the token and its public half, as they stand in `evidence-key.pem`.
pub fn text(id: KeyId, public: &PublicKey) -> String {
    format!("{PREFIX}{}\n{}", hex::encode(id), public.pem())
}

/// The key that such a text names; `None` for a text with a private key in it.
pub fn named(text: &str) -> Option<(KeyId, PublicKey)> {
    let id = id_of(text.lines().next()?.trim())?;
    let (public, _) = key_blocks(text).into_iter().next()?;
    Some((id, public))
}

impl Token {
    /// Makes a pair whose private half cannot be read out, and tries it.
    pub async fn make_pair(&self, id: KeyId) -> Result<PublicKey, BlobError> {
        self.ask(move |open| {
            let (public, private) =
                open.session.generate_key_pair(&Mechanism::EccKeyPairGen, &public_half(id), &private_half(id))?;
            let attributes = open.session.get_attributes(public, &[AttributeType::EcPoint])?;
            let point =
                attributes.into_iter().find_map(|one| if let Attribute::EcPoint(point) = one { Some(point) } else { None });
            let key = point.and_then(|point| public_key(&point)).ok_or(Trouble::Wrong)?;
            let trial = STANDARD.encode(sign(&open.session, private, "trial")?);
            if key.signed("trial", &trial) { Ok(key) } else { Err(Trouble::Wrong) }
        })
        .await
    }

    /// Whether the token has this private key. Errors: `KEY_UNKNOWN`, `KEY_TOKEN_UNAVAILABLE`.
    pub async fn has_pair(&self, id: KeyId) -> Result<(), BlobError> {
        self.ask(move |open| open.find(ObjectClass::PRIVATE_KEY, id).map(drop)).await
    }

    /// Destroys both halves of a retired pair; one that is gone already is no error.
    pub async fn destroy_pair(&self, id: KeyId) -> Result<(), BlobError> {
        self.ask(move |open| {
            let wanted = [Attribute::Token(true), Attribute::Id(id.to_vec())];
            for half in open.session.find_objects(&wanted)? {
                open.session.destroy_object(half)?;
            }
            open.forget(id);
            Ok(())
        })
        .await
    }

    /// The pair as a key that signs.
    pub fn signing_key(&self, id: KeyId, public: PublicKey) -> SigningKey {
        SigningKey::Token(public, Arc::new(InToken { token: self.clone(), id }))
    }
}

/// The private half of a pair in the token.
#[derive(Debug)]
struct InToken {
    token: Token,
    id: KeyId,
}

#[async_trait]
impl TokenSigner for InToken {
    async fn sign(&self, text: &str) -> Result<Vec<u8>, Unsigned> {
        let (id, text) = (self.id, text.to_owned());
        let question = move |open: &mut Open| -> Result<Vec<u8>, Trouble> {
            let key = open.find(ObjectClass::PRIVATE_KEY, id)?;
            sign(&open.session, key, &text)
        };
        self.token.ask(question).await.map_err(|error| Unsigned(error.to_string()))
    }
}

fn public_half(id: KeyId) -> [Attribute; 8] {
    [
        Attribute::Class(ObjectClass::PUBLIC_KEY),
        Attribute::KeyType(KeyType::EC),
        Attribute::EcParams(P256.to_vec()),
        Attribute::Token(true),
        Attribute::Private(false),
        Attribute::Verify(true),
        Attribute::Label(LABEL.as_bytes().to_vec()),
        Attribute::Id(id.to_vec()),
    ]
}

fn private_half(id: KeyId) -> [Attribute; 9] {
    [
        Attribute::Class(ObjectClass::PRIVATE_KEY),
        Attribute::KeyType(KeyType::EC),
        Attribute::Token(true),
        Attribute::Private(true),
        Attribute::Sensitive(true),
        Attribute::Extractable(false),
        Attribute::Sign(true),
        Attribute::Label(LABEL.as_bytes().to_vec()),
        Attribute::Id(id.to_vec()),
    ]
}

/// The DER of a signature. The text is hashed here: not every token hashes by itself.
fn sign(session: &Session, key: ObjectHandle, text: &str) -> Result<Vec<u8>, Trouble> {
    let raw = session.sign(&Mechanism::Ecdsa, key, digest(&SHA256, text.as_bytes()).as_ref())?;
    der(&raw).ok_or(Trouble::Wrong)
}

/// Tokens write the two numbers one after the other; everybody else reads a sequence of integers.
fn der(raw: &[u8]) -> Option<Vec<u8>> {
    let (r, s) = raw.split_at_checked(NUMBER_BYTES).filter(|(_, s)| s.len() == NUMBER_BYTES)?;
    let body = [integer(r)?, integer(s)?].concat();
    Some([&[0x30, u8::try_from(body.len()).ok()?][..], &body].concat())
}

/// Without zeros in front, but for the one that keeps it positive.
fn integer(number: &[u8]) -> Option<Vec<u8>> {
    let first = number.iter().position(|byte| *byte != 0)?;
    let number = &number[first..];
    let sign: &[u8] = if number[0] < 0x80 { &[] } else { &[0] };
    Some([&[0x02, u8::try_from(number.len() + sign.len()).ok()?][..], sign, number].concat())
}

/// A point as tokens give it: in a DER string, or bare.
fn public_key(point: &[u8]) -> Option<PublicKey> {
    match point {
        [0x04, 0x41, bare @ ..] if bare.len() == POINT_BYTES => PublicKey::of_point(bare),
        bare => PublicKey::of_point(bare),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use atalaya_cases::evidence_keys::KeyPair;
    use atalaya_kernel::Sources;

    // EVID-54
    #[test]
    fn numbers_of_a_signature_become_a_sequence_of_integers() {
        let mut raw = [0; 64];
        (raw[31], raw[32]) = (1, 0x80);
        let mut expected = vec![0x30, 38, 0x02, 1, 1, 0x02, 33, 0, 0x80];
        expected.extend([0; 31]);
        assert_eq!(der(&raw), Some(expected));
        assert_eq!(der(&[1; 63]), None);
        assert_eq!(der(&[0; 64]), None, "nothing signs with zeros");
        assert_eq!(der(&[0x7f; 64]).map(|der| der.len()), Some(70));
    }

    // EVID-54
    #[test]
    fn a_file_names_a_key_in_the_token_or_has_one() {
        let pair = KeyPair::generate(&Sources::system());
        let written = text([7; 8], pair.public());
        assert_eq!(named(&written), Some(([7; 8], pair.public().clone())));
        assert!(!written.contains("PRIVATE") && named(&pair.pem()).is_none());
    }
}
