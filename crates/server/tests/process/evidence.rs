//! The evidence key as an operator has it, and archives that are checked against a running server.

use super::{Folder, Server, atalaya, output, password};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

/// Runs a verifier on the archive: exit code and what it printed.
fn verify(command: &mut Command) -> (i32, String) {
    let out = command.output().unwrap();
    let said = String::from_utf8_lossy(&out.stdout).into_owned() + &String::from_utf8_lossy(&out.stderr);
    (out.status.code().unwrap(), said)
}

/// What both programs say of an archive, which must be the same.
fn both(folder: &Folder, options: &[&str]) -> (i32, String) {
    let ours = verify(&mut atalaya(folder, &[&["verify", "case.zip"], options].concat()));
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts/verify.py");
    let theirs = verify(Command::new("python3").current_dir(&folder.0).arg(script).arg("case.zip").args(options));
    if ours.0 != 2 {
        assert_eq!(ours, theirs, "{options:?}");
    }
    assert_eq!(ours.0, theirs.0, "{options:?}: {} {}", ours.1, theirs.1);
    ours
}

impl Server {
    pub(super) fn download(&self, token: &str, path: &str) -> Vec<u8> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let request = reqwest::Client::new().get(format!("{}{path}", self.url)).bearer_auth(token);
            let answer = request.send().await.unwrap();
            assert_eq!(answer.status(), 200, "{path}");
            answer.bytes().await.unwrap().to_vec()
        })
    }

    pub(super) fn token(&self, user: &str, password: &str) -> String {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let login = serde_json::json!({"userName": user, "password": password, "login": true});
            let session = reqwest::Client::new().post(format!("{}/api/v1/login", self.url)).json(&login).send().await.unwrap();
            let session: serde_json::Value = session.json().await.unwrap();
            session["token"].as_str().expect("a session").to_owned()
        })
    }
}

// EVID-40, EVID-42, EVID-43, EVID-44, EVID-47, EVID-48
#[test]
fn an_archive_is_vouched_for_by_the_server_s_keys_and_page() {
    let folder = Folder::new("evidence");
    let server = Server::start(&folder, &["--demo"]);
    let key = folder.path("data/evidence-key.pem");
    assert_eq!(std::fs::metadata(&key).unwrap().permissions().mode() & 0o777, 0o600);
    let boss = "cliente@demo.atalaya.example";
    let secret = password(&server.printed(), boss);
    let list = server.call((boss, &secret), "POST", "/api/v1/conferences-autos-details/{parent}", serde_json::json!({})).1;
    let rows = list["conferences"].as_array().unwrap();
    let row = rows.iter().find(|row| row["closed"] == true && row["files"].as_u64() > Some(0)).expect("a closed case with files");
    let (id, token) = (row["_id"].as_str().unwrap(), server.token(boss, &secret));
    server.download(&token, &format!("/api/v1/print-cert/{id}"));
    std::fs::write(folder.path("case.zip"), server.download(&token, &format!("/uploads/{id}.zip"))).unwrap();
    let published = || server.get("/.well-known/atalaya-evidence.pem").unwrap().1;
    std::fs::write(folder.path("first.pem"), published()).unwrap();
    assert_eq!(server.get("/.well-known/nothing").unwrap().0, 404);

    assert_eq!(both(&folder, &[]).0, 3);
    let (code, said) = both(&folder, &["--key", "first.pem"]);
    assert!(code == 0 && said.contains("ANCHOR key "), "{said}");
    let (code, said) = both(&folder, &["--online", &server.url]);
    assert!(code == 0 && said.contains(&format!("ANCHOR page {}", server.url)), "{said}");
    assert_eq!(both(&folder, &["--online", "http://127.0.0.1:9"]).0, 2, "nobody answers");
    assert_eq!(both(&folder, &["--key", "nowhere.pem"]).0, 2);

    // A rotation beside the running server, which signs with the new key from then on.
    let (good, text) = output(&mut atalaya(&folder, &["evidence-key", "rotate"]));
    assert!(good && text.contains("signs from now on"), "{text}");
    assert_eq!(std::fs::metadata(&key).unwrap().permissions().mode() & 0o777, 0o600);
    assert!(!folder.path("data/evidence-key.next.pem").exists());
    assert_eq!(published().matches("BEGIN PUBLIC KEY").count(), 2);
    let (code, said) = both(&folder, &["--online", &server.url]);
    assert_eq!(code, 0, "what the retired key signed stays valid: {said}");
    let other = rows.iter().find(|other| other["closed"] == true && other["_id"] != row["_id"]).expect("another case");
    let other = other["_id"].as_str().unwrap();
    server.download(&token, &format!("/api/v1/print-cert/{other}"));
    let first = std::fs::read(folder.path("case.zip")).unwrap();
    std::fs::write(folder.path("case.zip"), server.download(&token, &format!("/uploads/{other}.zip"))).unwrap();
    let (code, said) = both(&folder, &["--key", "first.pem"]);
    assert_eq!(code, 0, "its certificate is signed by the successor, which the first key endorsed: {said}");

    // The first key is reported stolen: what it signed after that day is wrong.
    let (_, keys) = output(&mut atalaya(&folder, &["evidence-key", "list"]));
    let name = keys.lines().nth(1).unwrap().split(' ').next().unwrap().to_owned();
    let stolen = |day: &str, key: &str| output(&mut atalaya(&folder, &["evidence-key", "report-stolen", day, "--key", key]));
    assert!(!stolen("2020-01-01", "00").0, "a key that is not ours");
    assert!(!stolen("2999-01-01", &name).0, "a day to come");
    let (good, text) = stolen("2020-01-01", &name);
    assert!(good, "{text}");
    std::fs::write(folder.path("case.zip"), first).unwrap();
    let (code, said) = both(&folder, &["--online", &server.url]);
    assert!(code == 1 && said.contains("WRONG SEAL_STOLEN_KEY seal"), "{said}");

    for (arguments, there) in [(&["backup", "copy"][..], false), (&["backup", "whole", "--with-evidence-key"][..], true)] {
        let (good, text) = output(&mut atalaya(&folder, arguments));
        assert!(good, "{text}");
        assert_eq!(folder.path(arguments[1]).join("evidence-key.pem").exists(), there);
    }
    server.stop();
    let (good, text) = output(&mut atalaya(&folder, &["restore", "copy", "--data-dir", "elsewhere"]));
    assert!(good && text.contains("no evidence key"), "{text}");
    let (good, text) = output(&mut atalaya(&folder, &["evidence-key", "list", "--data-dir", "elsewhere"]));
    assert!(good && text.lines().count() == 3 && text.lines().next().unwrap().ends_with("signs now"), "a new one: {text}");
}
