//! Checks a time stamp token by itself: its message digest matches its content, and a certificate in it signed it
//! (RFC 5652 §5.4, §5.6). Whether that certificate is to be trusted is left to `openssl ts -verify`.

use super::authority::AuthorityError;
use aws_lc_rs::{digest, signature as keys};
use der07::asn1::{AnyRef, ObjectIdentifier};
use der07::{Decode, Reader, SliceReader};

const CONTENT_TYPE: &str = "1.2.840.113549.1.9.3";
const MESSAGE_DIGEST: &str = "1.2.840.113549.1.9.4";
const TST_INFO: &str = "1.2.840.113549.1.9.16.1.4";
/// Context-specific, constructed, number 0: certificates, signed attributes, a version.
const TAG_0: u8 = 0xa0;
const SET: u8 = 0x31;

type Read<T> = Result<T, AuthorityError>;

/// Checks a token (DER of its ContentInfo).
///
/// Errors: `AuthorityError::Unsigned` when its digest or signature does not hold, or is of a kind not known here.
pub(super) fn check(token: &[u8]) -> Read<()> {
    let signed = body(part(&parts(body(part(&parts(body(token)?)?, 1)?)?)?, 0)?)?;
    let signed = parts(signed)?;
    let encapsulated = parts(body(part(&signed, 2)?)?)?;
    let content = body(body(part(&encapsulated, 1)?)?)?;
    let certificates = match signed.iter().find(|field| field[0] == TAG_0) {
        Some(field) => parts(body(field)?)?,
        None => Vec::new(),
    };
    let signers = parts(body(signed.last().copied().unwrap_or_default())?)?;
    let signer = parts(body(part(&signers, 0)?)?)?;
    let (hash, attributes) = (hash_of(&oid_in(part(&signer, 2)?)?)?, part(&signer, 3)?);
    if attributes[0] != TAG_0 {
        return Err(AuthorityError::Unsigned("without signed attributes"));
    }
    check_attributes(attributes, digest::digest(hash, content).as_ref())?;
    // Signed as a SET, transmitted under another tag.
    let message = [&[SET], &attributes[1..]].concat();
    let (algorithm, value) = (oid_in(part(&signer, 4)?)?, body(part(&signer, 5)?)?);
    let holds = certificates.iter().any(|certificate| signed_by(certificate, &algorithm, hash, &message, value).unwrap_or(false));
    if holds { Ok(()) } else { Err(AuthorityError::Unsigned("no certificate in it made it")) }
}

fn check_attributes(attributes: &[u8], digest: &[u8]) -> Read<()> {
    let (mut of_kind, mut of_content) = (false, false);
    for attribute in parts(body(attributes)?)? {
        let fields = parts(body(attribute)?)?;
        let value = body(part(&fields, 1)?)?;
        match oid(part(&fields, 0)?)?.as_str() {
            CONTENT_TYPE => of_kind = oid(value)? == TST_INFO,
            MESSAGE_DIGEST => of_content = body(value)? == digest,
            _ => {}
        }
    }
    if of_kind && of_content { Ok(()) } else { Err(AuthorityError::Unsigned("it is of another content")) }
}

/// Whether this certificate's key made the signature.
fn signed_by(certificate: &[u8], algorithm: &str, hash: &digest::Algorithm, message: &[u8], value: &[u8]) -> Read<bool> {
    let certificate = parts(body(certificate)?)?;
    let told = parts(body(part(&certificate, 0)?)?)?;
    // Without a version the key comes one place earlier.
    let place = if part(&told, 0)?[0] == TAG_0 { 6 } else { 5 };
    let key = parts(body(part(&told, place)?)?)?;
    let kind = parts(body(part(&key, 0)?)?)?;
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

fn hash_of(name: &str) -> Read<&'static digest::Algorithm> {
    match name {
        "2.16.840.1.101.3.4.2.1" => Ok(&digest::SHA256),
        "2.16.840.1.101.3.4.2.2" => Ok(&digest::SHA384),
        "2.16.840.1.101.3.4.2.3" => Ok(&digest::SHA512),
        _ => Err(AuthorityError::Unsigned("its hash function is not known here")),
    }
}

/// The elements within a content, each with its tag and length.
fn parts(content: &[u8]) -> Read<Vec<&[u8]>> {
    let (mut reader, mut found) = (SliceReader::new(content)?, Vec::new());
    while !reader.is_finished() {
        found.push(reader.tlv_bytes()?);
    }
    Ok(found)
}

/// The n-th element; it has at least its tag.
fn part<'a>(parts: &[&'a [u8]], n: usize) -> Read<&'a [u8]> {
    parts.get(n).copied().ok_or_else(|| AuthorityError::Unreadable("it is cut short".into()))
}

fn body(element: &[u8]) -> Read<&[u8]> {
    Ok(AnyRef::from_der(element)?.value())
}

fn oid(element: &[u8]) -> Read<String> {
    Ok(ObjectIdentifier::from_der(element)?.to_string())
}

/// The name at the beginning of an AlgorithmIdentifier.
fn oid_in(algorithm: &[u8]) -> Read<String> {
    oid(part(&parts(body(algorithm)?)?, 0)?)
}
