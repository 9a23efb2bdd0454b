//! Problems, paths and headers, and a text for every code.

use atalaya_kernel::{Language, Role};
use atalaya_testkit::both_engines;
use axum::http::Method;
use serde_json::json;

both_engines! {
    async fn unknown_paths_of_the_api_are_problems(app) {
        for path in ["/api/v1/nothing", "/api/nothing/", "/ext-api/nothing", "/api/v1", "/api/v2/login"] {
            app.anonymous().get(path).await.problem(404, "PATH_UNKNOWN");
        }
        app.anonymous().send(Method::DELETE, "/api/v1/login", None).await.problem(405, "METHOD_NOT_ALLOWED");
    }

    async fn bad_bodies_get_their_own_answers(app) {
        let client = app.anonymous();
        let send = |kind, body: &'static [u8]| {
            let client = client.clone();
            async move { client.send_body(Method::POST, "/api/v1/prelogin", kind, body).await }
        };
        send(Some("application/json"), b"{").await.problem(400, "MALFORMED_JSON");
        send(Some("application/json"), b"\xff\xfe").await.problem(400, "MALFORMED_JSON");
        send(None, b"{}").await.problem(415, "JSON_CONTENT_TYPE_REQUIRED");
        send(Some("text/plain"), b"{}").await.problem(415, "JSON_CONTENT_TYPE_REQUIRED");
        send(Some("application/json"), b"{}").await.problem(422, "INVALID_FIELDS");
        let huge = json!({"userName": "x".repeat(300 * 1024)});
        client.post("/api/v1/prelogin", huge).await.problem(413, "BODY_TOO_LARGE");
    }

    async fn problems_speak_the_request_s_language(app) {
        let detail = |client: atalaya_testkit::Client| async move {
            client.get("/api/v1/nothing").await.problem(404, "PATH_UNKNOWN")["detail"].as_str().unwrap().to_owned()
        };
        let (es, en) = ("La dirección no existe.", "There is nothing at this address.");
        assert_eq!(detail(app.anonymous()).await, es);
        assert_eq!(detail(app.anonymous().with("accept-language", "en-GB,en;q=0.9")).await, en);
        assert_eq!(detail(app.anonymous().with("accept-language", "de")).await, es);

        let company = app.platform().await;
        let person = app.person_with(company, Role::Admin, |user| user.language = Language::En).await;
        let own = app.log_in(&person).await;
        let unknown = format!("/api/v1/user/{}", app.sources.uuid());
        let answer = own.get(&unknown).await.problem(404, "USER_NOT_FOUND");
        assert_eq!(answer["detail"], "The user does not exist or is out of your reach.", "the user's own language");
        let answer = own.with("accept-language", "es").get(&unknown).await;
        assert_eq!(answer.header("content-language"), Some("es"), "what the request asks for goes first");
    }

    async fn a_path_that_cannot_be_an_id_is_not_there(app) {
        let admin = app.as_role(Role::Admin).await;
        for id in ["0", "x", "..%2F..%2Fetc", "%00"] {
            admin.get(&format!("/api/v1/user/{id}")).await.problem(404, "NOT_FOUND");
        }
    }

    // EDGE-7
    async fn no_cache_keeps_what_the_api_answers(app) {
        let worker = app.as_role(Role::Worker).await;
        let cache = |answer: atalaya_testkit::Answer| answer.header("cache-control").unwrap_or_default().to_owned();
        for path in ["/api/v1/me", "/api/v1/nothing", "/ext-api/v1/nothing"] {
            assert_eq!(cache(worker.get(path).await), "no-store", "{path}");
        }
        assert_eq!(cache(worker.get("/api/v1/available-languages").await), "public, max-age=3600", "what a call says itself stays");
    }

    async fn every_answer_carries_the_security_headers(app) {
        for path in ["/api/v1/available-languages", "/api/v1/nothing", "/login"] {
            let answer = app.anonymous().get(path).await;
            let header = |name| answer.header(name).unwrap_or_default().to_owned();
            let policy = header("content-security-policy");
            assert!(policy.contains("frame-ancestors 'none'") && !policy.contains("unsafe"), "{path}: {policy}");
            assert_eq!(header("x-content-type-options"), "nosniff");
            assert_eq!(header("referrer-policy"), "no-referrer");
            // EDGE-12
            assert!(header("permissions-policy").contains("camera=(), microphone=(), geolocation=()"));
            // EDGE-11
            assert!(policy.contains("require-trusted-types-for 'script'"), "{path}: {policy}");
            assert!(!header("x-request-id").is_empty());
            assert_eq!(header("strict-transport-security"), "", "only with TLS");
        }
        let page = app.anonymous().get("/login").await;
        assert_eq!(page.cookies("XSRF-TOKEN").len(), 1, "the page sets the token");
        let page = app.anonymous().with("cookie", "XSRF-TOKEN=abc").get("/login").await;
        assert!(page.cookies("XSRF-TOKEN").is_empty());
    }
}

/// Upper-case codes in a line that makes or names an error.
fn codes_of(line: &str) -> Vec<String> {
    let makes = [
        "Problem::",
        "FieldError::new",
        ".field(",
        "findings.add(",
        "findings.0.push(",
        "code:",
        "Wrong {",
        "wrong(\"",
        "NoCaller(",
        "PhoneError::",
    ];
    if line.trim_start().starts_with("//") || !makes.iter().any(|word| line.contains(word)) {
        return Vec::new();
    }
    let is_code = |text: &&str| {
        text.len() > 3
            && text.starts_with(|c: char| c.is_ascii_uppercase())
            && text.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_')
    };
    line.split('"').skip(1).step_by(2).filter(is_code).map(str::to_owned).collect()
}

fn sources(folder: &std::path::Path, found: &mut Vec<std::path::PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a readable folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|ext| ext == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn every_code_has_a_text_in_every_language() {
    let crates = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut files = Vec::new();
    for room in
        ["rest", "content", "identity", "cases", "assistance", "client_files", "records", "integrations", "server", "checks"]
    {
        sources(&crates.join(room).join("src"), &mut files);
    }
    let none = std::collections::BTreeMap::new();
    let (mut codes, mut missing) = (std::collections::BTreeSet::new(), Vec::new());
    for file in files {
        let source = std::fs::read_to_string(&file).expect("a readable file");
        let product = source.split("#[cfg(test)]").next().unwrap_or_default();
        codes.extend(product.lines().flat_map(codes_of).map(|code| (code, file.display().to_string())));
    }
    assert!(codes.len() > 40, "the search finds the codes: {}", codes.len());
    for (code, file) in codes {
        if atalaya_rest::texts::message(Language::Es, &code, &none).is_none() {
            missing.push(format!("{code} ({file})"));
        }
    }
    assert!(missing.is_empty(), "no text in locales/*/errors.json for {missing:#?}");
}
