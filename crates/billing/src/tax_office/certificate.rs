//! The certificate with which the issuer speaks to the tax office, and signs what he sends to public bodies.

use atalaya_einvoice::xades::{Signer, signed};
use aws_lc_rs::error::Unspecified;
use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::signature::{RSA_PKCS1_SHA256, RsaKeyPair};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use chrono::{DateTime, Utc};
use cms::cert::x509::Certificate as X509;
use der07::Decode;
use secrecy::{ExposeSecret, SecretString};
use std::fmt;
use std::sync::Arc;
use zeroize::Zeroizing;

/// Certificate chain and private key. Prints without the key.
#[derive(Clone)]
pub struct Certificate {
    pem: SecretString,
    /// The first of the chain.
    der: Vec<u8>,
    /// Whose certificate it is by, and the number that he gave it, decimal.
    issuer: String,
    serial: String,
    /// Of certificates with RSA keys, as Spanish ones have them.
    rsa: Option<Arc<RsaKeyPair>>,
    /// Whom it names.
    pub subject: String,
    pub expires_at: DateTime<Utc>,
}

impl fmt::Debug for Certificate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Certificate")
            .field("subject", &self.subject)
            .field("expires_at", &self.expires_at)
            .finish_non_exhaustive()
    }
}

impl Certificate {
    /// Reads a certificate chain and its private key, both PEM.
    ///
    /// Errors: what is wrong, without any of its content.
    pub fn read(chain: &str, key: &SecretString) -> Result<Self, &'static str> {
        const NO_CERTIFICATE: &str = "there is no certificate in it (PEM)";
        let der = section(chain, "CERTIFICATE").ok_or(NO_CERTIFICATE)?.to_vec();
        let own = X509::from_der(&der).map_err(|_| "the certificate cannot be read")?;
        let until = own.tbs_certificate.validity.not_after.to_unix_duration();
        let seconds = i64::try_from(until.as_secs()).unwrap_or(i64::MAX);
        let expires_at = DateTime::from_timestamp(seconds, 0).ok_or("the certificate's end cannot be read")?;
        let certificate = Self {
            pem: format!("{}\n{}\n", chain.trim(), key.expose_secret().trim()).into(),
            der,
            issuer: own.tbs_certificate.issuer.to_string(),
            serial: decimal(own.tbs_certificate.serial_number.as_bytes()),
            rsa: rsa(key.expose_secret()).map(Arc::new),
            subject: own.tbs_certificate.subject.to_string(),
            expires_at,
        };
        certificate
            .identity()
            .map_err(|_| "certificate and private key cannot be used together (both as PEM, the key without a password)")?;
        Ok(certificate)
    }

    /// A Facturae with our signature; as it is without an RSA key, or once the certificate has expired (EINV-15).
    ///
    /// Errors: the key cannot sign.
    pub(crate) fn signed(&self, facturae: String, now: DateTime<Utc>) -> Result<String, Unspecified> {
        let Some(key) = self.rsa.as_ref().filter(|_| now < self.expires_at) else { return Ok(facturae) };
        let signer = Signer { certificate: &self.der, issuer: &self.issuer, serial: &self.serial };
        signed(&facturae, signer, now, |bytes| {
            let mut signature = vec![0; key.public_modulus_len()];
            key.sign(&RSA_PKCS1_SHA256, &SystemRandom::new(), bytes, &mut signature)?;
            Ok(signature)
        })
    }

    /// For the client of the connection.
    pub(super) fn identity(&self) -> Result<reqwest::Identity, reqwest::Error> {
        reqwest::Identity::from_pem(self.pem.expose_secret().as_bytes())
    }
}

/// What stands between the lines of a PEM file that name this.
fn section(pem: &str, name: &str) -> Option<Zeroizing<Vec<u8>>> {
    let (_, rest) = pem.split_once(&format!("-----BEGIN {name}-----"))?;
    let (body, _) = rest.split_once(&format!("-----END {name}-----"))?;
    let body: Zeroizing<String> = Zeroizing::new(body.chars().filter(|c| !c.is_whitespace()).collect());
    STANDARD.decode(body.as_bytes()).ok().map(Zeroizing::new)
}

/// The key, if it is an RSA key.
fn rsa(pem: &str) -> Option<RsaKeyPair> {
    match section(pem, "PRIVATE KEY") {
        Some(der) => RsaKeyPair::from_pkcs8(&der).ok(),
        None => section(pem, "RSA PRIVATE KEY").and_then(|der| RsaKeyPair::from_der(&der).ok()),
    }
}

/// A number of so many bytes, greatest first, as people write it.
fn decimal(bytes: &[u8]) -> String {
    // Its digits, smallest first.
    let mut digits = vec![0_u32];
    for byte in bytes {
        let mut carry = u32::from(*byte);
        for digit in &mut digits {
            let value = *digit * 256 + carry;
            (*digit, carry) = (value % 10, value / 10);
        }
        while carry > 0 {
            digits.push(carry % 10);
            carry /= 10;
        }
    }
    digits.iter().rev().filter_map(|digit| char::from_digit(*digit, 10)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    // EINV-15
    #[test]
    fn serial_numbers_are_decimal() {
        for (bytes, expected) in [
            (&[0_u8][..], "0"),
            (&[255][..], "255"),
            (&[1, 0][..], "256"),
            (&[0, 0x49, 0x96, 0x02, 0xD2][..], "1234567890"),
            (&[0xFF; 16][..], "340282366920938463463374607431768211455"),
        ] {
            assert_eq!(decimal(bytes), expected);
        }
    }
}
