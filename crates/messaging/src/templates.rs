//! Texts of messages, from `locales/<language>/messages.json`, compiled into the binary.
//!
//! An e-mail is three keys: `<purpose>.subject`, `<purpose>.body` (paragraphs separated by an empty line) and
//! `<purpose>.button`. An SMS is `<purpose>.sms`. Values are written `{{ name }}`.

use atalaya_kernel::Language;
use atalaya_kernel::limits::EMAIL_TITLE_MAX;
use minijinja::{AutoEscape, Environment, UndefinedBehavior};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// A defect in a template or a value that its caller forgot.
#[derive(Debug, thiserror::Error)]
pub enum TemplateError {
    #[error("there is no text `{0}`")]
    Missing(String),
    #[error("text `{key}`: {why}")]
    Broken { key: String, why: String },
}

/// A finished e-mail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Email {
    pub subject: String,
    pub text: String,
    pub html: String,
}

/// All message texts. Build once, share.
pub struct Templates {
    texts: BTreeMap<(&'static str, String), String>,
    environment: Environment<'static>,
}

const SOURCES: [(Language, &str); 2] = [
    (Language::Es, include_str!("../../../locales/es/messages.json")),
    (Language::En, include_str!("../../../locales/en/messages.json")),
];

impl Templates {
    /// Parses the built-in texts.
    pub fn load() -> Self {
        let mut texts = BTreeMap::new();
        for (language, source) in SOURCES {
            let bundle: BTreeMap<String, String> = serde_json::from_str(source).expect("a test parses every built-in bundle");
            texts.extend(bundle.into_iter().map(|(key, text)| ((language.code(), key), text)));
        }
        let mut environment = Environment::new();
        environment.set_undefined_behavior(UndefinedBehavior::Strict);
        environment.set_auto_escape_callback(|name| if name.ends_with(".html") { AutoEscape::Html } else { AutoEscape::None });
        environment
            .add_template("email.html", include_str!("../templates/email.html"))
            .expect("a test renders the built-in layout");
        Self { texts, environment }
    }

    fn source(&self, language: Language, key: &str) -> Option<&str> {
        self.texts.get(&(language.code(), key.to_owned())).map(String::as_str)
    }

    /// Renders one text. A missing value is an error, never a gap in a message.
    pub fn render(&self, language: Language, key: &str, values: &Value) -> Result<String, TemplateError> {
        let source = self.source(language, key).ok_or_else(|| TemplateError::Missing(key.to_owned()))?;
        self.environment
            .render_named_str(key, source, minijinja::value::Serde(values))
            .map_err(|e| TemplateError::Broken { key: key.to_owned(), why: e.to_string() })
    }

    /// Renders the e-mail of a purpose. `values.link` becomes its button; a subject that would be longer than 70
    /// characters is shortened at `values.expedient` (DOMAIN §6.7).
    pub fn email(&self, language: Language, purpose: &str, values: &Value) -> Result<Email, TemplateError> {
        let subject = self.subject(language, purpose, values)?;
        let body = self.render(language, &format!("{purpose}.body"), values)?;
        let footer = self.render(language, "email.footer", values)?;
        let link = values.get("link").and_then(Value::as_str);
        let mut text = body.clone();
        if let Some(link) = link {
            text.push_str(&format!("\n\n{link}"));
        }
        text.push_str(&format!("\n\n-- \n{footer}\n"));
        let button = match link {
            Some(_) => self.render(language, &format!("{purpose}.button"), values)?,
            None => String::new(),
        };
        let page = json!({
            "language": language.code(), "subject": subject, "link": link, "button": button, "footer": footer,
            "link_hint": self.render(language, "email.linkHint", values)?,
            "paragraphs": body.split("\n\n").collect::<Vec<_>>(),
        });
        let html = self
            .environment
            .get_template("email.html")
            .and_then(|layout| layout.render(minijinja::value::Serde(page)))
            .map_err(|e| TemplateError::Broken { key: "email.html".into(), why: e.to_string() })?;
        Ok(Email { subject, text, html })
    }

    fn subject(&self, language: Language, purpose: &str, values: &Value) -> Result<String, TemplateError> {
        let key = format!("{purpose}.subject");
        let subject = one_line(&self.render(language, &key, values)?);
        let over = subject.chars().count().saturating_sub(EMAIL_TITLE_MAX);
        let Some(expedient) = values.get("expedient").and_then(Value::as_str).filter(|_| over > 0) else {
            return Ok(subject);
        };
        let keep = expedient.chars().count().saturating_sub(over + 1);
        let cut: String = expedient.chars().take(keep).chain(['…']).collect();
        let mut shorter: Map<String, Value> = values.as_object().cloned().unwrap_or_default();
        shorter.insert("expedient".into(), cut.into());
        Ok(one_line(&self.render(language, &key, &Value::Object(shorter))?))
    }
}

/// A subject is a header: whatever breaks lines becomes a space.
fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sms;

    fn sample() -> Value {
        json!({
            "expedient": "SIN-2026-000123", "company": "Peritos & Asociados", "adjuster": "Ana Ruiz", "contact": "Luis",
            "link": "https://v.example.es/c/a1B2c3D4e5", "hours": 24, "name": "Ana", "number": "F-1",
            "days": 7, "kind": "cliente", "date": "20/12/2026", "title": "Fotos", "text": "Necesitamos fotos.", "received": 1, "asked": 3,
        })
    }

    #[test]
    fn every_text_renders_in_every_language() {
        let templates = Templates::load();
        let keys = |language: Language| -> Vec<&String> {
            templates.texts.keys().filter(|(code, _)| *code == language.code()).map(|(_, key)| key).collect()
        };
        assert_eq!(keys(Language::Es), keys(Language::En), "both languages have the same keys");
        for language in Language::ALL {
            for key in keys(language) {
                let text = templates.render(language, key, &sample()).unwrap();
                assert!(!text.is_empty() && !text.contains("{{"), "{key}");
            }
        }
    }

    #[test]
    fn default_sms_fit_one_part_with_their_link() {
        let templates = Templates::load();
        for language in Language::ALL {
            let text = templates.render(language, "session.sms", &sample()).unwrap();
            assert!(text.chars().count() < 100);
            let count = sms::count(&format!("{text} https://v.example.es/c/a1B2c3D4e5"));
            assert_eq!((count.encoding, count.segments), (sms::Encoding::Gsm7, 1), "{text}");
        }
        let spanish = templates.render(Language::Es, "session.sms", &sample()).unwrap();
        assert_eq!(spanish, "Pulse el enlace para iniciar la videoasistencia:");
    }

    #[test]
    fn an_email_has_subject_text_and_escaped_html() {
        let templates = Templates::load();
        let mut values = sample();
        values["company"] = "<b>Peritos</b> & Co".into();
        let email = templates.email(Language::Es, "session", &values).unwrap();
        assert_eq!(email.subject, "Videoasistencia del expediente SIN-2026-000123");
        assert!(email.text.contains("https://v.example.es/c/a1B2c3D4e5"));
        assert!(email.text.contains("<b>Peritos</b> & Co"));
        assert!(email.html.contains("&lt;b&gt;Peritos&lt;&#x2f;b&gt; &amp; Co"), "{}", email.html);
        assert!(email.html.contains("href=\"https:&#x2f;&#x2f;v.example.es"), "{}", email.html);
    }

    #[test]
    fn long_case_numbers_are_cut_in_the_subject() {
        let templates = Templates::load();
        let mut values = sample();
        values["expedient"] = "X".repeat(60).into();
        let subject = templates.email(Language::Es, "session", &values).unwrap().subject;
        assert_eq!(subject.chars().count(), 70);
        assert!(subject.ends_with("X…"));
        values["expedient"] = "1\r\nBcc: all@example.org".into();
        assert!(!templates.email(Language::Es, "session", &values).unwrap().subject.contains('\n'));
    }

    #[test]
    fn a_forgotten_value_is_an_error() {
        let error = Templates::load().render(Language::Es, "session.subject", &json!({})).unwrap_err();
        assert!(matches!(error, TemplateError::Broken { .. }));
    }
}
