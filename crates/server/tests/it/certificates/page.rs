//! An archive that is checked against the public page of its installation.

use super::archive::{append, archive, manifest, ours_with, pack, python, with_manifest};
use super::forgery::{listed, published, rebuild, sign, with_other_picture};
use super::{lived, overview, print, verification};
use crate::keeping::unzip;
use crate::support::{sha256, text};
use atalaya_cases::evidence_keys::KeyPair;
use atalaya_records::verifier::{Trust, online};
use atalaya_testkit::{TestApp, both_engines};
use axum::routing::get;
use axum::{Json, Router};
use serde_json::{Value, json};
use std::path::PathBuf;

/// What both programs say of an archive, asking a page that publishes these keys and says this of any certificate.
async fn said_online(app: &TestApp, zip: &[u8], keys: &str, told: &Value) -> (Vec<String>, i32) {
    let (keys, body) = (keys.to_owned(), json!({"certificate": told}));
    let router = Router::new()
        .route("/.well-known/atalaya-evidence.pem", get(async move || keys))
        .route("/api/v1/verification/{code}", get(async move || Json(body)));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let server = tokio::spawn(async move { axum::serve(listener, router).await });
    let path = app.folder().join("online.zip");
    std::fs::write(&path, zip).unwrap();
    let page = online::ask(&url, Some("AAAAA-AAAAA-AAAAA-AAAAA")).await.unwrap();
    let mut trust = Trust::default();
    trust.page = Some(page);
    let options = [PathBuf::from("--online"), PathBuf::from(&url)];
    let theirs = tokio::task::spawn_blocking(move || python(&path, &options)).await.unwrap();
    server.abort();
    let plain = |(mut lines, code): (Vec<String>, i32)| {
        lines.sort();
        (lines.into_iter().map(|line| line.replace(&url, "URL")).collect::<Vec<_>>(), code)
    };
    let ours = plain(ours_with(zip, &trust));
    assert_eq!(plain(theirs), ours, "scripts/verify.py");
    ours
}

both_engines! {
    // EVID-47
    async fn a_page_vouches_for_what_it_knows_and_for_no_more(app) {
        let case = lived(app).await;
        print(&case, "").await;
        let zip = archive(&case).await;
        let (entries, keys) = (unzip(&zip), published(app).await);
        let code = text(&overview(&case).await["certificates"][0]["code"]);
        let told = verification(app, &code).await.ok()["certificate"].clone();
        assert_eq!(told["sha256"], manifest(&entries)["certificate"]["sha256"]);
        let (said, code) = said_online(app, &zip, &keys, &told).await;
        assert!(code == 0 && said.contains(&"ANCHOR page URL".to_owned()), "{said:?}");
        // Without keys, as of an older installation.
        let unsigned = |m: &mut Value| {
            m["keys"] = json!([]);
            for (what, key) in [("seal", "key"), ("seal", "signature"), ("certificate", "key"), ("certificate", "signature")] {
                m[what][key] = Value::Null;
            }
        };
        let old = pack(app, with_manifest(&entries, unsigned)).await;
        let (said, code) = said_online(app, &old, "", &told).await;
        assert!(code == 0 && !said.iter().any(|line| line.contains("document")), "{said:?}");

        let mut document = entries.clone();
        let pdf = document.iter_mut().find(|(name, _)| name == "certificado.pdf").expect("the certificate");
        pdf.1.extend_from_slice(b"%forged");
        let hash = sha256(&pdf.1);
        let document = with_manifest(&document, |m| {
            unsigned(m);
            rebuild(m, |event| if event["type"] == "CERTIFICATE_ISSUED" { event["data"]["pdfSha256"] = json!(hash) });
            m["certificate"]["sha256"] = json!(hash);
        });
        let later = with_manifest(&entries, |m| {
            unsigned(m);
            let seq = append(m, "LEGAL_ACCEPTED", json!({}));
            m["seal"]["seq"] = json!(seq);
            rebuild(m, |_| ());
        });
        let signed_by_another = with_manifest(&entries, |m| {
            let forger = KeyPair::generate(&app.sources);
            sign(m, &forger, vec![listed(&forger, json!({}))]);
        });
        let with = |key: &str, value: Value| {
            let mut told = told.clone();
            told[key] = value;
            told
        };
        for (what, entries, told, code, line) in [
            ("document", &document, told.clone(), 1, "WRONG PAGE document"),
            ("picture", &with_other_picture(&entries), told.clone(), 1, "WRONG PAGE certificate"),
            ("later events", &later, told.clone(), 3, "NOTE the page knows the archive up to event 12 only"),
            ("another key", &signed_by_another, told.clone(), 1, "WRONG SEAL_FOREIGN_KEY seal"),
            ("void", &entries, with("state", json!("void")), 1, "WRONG PAGE void"),
            ("another root", &entries, with("root", json!("ab".repeat(32))), 1, "WRONG PAGE certificate"),
            ("not known", &entries, json!(false), 1, "WRONG PAGE certificate"),
        ] {
            let (said, found) = said_online(app, &pack(app, entries.clone()).await, &keys, &told).await;
            assert!(found == code && said.contains(&line.to_owned()), "{what}: {found} {said:?}");
        }
    }
}
