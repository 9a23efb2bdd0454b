//! Reading DER element by element: only as deep as needed, because what authorities put around a token is not always strict.

use super::TokenError;
use der07::asn1::{AnyRef, ObjectIdentifier};
use der07::{Decode, Reader, SliceReader};

pub type Read<T> = Result<T, TokenError>;

/// The elements within a content, each with its tag and length.
pub fn parts(content: &[u8]) -> Read<Vec<&[u8]>> {
    let (mut reader, mut found) = (SliceReader::new(content)?, Vec::new());
    while !reader.is_finished() {
        found.push(reader.tlv_bytes()?);
    }
    Ok(found)
}

/// The elements within an element.
pub fn inside(element: &[u8]) -> Read<Vec<&[u8]>> {
    parts(body(element)?)
}

/// The n-th element; it has at least its tag.
pub fn part<'a>(parts: &[&'a [u8]], n: usize) -> Read<&'a [u8]> {
    parts.get(n).copied().ok_or_else(|| TokenError::Unreadable("it is cut short".into()))
}

pub fn body(element: &[u8]) -> Read<&[u8]> {
    Ok(AnyRef::from_der(element)?.value())
}

pub fn oid(element: &[u8]) -> Read<String> {
    Ok(ObjectIdentifier::from_der(element)?.to_string())
}

/// The name at the beginning of an AlgorithmIdentifier.
pub fn oid_in(algorithm: &[u8]) -> Read<String> {
    oid(part(&inside(algorithm)?, 0)?)
}
