//! The end client's pages. When their script does not run, they still say what to do and whom to call, in the client's
//! language (CLIENT-27).
//!
//! The built page has that help in Spanish and without a number, between two marks; it is replaced here for the link that
//! is opened. Reading it changes nothing.

use crate::assets::{Assets, powers, serve as serve_file};
use atalaya_assistance::Assistance;
use atalaya_assistance::client_page::service::{CallBack, call_back};
use atalaya_client_files::call_back as call_back_for_files;
use atalaya_kernel::ClientLanguage;
use atalaya_messaging::{TemplateError, Templates};
use atalaya_rest::headers::{PERMISSIONS, permissions};
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{Extensions, HeaderMap, HeaderValue, StatusCode, Version, header};
use axum::response::Response;
use serde_json::json;
use std::sync::Arc;
use tower_http::compression::{CompressionLayer, Predicate};

const BEGIN: &str = "<!--help-->";
const END: &str = "<!--/help-->";

/// State of the pages' handler.
#[derive(Clone)]
pub struct ClientPages {
    pub assets: Assets,
    pub assistance: Assistance,
    pub templates: Arc<Templates>,
}

/// Handler for every path that no route matches: the client's pages with help in them, everything else as it is.
pub async fn serve(State(pages): State<ClientPages>, request: Request) -> Response {
    let path = request.uri().path().to_owned();
    let found = match pages.assets.client_page(&path) {
        Some(page) => {
            let html = with_help(&pages, &path, page.html, request.headers()).await;
            html.map(|html| (html, page.policy.clone(), permissions(powers(page.name, &path))))
        }
        None => None,
    };
    let Some((html, policy, powers)) = found else { return serve_file(State(pages.assets.clone()), request).await };
    let mut response = Response::new(Body::from(html));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
    headers.insert(header::VARY, HeaderValue::from_static("accept-encoding, accept-language"));
    headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    headers.insert(PERMISSIONS, powers);
    response
}

/// Compresses the pages that are written anew each time; files bring their own compressed twin and an `ETag`.
pub fn compression() -> CompressionLayer<impl Predicate> {
    let written = |_: StatusCode, _: Version, headers: &HeaderMap, _: &Extensions| !headers.contains_key(header::ETAG);
    CompressionLayer::new().compress_when(written)
}

/// The page with its help; `None` leaves it as it was built.
async fn with_help(pages: &ClientPages, path: &str, html: &[u8], headers: &HeaderMap) -> Option<String> {
    let html = std::str::from_utf8(html).ok().filter(|html| html.contains(BEGIN))?;
    let last = path.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
    let found = match path.starts_with("/external/files/") {
        true => call_back_for_files(&pages.assistance, last).await.ok(),
        false => call_back(&pages.assistance, last).await.ok(),
    };
    let case = found.as_ref().map(|found| found.language.as_str());
    let language = accepted(headers).or_else(|| ClientLanguage::parse(case?)).unwrap_or_default();
    let help = help(&pages.templates, language, found.as_ref()).inspect_err(|error| tracing::error!(%error, "no help")).ok()?;
    Some(replaced(html, &help))
}

fn help(templates: &Templates, language: ClientLanguage, found: Option<&CallBack>) -> Result<String, TemplateError> {
    let text = |key: &str, values| templates.render(language, key, &values).map(|text| escape(&text));
    let direction = if language == ClientLanguage::Ar { "rtl" } else { "ltr" };
    let mut html = format!(
        "<div lang=\"{}\" dir=\"{direction}\"><h1>{}</h1><p>{}</p>",
        language.code(),
        text("page.title", json!({}))?,
        text("page.text", json!({}))?
    );
    match found.map(|found| (&found.company, &found.phone)) {
        Some((company, Some(phone))) => {
            let number: String = phone.chars().filter(|c| c.is_ascii_digit() || *c == '+').collect();
            let words = text("page.call", json!({"company": company}))?;
            html += &format!(
                "<p>{words}</p><p><a class=\"b main\" href=\"tel:{number}\"><bdi dir=\"ltr\">{}</bdi></a></p>",
                escape(&grouped(&number).unwrap_or_else(|| phone.clone()))
            );
        }
        Some((company, None)) => html += &format!("<p>{}</p>", text("page.ask", json!({"company": company}))?),
        None => {}
    }
    Ok(html + "</div>")
}

/// `+34960000000` as people read it, as the page's own script writes it; `None` for a number from elsewhere.
fn grouped(number: &str) -> Option<String> {
    const GROUPS: [(&str, &[usize]); 3] = [("+34", &[3, 3, 3]), ("+351", &[3, 3, 3]), ("+33", &[1, 2, 2, 2, 2])];
    let (prefix, sizes, mut rest) = GROUPS.into_iter().find_map(|(prefix, sizes)| {
        let rest = number.strip_prefix(prefix)?;
        (rest.len() == sizes.iter().sum::<usize>()).then_some((prefix, sizes, rest))
    })?;
    let mut out = prefix.to_owned();
    for size in sizes {
        let (group, after) = rest.split_at_checked(*size)?;
        out.push(' ');
        out.push_str(group);
        rest = after;
    }
    Some(out)
}

/// Replaces what stands between the marks, wherever they stand.
fn replaced(html: &str, help: &str) -> String {
    let mut out = String::with_capacity(html.len() + 2 * help.len());
    let mut rest = html;
    while let Some((before, after)) = rest.split_once(BEGIN) {
        out += before;
        out += help;
        rest = after.split_once(END).map_or("", |(_, after)| after);
    }
    out + rest
}

/// The first language of `Accept-Language` that the client's pages have; browsers send them in order of preference.
fn accepted(headers: &HeaderMap) -> Option<ClientLanguage> {
    let list = headers.get(header::ACCEPT_LANGUAGE)?.to_str().ok()?;
    list.split(',').filter_map(|one| one.split(';').next()).find_map(ClientLanguage::parse)
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(phone: Option<&str>) -> CallBack {
        CallBack { company: "Mutua <b> & Hijos".into(), phone: phone.map(str::to_owned), language: "es".into() }
    }

    // CLIENT-27
    #[test]
    fn every_language_has_words_and_the_number() {
        let templates = Templates::load();
        for language in ClientLanguage::ALL {
            let html = help(&templates, language, Some(&found(Some("+34971000000")))).unwrap();
            assert!(html.contains("href=\"tel:+34971000000\"") && html.contains(">+34 971 000 000<"), "{html}");
            assert!(html.contains("Mutua &lt;b&gt; &amp; Hijos"), "{html}");
            assert!(!help(&templates, language, Some(&found(None))).unwrap().contains("tel:"));
            assert!(help(&templates, language, None).unwrap().contains("<h1>"));
        }
        let arabic = help(&templates, ClientLanguage::Ar, None).unwrap();
        assert!(arabic.starts_with("<div lang=\"ar\" dir=\"rtl\">"), "{arabic}");
    }

    #[test]
    fn numbers_are_grouped_as_people_read_them() {
        let pairs = [
            ("+34971000000", Some("+34 971 000 000")),
            ("+351912345678", Some("+351 912 345 678")),
            ("+33123456789", Some("+33 1 23 45 67 89")),
            ("+3497100000", None),
            ("+49301234567", None),
            ("112", None),
        ];
        for (number, read) in pairs {
            assert_eq!(grouped(number).as_deref(), read, "{number}");
        }
    }

    // CLIENT-27
    #[test]
    fn help_takes_the_place_of_the_built_one_wherever_it_stands() {
        let html = format!("a{BEGIN}x{END}b{BEGIN}y{END}c");
        assert_eq!(replaced(&html, "H"), "aHbHc");
        assert_eq!(replaced("abc", "H"), "abc");
        let mut headers = HeaderMap::new();
        assert_eq!(accepted(&headers), None);
        headers.insert(header::ACCEPT_LANGUAGE, HeaderValue::from_static("nl, ar-MA;q=0.9, es;q=0.8"));
        assert_eq!(accepted(&headers), Some(ClientLanguage::Ar));
    }
}
