//! The request to a time stamp authority and the check of its answer (CERT-18; RFC 3161).

use super::TokenError;
use atalaya_cases::evidence::merkle::{self, Hash};
use atalaya_cases::evidence::stamps::Stamped;
use chrono::{DateTime, NaiveDateTime, Utc};
use cms::cert::CertificateChoices;
use cms::cert::x509::ext::pkix::name::GeneralName;
use cms::cert::x509::spki::AlgorithmIdentifier;
use cms::signed_data::SignedData;
use der07::asn1::{AnyRef, Int, ObjectIdentifier, OctetString};
use der07::{Decode, Encode, Reader, SliceReader, Tag, TagNumber, Tagged};
use x509_tsp::{MessageImprint, TimeStampReq, TimeStampResp, TspVersion};

const SHA_256: ObjectIdentifier = ObjectIdentifier::new_unwrap("2.16.840.1.101.3.4.2.1");
const TST_INFO: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.9.16.1.4");
/// `granted` and `grantedWithMods`.
const GRANTED: [u8; 2] = [0, 1];

/// Why there is no time stamp.
#[derive(Debug, thiserror::Error)]
pub enum AuthorityError {
    #[error("the answer is not one of RFC 3161: {0}")]
    Unreadable(String),
    #[error("the authority refused, status {0}")]
    Refused(u8),
    #[error("the answer is about something else: {0}")]
    NotOurs(&'static str),
    #[error("the answer's signature does not hold: {0}")]
    Unsigned(&'static str),
    #[error("the authority cannot be reached: {0}")]
    Unreachable(String),
    #[error(transparent)]
    Db(#[from] atalaya_db::DbError),
}

impl From<TokenError> for AuthorityError {
    fn from(error: TokenError) -> Self {
        match error {
            TokenError::Unreadable(what) => Self::Unreadable(what),
            TokenError::Unsigned(why) => Self::Unsigned(why),
        }
    }
}

impl From<der07::Error> for AuthorityError {
    fn from(error: der07::Error) -> Self {
        Self::Unreadable(error.to_string())
    }
}

/// A random number as a positive integer without leading zeros, as DER wants it.
pub fn nonce(mut random: [u8; 8]) -> [u8; 8] {
    random[0] = (random[0] & 0x7f) | 0x40;
    random
}

/// A request to stamp this hash, asking for the authority's certificate with it.
pub fn request(imprint: &Hash, nonce: &[u8; 8]) -> Result<Vec<u8>, AuthorityError> {
    let request = TimeStampReq {
        version: TspVersion::V1,
        message_imprint: MessageImprint {
            hash_algorithm: AlgorithmIdentifier { oid: SHA_256, parameters: None },
            hashed_message: OctetString::new(imprint.as_slice())?,
        },
        req_policy: None,
        nonce: Some(Int::new(nonce)?),
        cert_req: true,
        extensions: None,
    };
    Ok(request.to_der()?)
}

/// Reads an answer and checks that it is granted, covers our hash with our nonce, and is signed by a certificate in it
/// that is for time stamps. Whom to trust is decided by whoever checks an archive.
pub fn read(answer: &[u8], imprint: &Hash, nonce: &[u8; 8]) -> Result<Stamped, AuthorityError> {
    let answer = TimeStampResp::from_der(answer)?;
    let status = answer.status.status as u8;
    if !GRANTED.contains(&status) {
        return Err(AuthorityError::Refused(status));
    }
    let token = answer.time_stamp_token.ok_or(AuthorityError::NotOurs("no token"))?.to_der()?;
    let info = Info::of_token(&token)?;
    if info.imprint != imprint {
        return Err(AuthorityError::NotOurs("another hash"));
    }
    if info.nonce.as_deref() != Some(nonce) {
        return Err(AuthorityError::NotOurs("another nonce"));
    }
    super::check(&token, info.at)?;
    Ok(Stamped {
        token,
        serial: hex::encode(&info.serial),
        at: info.at,
        authority: info.authority.unwrap_or_default(),
        policy: info.policy,
        qualified: false,
    })
}

/// The hash that a token stamps, and when; `None` when the token cannot be read.
pub fn stamped(token: &[u8]) -> Option<(merkle::Hash, DateTime<Utc>)> {
    let info = Info::of_token(token).ok()?;
    Some((info.imprint.try_into().ok()?, info.at))
}

/// The contents of a token.
struct Info {
    policy: String,
    imprint: Vec<u8>,
    serial: Vec<u8>,
    at: DateTime<Utc>,
    nonce: Option<Vec<u8>>,
    authority: Option<String>,
}

impl Info {
    /// Parses only as deep as needed: what authorities put around it (certificates in any order) is not always strict DER.
    fn of_token(token: &[u8]) -> Result<Self, AuthorityError> {
        let content = x509_tsp::TimeStampToken::from_der(token)?.content.to_der()?;
        let (kind, inner) = SliceReader::new(&content)?.sequence(|signed| {
            let _version = AnyRef::decode(signed)?;
            let _algorithms = AnyRef::decode(signed)?;
            let found = signed.sequence(|encapsulated| {
                let kind = ObjectIdentifier::decode(encapsulated)?;
                Ok((kind, AnyRef::decode(encapsulated)?.value().to_vec()))
            })?;
            while !signed.is_finished() {
                AnyRef::decode(signed)?;
            }
            Ok(found)
        })?;
        if kind != TST_INFO {
            return Err(AuthorityError::NotOurs("no time stamp inside"));
        }
        let mut info = Self::of_tst_info(AnyRef::from_der(&inner)?.value())?;
        info.authority = info.authority.or_else(|| signer(&content));
        Ok(info)
    }

    /// Parsed field by field, because authorities may give fractions of a second, which the library's type refuses.
    fn of_tst_info(der: &[u8]) -> Result<Self, AuthorityError> {
        let mut reader = SliceReader::new(der)?;
        let (policy, imprint, serial, time, nonce, authority) = reader.sequence(|fields| {
            let _version = TspVersion::decode(fields)?;
            let policy = ObjectIdentifier::decode(fields)?;
            let imprint = MessageImprint::decode(fields)?;
            let serial = Int::decode(fields)?;
            let time = AnyRef::decode(fields)?;
            let (mut nonce, mut authority) = (None, None);
            while !fields.is_finished() {
                let field = AnyRef::decode(fields)?;
                match field.tag() {
                    Tag::Integer => nonce = Some(field.value().to_vec()),
                    Tag::ContextSpecific { number: TagNumber::N0, .. } => authority = directory_name(field.value()),
                    _ => {}
                }
            }
            Ok((policy, imprint, serial, time, nonce, authority))
        })?;
        if imprint.hash_algorithm.oid != SHA_256 {
            return Err(AuthorityError::NotOurs("another hash function"));
        }
        let text = std::str::from_utf8(time.value()).unwrap_or_default().trim_end_matches('Z');
        let at = NaiveDateTime::parse_from_str(text, "%Y%m%d%H%M%S%.f");
        Ok(Self {
            policy: policy.to_string(),
            imprint: imprint.hashed_message.as_bytes().to_vec(),
            serial: serial.as_bytes().to_vec(),
            at: at.map_err(|_| AuthorityError::Unreadable("its time".into()))?.and_utc(),
            nonce,
            authority,
        })
    }
}

fn directory_name(der: &[u8]) -> Option<String> {
    match GeneralName::from_der(der).ok()? {
        GeneralName::DirectoryName(name) => Some(common_name(&name.to_string())),
        _ => None,
    }
}

/// The signer, by the first certificate in a token.
fn signer(content: &[u8]) -> Option<String> {
    let certificates = SignedData::from_der(content).ok()?.certificates?;
    certificates.0.iter().find_map(|choice| match choice {
        CertificateChoices::Certificate(c) => Some(common_name(&c.tbs_certificate.subject.to_string())),
        CertificateChoices::Other(_) => None,
    })
}

/// `CN=` of a distinguished name; the whole name when it has none.
fn common_name(name: &str) -> String {
    let part = name.split(',').map(str::trim).find_map(|part| part.strip_prefix("CN="));
    part.unwrap_or(name).to_owned()
}
