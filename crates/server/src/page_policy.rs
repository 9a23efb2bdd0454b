//! The content security policy of the web app's pages (EDGE-11, EDGE-15).
//!
//! Scripts are files of ours, never inline. Styles are files of ours, an inline `<style>` that the build wrote and that is named
//! by its hash, or, on the staff's pages, `<style>` elements that the components write at run time: these carry a nonce that
//! is another one in each answer. `style="…"` is refused in any text; scripts set styles through the object model, which no
//! policy concerns.

use crate::assets::sha256;
use atalaya_kernel::Sources;
use axum::http::HeaderValue;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// Stands in `index.html`, where the app reads its nonce, and in the policy made for it.
const PLACEHOLDER: &str = "__STYLE_NONCE__";

/// What pages may load besides their own origin, for instance the media server's `wss://` address.
#[derive(Clone, Debug, Default)]
pub struct PagePolicy {
    pub connect: Vec<String>,
    /// Where pictures may come from: the server of map tiles, when one is configured.
    pub images: Vec<String>,
}

/// The policy of a page; with a place for the nonce when the page has one.
pub(crate) fn of(name: &str, html: &[u8], policy: &PagePolicy) -> HeaderValue {
    let client = name.starts_with("external/");
    let mut style: String = inline_styles(html).map(|hash| format!(" 'sha256-{hash}'")).collect();
    if has_nonce(html) {
        style.push_str(&format!(" 'nonce-{PLACEHOLDER}'"));
    }
    // Only the staff's pages show maps.
    let images: String = match client {
        true => String::new(),
        false => policy.images.iter().map(|origin| format!(" {origin}")).collect(),
    };
    // The staff's libraries write styles and signs without a policy of their own; `default` admits nothing else (EDGE-11).
    let libraries = if client { "" } else { " default" };
    let connect: String = policy.connect.iter().map(|origin| format!(" {origin}")).collect();
    let text = format!(
        "default-src 'self'; script-src 'self'; style-src 'self'{style}; style-src-attr 'none'; img-src 'self' data: blob:{images}; \
         media-src 'self' blob:; font-src 'self' data:; worker-src 'self' blob:; connect-src 'self'{connect}; \
         object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; \
         require-trusted-types-for 'script'; trusted-types atalaya{libraries}"
    );
    HeaderValue::from_str(&text).expect("the policy is ASCII: its parts are URLs and base64")
}

/// Whether a page has a place for a nonce.
pub(crate) fn has_nonce(html: &[u8]) -> bool {
    html.windows(PLACEHOLDER.len()).any(|part| part == PLACEHOLDER.as_bytes())
}

/// 128 bits that nobody can guess.
pub(crate) fn nonce(sources: &Sources) -> String {
    STANDARD.encode(sources.bytes::<16>())
}

/// A page and its policy with the nonce in its places.
pub(crate) fn with_nonce(html: &[u8], policy: &HeaderValue, nonce: &str) -> (String, HeaderValue) {
    let policy = policy.to_str().unwrap_or_default().replace(PLACEHOLDER, nonce);
    let policy = HeaderValue::from_str(&policy).expect("the policy is ASCII, and so is base64");
    (String::from_utf8_lossy(html).replace(PLACEHOLDER, nonce), policy)
}

/// Hashes of the texts inside `<style>…</style>`, base64.
fn inline_styles(html: &[u8]) -> impl Iterator<Item = String> {
    let html = String::from_utf8_lossy(html);
    let mut hashes = Vec::new();
    for piece in html.split("<style").skip(1) {
        let inside = piece.split_once('>').map_or("", |(_, rest)| rest).split("</style>").next().unwrap_or("");
        hashes.push(STANDARD.encode(sha256(inside.as_bytes())));
    }
    hashes.into_iter()
}
