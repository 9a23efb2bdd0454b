//! As much of X.509 as a time stamp needs: names, validity, purpose, and the way to a trusted certificate (RFC 5280).

use super::TokenError;
use super::der::{Read, body, inside, oid, oid_in, part};
use super::signature::{TAG_0, hash_of, verifies};
use chrono::{DateTime, NaiveDateTime, Utc};

const EXTENDED_KEY_USAGE: &str = "2.5.29.37";
const BASIC_CONSTRAINTS: &str = "2.5.29.19";
const TIME_STAMPING: &str = "1.3.6.1.5.5.7.3.8";
/// RSASSA-PSS says its hash function in its parameters.
const PSS: &str = "1.2.840.113549.1.1.10";
/// Context-specific, constructed, number 3: the extensions.
const TAG_3: u8 = 0xa3;
const BOOLEAN: u8 = 0x01;
const UTC_TIME: u8 = 0x17;
/// Longer ways do not occur.
const WAY_MAX: usize = 8;

/// A certificate that is being looked at.
pub struct Certificate<'a> {
    signed: &'a [u8],
    serial: &'a [u8],
    issuer: &'a [u8],
    subject: &'a [u8],
    validity: &'a [u8],
    /// SubjectPublicKeyInfo.
    pub key: &'a [u8],
    extensions: Option<&'a [u8]>,
    algorithm: &'a [u8],
    signature: &'a [u8],
}

impl<'a> Certificate<'a> {
    pub fn read(der: &'a [u8]) -> Read<Self> {
        let outer = inside(der)?;
        let signed = part(&outer, 0)?;
        let fields = inside(signed)?;
        // Without a version everything comes one place earlier.
        let first = usize::from(part(&fields, 0)?[0] == TAG_0);
        let field = |n: usize| part(&fields, first + n);
        Ok(Self {
            signed,
            serial: field(0)?,
            issuer: field(2)?,
            validity: field(3)?,
            subject: field(4)?,
            key: field(5)?,
            extensions: fields.iter().copied().find(|field| field[0] == TAG_3),
            algorithm: part(&outer, 1)?,
            signature: body(part(&outer, 2)?)?.get(1..).unwrap_or_default(),
        })
    }

    /// Whether a SignerIdentifier names it, by issuer and number; one by key identifier is left to the signature.
    pub fn is_named(&self, identifier: &[u8]) -> Read<bool> {
        if identifier[0] == TAG_0 {
            return Ok(true);
        }
        let fields = inside(identifier)?;
        Ok(part(&fields, 0)? == self.issuer && part(&fields, 1)? == self.serial)
    }

    /// Whether it may sign time stamps, and at this time.
    pub fn check_stamper(&self, at: DateTime<Utc>) -> Read<()> {
        // RFC 3161 §2.3: this purpose and no other, and critical.
        let purposes = self.extension(EXTENDED_KEY_USAGE)?;
        let only = purposes.is_some_and(|(critical, value)| critical && is_only_time_stamping(value).unwrap_or(false));
        if !only {
            return Err(TokenError::Unsigned("its certificate is not for time stamps"));
        }
        if !self.is_valid(at)? {
            return Err(TokenError::Unsigned("its certificate was not valid then"));
        }
        Ok(())
    }

    fn extension(&self, wanted: &str) -> Read<Option<(bool, &'a [u8])>> {
        let Some(extensions) = self.extensions else { return Ok(None) };
        for extension in inside(part(&inside(extensions)?, 0)?)? {
            let fields = inside(extension)?;
            if oid(part(&fields, 0)?)? == wanted {
                let critical = fields.len() == 3 && fields[1][0] == BOOLEAN && body(fields[1])? != [0];
                return Ok(Some((critical, body(part(&fields, fields.len() - 1)?)?)));
            }
        }
        Ok(None)
    }

    fn is_authority(&self) -> Read<bool> {
        let Some((_, value)) = self.extension(BASIC_CONSTRAINTS)? else { return Ok(false) };
        let fields = inside(value)?;
        Ok(fields.first().is_some_and(|field| field[0] == BOOLEAN && field.last() != Some(&0)))
    }

    fn is_valid(&self, at: DateTime<Utc>) -> Read<bool> {
        let ends = inside(self.validity)?;
        Ok(moment(part(&ends, 0)?)? <= at && at <= moment(part(&ends, 1)?)?)
    }

    fn signed_by(&self, issuer: &Self) -> Read<bool> {
        let algorithm = oid_in(self.algorithm)?;
        let hash = match algorithm.as_str() {
            PSS => hash_of(&oid_in(part(&inside(part(&inside(part(&inside(self.algorithm)?, 1)?)?, 0)?)?, 0)?)?)?,
            // The other algorithms name their hash function themselves.
            _ => hash_of("2.16.840.1.101.3.4.2.1")?,
        };
        verifies(issuer.key, &algorithm, hash, self.signed, self.signature)
    }
}

fn is_only_time_stamping(value: &[u8]) -> Read<bool> {
    let purposes = inside(value)?;
    Ok(purposes.len() == 1 && oid(purposes[0])? == TIME_STAMPING)
}

/// UTCTime or GeneralizedTime, both with seconds and `Z` (RFC 5280 §4.1.2.5).
fn moment(element: &[u8]) -> Read<DateTime<Utc>> {
    let text = std::str::from_utf8(body(element)?).unwrap_or_default();
    let text = match element[0] {
        UTC_TIME => format!("{}{text}", if text >= "50" { "19" } else { "20" }),
        _ => text.to_owned(),
    };
    let read = NaiveDateTime::parse_from_str(&text, "%Y%m%d%H%M%SZ");
    Ok(read.map_err(|_| TokenError::Unreadable("a certificate's time".into()))?.and_utc())
}

/// Whether a signer's certificate is one of the trusted ones, or leads to one over others that may issue.
pub fn leads_to(certificates: &[Vec<u8>], trusted: &[Vec<u8>], at: DateTime<Utc>) -> bool {
    let Some(signer) = certificates.first() else { return false };
    let mut current = signer;
    for _ in 0..WAY_MAX {
        if trusted.contains(current) {
            return Certificate::read(current).and_then(|it| it.is_valid(at)).unwrap_or(false);
        }
        let issuer = trusted.iter().chain(certificates).find(|one| issued(one, current, at).unwrap_or(false));
        match issuer {
            Some(issuer) if issuer != current => current = issuer,
            _ => return false,
        }
    }
    false
}

fn issued(issuer: &[u8], subject: &[u8], at: DateTime<Utc>) -> Read<bool> {
    let (issuer, subject) = (Certificate::read(issuer)?, Certificate::read(subject)?);
    Ok(issuer.subject == subject.issuer && issuer.is_authority()? && issuer.is_valid(at)? && subject.signed_by(&issuer)?)
}
