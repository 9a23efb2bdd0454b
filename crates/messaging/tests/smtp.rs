//! E-mail through a real SMTP server program (OpenSMTPD, started by `scripts/smtp.sh`), read back from its mailbox.
//!
//! Runs when `ATALAYA_TEST_SMTP` (address) and `ATALAYA_TEST_MAILDIR` (where it delivers) are set; `make test` sets them.

use atalaya_kernel::Sources;
use atalaya_messaging::*;
use chrono::DateTime;
use std::path::PathBuf;
use std::time::{Duration, Instant};

fn server() -> Option<(String, PathBuf)> {
    let url = std::env::var("ATALAYA_TEST_SMTP").ok()?;
    Some((url, PathBuf::from(std::env::var("ATALAYA_TEST_MAILDIR").ok()?)))
}

fn mail(to: &str) -> Message {
    let sources = Sources::system();
    Message {
        id: sources.id(),
        channel: Channel::Email,
        purpose: "session".into(),
        to: to.into(),
        sender: Some("Peritos Ñandú".into()),
        subject: Some("Videoasistencia del expediente Ñ-1".into()),
        text: "Pulse el enlace\n.\nhttps://v.example.es/c/a1B2c3D4e5".into(),
        html: Some("<p>Pulse el enlace</p>".into()),
        link: None,
        unsubscribe: None,
        state: MessageState::Queued,
        provider_id: None,
        error: None,
        conference_id: None,
        company_id: None,
        attempts: 1,
        created_at: DateTime::from_timestamp(1_800_000_000, 0).unwrap(),
        sent_at: None,
        provider: None,
        reason: None,
        delivered_at: None,
        failed_at: None,
        secret: None,
        text_sha256: String::new(),
        shown_to: None,
        fallback_of: None,
        attachments: Vec::new(),
    }
}

/// The delivered file that holds this text; delivery happens after the answer.
fn delivered(maildir: &std::path::Path, needle: &str) -> String {
    let until = Instant::now() + Duration::from_secs(20);
    while Instant::now() < until {
        for entry in std::fs::read_dir(maildir.join("new")).into_iter().flatten().flatten() {
            let text = std::fs::read_to_string(entry.path()).unwrap_or_default();
            if text.contains(needle) {
                return text;
            }
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    panic!("nothing was delivered");
}

#[tokio::test]
async fn a_real_server_takes_and_delivers_the_message() {
    let Some((url, maildir)) = server() else { return };
    let smtp = Smtp::new(&url.into(), "Atalaya <atalaya@example.org>").unwrap();
    smtp.check().await.unwrap();
    let message = mail("cliente@example.org");
    let receipt = smtp.send(&message).await.unwrap();
    assert!(receipt.provider_id.is_some());
    let text = delivered(&maildir, &message.id.to_string());
    assert!(text.contains("To: cliente@example.org"), "{text}");
    assert!(text.contains("atalaya@example.org"));
    assert!(text.contains("multipart/alternative"));
    assert!(text.contains("https://v.example.es/c/a1B2c3D4e5"), "the lone dot did not end the message");
    assert!(text.contains("=?utf-8?"), "subject and sender name are encoded");
}

// MSG-3
#[tokio::test]
async fn a_refused_recipient_is_a_permanent_failure() {
    let Some((url, _)) = server() else { return };
    let smtp = Smtp::new(&url.into(), "Atalaya <atalaya@example.org>").unwrap();
    let failure = smtp.send(&mail("nobody@refused.example.net")).await.unwrap_err();
    assert!(matches!(failure, SendFailure::Permanent(_)), "{failure}");
}

// MSG-3
#[tokio::test]
async fn an_absent_server_is_a_temporary_failure() {
    // Port 9 (discard) is not listened on.
    let smtp = Smtp::new(&"smtp://127.0.0.1:9".to_owned().into(), "Atalaya <atalaya@example.org>").unwrap();
    let failure = smtp.send(&mail("cliente@example.org")).await.unwrap_err();
    assert!(matches!(failure, SendFailure::Temporary(_)), "{failure}");
}
