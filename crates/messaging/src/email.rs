//! E-mail by SMTP.

use crate::failure::{Reason, SendFailure};
use crate::mark::alternatives;
use crate::model::{Message, Provider, Receipt};
use async_trait::async_trait;
use lettre::message::header::{ContentType, Header, HeaderName, HeaderValue};
use lettre::message::{Attachment, Mailbox, MultiPart, SinglePart};
use lettre::transport::smtp::client::{Tls, TlsParameters};
use lettre::{AsyncSmtpTransport, AsyncTransport, Tokio1Executor};
use secrecy::{ExposeSecret, SecretString};
use std::time::Duration;

/// Why the mail configuration is invalid. Never prints the address, which holds a password.
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
    /// password is only sent encrypted, except to this very machine (MSG-8).
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

/// `List-Unsubscribe` (RFC 2369): the address behind a mail program's own button.
#[derive(Clone)]
struct ListUnsubscribe(String);

/// `List-Unsubscribe-Post` (RFC 8058): the button works with one click, without opening a page.
#[derive(Clone)]
struct ListUnsubscribePost;

impl Header for ListUnsubscribe {
    fn name() -> HeaderName {
        HeaderName::new_from_ascii_str("List-Unsubscribe")
    }
    fn parse(text: &str) -> Result<Self, Box<dyn std::error::Error + Send + Sync>> {
        Ok(Self(text.trim_matches(['<', '>']).to_owned()))
    }
    fn display(&self) -> HeaderValue {
        HeaderValue::new(Self::name(), format!("<{}>", self.0))
    }
}

impl Header for ListUnsubscribePost {
    fn name() -> HeaderName {
        HeaderName::new_from_ascii_str("List-Unsubscribe-Post")
    }
    fn parse(_: &str) -> Result<Self, Box<dyn std::error::Error + Send + Sync>> {
        Ok(Self)
    }
    fn display(&self) -> HeaderValue {
        HeaderValue::new(Self::name(), "List-Unsubscribe=One-Click".to_owned())
    }
}

/// Builds the message. A display name is encoded by the library; control characters were refused at the outbox.
fn compose(from: &Mailbox, message: &Message) -> Result<lettre::Message, SendFailure> {
    let wrong = |what: &str| SendFailure::permanent(Reason::Refused, format!("{what} is not valid"));
    let to: Mailbox = message.to.parse().map_err(|_| wrong("the recipient"))?;
    let mut from = from.clone();
    if let Some(sender) = &message.sender {
        from.name = Some(sender.clone());
    }
    let domain = from.email.domain().to_owned();
    let mut builder = lettre::Message::builder()
        .from(from)
        .to(to)
        // The same id on every attempt, so that a repeated message can be recognised.
        .message_id(Some(format!("<{}@{domain}>", message.id)))
        .subject(message.subject.clone().unwrap_or_default());
    if let Some(address) = &message.unsubscribe {
        builder = builder.header(ListUnsubscribe(address.clone())).header(ListUnsubscribePost);
    }
    let body = message.html.as_ref().map(|html| alternatives(message.text.clone(), html.clone()));
    if !message.attachments.is_empty() {
        let plain = || MultiPart::mixed().singlepart(SinglePart::plain(message.text.clone()));
        let mut mixed = body.map_or_else(plain, |body| MultiPart::mixed().multipart(body));
        for file in &message.attachments {
            let kind = ContentType::parse(&file.content_type).map_err(|_| wrong("an attachment's type"))?;
            mixed = mixed.singlepart(Attachment::new(file.name.clone()).body(file.bytes.to_vec(), kind));
        }
        return builder.multipart(mixed).map_err(|_| wrong("the message"));
    }
    let built = match body {
        Some(body) => builder.multipart(body),
        None => builder.singlepart(SinglePart::plain(message.text.clone())),
    };
    built.map_err(|_| wrong("the message"))
}

#[async_trait]
impl Provider for Smtp {
    fn name(&self) -> &'static str {
        "smtp"
    }

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
            Ok(false) => Err(SendFailure::temporary(Reason::Unavailable, "the mail server hung up")),
            Err(error) => Err(failure(&error)),
        }
    }
}

/// A 5xx answer is final; everything else is retried.
fn failure(error: &lettre::transport::smtp::Error) -> SendFailure {
    let mut text = error.to_string();
    let mut source = std::error::Error::source(error);
    while let Some(inner) = source {
        text = format!("{text}: {inner}");
        source = inner.source();
    }
    // 55x is about a mailbox, 535 about our password (RFC 5321 §4.2.3, RFC 4954 §6).
    let reason = match error.status().map(u16::from) {
        Some(535) => Reason::Credentials,
        Some(550..=553) => Reason::Recipient,
        Some(500..) => Reason::Refused,
        Some(_) => Reason::Unavailable,
        None if error.is_timeout() => Reason::Timeout,
        None => Reason::Unreachable,
    };
    if error.is_permanent() { SendFailure::permanent(reason, text) } else { SendFailure::temporary(reason, text) }
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

    // MSG-8
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

    // MSG-9
    #[test]
    fn advertising_carries_the_headers_of_one_press() {
        let at = chrono::DateTime::UNIX_EPOCH;
        let mut message = Message {
            id: atalaya_kernel::OutboxId(uuid::Uuid::from_u128(1)),
            channel: crate::Channel::Email,
            purpose: "campaign".into(),
            to: "ana@example.org".into(),
            sender: None,
            subject: Some("Novedades".into()),
            text: "x".into(),
            html: None,
            link: None,
            unsubscribe: Some("https://v.example.es/u/0a1b".into()),
            state: crate::MessageState::Queued,
            provider_id: None,
            error: None,
            conference_id: None,
            company_id: None,
            attempts: 1,
            created_at: at,
            sent_at: None,
            provider: None,
            reason: None,
            delivered_at: None,
            failed_at: None,
            fallback_of: None,
            secret: None,
            text_sha256: String::new(),
            shown_to: None,
            attachments: Vec::new(),
        };
        let from = "Atalaya <atalaya@example.org>".parse().unwrap();
        let text = |message: &Message| String::from_utf8(compose(&from, message).unwrap().formatted()).unwrap();
        let sent = text(&message);
        assert!(sent.contains("List-Unsubscribe: <https://v.example.es/u/0a1b>\r\n"), "{sent}");
        assert!(sent.contains("List-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n"), "{sent}");
        message.unsubscribe = None;
        assert!(!text(&message).contains("List-Unsubscribe"));
        assert!(!text(&message).contains("multipart"), "without HTML there is one part");
    }

    // MSG-22
    #[test]
    fn the_mark_travels_inside_the_message() {
        let values = serde_json::json!({"expedient": "E-1", "company": "Peritos", "adjuster": "Ana", "contact": "Luis",
            "link": "https://v.example.es/c/a1", "hours": 24});
        let email = crate::Templates::load().email(atalaya_kernel::Language::Es, "session", &values).unwrap();
        assert!(email.html.contains(r#"<img src="cid:mark@atalaya" "#), "{}", email.html);
        let built = lettre::Message::builder().from("a@example.org".parse().unwrap()).to("b@example.org".parse().unwrap());
        let built = built.multipart(alternatives(email.text.clone(), email.html.clone())).unwrap();
        let sent = String::from_utf8(built.formatted()).unwrap();
        let at = |part: &str| sent.find(part).unwrap_or_else(|| panic!("{part} is not in {sent}"));
        let order = [
            "multipart/alternative",
            "text/plain",
            "multipart/related",
            "text/html",
            "Content-ID: <mark@atalaya>",
            "iVBORw0KGgo",
        ];
        assert!(order.map(at).is_sorted(), "{sent}");
        // A campaign of somebody's own HTML carries no picture that it does not show.
        let bare = alternatives(email.text, "<p>x</p>".to_owned()).formatted();
        assert!(!String::from_utf8(bare).unwrap().contains("image/png"));
        let shown = crate::standalone(&email.html);
        assert!(shown.contains(r#"<img src="data:image/png;base64,iVBORw0KGgo"#) && !shown.contains("cid:"), "{shown}");
    }

    // MSG-8
    #[test]
    fn errors_do_not_repeat_the_password() {
        let url = SecretString::from("smtp://user:hunter2@mail.example.org?tls=maybe");
        let Err(error) = Smtp::new(&url, "Atalaya <a@example.org>") else { panic!("accepted") };
        assert!(!error.to_string().contains("hunter2"));
    }
}
