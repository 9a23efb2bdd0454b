//! The web app's files and pages.
//!
//! Release builds carry `web/dist` inside the binary (`build.rs`); debug builds read the folder when they start. Names
//! with a content hash are cached for ever, pages never; a page with a nonce is another one each time. *Invariant:* a missing file is a 404, never a page, and
//! nothing under `/api`, `/ext-api`, `/uploads` is ever a page.

use crate::page_policy;
pub use crate::page_policy::PagePolicy;
use atalaya_kernel::Sources;
use atalaya_rest::headers::{PERMISSIONS, permissions};
use atalaya_rest::routing::unknown_path;
use aws_lc_rs::digest;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A file compiled into the binary.
pub struct EmbeddedFile {
    name: &'static str,
    bytes: &'static [u8],
    brotli: Option<&'static [u8]>,
    etag: &'static str,
}

include!(concat!(env!("OUT_DIR"), "/web.rs"));

const PLACEHOLDER: &str = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Atalaya</title>\
    <h1>The web app is not built</h1><p>This server runs, but <code>web/dist</code> was not there when it started. \
    Run <code>make build</code>, or <code>make run</code>, which builds the web app and starts the server.</p></html>";

/// First path segments that belong to calls, files and probes (EDGE-1).
const NEVER_PAGES: &[&str] = &[
    ".well-known",
    "api",
    "hooks",
    "uploads",
    "uploads-documents",
    "rtc",
    "twirp",
    "livekit",
    "c",
    "metrics",
    "healthz",
    "readyz",
];

struct File {
    name: String,
    bytes: Bytes,
    brotli: Option<Bytes>,
    etag: HeaderValue,
    kind: &'static str,
    cache: &'static str,
    /// Pages have a policy of their own.
    policy: Option<HeaderValue>,
    /// The page and its policy have a place for a nonce, which is another one in each answer (EDGE-15).
    nonce: bool,
}

/// All files, ready to be answered. Cheap to clone.
#[derive(Clone)]
pub struct Assets(Arc<Inner>);

struct Inner {
    files: HashMap<String, File>,
    /// First path segments that hold files only; what is missing below them is a 404.
    folders: BTreeSet<String>,
    sources: Sources,
}

impl Assets {
    /// The embedded files, or else those of `web/dist` in the source tree.
    pub fn load(policy: &PagePolicy) -> Self {
        if EMBEDDED.is_empty() {
            return Self::from_folder(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/dist")), policy);
        }
        let files = EMBEDDED.iter().map(|file| {
            let brotli = file.brotli.map(Bytes::from_static);
            let etag = HeaderValue::from_static(file.etag);
            (file.name.to_owned(), Bytes::from_static(file.bytes), brotli, etag)
        });
        Self::collect(files, policy)
    }

    /// The files of a folder, read now. A missing folder gives the page that says how to build it.
    pub fn from_folder(folder: &Path, policy: &PagePolicy) -> Self {
        let mut names = Vec::new();
        walk(folder, folder, &mut names);
        let files = names.into_iter().filter_map(|(name, path)| {
            let bytes = Bytes::from(std::fs::read(&path).ok()?);
            let brotli = std::fs::read(format!("{}.br", path.display())).ok().map(Bytes::from);
            let etag = HeaderValue::from_str(&format!("\"{}\"", &hex::encode(sha256(&bytes))[..16])).ok()?;
            Some((name, bytes, brotli, etag))
        });
        Self::collect(files, policy)
    }

    fn collect(files: impl Iterator<Item = (String, Bytes, Option<Bytes>, HeaderValue)>, policy: &PagePolicy) -> Self {
        let mut inner = Inner { files: HashMap::new(), folders: BTreeSet::new(), sources: Sources::system() };
        for (name, bytes, brotli, etag) in files {
            let page = name.ends_with(".html").then(|| page_policy::of(&name, &bytes, policy));
            if let Some((folder, _)) = name.split_once('/').filter(|_| page.is_none()) {
                inner.folders.insert(folder.to_owned());
            }
            let cache = match (page.is_some(), is_hashed(&name)) {
                (false, true) => "public, max-age=31536000, immutable",
                _ => "no-cache",
            };
            let nonce = page.is_some() && page_policy::has_nonce(&bytes);
            let file = File { name: name.clone(), bytes, brotli, etag, kind: kind(&name), cache, policy: page, nonce };
            inner.files.insert(name, file);
        }
        Self(Arc::new(inner))
    }

    /// Whether the web app is there.
    pub fn is_built(&self) -> bool {
        self.0.files.contains_key("index.html")
    }

    /// A page of the end client at this path.
    pub(crate) fn client_page(&self, path: &str) -> Option<ClientPage<'_>> {
        match self.find(path) {
            Found::File(file) if file.name.starts_with("external/") => {
                file.policy.as_ref().map(|policy| ClientPage { name: &file.name, html: &file.bytes, policy })
            }
            _ => None,
        }
    }

    fn find(&self, path: &str) -> Found<'_> {
        let path = path.trim_start_matches('/');
        let first = path.split('/').next().unwrap_or("");
        // `/api` alone is the page of the API keys; everything below it is a call.
        let call = NEVER_PAGES.contains(&first) && path != "api";
        // So is `/ext-api/` alone, an empty page; its calls are below it.
        if call || (path.starts_with("ext-api/") && path != "ext-api/") {
            return Found::Nothing;
        }
        let page = |name: &str| match self.0.files.get(name) {
            Some(file) => Found::File(file),
            None if self.is_built() => Found::Nothing,
            None => Found::Placeholder,
        };
        if path == "external/files" || path.starts_with("external/files/") {
            return page("external/files.html");
        }
        // `codigo` is the address that is dictated over the phone.
        if first == "external" || path == "codigo" || path == "codigo/" {
            return page("external/index.html");
        }
        // Pages have addresses without an ending; the service worker fetches this one to keep it.
        let has_address = !path.ends_with(".html") || path == "offline.html";
        if let Some(file) = self.0.files.get(path).filter(|_| has_address) {
            return Found::File(file);
        }
        // `/expedient/12.3` is a page whose last word happens to have a dot; `/sw.js` is a file that is not there.
        let missing_file = self.0.folders.contains(first) || (path == first && first.contains('.'));
        if missing_file { Found::Nothing } else { page("index.html") }
    }
}

/// A page of the end client as it was built, and its content security policy.
pub(crate) struct ClientPage<'a> {
    pub name: &'a str,
    pub html: &'a [u8],
    pub policy: &'a HeaderValue,
}

enum Found<'a> {
    File(&'a File),
    Placeholder,
    Nothing,
}

/// Handler for every path that no route matches.
pub async fn serve(State(assets): State<Assets>, request: Request) -> Response {
    let head = request.method() == Method::HEAD;
    if !head && request.method() != Method::GET {
        return unknown_path().await.into_response();
    }
    match assets.find(request.uri().path()) {
        Found::File(file) => {
            let mut response = match &file.policy {
                Some(policy) if file.nonce => written(file, policy, &assets.0.sources, head),
                _ => answer(file, request.headers(), head),
            };
            if file.policy.is_some() {
                response.headers_mut().insert(PERMISSIONS, permissions(powers(&file.name, request.uri().path())));
            }
            response
        }
        Found::Placeholder => {
            let headers = [(header::CONTENT_TYPE, "text/html; charset=utf-8"), (header::CACHE_CONTROL, "no-store")];
            (StatusCode::SERVICE_UNAVAILABLE, headers, PLACEHOLDER).into_response()
        }
        Found::Nothing => unknown_path().await.into_response(),
    }
}

/// What a page may use (EDGE-12). The log-in and the link from other systems lead to the form of a call in the same document.
pub(crate) fn powers(name: &str, path: &str) -> &'static [&'static str] {
    const CLIENT: &[&str] = &["camera", "microphone", "geolocation", "screen-wake-lock", "fullscreen", "autoplay"];
    const CALL: &[&str] = &[
        "camera",
        "microphone",
        "display-capture",
        "screen-wake-lock",
        "fullscreen",
        "autoplay",
        "publickey-credentials-create",
        "publickey-credentials-get",
    ];
    const STAFF: &[&str] = &["fullscreen", "autoplay", "publickey-credentials-create", "publickey-credentials-get"];
    let first = path.trim_start_matches('/').split('/').next().unwrap_or_default();
    match (name, first) {
        ("external/index.html", _) => CLIENT,
        ("external/files.html", _) => &["camera", "screen-wake-lock", "fullscreen"],
        ("index.html", "" | "login" | "llamar" | "vp-form" | "conference") => CALL,
        ("index.html", _) => STAFF,
        _ => &[],
    }
}

fn answer(file: &File, asked: &HeaderMap, head: bool) -> Response {
    let mut response = Response::new(Body::empty());
    let headers = response.headers_mut();
    headers.insert(header::ETAG, file.etag.clone());
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(file.cache));
    headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    if let Some(policy) = &file.policy {
        headers.insert(header::CONTENT_SECURITY_POLICY, policy.clone());
    }
    if matches_etag(asked, &file.etag) {
        *response.status_mut() = StatusCode::NOT_MODIFIED;
        return response;
    }
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(file.kind));
    let body = match &file.brotli {
        Some(brotli) if accepts_brotli(asked) => {
            headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("br"));
            brotli
        }
        _ => &file.bytes,
    };
    headers.insert(header::CONTENT_LENGTH, HeaderValue::from(body.len()));
    if !head {
        *response.body_mut() = Body::from(body.clone());
    }
    response
}

/// A page with a nonce of its own. It has no `ETag`: "not modified" would put a new policy beside the nonce of a kept page.
/// The layer that compresses the client's pages compresses it.
fn written(file: &File, policy: &HeaderValue, sources: &Sources, head: bool) -> Response {
    let (html, policy) = page_policy::with_nonce(&file.bytes, policy, &page_policy::nonce(sources));
    let mut response = Response::new(Body::empty());
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(file.kind));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
    headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    headers.insert(header::CONTENT_LENGTH, HeaderValue::from(html.len()));
    if !head {
        *response.body_mut() = Body::from(html);
    }
    response
}

fn matches_etag(asked: &HeaderMap, etag: &HeaderValue) -> bool {
    let Some(list) = asked.get(header::IF_NONE_MATCH).and_then(|v| v.to_str().ok()) else { return false };
    let etag = etag.to_str().unwrap_or_default();
    list.split(',').map(|one| one.trim().trim_start_matches("W/")).any(|one| one == etag || one == "*")
}

fn accepts_brotli(asked: &HeaderMap) -> bool {
    let lists = asked.get_all(header::ACCEPT_ENCODING).iter().filter_map(|v| v.to_str().ok());
    lists.flat_map(|list| list.split(',')).any(|one| {
        let (name, weight) = one.split_once(';').unwrap_or((one, ""));
        name.trim() == "br" && !matches!(weight.trim(), "q=0" | "q=0.0" | "q=0.00" | "q=0.000")
    })
}

pub(crate) fn sha256(bytes: &[u8]) -> Vec<u8> {
    digest::digest(&digest::SHA256, bytes).as_ref().to_vec()
}

/// Vite writes `name-<8 characters of hash>.ext`.
fn is_hashed(name: &str) -> bool {
    let file = name.rsplit('/').next().unwrap_or(name);
    let Some((stem, _)) = file.rsplit_once('.') else { return false };
    let Some(hash) = stem.len().checked_sub(9).and_then(|at| stem.get(at..)) else { return false };
    let in_folder = name.split('/').next().is_some_and(|folder| folder.ends_with("assets"));
    in_folder && hash.starts_with('-') && hash[1..].bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-')
}

fn kind(name: &str) -> &'static str {
    match name.rsplit('.').next().unwrap_or("") {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" => "application/json",
        "webmanifest" => "application/manifest+json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "webp" => "image/webp",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "webm" => "video/webm",
        "mp3" => "audio/mpeg",
        "wav" => "audio/wav",
        "txt" => "text/plain; charset=utf-8",
        "wasm" => "application/wasm",
        _ => "application/octet-stream",
    }
}

fn walk(root: &Path, folder: &Path, into: &mut Vec<(String, PathBuf)>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            walk(root, &path, into);
        } else if let Some(name) = path.strip_prefix(root).ok().and_then(Path::to_str)
            && !name.ends_with(".br")
            && !name.ends_with(".map")
        {
            into.push((name.to_owned(), path.clone()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tower::ServiceExt as _;

    fn dist(name: &str) -> PathBuf {
        let root = std::env::temp_dir().join(format!("atalaya-dist-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&root);
        for folder in ["assets", "external", "external-assets", "flags"] {
            std::fs::create_dir_all(root.join(folder)).unwrap();
        }
        for (name, text) in [
            ("index.html", "staff <meta property=\"csp-nonce\" nonce=\"__STYLE_NONCE__\">"),
            ("index.html.br", "BROTLI"),
            ("external/index.html", "<style>a{}</style>client"),
            ("external/files.html", "<style>b{}</style>files"),
            ("assets/main-a1B2c3D4.js", "js"),
            ("assets/main-a1B2c3D4.js.br", "BROTLI"),
            ("external-assets/call-A_b-3d4E.js", "call"),
            ("flags/es.svg", "<svg/>"),
            ("theme.js", "theme"),
            ("offline.html", "<style>c{}</style>offline"),
            ("manifest.webmanifest", "{}"),
        ] {
            std::fs::write(root.join(name), text).unwrap();
        }
        root
    }

    async fn get(assets: &Assets, path: &str, headers: &[(&str, &str)]) -> (u16, HeaderMap, String) {
        let router = axum::Router::new().fallback(serve).with_state(assets.clone());
        let mut request = Request::builder().uri(path);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let response = router.oneshot(request.body(Body::empty()).unwrap()).await.unwrap();
        let (parts, body) = response.into_parts();
        let body = axum::body::to_bytes(body, 1 << 20).await.unwrap();
        (parts.status.as_u16(), parts.headers, String::from_utf8_lossy(&body).into_owned())
    }

    // EDGE-1
    #[tokio::test]
    async fn pages_files_and_nothing() {
        let root = dist("pages");
        let assets = Assets::from_folder(&root, &PagePolicy::default());
        for (path, status, body) in [
            ("/", 200, "staff"),
            ("/vp-form", 200, "staff"),
            ("/expedient/SIN-12.3", 200, "staff"),
            ("/alive", 200, "staff"),
            ("/alive/", 200, "staff"),
            ("/ext-api", 200, "staff"),
            ("/ext-api/", 200, "staff"),
            ("/api", 200, "staff"),
            ("/external", 200, "<style>a{}</style>client"),
            ("/codigo", 200, "<style>a{}</style>client"),
            ("/external/0123456789abcdef0123456789abcdef", 200, "<style>a{}</style>client"),
            ("/external/files/0123456789abcdef0123456789abcdef", 200, "<style>b{}</style>files"),
            ("/theme.js", 200, "theme"),
            ("/flags/es.svg", 200, "<svg/>"),
            ("/offline.html", 200, "<style>c{}</style>offline"),
        ] {
            let got = get(&assets, path, &[]).await;
            let shown = got.2.split(" <meta").next().unwrap_or_default();
            assert_eq!((got.0, shown), (status, body), "{path}");
        }
        for path in [
            "/api/v1",
            "/api/v1/nothing",
            "/.well-known/other",
            "/ext-api/v1/x",
            "/uploads/x.jpg",
            "/uploads-documents/x",
            "/assets/gone.js",
            "/flags/xx.svg",
            "/sw.js",
            "/index.html",
            "/favicon.ico",
            "/assets/../index.html",
            "/rtc/x",
            "/twirp/x",
            "/hooks/x",
            "/hooks",
            "/.well-known/x",
            "/.well-known/security.txt",
            "/external-assets/x.js",
        ] {
            let (status, headers, body) = get(&assets, path, &[]).await;
            assert_eq!(status, 404, "{path}");
            assert_eq!(headers["content-type"], "application/problem+json", "{path}");
            assert!(body.contains("PATH_UNKNOWN"));
        }
        std::fs::remove_dir_all(root).unwrap();
    }

    #[tokio::test]
    async fn caching_compression_and_conditional_requests() {
        let root = dist("caching");
        let assets = Assets::from_folder(
            &root,
            &PagePolicy { connect: vec!["wss://media.example".into()], images: vec!["https://tiles.example".into()] },
        );
        let (_, headers, body) = get(&assets, "/assets/main-a1B2c3D4.js", &[]).await;
        assert_eq!(headers["cache-control"], "public, max-age=31536000, immutable");
        assert_eq!(body, "js");
        let (_, headers, body) = get(&assets, "/assets/main-a1B2c3D4.js", &[("accept-encoding", "gzip, br;q=0.9")]).await;
        assert_eq!((headers["content-encoding"].to_str().unwrap(), body.as_str()), ("br", "BROTLI"));
        assert_eq!(headers["content-length"], "6");
        let (_, headers, _) = get(&assets, "/manifest.webmanifest", &[]).await;
        assert_eq!(headers["content-type"], "application/manifest+json");
        // A browser asks for a changed service worker and its page each time.
        for path in ["/theme.js", "/offline.html"] {
            assert_eq!(get(&assets, path, &[]).await.1["cache-control"], "no-cache", "{path}");
        }
        let (_, headers, _) = get(&assets, "/external-assets/call-A_b-3d4E.js", &[]).await;
        assert!(headers["cache-control"].to_str().unwrap().contains("immutable"));
        let (_, headers, _) = get(&assets, "/vp-form", &[]).await;
        assert_eq!(headers["cache-control"], "private, no-cache");
        let policy = headers["content-security-policy"].to_str().unwrap();
        assert!(policy.contains("connect-src 'self' wss://media.example;"));
        assert!(policy.contains("img-src 'self' data: blob: https://tiles.example;"));
        let (_, client, _) = get(&assets, "/external/0123456789abcdef0123456789abcdef", &[]).await;
        let policy = client["content-security-policy"].to_str().unwrap();
        assert!(policy.contains("img-src 'self' data: blob:;"), "the client's page shows no map");
        let (_, headers, _) = get(&assets, "/offline.html", &[]).await;
        let etag = headers["etag"].to_str().unwrap();
        let (status, _, body) = get(&assets, "/offline.html", &[("if-none-match", etag)]).await;
        assert_eq!((status, body.as_str()), (304, ""));
        let (_, headers, _) = get(&assets, "/external", &[]).await;
        let policy = headers["content-security-policy"].to_str().unwrap();
        assert!(policy.contains("style-src 'self' 'sha256-") && !policy.contains("unsafe-inline"), "{policy}");
        std::fs::remove_dir_all(root).unwrap();
    }

    // EDGE-15
    #[tokio::test]
    async fn every_answer_of_a_staff_page_has_a_nonce_of_its_own_and_none_admits_inline_styles() {
        let root = dist("nonce");
        let assets = Assets::from_folder(&root, &PagePolicy::default());
        let mut seen = BTreeSet::new();
        for path in ["/", "/", "/login", "/customers", "/verificar"] {
            // Neither a compressed twin nor "not modified" may answer with the nonce of another time.
            let (status, headers, body) = get(&assets, path, &[("accept-encoding", "br"), ("if-none-match", "*")]).await;
            assert_eq!((status, headers.get("etag"), headers.get("content-encoding")), (200, None, None), "{path}");
            assert_eq!(headers["content-length"], body.len().to_string());
            let nonce = body.split("nonce=\"").nth(1).unwrap().split('"').next().unwrap().to_owned();
            assert_eq!(nonce.len(), 24, "{body}");
            let policy = headers["content-security-policy"].to_str().unwrap();
            assert!(policy.contains(&format!("style-src 'self' 'nonce-{nonce}'; style-src-attr 'none'; ")), "{policy}");
            assert!(!policy.contains("unsafe-inline") && !policy.contains("__"), "{policy}");
            assert!(seen.insert(nonce), "a nonce is used once");
        }
        for path in ["/offline.html", "/codigo", "/external/files/0123456789abcdef0123456789abcdef"] {
            let (_, headers, _) = get(&assets, path, &[]).await;
            let policy = headers["content-security-policy"].to_str().unwrap();
            assert!(
                policy.contains("style-src 'self' 'sha256-") && policy.contains("; style-src-attr 'none'; "),
                "{path}: {policy}"
            );
            assert!(!policy.contains("unsafe-inline") && !policy.contains("nonce"), "{path}: {policy}");
        }
        std::fs::remove_dir_all(root).unwrap();
    }

    // EDGE-11, EDGE-12
    #[tokio::test]
    async fn only_pages_of_calls_have_cameras_and_no_page_takes_text_for_scripts() {
        let root = dist("powers");
        let assets = Assets::from_folder(&root, &PagePolicy::default());
        for (path, camera, place, screen) in [
            ("/", true, false, true),
            ("/login", true, false, true),
            ("/vp-form", true, false, true),
            ("/conference/1", true, false, true),
            ("/conference-media/1", false, false, false),
            ("/customers", false, false, false),
            ("/verificar", false, false, false),
            ("/verificar/ABC", false, false, false),
            ("/offline.html", false, false, false),
            ("/external/0123456789abcdef0123456789abcdef", true, true, false),
            ("/external/files/0123456789abcdef0123456789abcdef", true, false, false),
        ] {
            let (_, headers, _) = get(&assets, path, &[]).await;
            let powers = headers["permissions-policy"].to_str().unwrap();
            let has = |power: &str| powers.contains(&format!("{power}=(self)"));
            assert_eq!((has("camera"), has("geolocation"), has("display-capture")), (camera, place, screen), "{path}");
            assert_eq!(has("microphone"), camera && !path.contains("files"), "{path}");
            let policy = headers["content-security-policy"].to_str().unwrap();
            let named = if path.starts_with("/external") { "trusted-types atalaya" } else { "trusted-types atalaya default" };
            assert!(policy.ends_with(&format!("require-trusted-types-for 'script'; {named}")), "{path}: {policy}");
        }
        std::fs::remove_dir_all(root).unwrap();
    }

    #[tokio::test]
    async fn without_a_web_build_a_page_says_so() {
        let assets = Assets::from_folder(Path::new("/nonexistent"), &PagePolicy::default());
        let (status, _, body) = get(&assets, "/vp-form", &[]).await;
        assert_eq!(status, 503);
        assert!(body.contains("make build"));
        assert_eq!(get(&assets, "/api/v1/x", &[]).await.0, 404);
    }
}
