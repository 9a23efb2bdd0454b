//! Time stamps of a real authority: `openssl ts` behind a small server (RFC 3161).

use super::archive::{Given, archive, faults, manifest, pack, page_of, said_with, verified, with_manifest};
use super::{lived, overview, print, tool};
use crate::media::storage::unzip;
use crate::support::{Case, png, text};
use atalaya_records::certificates::stamping::{Authority, stamp_new, try_authority};
use atalaya_testkit::{TestApp, both_engines};
use axum::Router;
use axum::body::Bytes;
use axum::http::StatusCode;
use axum::routing::post;
use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::process::Command;

const CONFIG: &str = "[tsa]\ndefault_tsa = one\n[one]\nserial = serial\nsigner_cert = tsa.pem\ncerts = tsa.pem\nsigner_key = tsa.key\n\
signer_digest = sha256\ndefault_policy = 1.2.3.4.1\ndigests = sha256\nclock_precision_digits = 3\nordering = no\n\
tsa_name = yes\ness_cert_id_chain = no\ness_cert_id_alg = sha256\n";

fn openssl(folder: &Path, args: &[&str]) -> String {
    let out = Command::new("openssl").args(args).current_dir(folder).output().expect("openssl (scripts/install.sh test)");
    let said = format!("{}{}", String::from_utf8_lossy(&out.stdout), String::from_utf8_lossy(&out.stderr));
    assert!(out.status.success(), "openssl {args:?}: {said}");
    said
}

/// An authority of our own in a folder of its own.
pub struct Tsa {
    folder: PathBuf,
    url: String,
}

impl Tsa {
    /// `key` as `openssl req` takes it.
    pub async fn start(app: &TestApp, key: &[&str]) -> Self {
        let folder = app.folder().join("tsa");
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("tsa.cnf"), CONFIG).unwrap();
        let name = ["-subj", "/CN=Autoridad de prueba", "-addext", "extendedKeyUsage=critical,timeStamping"];
        let files = ["-nodes", "-days", "3650", "-keyout", "tsa.key", "-out", "tsa.pem"];
        openssl(&folder, &[&["req", "-x509", "-newkey"], key, &files, &name].concat());
        let (good, other) = (folder.clone(), folder.clone());
        let (later, unsigned) = (folder.clone(), folder.clone());
        let router = Router::new()
            .route("/tsr", post(async move |body: Bytes| answer(&good, &body)))
            .route(
                "/other",
                post(async move |_: Bytes| {
                    openssl(&other, &["ts", "-query", "-digest", &"ab".repeat(32), "-sha256", "-cert", "-out", "other.tsq"]);
                    let query = std::fs::read(other.join("other.tsq")).unwrap();
                    answer(&other, &query)
                }),
            )
            .route("/later", post(async move |body: Bytes| another_time(answer(&later, &body))))
            .route(
                "/unsigned",
                post(async move |body: Bytes| {
                    let mut answer = answer(&unsigned, &body);
                    *answer.last_mut().unwrap() ^= 1;
                    answer
                }),
            )
            .route("/moved", post(async || axum::response::Redirect::temporary("/tsr")))
            .route("/endless", post(async || axum::body::Body::from_stream(endless())))
            .route("/refuse", post(async || vec![0x30, 5, 0x30, 3, 2, 1, 2]))
            .route("/garbage", post(async || "<html>"))
            .route("/down", post(async || StatusCode::BAD_GATEWAY));
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { folder, url }
    }

    /// One whose certificate an authority above it issued; that one's certificate is `ca.pem`.
    async fn under_another(app: &TestApp) -> Self {
        let tsa = Self::start(app, &["rsa:2048"]).await;
        let ca = ["-nodes", "-days", "3650", "-keyout", "ca.key", "-out", "ca.pem", "-subj", "/CN=Autoridad superior"];
        openssl(&tsa.folder, &[&["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:secp384r1"][..], &ca].concat());
        std::fs::write(tsa.folder.join("ext.cnf"), "extendedKeyUsage=critical,timeStamping\n").unwrap();
        openssl(&tsa.folder, &["req", "-new", "-key", "tsa.key", "-subj", "/CN=Autoridad de prueba", "-out", "tsa.csr"]);
        let issue = ["x509", "-req", "-in", "tsa.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-days", "365"];
        openssl(&tsa.folder, &[&issue[..], &["-sha384", "-extfile", "ext.cnf", "-out", "tsa.pem"]].concat());
        tsa
    }

    /// A token over a hash, as base64.
    fn token(&self, digest: &str) -> String {
        openssl(&self.folder, &["ts", "-query", "-digest", digest, "-sha256", "-cert", "-out", "own.tsq"]);
        let query = ["ts", "-reply", "-config", "tsa.cnf", "-queryfile", "own.tsq", "-token_out", "-out", "own.der"];
        openssl(&self.folder, &query);
        BASE64.encode(std::fs::read(self.folder.join("own.der")).unwrap())
    }

    /// The last token, signed again by a certificate that is not for time stamps.
    fn token_of_another_purpose(&self) -> String {
        openssl(&self.folder, &["cms", "-verify", "-noverify", "-inform", "DER", "-in", "own.der", "-out", "info.der"]);
        let plain =
            ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "p.key", "-out", "p.pem", "-subj", "/CN=Otro uso"];
        openssl(&self.folder, &plain);
        let sign = ["cms", "-sign", "-binary", "-nodetach", "-cades", "-md", "sha256", "-outform", "DER", "-in", "info.der"];
        let with = ["-econtent_type", "1.2.840.113549.1.9.16.1.4", "-signer", "p.pem", "-inkey", "p.key", "-out", "plain.der"];
        openssl(&self.folder, &[&sign[..], &with].concat());
        BASE64.encode(std::fs::read(self.folder.join("plain.der")).unwrap())
    }

    /// Whether openssl accepts a token over this root.
    pub fn verifies(&self, root: &str, token: &[u8]) -> bool {
        std::fs::write(self.folder.join("day.der"), token).unwrap();
        let said =
            openssl(&self.folder, &["ts", "-verify", "-digest", root, "-in", "day.der", "-token_in", "-CAfile", "tsa.pem"]);
        said.contains("Verification: OK")
    }

    fn pem(&self, name: &str) -> Given {
        Given { authorities: Some(std::fs::read_to_string(self.folder.join(name)).unwrap()), ..Given::default() }
    }

    pub fn authority(&self, path: &str) -> Authority {
        Authority { url: format!("{}/{path}", self.url), qualified: false }
    }
}

fn answer(folder: &Path, query: &[u8]) -> Vec<u8> {
    std::fs::write(folder.join("q.tsq"), query).unwrap();
    openssl(folder, &["ts", "-reply", "-config", "tsa.cnf", "-queryfile", "q.tsq", "-out", "r.tsr"]);
    std::fs::read(folder.join("r.tsr")).unwrap()
}

/// Changes the time in an answer and nothing else.
fn another_time(mut answer: Vec<u8>) -> Vec<u8> {
    // A GeneralizedTime of this century: tag, length, "20…".
    let at = answer.windows(4).position(|w| w[0] == 0x18 && w[1] >= 15 && &w[2..] == b"20").expect("a time");
    answer[at + 5] ^= 1;
    answer
}

fn endless() -> impl futures::Stream<Item = Result<Bytes, std::io::Error>> {
    futures::stream::repeat_with(|| Ok(Bytes::from(vec![0x30; 16 << 10])))
}

both_engines! {
    // CERT-8, CERT-17, CERT-19
    async fn new_seals_get_one_stamp_that_openssl_accepts(app) {
        let tsa = Tsa::start(app, &["rsa:2048"]).await;
        let case = lived(app).await;
        let unstamped = print(&case, "").await;
        for n in 0..3 {
            let other = Case::open_with(app, json!({"expedientNumber": format!("OTRO-{n}")})).await;
            other.post("conference-close", json!({})).await.ok();
        }
        let authority = Authority { qualified: true, ..tsa.authority("tsr") };
        assert_eq!(stamp_new(&app.records, &authority).await.unwrap(), 4);
        assert_eq!(stamp_new(&app.records, &authority).await.unwrap(), 0, "nothing new, nothing asked");
        let seal = overview(&case).await["seal"].clone();
        assert_eq!(seal["timestamp"]["authority"], "Autoridad de prueba");
        assert_eq!(seal["timestamp"]["qualified"], true);

        let zip = archive(&case).await;
        let entries = unzip(&zip);
        let stamp = manifest(&entries)["timestamp"].clone();
        assert_eq!((&stamp["size"], stamp["path"].as_array().map(Vec::len)), (&json!(4), Some(2)));
        let html = page_of(&entries);
        assert_eq!(verified(app, &zip, &html), [""; 0]);
        let (said, code) = said_with(app, &zip, &html, &Given::default());
        assert!(code == 3 && said.iter().any(|line| line.starts_with("NOTE time stamp of 20")), "not shown as proved: {said:?}");
        let (said, code) = said_with(app, &zip, &html, &tsa.pem("tsa.pem"));
        assert!(code == 0 && said.iter().any(|line| line.starts_with("ANCHOR authority 20")), "{said:?}");
        // EVID-49
        let document = "NOTE the document of certificate CE-2026-000001 is vouched for by the installation's key or page alone";
        assert!(said.contains(&document.to_owned()), "{said:?}");
        let token = BASE64.decode(text(&stamp["token"])).unwrap();
        std::fs::write(tsa.folder.join("token.der"), token).unwrap();
        let root = text(&stamp["root"]);
        let said = openssl(&tsa.folder, &["ts", "-verify", "-digest", &root, "-in", "token.der", "-token_in", "-CAfile", "tsa.pem"]);
        assert!(said.contains("Verification: OK"), "{said}");

        let stamped = print(&case, "").await;
        assert_ne!(stamped.body, unstamped.body, "the stamp is worth a new certificate");
        let said = tool(app, &stamped.body, "pdftotext", &["-layout", "PDF", "-"]);
        for part in ["Acredita que los sucesos", "Sello de tiempo cualificado (RFC 3161)", "Autoridad de prueba", &text(&seal["timestamp"]["serial"]), &root[..32]] {
            assert!(said.contains(part), "{part}: {said}");
        }
        assert_eq!(stamped.body, print(&case, "").await.body);

        case.upload("otro.png", "image/png", &png()).await.ok();
        assert_eq!(overview(&case).await["seal"]["timestamp"], json!(null), "a new seal waits for its stamp");
        assert_eq!(stamp_new(&app.records, &tsa.authority("tsr")).await.unwrap(), 1);
        assert_eq!(overview(&case).await["seal"]["timestamp"]["qualified"], false);
        assert_eq!(verified(app, &archive(&case).await, &html), [""; 0], "a tree of one");
    }

    // CERT-27, EVID-46
    async fn a_stamp_is_checked_up_to_the_authority_that_somebody_trusts(app) {
        let tsa = Tsa::under_another(app).await;
        let case = lived(app).await;
        stamp_new(&app.records, &tsa.authority("tsr")).await.unwrap();
        let zip = archive(&case).await;
        let entries = unzip(&zip);
        let html = page_of(&entries);
        for name in ["ca.pem", "tsa.pem"] {
            let (said, code) = said_with(app, &zip, &html, &tsa.pem(name));
            assert!(code == 0 && said.iter().any(|line| line.starts_with("ANCHOR authority 20")), "{name}: {said:?}");
        }
        let root = text(&manifest(&entries)["timestamp"]["root"]);
        let (own, plain) = (tsa.token(&root), tsa.token_of_another_purpose());
        // The same content with a length that only its end tells, which DER does not know and openssl reads.
        let der = BASE64.decode(&own).unwrap();
        let loose = [&[0x30, 0x80], &der[2 + usize::from(der[1] & 0x7f)..], &[0, 0]].concat();
        let mut broken = BASE64.decode(&own).unwrap();
        *broken.last_mut().unwrap() ^= 1;
        let trusted = tsa.pem("ca.pem");
        // Another authority of the same name.
        let other = Tsa::start(app, &["ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"]).await;
        for (what, token, given, code, faults_found) in [
            ("the same authority", own.clone(), trusted.clone(), 0, vec![]),
            ("another's, nobody named", other.token(&root), Given::default(), 3, vec![]),
            ("another's", other.token(&root), trusted.clone(), 1, vec!["WRONG FOREIGN_AUTHORITY timestamp"]),
            ("broken", BASE64.encode(broken), Given::default(), 1, vec!["WRONG STAMP_SIGNATURE timestamp"]),
            ("not for time stamps", plain, Given::default(), 1, vec!["WRONG STAMP_SIGNATURE timestamp"]),
            ("in a looser form", BASE64.encode(loose), trusted.clone(), 1, vec!["WRONG STAMP_TOKEN timestamp"]),
            ("of another hash", other.token(&"ab".repeat(32)), Given::default(), 1, vec!["WRONG STAMP_TOKEN timestamp"]),
        ] {
            let forged = pack(app, with_manifest(&entries, |m| m["timestamp"]["token"] = json!(token))).await;
            let (said, found) = said_with(app, &forged, &html, &given);
            assert_eq!((faults(said), found), (faults_found.into_iter().map(str::to_owned).collect(), code), "{what}");
        }
    }

    // CERT-18
    async fn answers_that_are_not_ours_are_refused(app) {
        let tsa = Tsa::start(app, &["ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"]).await;
        let case = Case::open(app).await;
        case.post("conference-close", json!({})).await.ok();
        for (path, why) in [
            ("other", "another hash"),
            ("later", "signature does not hold: it is of another content"),
            ("unsigned", "signature does not hold: no certificate in it made it"),
            ("moved", "cannot be reached: status 307"),
            ("endless", "it is too long"),
            ("refuse", "refused, status 2"),
            ("garbage", "not one of RFC 3161"),
            ("down", "cannot be reached"),
            ("nowhere", "cannot be reached"),
        ] {
            let error = stamp_new(&app.records, &tsa.authority(path)).await.unwrap_err().to_string();
            assert!(error.contains(why), "{path}: {error}");
            assert!(!error.contains(&tsa.url), "an address may hold a password: {error}");
        }
        assert_eq!(overview(&case).await["seal"]["timestamp"], json!(null));
        assert_eq!(try_authority(&tsa.authority("tsr"), &app.sources).await.unwrap(), "Autoridad de prueba");
    }
}
