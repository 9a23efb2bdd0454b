//! Texts of messages, from `locales/<language>/messages.json`, compiled into the binary.
//!
//! An e-mail is three keys: `<purpose>.subject`, `<purpose>.body` (paragraphs separated by an empty line) and
//! `<purpose>.button`. `<purpose>.footer` replaces the common footer; with `values.unsubscribe`, an address, the
//! footer ends in `<purpose>.unsubscribe`, which leads there. An SMS is `<purpose>.sms`. Values are written `{{ name }}`.

use crate::model::Channel;
use atalaya_kernel::limits::EMAIL_TITLE_MAX;
use atalaya_kernel::{ClientLanguage, Language};
use minijinja::{AutoEscape, Environment, UndefinedBehavior};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// A broken template, or a value that the caller did not give.
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

/// A message that the product can write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TemplateInfo {
    /// `session.sms`, or the purpose of an e-mail.
    pub key: String,
    pub channel: Channel,
    /// Names of the values in it.
    pub variables: Vec<String>,
}

/// The preview of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Preview {
    Sms(String),
    Email(Email),
}

/// All message texts. Build once, share.
pub struct Templates {
    texts: BTreeMap<(&'static str, String), String>,
    environment: Environment<'static>,
}

const SOURCES: [(ClientLanguage, &str); 11] = [
    (ClientLanguage::Es, include_str!("../../../locales/es/messages.json")),
    (ClientLanguage::Ca, include_str!("../../../locales/ca/messages.json")),
    (ClientLanguage::Eu, include_str!("../../../locales/eu/messages.json")),
    (ClientLanguage::Gl, include_str!("../../../locales/gl/messages.json")),
    (ClientLanguage::En, include_str!("../../../locales/en/messages.json")),
    (ClientLanguage::Fr, include_str!("../../../locales/fr/messages.json")),
    (ClientLanguage::Pt, include_str!("../../../locales/pt/messages.json")),
    // What is written to end clients, and nothing else.
    (ClientLanguage::De, include_str!("../../../locales/de/messages.json")),
    (ClientLanguage::It, include_str!("../../../locales/it/messages.json")),
    (ClientLanguage::Ro, include_str!("../../../locales/ro/messages.json")),
    (ClientLanguage::Ar, include_str!("../../../locales/ar/messages.json")),
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

    /// Every message there is, in the order of their keys: those with a `.sms` text and those with a `.subject`.
    pub fn list(&self) -> Vec<TemplateInfo> {
        let keys = self.texts.keys().filter(|(language, _)| *language == Language::default().code()).map(|(_, key)| key);
        keys.filter_map(|key| self.describe(key)).collect()
    }

    fn describe(&self, key: &str) -> Option<TemplateInfo> {
        let (purpose, channel) = match key.rsplit_once('.')? {
            (_, "sms") => (key.to_owned(), Channel::Sms),
            (purpose, "subject") => (purpose.to_owned(), Channel::Email),
            _ => return None,
        };
        let parts = match channel {
            Channel::Email => {
                ["body", "button", "footer"].iter().map(|part| format!("{purpose}.{part}")).chain([key.to_owned()]).collect()
            }
            _ => vec![key.to_owned()],
        };
        let mut variables: BTreeSet<String> = parts.iter().flat_map(|part| self.variables(part)).collect();
        if channel == Channel::Email && self.source(ClientLanguage::default(), &format!("{purpose}.button")).is_some() {
            variables.insert("link".into());
        }
        Some(TemplateInfo { key: purpose, channel, variables: variables.into_iter().collect() })
    }

    /// The names of the values in a text.
    fn variables(&self, key: &str) -> Vec<String> {
        let Some(source) = self.source(ClientLanguage::default(), key) else { return Vec::new() };
        let template = self.environment.template_from_str(source);
        template.map(|template| template.undeclared_variables(false).into_iter().collect()).unwrap_or_default()
    }

    /// A message with invented values, some of them replaced by `values`.
    ///
    /// Errors: [`TemplateError::Missing`] for a key that [`Templates::list`] does not have.
    pub fn preview(
        &self,
        language: Language,
        info: &TemplateInfo,
        values: &Map<String, Value>,
    ) -> Result<Preview, TemplateError> {
        let mut all = sample();
        for (name, value) in values {
            all[name] = value.clone();
        }
        match info.channel {
            Channel::Email => {
                if !info.variables.iter().any(|name| name == "link") {
                    all["link"] = Value::Null;
                }
                Ok(Preview::Email(self.email(language, &info.key, &all)?))
            }
            _ => Ok(Preview::Sms(self.render(language, &info.key, &all)?)),
        }
    }

    fn source(&self, language: ClientLanguage, key: &str) -> Option<&str> {
        self.texts.get(&(language.code(), key.to_owned())).map(String::as_str)
    }

    /// Renders one text. A missing value is an error, never a gap in a message (MSG-6).
    pub fn render(&self, language: impl Into<ClientLanguage>, key: &str, values: &Value) -> Result<String, TemplateError> {
        let source = self.source(language.into(), key).ok_or_else(|| TemplateError::Missing(key.to_owned()))?;
        self.environment
            .render_named_str(key, source, minijinja::value::Serde(values))
            .map_err(|e| TemplateError::Broken { key: key.to_owned(), why: e.to_string() })
    }

    /// Renders the e-mail of a purpose. `values.link` becomes its button; a subject that would be longer than 70
    /// characters is shortened at `values.expedient` (MSG-7).
    pub fn email(&self, language: impl Into<ClientLanguage>, purpose: &str, values: &Value) -> Result<Email, TemplateError> {
        let language = language.into();
        let subject = self.subject(language, purpose, values)?;
        let body = self.render(language, &format!("{purpose}.body"), values)?;
        let own = format!("{purpose}.footer");
        let footer = if self.source(language, &own).is_some() { own.as_str() } else { "email.footer" };
        let footer = self.render(language, footer, values)?;
        let leave = format!("{purpose}.unsubscribe");
        let unsubscribe = values.get("unsubscribe").and_then(Value::as_str).filter(|_| self.source(language, &leave).is_some());
        let leave = match unsubscribe {
            Some(_) => self.render(language, &leave, values)?,
            None => String::new(),
        };
        let link = values.get("link").and_then(Value::as_str);
        let mut text = body.clone();
        if let Some(link) = link {
            text.push_str(&format!("\n\n{link}"));
        }
        text.push_str(&format!("\n\n-- \n{footer}\n"));
        if let Some(address) = unsubscribe {
            text.push_str(&format!("{leave}: {address}\n"));
        }
        let button = match link {
            Some(_) => self.render(language, &format!("{purpose}.button"), values)?,
            None => String::new(),
        };
        let page = json!({
            "language": language.code(), "subject": subject, "link": link, "button": button, "footer": footer,
            "link_hint": self.render(language, "email.linkHint", values)?,
            "unsubscribe": unsubscribe, "leave": leave,
            "paragraphs": body.split("\n\n").collect::<Vec<_>>(),
        });
        let html = self
            .environment
            .get_template("email.html")
            .and_then(|layout| layout.render(minijinja::value::Serde(page)))
            .map_err(|e| TemplateError::Broken { key: "email.html".into(), why: e.to_string() })?;
        Ok(Email { subject, text, html })
    }

    fn subject(&self, language: ClientLanguage, purpose: &str, values: &Value) -> Result<String, TemplateError> {
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

/// Invented values for every text, for previews and tests.
fn sample() -> Value {
    let mut all = json!({
        "expedient": "SIN-2026-000123", "company": "Peritos & Asociados", "adjuster": "Ana Ruiz", "contact": "Luis",
        "link": "https://v.example.es/c/a1B2c3D4e5", "hours": 24, "name": "Ana", "number": "F-1",
        "days": 7, "kind": "cliente", "date": "20/12/2026", "title": "Fotos", "text": "Necesitamos fotos.", "received": 1, "asked": 3,
        "month": "octubre de 2026", "total": "36,30 €", "due": "09/11/2026", "debit": true, "iban": "ES21 **** 1332", "umr": "VP-000001-01",
        "creditor": "ES77000B85626240", "transfer": "", "rectifies": "", "owed": true, "msgId": "VP-20261105-0001", "debits": 3, "excluded": 0,
        "file": "camt.xml", "lines": "AM05", "amount": "36,30 €", "reason": "Saldo insuficiente", "again": "", "unpaid": false, "retry": "",
        "issuer": "Atalaya", "not": "", "plain": false, "todo": "authorise",
    });
    // Incidences, fiscal data and advertising, apart because of the macro's recursion limit.
    for (name, value) in [("when", "20/12/2026, 10:30"), ("time", "10:30"), ("what", "agreed")] {
        all[name] = value.into();
    }
    all["agreed"] = true.into();
    all["who"] = "Ana Ruiz (Peritos)".into();
    all["status"] = "en revisión".into();
    all["until"] = "20 de diciembre de 2026".into();
    all["answered"] = true.into();
    all["reopened"] = false.into();
    all["since"] = "20 de diciembre de 2026".into();
    all["anew"] = true.into();
    let advertising = json!({
        "subject": "Novedades", "cif": "B85626240", "address": "Calle Mayor 1", "email": "ana@example.org",
        "unsubscribe": "https://v.example.es/u/0a1b2c3d",
    });
    for (name, value) in advertising.as_object().into_iter().flatten() {
        all[name] = value.clone();
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    // MSG-6, LANG-7
    #[test]
    fn every_text_renders_in_every_language() {
        let templates = Templates::load();
        let keys = |language: ClientLanguage| -> Vec<&String> {
            templates.texts.keys().filter(|(code, _)| *code == language.code()).map(|(_, key)| key).collect()
        };
        for language in ClientLanguage::ALL {
            match language.platform() {
                Some(_) => assert_eq!(keys(ClientLanguage::Es), keys(language), "all languages have the same keys"),
                None => {
                    assert!(keys(language).len() > 10 && keys(language).iter().all(|key| keys(ClientLanguage::Es).contains(key)))
                }
            }
            for key in keys(language) {
                let text = templates.render(language, key, &sample()).unwrap();
                assert!(!text.is_empty() && !text.contains("{{"), "{key}");
            }
        }
    }

    // MSG-17
    #[test]
    fn every_message_is_listed_with_its_values_and_can_be_looked_at() {
        let templates = Templates::load();
        let list = templates.list();
        let find = |key: &str| list.iter().find(|info| info.key == key).unwrap_or_else(|| panic!("{key}"));
        assert_eq!((find("session.sms").channel, find("session.sms").variables.len()), (Channel::Sms, 1));
        let session = find("session");
        assert_eq!(session.channel, Channel::Email);
        assert_eq!(session.variables, ["adjuster", "company", "contact", "expedient", "hours", "link"]);
        assert!(!find("secondFactorOff").variables.contains(&"link".to_owned()), "no button, no link");
        for language in Language::ALL {
            for info in &list {
                templates.preview(language, info, &Map::new()).unwrap_or_else(|error| panic!("{}: {error}", info.key));
            }
        }
        let other = json!({"expedient": "X-1"});
        let Preview::Email(email) = templates.preview(Language::Es, session, other.as_object().unwrap()).unwrap() else {
            panic!()
        };
        assert_eq!(email.subject, "Videoasistencia del expediente X-1");
    }

    // MSG-7
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
        let recovery = templates.email(Language::Es, "reset", &values).unwrap();
        assert!(recovery.html.contains("Elegir una contraseña nueva"), "{}", recovery.html);
        for part in [">Atalaya</span></div>", "background:#0a6875", "prefers-color-scheme: dark"] {
            assert!(email.html.contains(part) && recovery.html.contains(part), "the product's identity: {part}");
        }
    }

    // MSG-7
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

    // MSG-6
    #[test]
    fn a_forgotten_value_is_an_error() {
        let error = Templates::load().render(Language::Es, "session.subject", &json!({})).unwrap_err();
        assert!(matches!(error, TemplateError::Broken { .. }));
    }
}
