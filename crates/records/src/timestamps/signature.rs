//! Checks a time stamp token by itself: its message digest matches its content, and the certificate that it names signed it,
//! which is for time stamps and was valid then (RFC 3161 §2.3, RFC 5652 §5.4, RFC 5816).

use super::TokenError;
use super::der::{Read, body, inside, oid, oid_in, part};
use super::x509::Certificate;
use aws_lc_rs::{digest, signature as keys};
use chrono::{DateTime, Utc};

const CONTENT_TYPE: &str = "1.2.840.113549.1.9.3";
const MESSAGE_DIGEST: &str = "1.2.840.113549.1.9.4";
const SIGNING_CERTIFICATE: &str = "1.2.840.113549.1.9.16.2.12";
const SIGNING_CERTIFICATE_V2: &str = "1.2.840.113549.1.9.16.2.47";
const TST_INFO: &str = "1.2.840.113549.1.9.16.1.4";
/// Context-specific, constructed, number 0: certificates, signed attributes, a version.
pub(super) const TAG_0: u8 = 0xa0;
const SEQUENCE: u8 = 0x30;
const SET: u8 = 0x31;

/// Checks a token (DER of its ContentInfo) that says this time. Answers the certificates in it, the signer's first.
///
/// Errors: `TokenError::Unsigned` when its digest, signature, certificate or purpose does not hold, or is of a kind not known
/// here.
pub fn check(token: &[u8], at: DateTime<Utc>) -> Result<Vec<Vec<u8>>, TokenError> {
    let signed = inside(part(&inside(part(&inside(token)?, 1)?)?, 0)?)?;
    let encapsulated = inside(part(&signed, 2)?)?;
    let content = body(body(part(&encapsulated, 1)?)?)?;
    let certificates = match signed.iter().find(|field| field[0] == TAG_0) {
        Some(field) => inside(field)?,
        None => Vec::new(),
    };
    let signers = inside(signed.last().copied().unwrap_or_default())?;
    let signer = inside(part(&signers, 0)?)?;
    let (hash, attributes) = (hash_of(&oid_in(part(&signer, 2)?)?)?, part(&signer, 3)?);
    if attributes[0] != TAG_0 {
        return Err(TokenError::Unsigned("without signed attributes"));
    }
    let named = check_attributes(attributes, digest::digest(hash, content).as_ref())?;
    // Signed as a SET, transmitted under another tag.
    let message = [&[SET], &attributes[1..]].concat();
    let (algorithm, value) = (oid_in(part(&signer, 4)?)?, body(part(&signer, 5)?)?);
    let made_it = |der: &&[u8]| {
        let certificate = Certificate::read(der)?;
        Ok::<bool, TokenError>(
            certificate.is_named(part(&signer, 1)?)? && verifies(certificate.key, &algorithm, hash, &message, value)?,
        )
    };
    let place = certificates.iter().position(|der| made_it(der).unwrap_or(false));
    let Some(place) = place else { return Err(TokenError::Unsigned("no certificate in it made it")) };
    named.check(certificates[place])?;
    Certificate::read(certificates[place])?.check_stamper(at)?;
    let mut list: Vec<Vec<u8>> = certificates.iter().map(|der| der.to_vec()).collect();
    list.swap(0, place);
    Ok(list)
}

/// The signer's certificate as the signed attributes name it: by its hash.
struct Named {
    hash: &'static digest::Algorithm,
    value: Vec<u8>,
}

impl Named {
    fn check(&self, certificate: &[u8]) -> Read<()> {
        let same = digest::digest(self.hash, certificate).as_ref() == self.value;
        if same { Ok(()) } else { Err(TokenError::Unsigned("it names another certificate")) }
    }
}

fn check_attributes(attributes: &[u8], digest: &[u8]) -> Read<Named> {
    let (mut of_kind, mut of_content, mut named) = (false, false, None);
    for attribute in inside(attributes)? {
        let fields = inside(attribute)?;
        let value = body(part(&fields, 1)?)?;
        match oid(part(&fields, 0)?)?.as_str() {
            CONTENT_TYPE => of_kind = oid(value)? == TST_INFO,
            MESSAGE_DIGEST => of_content = body(value)? == digest,
            SIGNING_CERTIFICATE => named = named.or(Some(named_in(value, &digest::SHA1_FOR_LEGACY_USE_ONLY)?)),
            SIGNING_CERTIFICATE_V2 => named = Some(named_in(value, &digest::SHA256)?),
            _ => {}
        }
    }
    if !(of_kind && of_content) {
        return Err(TokenError::Unsigned("it is of another content"));
    }
    named.ok_or(TokenError::Unsigned("it does not name its certificate"))
}

/// SigningCertificate > certs > the first ESSCertID; version 2 may say another hash function (RFC 5035).
fn named_in(attribute: &[u8], usual: &'static digest::Algorithm) -> Read<Named> {
    let id = inside(part(&inside(part(&inside(attribute)?, 0)?)?, 0)?)?;
    let first = part(&id, 0)?;
    let other = first[0] == SEQUENCE;
    let hash = if other { hash_of(&oid_in(first)?)? } else { usual };
    Ok(Named { hash, value: body(part(&id, usize::from(other))?)?.to_vec() })
}

/// Whether a key (its SubjectPublicKeyInfo) made a signature.
pub(super) fn verifies(key: &[u8], algorithm: &str, hash: &digest::Algorithm, message: &[u8], value: &[u8]) -> Read<bool> {
    let key = inside(key)?;
    let kind = inside(part(&key, 0)?)?;
    let curve = kind.get(1).map(|curve| oid(curve).unwrap_or_default()).unwrap_or_default();
    let Some(how) = verification(algorithm, hash, &oid(part(&kind, 0)?)?, &curve) else { return Ok(false) };
    // The first byte of a BIT STRING counts its unused bits.
    let key = body(part(&key, 1)?)?.get(1..).unwrap_or_default();
    Ok(keys::UnparsedPublicKey::new(how, key).verify(message, value).is_ok())
}

/// The verification algorithm; `None` for kinds that no authority known to us uses.
fn verification(
    algorithm: &str,
    hash: &digest::Algorithm,
    key: &str,
    curve: &str,
) -> Option<&'static dyn keys::VerificationAlgorithm> {
    let bits = match algorithm {
        "1.2.840.113549.1.1.11" | "1.2.840.10045.4.3.2" => 256,
        "1.2.840.113549.1.1.12" | "1.2.840.10045.4.3.3" => 384,
        "1.2.840.113549.1.1.13" | "1.2.840.10045.4.3.4" => 512,
        // rsaEncryption, and RSASSA-PSS with the digest's hash.
        "1.2.840.113549.1.1.1" | "1.2.840.113549.1.1.10" => 8 * hash.output_len(),
        _ => return None,
    };
    let pss = algorithm == "1.2.840.113549.1.1.10";
    Some(match (key, curve, bits) {
        ("1.2.840.113549.1.1.1", _, 256) if pss => &keys::RSA_PSS_2048_8192_SHA256,
        ("1.2.840.113549.1.1.1", _, 384) if pss => &keys::RSA_PSS_2048_8192_SHA384,
        ("1.2.840.113549.1.1.1", _, 512) if pss => &keys::RSA_PSS_2048_8192_SHA512,
        ("1.2.840.113549.1.1.1", _, 256) => &keys::RSA_PKCS1_2048_8192_SHA256,
        ("1.2.840.113549.1.1.1", _, 384) => &keys::RSA_PKCS1_2048_8192_SHA384,
        ("1.2.840.113549.1.1.1", _, 512) => &keys::RSA_PKCS1_2048_8192_SHA512,
        ("1.2.840.10045.2.1", "1.2.840.10045.3.1.7", 256) => &keys::ECDSA_P256_SHA256_ASN1,
        ("1.2.840.10045.2.1", "1.2.840.10045.3.1.7", 384) => &keys::ECDSA_P256_SHA384_ASN1,
        ("1.2.840.10045.2.1", "1.2.840.10045.3.1.7", 512) => &keys::ECDSA_P256_SHA512_ASN1,
        ("1.2.840.10045.2.1", "1.3.132.0.34", 256) => &keys::ECDSA_P384_SHA256_ASN1,
        ("1.2.840.10045.2.1", "1.3.132.0.34", 384) => &keys::ECDSA_P384_SHA384_ASN1,
        ("1.2.840.10045.2.1", "1.3.132.0.34", 512) => &keys::ECDSA_P384_SHA512_ASN1,
        ("1.2.840.10045.2.1", "1.3.132.0.35", 256) => &keys::ECDSA_P521_SHA256_ASN1,
        ("1.2.840.10045.2.1", "1.3.132.0.35", 384) => &keys::ECDSA_P521_SHA384_ASN1,
        ("1.2.840.10045.2.1", "1.3.132.0.35", 512) => &keys::ECDSA_P521_SHA512_ASN1,
        _ => return None,
    })
}

pub(super) fn hash_of(name: &str) -> Read<&'static digest::Algorithm> {
    match name {
        "2.16.840.1.101.3.4.2.1" => Ok(&digest::SHA256),
        "2.16.840.1.101.3.4.2.2" => Ok(&digest::SHA384),
        "2.16.840.1.101.3.4.2.3" => Ok(&digest::SHA512),
        _ => Err(TokenError::Unsigned("its hash function is not known here")),
    }
}
