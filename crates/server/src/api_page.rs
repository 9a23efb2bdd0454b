//! The description of the calls for customers' programs as a page to read: made from the OpenAPI document, in one piece,
//! without scripts and without anything from elsewhere.

use crate::assets::sha256;
use atalaya_content::languages::text;
use atalaya_kernel::Language;
use axum::http::{HeaderValue, header};
use axum::response::{Html, IntoResponse, Response};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;
use std::fmt::Write as _;

const STYLE: &str = include_str!("api_page.css");
/// Mark and wordmark, in the colour of the text.
const BRAND: &str = include_str!("brand.svg");

/// Types of events and what they tell.
const EVENTS: [(&str, &str); 10] = [
    ("conference.opened", "api_event_opened"),
    ("conference.client-joined", "api_event_joined"),
    ("conference.closed", "api_event_closed"),
    ("media.added", "api_event_media"),
    ("media.measured", "api_event_measured"),
    ("files.received", "api_event_files"),
    ("certificate.sealed", "api_event_certificate"),
    ("incidence.changed", "api_event_incidence"),
    ("evidence.day-closed", "api_event_day"),
    ("webhook.test", "api_event_test"),
];

const VERIFY: &str = "\
import hashlib, hmac, time\n\n\
def is_ours(secret: str, header: str, body: bytes) -> bool:\n    \
parts = dict(part.split(\"=\", 1) for part in header.split(\",\"))\n    \
tag = hmac.new(secret.encode(), parts[\"t\"].encode() + b\".\" + body, hashlib.sha256).hexdigest()\n    \
return hmac.compare_digest(tag, parts[\"v1\"]) and abs(time.time() - int(parts[\"t\"])) < 300";

/// What a case's link to the form is made of.
const LINK: &str = "/llamar#expedient=SIN-2026-001&phone=600123456&contact=Ana%20Ruiz&type=1";

/// The words of the page.
#[derive(Clone, Copy)]
struct Words(Language);

impl Words {
    fn of(self, key: &'static str) -> &'static str {
        text(self.0, "documents", key)
    }

    fn prose(self, key: &'static str) -> String {
        prose(self.of(key))
    }

    fn heading(self, level: u8, key: &'static str) -> String {
        format!("<h{level}>{}</h{level}>", escaped(self.of(key)))
    }
}

/// The page as an answer.
pub fn answer(document: &Value, language: Language) -> Response {
    let mut response = Html(page(document, Words(language))).into_response();
    let hash = STANDARD.encode(sha256(STYLE.as_bytes()));
    let policy = format!(
        "default-src 'none'; style-src 'sha256-{hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; \
         require-trusted-types-for 'script'; trusted-types 'none'"
    );
    if let Ok(policy) = HeaderValue::from_str(&policy) {
        response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    response.headers_mut().insert(header::CONTENT_LANGUAGE, HeaderValue::from_static(language.code()));
    response
}

/// The page of an OpenAPI document. What comes from the document is English, and says so.
fn page(document: &Value, words: Words) -> String {
    let title = escaped(words.of("api_title"));
    let version = words.of("api_version").replace("{version}", document["info"]["version"].as_str().unwrap_or_default());
    let operations = operations(document);
    let mut out = format!(
        "<!doctype html><html lang=\"{}\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" \
         content=\"width=device-width,initial-scale=1\"><title>{title}</title><style>{STYLE}</style></head><body><header><span class=\"brand\">{BRAND}</span>{}</header><main>\
         <h1>{title}</h1><p>{}. <a href=\"/ext-api/openapi.json\">{}</a></p>{}<nav>{}<ul>",
        words.0.code(),
        languages(words),
        escaped(&version),
        escaped(words.of("api_openapi")),
        words.prose("api_english"),
        words.heading(2, "api_calls"),
    );
    for operation in &operations {
        let _ = write!(
            out,
            "<li><span class=\"verb\">{}</span> <a href=\"#{}\">{}</a></li>",
            operation.method,
            escaped(operation.id()),
            escaped(operation.path)
        );
    }
    out.push_str("</ul></nav>");
    out.push_str(&introduction(words));
    out.push_str(&words.heading(2, "api_details"));
    for operation in &operations {
        operation.write(&mut out, words);
    }
    out.push_str(&words.heading(2, "api_shapes"));
    for (name, schema) in document["components"]["schemas"].as_object().into_iter().flatten() {
        let _ = write!(out, "<h3 id=\"schema-{0}\">{0}</h3>", escaped(name));
        out.push_str(&english(&prose(schema["description"].as_str().unwrap_or_default())));
        out.push_str(&fields(schema, words));
    }
    out.push_str("</main></body></html>");
    out
}

/// Links to the page in each language, in that language.
fn languages(words: Words) -> String {
    let names = Language::ALL.into_iter().map(|language| {
        let (code, name) = (language.code(), escaped(native_name(language)));
        let here = if language == words.0 { " aria-current=\"true\"" } else { "" };
        format!("<a href=\"?lang={code}\" lang=\"{code}\" hreflang=\"{code}\"{here}>{name}</a>")
    });
    let names: Vec<String> = names.collect();
    format!("<nav class=\"languages\" aria-label=\"{}\">{}</nav>", escaped(words.of("api_languages")), names.join(" · "))
}

fn native_name(language: Language) -> &'static str {
    match language {
        Language::Es => "Castellano",
        Language::Ca => "Català",
        Language::Eu => "Euskara",
        Language::Gl => "Galego",
        Language::En => "English",
        Language::Fr => "Français",
        Language::Pt => "Português",
    }
}

/// What a document of paths cannot say.
fn introduction(words: Words) -> String {
    let mut out = String::new();
    for (title, text) in
        [("api_key_title", "api_key_text"), ("api_errors_title", "api_errors_text"), ("api_repeat_title", "api_repeat_text")]
    {
        out.push_str(&words.heading(2, title));
        out.push_str(&words.prose(text));
    }
    out.push_str(&webhooks(words));
    out.push_str(&words.heading(2, "api_link_title"));
    for part in ["api_link_text", "api_link_fragment"] {
        out.push_str(&words.prose(part));
    }
    let _ = write!(out, "<pre><code>{}</code></pre>", escaped(LINK));
    out.push_str(&words.prose("api_link_query"));
    let _ = write!(out, "<pre><code>{}</code></pre>", escaped(&LINK.replace('#', "?")));
    out
}

fn webhooks(words: Words) -> String {
    let mut out = words.heading(2, "api_hooks_title");
    out.push_str(&words.prose("api_hooks_text"));
    out.push_str(&words.heading(3, "api_hooks_events"));
    out.push_str(&list(EVENTS.into_iter().map(|(name, key)| (name, words.of(key)))));
    out.push_str(&words.heading(3, "api_hooks_headers"));
    let headers = [
        ("Atalaya-Event", "api_header_event"),
        ("Atalaya-Delivery", "api_header_delivery"),
        ("Atalaya-Signature", "api_header_signature"),
    ];
    out.push_str(&list(headers.into_iter().map(|(name, key)| (name, words.of(key)))));
    out.push_str(&words.heading(3, "api_verify_title"));
    out.push_str(&words.prose("api_verify_text"));
    let _ = write!(out, "<pre><code>{}</code></pre>", escaped(VERIFY));
    out.push_str(&words.heading(3, "api_retry_title"));
    out.push_str(&words.prose("api_retry_text"));
    out
}

/// Names and what they mean.
fn list<'a>(lines: impl Iterator<Item = (&'a str, &'a str)>) -> String {
    let lines: String = lines.map(|(name, text)| format!("<li><code>{}</code> {}</li>", escaped(name), inline(text))).collect();
    format!("<ul>{lines}</ul>")
}

/// What the OpenAPI document says, for readers aloud.
fn english(html: &str) -> String {
    if html.is_empty() { String::new() } else { format!("<div lang=\"en\">{html}</div>") }
}

struct Operation<'a> {
    method: String,
    path: &'a str,
    document: &'a Value,
}

fn operations(document: &Value) -> Vec<Operation<'_>> {
    let paths = document["paths"].as_object().into_iter().flatten();
    paths
        .flat_map(|(path, item)| {
            let methods = item.as_object().into_iter().flatten().filter(|(_, operation)| operation["operationId"].is_string());
            methods.map(move |(method, operation)| Operation {
                method: method.to_ascii_uppercase(),
                path: path.as_str(),
                document: operation,
            })
        })
        .collect()
}

impl Operation<'_> {
    fn id(&self) -> &str {
        self.document["operationId"].as_str().unwrap_or_default()
    }

    fn write(&self, out: &mut String, words: Words) {
        let (id, path) = (escaped(self.id()), escaped(self.path));
        let _ = write!(out, "<h3 id=\"{id}\"><span class=\"verb\">{}</span> {path}</h3>", self.method);
        let said = |key: &str| prose(self.document[key].as_str().unwrap_or_default());
        out.push_str(&english(&(said("summary") + &said("description"))));
        let parameters = self.document["parameters"].as_array().map(Vec::as_slice).unwrap_or_default();
        if !parameters.is_empty() {
            let rows = parameters.iter().map(|one| {
                let place = format!("{}, {}", one["in"].as_str().unwrap_or_default(), type_of(&one["schema"]));
                row(
                    one["name"].as_str().unwrap_or_default(),
                    &place,
                    one["required"] == true,
                    (one["description"].as_str(), words),
                )
            });
            out.push_str(&words.heading(4, "api_parameters"));
            out.push_str(&table(rows, words));
        }
        for (kind, content) in self.document["requestBody"]["content"].as_object().into_iter().flatten() {
            out.push_str(&words.heading(4, "api_body"));
            let _ = write!(out, "<p><code>{}</code> {}</p>", escaped(kind), type_of(&content["schema"]));
        }
        out.push_str(&words.heading(4, "api_answers"));
        out.push_str("<p>");
        for (status, answer) in self.document["responses"].as_object().into_iter().flatten() {
            let shape = answer["content"].as_object().into_iter().flatten().map(|(kind, content)| match &content["schema"] {
                Value::Null => escaped(kind),
                schema => type_of(schema),
            });
            let shape: Vec<String> = shape.collect();
            let _ = write!(out, "<code>{}</code> {} ", escaped(status), shape.join(", "));
        }
        out.push_str("</p>");
    }
}

/// The fields of an object's shape, or what else it is.
fn fields(schema: &Value, words: Words) -> String {
    let Some(properties) = schema["properties"].as_object() else { return format!("<p>{}</p>", type_of(schema)) };
    let required = |name: &str| schema["required"].as_array().is_some_and(|all| all.iter().any(|one| one == name));
    let rows =
        properties.iter().map(|(name, field)| row(name, &type_of(field), required(name), (field["description"].as_str(), words)));
    table(rows, words)
}

fn row(name: &str, kind: &str, required: bool, (description, words): (Option<&str>, Words)) -> String {
    let needed = if required { escaped(words.of("api_required")) } else { String::new() };
    let description = description.map(inline).unwrap_or_default();
    format!("<tr><td><code>{}</code></td><td>{kind}</td><td>{needed}</td><td lang=\"en\">{description}</td></tr>", escaped(name))
}

fn table(rows: impl Iterator<Item = String>, words: Words) -> String {
    let rows: String = rows.collect();
    let (name, kind) = (escaped(words.of("api_name")), escaped(words.of("api_type")));
    let head = format!("<tr><th scope=\"col\">{name}</th><th scope=\"col\">{kind}</th><td></td><td></td></tr>");
    format!("<div class=\"scroll\"><table>{head}{rows}</table></div>")
}

/// A shape in words, with a link to a named one.
fn type_of(schema: &Value) -> String {
    if let Some(name) = schema["$ref"].as_str().and_then(|to| to.rsplit('/').next()) {
        return format!("<a href=\"#schema-{0}\">{0}</a>", escaped(name));
    }
    if let Some(all) = schema["enum"].as_array() {
        return all.iter().map(|one| format!("<code>{}</code>", escaped(&one.to_string()))).collect::<Vec<_>>().join(" ");
    }
    let several = schema["oneOf"].as_array().or(schema["allOf"].as_array()).or(schema["anyOf"].as_array());
    if let Some(all) = several {
        return all.iter().map(type_of).collect::<Vec<_>>().join(" or ");
    }
    let kinds: Vec<&str> = match &schema["type"] {
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).collect(),
        kind => kind.as_str().into_iter().collect(),
    };
    let mut words = escaped(&kinds.join(" or "));
    if kinds.contains(&"array") {
        let _ = write!(words, " of {}", type_of(&schema["items"]));
    }
    if let Some(format) = schema["format"].as_str() {
        let _ = write!(words, " ({})", escaped(format));
    }
    words
}

/// Paragraphs of a description.
fn prose(text: &str) -> String {
    text.split("\n\n").map(str::trim).filter(|part| !part.is_empty()).map(|part| format!("<p>{}</p>", inline(part))).collect()
}

/// A paragraph, with what stands in backticks as code.
fn inline(text: &str) -> String {
    let parts = text.split('`').enumerate();
    parts.map(|(n, part)| if n % 2 == 1 { format!("<code>{}</code>", escaped(part)) } else { escaped(part) }).collect()
}

fn escaped(text: &str) -> String {
    text.chars().fold(String::with_capacity(text.len()), |mut out, c| {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
        out
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_page_shows_calls_and_shapes_and_escapes_them() {
        let document = json!({
            "info": {"title": "A", "version": "1 <b>"},
            "paths": {"/ext-api/v1/x/{id}": {"get": {"operationId": "ext_x", "summary": "Reads <x>.",
                "parameters": [{"name": "id", "in": "path", "required": true, "schema": {"type": "string"}}],
                "responses": {"200": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/X"}}}}}}}},
            "components": {"schemas": {"X": {"description": "An x.", "required": ["a"], "properties": {
                "a": {"type": ["string", "null"], "description": "Its `a`."},
                "b": {"type": "array", "items": {"oneOf": [{"type": "null"}, {"$ref": "#/components/schemas/X"}]}},
                "c": {"enum": ["one", "two"]}}}}}
        });
        let html = page(&document, Words(Language::En));
        for part in [
            "Version 1 &lt;b&gt;",
            "<h1>API for your programs</h1>",
            "<p>Reads &lt;x&gt;.</p>",
            "href=\"#ext_x\"",
            "<a href=\"#schema-X\">X</a>",
            "string or null",
            "array of null or <a",
            "<code>&quot;one&quot;</code>",
            "required",
        ] {
            assert!(html.contains(part), "{part}: {html}");
        }
        for part in ["aria-label=\"Atalaya\"", "--accent:#0a6875", "prefers-color-scheme:dark"] {
            assert!(html.contains(part), "the product's identity: {part}");
        }
        let spanish = page(&document, Words(Language::Es));
        for part in
            ["<html lang=\"es\">", "obligatorio", "<code>incidence.changed</code>", "/llamar#expedient=", "hmac.compare_digest"]
        {
            assert!(spanish.contains(part), "{part}: {spanish}");
        }
        assert!(!html.contains("<script") && !html.contains("http://") && !html.contains("https://"));
    }

    #[test]
    fn the_page_is_written_in_every_language_and_knows_every_event() {
        for language in Language::ALL {
            let html = page(&json!({}), Words(language));
            assert!(!html.contains("api_"), "{language:?}: a key without words: {html}");
            for event in atalaya_integrations::webhooks::Event::ALL {
                assert!(html.contains(&format!("<code>{}</code>", event.name())), "{}", event.name());
            }
        }
    }
}
