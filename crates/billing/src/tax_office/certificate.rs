//! The certificate with which the issuer speaks to the tax office.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use chrono::{DateTime, Utc};
use cms::cert::x509::Certificate as X509;
use der07::Decode;
use secrecy::{ExposeSecret, SecretString};
use std::fmt;

/// Certificate chain and private key. Prints without the key.
#[derive(Clone)]
pub struct Certificate {
    pem: SecretString,
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
        let own = X509::from_der(&first_der(chain)?).map_err(|_| "the certificate cannot be read")?;
        let until = own.tbs_certificate.validity.not_after.to_unix_duration();
        let seconds = i64::try_from(until.as_secs()).unwrap_or(i64::MAX);
        let expires_at = DateTime::from_timestamp(seconds, 0).ok_or("the certificate's end cannot be read")?;
        let certificate = Self {
            pem: format!("{}\n{}\n", chain.trim(), key.expose_secret().trim()).into(),
            subject: own.tbs_certificate.subject.to_string(),
            expires_at,
        };
        certificate
            .identity()
            .map_err(|_| "certificate and private key cannot be used together (both as PEM, the key without a password)")?;
        Ok(certificate)
    }

    /// For the client of the connection.
    pub(super) fn identity(&self) -> Result<reqwest::Identity, reqwest::Error> {
        reqwest::Identity::from_pem(self.pem.expose_secret().as_bytes())
    }
}

/// The first certificate of a PEM file.
fn first_der(pem: &str) -> Result<Vec<u8>, &'static str> {
    const NONE: &str = "there is no certificate in it (PEM)";
    let (_, rest) = pem.split_once("-----BEGIN CERTIFICATE-----").ok_or(NONE)?;
    let (body, _) = rest.split_once("-----END CERTIFICATE-----").ok_or(NONE)?;
    let body: String = body.chars().filter(|c| !c.is_whitespace()).collect();
    STANDARD.decode(body).map_err(|_| NONE)
}
