//! Three programs, written independently, check the ZIP of a case and find the same.

use super::{lived, print};
use crate::media::storage::unzip;
use crate::support::{Case, png, sha256, text};
use atalaya_blobs::zip::{Zip, ZipEntry};
use atalaya_records::verifier::{self, Trust};
use atalaya_testkit::{TestApp, both_engines};
use bytes::Bytes;
use futures::TryStreamExt;
use serde_json::{Value, json};
use std::io::Cursor;
use std::path::{Path, PathBuf};
use std::process::Command;

pub type Entries = Vec<(String, Vec<u8>)>;

/// What somebody names beside an archive: PEM of keys and of authorities, and the root of a day.
#[derive(Clone, Default)]
pub struct Given {
    pub keys: Option<String>,
    pub authorities: Option<String>,
    /// The root of a day.
    pub root: Option<String>,
}

/// The archive of a case as its owner gets it.
pub async fn archive(case: &Case<'_>) -> Vec<u8> {
    let answer = case.staff.get(&format!("/api/v1/zip/{}", case.id)).await;
    let answer = if answer.status == 200 && answer.header("content-type") == Some("application/zip") {
        answer
    } else {
        case.staff.get(&format!("/uploads/{}.zip", case.id)).await
    };
    answer.expect(200);
    assert_eq!(answer.header("content-length"), Some(answer.body.len().to_string().as_str()));
    answer.body.to_vec()
}

/// Packs entries again, as somebody who changed them would.
pub async fn pack(app: &TestApp, entries: Entries) -> Vec<u8> {
    let now = app.sources.now();
    let zip = Zip::new(entries.into_iter().map(|(name, content)| ZipEntry::of_bytes(name, now, Bytes::from(content))));
    zip.stream().try_collect::<Vec<Bytes>>().await.expect("bytes in memory").concat()
}

/// The manifest of an archive.
pub fn manifest(entries: &Entries) -> Value {
    let (_, text) = entries.iter().find(|(name, _)| name == "manifest.json").expect("a manifest");
    serde_json::from_slice(text).expect("JSON")
}

pub fn with_manifest(entries: &Entries, change: impl FnOnce(&mut Value)) -> Entries {
    let mut manifest = manifest(entries);
    change(&mut manifest);
    let mut entries = entries.clone();
    let place = entries.iter_mut().find(|(name, _)| name == "manifest.json").expect("a manifest");
    place.1 = manifest.to_string().into_bytes();
    entries
}

fn without(entries: &Entries, name: &str) -> Entries {
    entries.iter().filter(|(entry, _)| entry != name).cloned().collect()
}

fn flipped(entries: &Entries, name: &str) -> Entries {
    let mut entries = entries.clone();
    let (_, content) = entries.iter_mut().find(|(entry, _)| entry == name).expect("an entry");
    let middle = content.len() / 2;
    content[middle] ^= 1;
    entries
}

pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// What our own verifier reports, with the notes when the archive is good.
fn ours(zip: &[u8], given: &Given) -> (Vec<String>, i32) {
    let mut trust = Trust::default();
    given.keys.iter().for_each(|pem| assert!(trust.add_keys(pem) > 0));
    given.authorities.iter().for_each(|pem| assert!(trust.add_authorities(pem) > 0));
    given.root.iter().for_each(|root| assert!(trust.add_root(root)));
    ours_with(zip, &trust)
}

pub fn ours_with(zip: &[u8], trust: &Trust) -> (Vec<String>, i32) {
    let Ok(report) = verifier::verify(Cursor::new(zip), trust) else { return (vec!["UNREADABLE".into()], 2) };
    let code = report.verdict() as i32;
    let anchors = report.anchors.iter().map(|anchor| format!("ANCHOR {anchor}"));
    let notes = anchors.chain(report.notes.iter().map(|note| format!("NOTE {note}"))).filter(|_| code != 1);
    (report.wrong.iter().cloned().chain(notes).collect(), code)
}

/// What the independent script reports, line by line; checks that its exit code matches.
pub fn python(path: &Path, options: &[PathBuf]) -> (Vec<String>, i32) {
    let mut command = Command::new("python3");
    let out = command.arg(root().join("scripts/verify.py")).arg(path).args(options).output().expect("python3");
    let said = String::from_utf8_lossy(&out.stdout).into_owned();
    let lines: Vec<&str> = said.lines().take_while(|line| !line.is_empty()).collect();
    let code = out.status.code().expect("it ends by itself");
    let first = |word: &str| lines.first().is_some_and(|line| line.starts_with(word));
    match code {
        0 => assert!(first("OK "), "{said}"),
        1 => assert!(!lines.is_empty() && out.stderr.is_empty(), "{said}{}", String::from_utf8_lossy(&out.stderr)),
        2 => return (vec!["UNREADABLE".into()], 2),
        3 => assert!(first("CONSISTENT "), "{said}"),
        other => panic!("{other:?}: {said}{}", String::from_utf8_lossy(&out.stderr)),
    }
    let kept = lines.iter().filter(|line| !line.starts_with("OK ") && !line.starts_with("CONSISTENT "));
    (kept.map(|line| (*line).to_owned()).collect(), code)
}

/// What the page inside the archive reports, with its script run in Node.
fn page(folder: &Path, html: &str, path: &Path, given: &Given) -> (Vec<String>, i32) {
    let start = html.find("<script id=\"core\">").expect("the core") + "<script id=\"core\">".len();
    let core = &html[start..start + html[start..].find("</script>").expect("its end")];
    let runner = "const given = readGiven(JSON.parse(process.argv[3])); const notes = (found) => [...found.anchors.map((one) => \
        'ANCHOR ' + one), ...found.notes.map((one) => 'NOTE ' + one)]; require('fs').promises.readFile(process.argv[2])\
        .then((b) => readZip(new Blob([b]))).then((files) => verifyEvidence(files, undefined, given)).then((found) => \
        [verdictOf(found) === 1 ? found.wrong : notes(found), verdictOf(found)], () => [['UNREADABLE'], 2])\
        .then((result) => console.log(JSON.stringify(result)));";
    let given: Vec<&String> = given.keys.iter().chain(&given.authorities).chain(&given.root).collect();
    let given = serde_json::to_string(&given).expect("texts");
    let script = folder.join("core.cjs");
    std::fs::write(&script, format!("{core}\n{runner}")).expect("a file in the test's folder");
    let out = Command::new("node").arg(&script).arg(path).arg(given).output().expect("node");
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    serde_json::from_slice(&out.stdout).expect("a list")
}

/// Asks all three programs and answers the faults they agree on.
pub fn verified(app: &TestApp, zip: &[u8], html: &str) -> Vec<String> {
    faults(said(app, zip, html))
}

/// Without what is said of a good archive.
pub fn faults(lines: Vec<String>) -> Vec<String> {
    lines.into_iter().filter(|line| !line.starts_with("NOTE ") && !line.starts_with("ANCHOR ")).collect()
}

/// Asks all three programs and answers what they agree on, with the notes about a good archive.
pub fn said(app: &TestApp, zip: &[u8], html: &str) -> Vec<String> {
    said_with(app, zip, html, &Given::default()).0
}

/// The same for somebody who names keys or authorities, with the exit code.
pub fn said_with(app: &TestApp, zip: &[u8], html: &str, given: &Given) -> (Vec<String>, i32) {
    let path = app.folder().join("case.zip");
    std::fs::write(&path, zip).expect("a file in the test's folder");
    let sorted = |(mut lines, code): (Vec<String>, i32)| {
        lines.sort();
        (lines, code)
    };
    let mut options = Vec::new();
    for (option, pem) in [("--key", &given.keys), ("--trust", &given.authorities)] {
        if let Some(pem) = pem {
            let file = app.folder().join(format!("given{option}.pem"));
            std::fs::write(&file, pem).expect("a file in the test's folder");
            options.extend([PathBuf::from(option), file]);
        }
    }
    if let Some(root) = &given.root {
        options.extend([PathBuf::from("--root"), PathBuf::from(root)]);
    }
    let ours = sorted(ours(zip, given));
    assert_eq!(sorted(python(&path, &options)), ours, "scripts/verify.py");
    assert_eq!(sorted(page(app.folder(), html, &path, given)), ours, "verificador.html");
    ours
}

pub fn page_of(entries: &Entries) -> String {
    let (_, html) = entries.iter().find(|(name, _)| name == "verificador.html").expect("the verifier");
    String::from_utf8(html.clone()).expect("UTF-8")
}

/// Appends an event with a correct hash, as a forger who knows the rules would.
pub fn append(manifest: &mut Value, event_type: &str, data: Value) -> u64 {
    let events = manifest["events"].as_array_mut().expect("events");
    let (seq, prev) = (events.len() as u64 + 1, text(&events.last().expect("one")["hash"]));
    let event = json!({"actor": "system", "at": "2026-11-20T10:00:00.000Z", "data": data, "seq": seq, "type": event_type});
    let canonical = event.to_string();
    let hash = sha256(format!("VAEV1\n{prev}\n{canonical}").as_bytes());
    events.push(json!({"canonical": canonical, "prev": prev, "hash": hash}));
    seq
}

both_engines! {
    // CERT-9, CERT-20
    async fn three_verifiers_agree_on_a_good_archive_and_on_every_change(app) {
        let case = lived(app).await;
        let html = page_of(&unzip(&archive(&case).await));
        assert_eq!(verified(app, &archive(&case).await, &html), [""; 0], "without a certificate");
        let pdf = print(&case, "").await;
        let zip = archive(&case).await;
        let entries = unzip(&zip);
        let names: Vec<&str> = entries.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["foto-001.png", "parte.pdf", "certificado.pdf", "verificador.html", "manifest.json"]);
        assert_eq!(entries[2].1, pdf.body, "the certificate as it was printed");
        assert!(!html.contains("http://") || html.matches("http://").count() == html.matches("http://www.w3.org").count());
        assert_eq!(verified(app, &zip, &html), [""; 0]);

        let changed: Vec<(&str, Entries)> = vec![
            ("FILE foto-001.png", flipped(&entries, "foto-001.png")),
            ("FILE certificado.pdf", flipped(&entries, "certificado.pdf")),
            ("FILE parte.pdf", without(&entries, "parte.pdf")),
            ("MANIFEST manifest.json", without(&entries, "manifest.json")),
            ("UNKNOWN otra.png", [&entries[..], &[("otra.png".to_owned(), png())]].concat()),
            ("EVENT 3", with_manifest(&entries, |m| {
                let text = m["events"][2]["canonical"].as_str().unwrap().replace("2026-11-20", "2026-11-19");
                m["events"][2]["canonical"] = json!(text);
            })),
            ("VALUE 2.ip", with_manifest(&entries, |m| {
                let at = m["values"].as_array().unwrap().iter().position(|v| v["field"] == "ip").unwrap();
                m["values"][at]["value"] = json!("203.0.113.9");
            })),
            ("MEDIA 1", with_manifest(&entries, |m| m["media"][0]["name"] = json!("otra.png"))),
            ("MEDIA 2", with_manifest(&entries, |m| drop(m["media"].as_array_mut().unwrap().pop()))),
            ("ROOT seal", with_manifest(&entries, |m| m["seal"]["root"] = json!("00".repeat(32)))),
            ("ROOT seal", with_manifest(&entries, |m| m["seal"] = Value::Null)),
            ("HEAD seal", with_manifest(&entries, |m| m["seal"]["seq"] = json!(2))),
            ("CONFERENCE conference", with_manifest(&entries, |m| m["conference"]["expedientNumber"] = json!("EXP-1"))),
            ("CERTIFICATE CE-2026-000009", with_manifest(&entries, |m| m["certificate"]["number"] = json!("CE-2026-000009"))),
            // Another document in place of the certificate, with a matching manifest.
            ("CERTIFICATE CE-2026-000001", with_manifest(&flipped(&entries, "certificado.pdf"), |m| {
                let (_, pdf) = flipped(&entries, "certificado.pdf").swap_remove(2);
                m["certificate"]["sha256"] = json!(sha256(&pdf));
            })),
            // An issue whose root is not the chain's.
            ("CERTIFICATE CE-2026-000007", with_manifest(&entries, |m| {
                let (seal, pdf) = (m["seal"].clone(), m["certificate"]["sha256"].clone());
                let told = json!({"number": "CE-2026-000007", "seq": seal["seq"], "head": seal["head"], "root": seal["head"], "pdfSha256": pdf});
                append(m, "CERTIFICATE_ISSUED", told);
                m["certificate"]["number"] = json!("CE-2026-000007");
            })),
            // A file cannot be declared expired when the chain has no such event.
            ("FILE foto-001.png", without(&with_manifest(&entries, |m| m["media"][0]["path"] = Value::Null), "foto-001.png")),
            ("STAMP_PATH timestamp", with_manifest(&entries, |m| m["timestamp"] = json!({"root": "ab", "token": "MAA="}))),
        ];
        for (expected, entries) in changed {
            let found = verified(app, &pack(app, entries).await, &html);
            assert!(found.contains(&format!("WRONG {expected}")), "{expected}: {found:?}");
        }
        for cut in [0, 10, zip.len() / 2, zip.len() - 30] {
            let found = verified(app, &zip[..cut], &html);
            assert!(!found.is_empty(), "cut at {cut}");
        }
        let bad = app.folder().join("bad.zip");
        std::fs::write(&bad, pack(app, flipped(&entries, "foto-001.png")).await).unwrap();
        let good = app.folder().join("good.zip");
        std::fs::write(&good, &zip).unwrap();
        let seal = manifest(&entries)["seal"].clone();
        let fine = format!(
            "CONSISTENT 13 events, 2 files\nNOTE 1 events after the seal, which it does not cover\n\
             NOTE no outside time stamp: compare with the public verification page: head {} root {}\n\
             NOTE the seal is signed: name the key {} to rely on it",
            text(&seal["head"]),
            text(&seal["root"]),
            text(&seal["key"])
        );
        let cut = app.folder().join("cut.zip");
        std::fs::write(&cut, &zip[..zip.len() / 2]).unwrap();
        let cases = [(&good, 3, fine.as_str()), (&bad, 1, "WRONG FILE foto-001.png"), (&cut, 2, "UNREADABLE")];
        for (path, code, expected) in cases {
            let out = Command::new(env!("CARGO_BIN_EXE_atalaya")).arg("verify").arg(path).output().expect("the program");
            assert_eq!(out.status.code(), Some(code), "{}", String::from_utf8_lossy(&out.stderr));
            let said = String::from_utf8_lossy(&out.stdout).into_owned();
            let python = Command::new("python3").arg(root().join("scripts/verify.py")).arg(path).output().expect("python3");
            assert!(said.starts_with(expected), "{said}");
            if code != 2 {
                assert_eq!(said, String::from_utf8_lossy(&python.stdout), "word for word");
                assert!(said.contains("\n\nResultado: ") && said.contains("\nResult: "), "{said}");
            }
        }
    }

    // CERT-21
    async fn files_that_come_or_go_after_the_seal_are_not_guaranteed(app) {
        let case = lived(app).await;
        let entries = unzip(&archive(&case).await);
        let html = page_of(&entries);
        let uncovered = |n: u32| vec![format!("UNCOVERED AFTER_SEAL {n} media or expiry events after the seal: not guaranteed")];

        let hidden = without(&with_manifest(&entries, |m| {
            append(m, "MEDIA_EXPIRED", json!({"files": 2}));
            m["media"][0]["path"] = Value::Null;
        }), "foto-001.png");
        let hidden = pack(app, hidden).await;
        assert_eq!(said(app, &hidden, &html), uncovered(1), "a forged end hides a file");

        let added = with_manifest(&entries, |m| {
            let data = json!({"name": "otra.png", "type": "PICTURE", "sha256": sha256(b"forged"), "bytes": 6});
            let seq = append(m, "FILE_UPLOADED", data.clone());
            let mut item = data;
            item["seq"] = json!(seq);
            item["path"] = json!("otra.png");
            m["media"].as_array_mut().unwrap().push(item);
            append(m, "MEDIA_EXPIRED", json!({}));
        });
        let added = pack(app, [&added[..], &[("otra.png".to_owned(), b"forged".to_vec())]].concat()).await;
        assert_eq!(said(app, &added, &html), uncovered(2), "a forged file");
        let path = app.folder().join("added.zip");
        std::fs::write(&path, &added).unwrap();
        let out = Command::new(env!("CARGO_BIN_EXE_atalaya")).arg("verify").arg(&path).output().expect("the program");
        assert_eq!((out.status.code(), String::from_utf8_lossy(&out.stdout).lines().next()), (Some(1), Some(uncovered(2)[0].as_str())));

        let seen = pack(app, with_manifest(&entries, |m| _ = append(m, "LINK_OPENED", json!({})))).await;
        let told = said(app, &seen, &html);
        assert!(told.contains(&"NOTE 1 events after the seal, which it does not cover".to_owned()), "{told:?}");
        assert_eq!(verified(app, &seen, &html), [""; 0], "an event without files is told, not refused");
    }

    // EVID-14
    async fn files_after_a_certificate_of_an_open_case_are_sealed(app) {
        let case = Case::open(app).await;
        print(&case, "").await;
        case.upload("otro.png", "image/png", &png()).await.ok();
        let zip = archive(&case).await;
        assert_eq!(verified(app, &zip, &page_of(&unzip(&zip))), [""; 0]);
    }

    // EVID-55
    async fn case_number_and_names_of_files_are_proven_without_being_in_the_chain(app) {
        let case = lived(app).await;
        let zip = archive(&case).await;
        let (entries, html) = (unzip(&zip), page_of(&unzip(&zip)));
        let told = manifest(&entries);
        for event in told["events"].as_array().unwrap() {
            for personal in ["EXP-2026-0077", "foto-001.png", "parte.pdf"] {
                assert!(!text(&event["canonical"]).contains(personal), "{personal}: {event}");
            }
        }
        assert_eq!(told["conference"]["expedientNumber"], "EXP-2026-0077");
        assert_eq!((&told["media"][0]["name"], &told["media"][1]["name"]), (&json!("foto-001.png"), &json!("parte.pdf")));
        let of = |field: &str, change: fn(&mut Vec<Value>, usize)| with_manifest(&entries, |m| {
            let values = m["values"].as_array_mut().unwrap();
            let at = values.iter().position(|value| value["field"] == field).unwrap();
            change(values, at);
        });
        let gone: fn(&mut Vec<Value>, usize) = |values, at| drop(values.remove(at));
        let other: fn(&mut Vec<Value>, usize) = |values, at| values[at]["value"] = json!("otra.png");
        for (expected, forged) in [
            ("WRONG CONFERENCE conference", of("expedientNumber", gone)),
            ("WRONG VALUE 1.expedientNumber", of("expedientNumber", other)),
            (concat!("WRONG MEDIA", " 1"), of("name", gone)),
            (concat!("WRONG MEDIA", " 1"), of("name", other)),
        ] {
            let found = verified(app, &pack(app, forged).await, &html);
            assert!(found.contains(&expected.to_owned()), "{expected}: {found:?}");
        }
    }

    // CERT-22
    async fn erased_values_and_expired_files_leave_the_rest_provable(app) {
        let case = lived(app).await;
        let html = page_of(&unzip(&archive(&case).await));
        let sql = "DELETE FROM evidence_value WHERE field <> 'name'";
        sea_orm::ConnectionTrait::execute_unprepared(app.db.read(), sql).await.unwrap();
        let zip = archive(&case).await;
        assert_eq!(verified(app, &zip, &html), [""; 0]);
        let manifest = manifest(&unzip(&zip));
        assert!(manifest["values"].as_array().unwrap().iter().all(|value| value["field"] == "name"));
        assert_eq!(manifest["conference"]["expedientNumber"], Value::Null, "its commitment stays in the chain");
        for personal in ["192.0.2.1", "600123456", "40.4168"] {
            assert!(!manifest.to_string().contains(personal), "{personal}");
        }
    }
}
