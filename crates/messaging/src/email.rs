//! E-mail by SMTP.

use crate::model::{Message, Provider, Receipt, SendFailure};
use async_trait::async_trait;
use lettre::message::{Mailbox, MultiPart, SinglePart};
use lettre::transport::smtp::client::{Tls, TlsParameters};
use lettre::{AsyncSmtpTransport, AsyncTransport, Tokio1Executor};
use secrecy::{ExposeSecret, SecretString};
use std::time::Duration;

/// Why the mail configuration cannot be used. Never prints the address, which holds a password.
#[derive(Debug, thiserror::Error)]
pub enum SmtpError {
    #[error("the address of the mail server cannot be understood: {0}")]
    Url(String),
    #[error("the sender of e-mails is not an address such as `Name <user@host>`")]
    From,
}

/// A mail server.
pub struct Smtp {
    transport: AsyncSmtpTransport<Tokio1Executor>,
    from: Mailbox,
}

const TIMEOUT: Duration = Duration::from_secs(30);

impl Smtp {
    /// Prepares the connection; nothing is sent yet.
    ///
    /// `url` is `smtp://user:password@host:port?tls=none|opportunistic|required` or `smtps://…`. Without `tls`, a
    /// password is only ever sent encrypted, except to this very machine.
    pub fn new(url: &SecretString, from: &str) -> Result<Self, SmtpError> {
        let from: Mailbox = from.parse().map_err(|_| SmtpError::From)?;
        let (url, tls) = split_tls(url.expose_secret())?;
        let mut builder = AsyncSmtpTransport::<Tokio1Executor>::from_url(&url)
            .map_err(|_| SmtpError::Url("expected smtp://user:password@host:port".into()))?
            .timeout(Some(TIMEOUT));
        if let Some(tls) = tls {
            builder = builder.tls(tls);
        }
        Ok(Self { transport: builder.build(), from })
    }
}

/// Takes `tls` out of the address and turns it into the transport's setting.
fn split_tls(url: &str) -> Result<(String, Option<Tls>), SmtpError> {
    let (bare, query) = url.split_once('?').unwrap_or((url, ""));
    let mut mode = None;
    for pair in query.split('&').filter(|pair| !pair.is_empty()) {
        match pair.split_once('=') {
            Some(("tls", value)) => mode = Some(value),
            _ => return Err(SmtpError::Url("the only option is `tls`".into())),
        }
    }
    if bare.starts_with("smtps://") {
        return Ok((bare.to_owned(), None));
    }
    let authority = bare.strip_prefix("smtp://").unwrap_or(bare).split('/').next().unwrap_or("");
    let (user, host_port) = authority.rsplit_once('@').map_or((None, authority), |(user, host)| (Some(user), host));
    let host = match host_port.strip_prefix('[') {
        Some(v6) => v6.split(']').next().unwrap_or(""),
        None => host_port.split(':').next().unwrap_or(""),
    };
    let here = matches!(host, "localhost" | "127.0.0.1" | "::1");
    let mode = mode.unwrap_or(match (here, user) {
        (true, _) => "none",
        (false, Some(_)) => "required",
        (false, None) => "opportunistic",
    });
    let parameters = || TlsParameters::new(host.to_owned()).map_err(|e| SmtpError::Url(e.to_string()));
    let tls = match mode {
        "none" => Tls::None,
        "opportunistic" => Tls::Opportunistic(parameters()?),
        "required" | "starttls" => Tls::Required(parameters()?),
        _ => return Err(SmtpError::Url("tls is none, opportunistic or required".into())),
    };
    Ok((bare.to_owned(), Some(tls)))
}

/// Builds the message. A display name is encoded by the library; control characters were refused at the outbox.
fn compose(from: &Mailbox, message: &Message) -> Result<lettre::Message, SendFailure> {
    let wrong = |what: &str| SendFailure::Permanent(format!("{what} is not valid"));
    let to: Mailbox = message.to.parse().map_err(|_| wrong("the recipient"))?;
    let mut from = from.clone();
    if let Some(sender) = &message.sender {
        from.name = Some(sender.clone());
    }
    let domain = from.email.domain().to_owned();
    let builder = lettre::Message::builder()
        .from(from)
        .to(to)
        // The same id on every attempt, so that a repeated message can be recognised as one.
        .message_id(Some(format!("<{}@{domain}>", message.id)))
        .subject(message.subject.clone().unwrap_or_default());
    let built = match &message.html {
        Some(html) => builder.multipart(MultiPart::alternative_plain_html(message.text.clone(), html.clone())),
        None => builder.singlepart(SinglePart::plain(message.text.clone())),
    };
    built.map_err(|_| wrong("the message"))
}

#[async_trait]
impl Provider for Smtp {
    async fn send(&self, message: &Message) -> Result<Receipt, SendFailure> {
        let mail = compose(&self.from, message)?;
        match self.transport.send(mail).await {
            Ok(response) => Ok(Receipt { provider_id: response.first_line().map(|line| line.chars().take(200).collect()) }),
            Err(error) => Err(failure(&error)),
        }
    }

    async fn check(&self) -> Result<(), SendFailure> {
        match self.transport.test_connection().await {
            Ok(true) => Ok(()),
            Ok(false) => Err(SendFailure::Temporary("the mail server hung up".into())),
            Err(error) => Err(failure(&error)),
        }
    }
}

/// A 5xx answer is final; everything else may pass.
fn failure(error: &lettre::transport::smtp::Error) -> SendFailure {
    let mut text = error.to_string();
    let mut source = std::error::Error::source(error);
    while let Some(inner) = source {
        text = format!("{text}: {inner}");
        source = inner.source();
    }
    if error.is_permanent() { SendFailure::Permanent(text) } else { SendFailure::Temporary(text) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mode(url: &str) -> &'static str {
        match split_tls(url).map(|(_, tls)| tls) {
            Ok(Some(Tls::None)) => "none",
            Ok(Some(Tls::Opportunistic(_))) => "opportunistic",
            Ok(Some(Tls::Required(_))) => "required",
            Ok(_) => "implicit",
            Err(_) => "error",
        }
    }

    #[test]
    fn passwords_travel_encrypted_unless_told_otherwise() {
        assert_eq!(mode("smtp://127.0.0.1:2525"), "none");
        assert_eq!(mode("smtp://user:pass@localhost:2525"), "none");
        assert_eq!(mode("smtp://[::1]:2525"), "none");
        assert_eq!(mode("smtp://mail.example.org"), "opportunistic");
        assert_eq!(mode("smtp://user:p%40ss@mail.example.org:587"), "required");
        assert_eq!(mode("smtp://user:pass@mail.example.org:587?tls=none"), "none");
        assert_eq!(mode("smtps://user:pass@mail.example.org"), "implicit");
        assert_eq!(mode("smtp://mail.example.org?tls=maybe"), "error");
        assert_eq!(mode("smtp://mail.example.org?verify=no"), "error");
    }

    #[test]
    fn errors_do_not_repeat_the_password() {
        let url = SecretString::from("smtp://user:hunter2@mail.example.org?tls=maybe");
        let Err(error) = Smtp::new(&url, "Atalaya <a@example.org>") else { panic!("accepted") };
        assert!(!error.to_string().contains("hunter2"));
    }
}
