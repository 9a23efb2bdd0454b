//! The connection to the tax office's service: TLS with the issuer's certificate, one SOAP call at a time.

use super::VerifactuSettings;
use atalaya_einvoice::verifactu::{Answer, AnswerError, read_answer};

/// More than any answer about 1,000 records.
const ANSWER_MAX_BYTES: usize = 8 << 20;

/// Why a call has no answer.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SendError {
    #[error("no certificate is configured, or it cannot be used")]
    Certificate,
    #[error("it took too long")]
    TimeOut,
    #[error("not reached: {0}")]
    Unreachable(String),
    #[error("status {0}")]
    Status(u16),
    #[error("the whole call was refused: {0}")]
    Fault(String),
    #[error("strange answer: {0}")]
    Strange(String),
}

/// Codes of faults about the header, the certificate or the service: whatever the call carries, it is refused.
const OF_THE_CALL: std::ops::RangeInclusive<u32> = 4104..=4199;

impl SendError {
    /// The tax office's own words.
    pub(crate) fn text(&self) -> Option<&str> {
        if let Self::Fault(text) = self { Some(text) } else { None }
    }

    /// Whether one of the records may be why the whole call was refused.
    pub(crate) fn is_about_records(&self) -> bool {
        let Self::Fault(text) = self else { return false };
        let code = text.split_once("Codigo[").and_then(|(_, rest)| rest.split_once(']')).and_then(|(code, _)| code.parse().ok());
        !text.starts_with("env:Server") && code.is_none_or(|code| !OF_THE_CALL.contains(&code))
    }

    /// Its name on the screen.
    pub(crate) fn code(&self) -> &'static str {
        match self {
            Self::Certificate => "VERIFACTU_CERTIFICATE",
            Self::TimeOut => "VERIFACTU_TIMEOUT",
            Self::Unreachable(_) => "VERIFACTU_UNREACHABLE",
            Self::Status(_) => "VERIFACTU_STATUS",
            Self::Fault(_) => "VERIFACTU_FAULT",
            Self::Strange(_) => "VERIFACTU_STRANGE_ANSWER",
        }
    }
}

/// The service, with our certificate.
pub(crate) struct Gateway {
    client: reqwest::Client,
    url: String,
}

impl Gateway {
    pub(crate) fn new(settings: &VerifactuSettings) -> Result<Self, SendError> {
        let certificate = settings.certificate.as_ref().ok_or(SendError::Certificate)?;
        let identity = certificate.identity().map_err(|_| SendError::Certificate)?;
        let mut builder = reqwest::Client::builder()
            .timeout(settings.patience)
            .redirect(reqwest::redirect::Policy::none())
            .https_only(true)
            .identity(identity);
        if let Some(pem) = &settings.authorities {
            let more = reqwest::Certificate::from_pem_bundle(pem.as_bytes()).map_err(|_| SendError::Certificate)?;
            builder = builder.tls_certs_merge(more);
        }
        let client = builder.build().map_err(|error| SendError::Unreachable(error.to_string()))?;
        Ok(Self { client, url: settings.service() })
    }

    /// Sends a call and reads the answer about each record.
    pub(crate) async fn send(&self, soap: String) -> Result<Answer, SendError> {
        let request = self.client.post(&self.url).header("content-type", "text/xml; charset=utf-8").header("soapaction", "");
        let mut answer = request.body(soap).send().await.map_err(failure)?;
        let status = answer.status();
        let mut body = Vec::new();
        while let Some(piece) = answer.chunk().await.map_err(failure)? {
            if body.len() + piece.len() > ANSWER_MAX_BYTES {
                return Err(SendError::Strange("it is too long".into()));
            }
            body.extend_from_slice(&piece);
        }
        // A fault has status 500; its body says more than the status.
        match read_answer(&String::from_utf8_lossy(&body)) {
            Ok(answer) if status.is_success() => Ok(answer),
            Err(AnswerError::Fault(text)) => Err(SendError::Fault(text)),
            _ if !status.is_success() => Err(SendError::Status(status.as_u16())),
            Ok(_) => Err(SendError::Status(status.as_u16())),
            Err(error) => Err(SendError::Strange(error.to_string())),
        }
    }
}

fn failure(error: reqwest::Error) -> SendError {
    if error.is_timeout() {
        return SendError::TimeOut;
    }
    // The address is of no interest, the cause below is.
    let cause = std::error::Error::source(&error).map(ToString::to_string).unwrap_or_default();
    SendError::Unreachable(format!("{} {cause}", error.without_url()).trim().chars().take(300).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    // FACTU-4
    #[test]
    fn some_faults_are_about_what_is_sent() {
        for (text, records) in [
            ("env:Client Codigo[4102].El XML no cumple el esquema. Falta informar campo obligatorio.: NIF", true),
            ("env:Client Codigo[4103].Error inesperado al parsear el XML", true),
            ("env:Client", true),
            ("env:Client Codigo[4104].Error en la cabecera: el NIF no está identificado", false),
            ("env:Client Codigo[4112].El titular del certificado debe ser Obligado Emisión", false),
            ("env:Server Codigo[103].Servicio no disponible", false),
        ] {
            assert_eq!(SendError::Fault(text.into()).is_about_records(), records, "{text}");
        }
        assert!(!SendError::TimeOut.is_about_records() && !SendError::Status(500).is_about_records());
    }
}
