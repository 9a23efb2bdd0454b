//! How media are stored and served: sealed, complete, once, and only to those who may see them.

use crate::support::{Case, multipart, parts_of, pdf, png, sha256, still, text};
use atalaya_assistance::media::{MediaError, service as media};
use atalaya_assistance::{Assistance, Parts};
use atalaya_blobs::{BlobStore, StorageConfig};
use atalaya_identity::companies::NewCompany;
use atalaya_kernel::{CompanyKind, Role, limits};
use atalaya_testkit::{Client, TestApp, both_engines};
use axum::http::Method;
use chrono::TimeDelta;
use futures::TryStreamExt;
use sea_orm::ConnectionTrait;
use serde_json::{Value, json};
use std::path::Path;

const PHOTO: &[u8] = include_bytes!("../../../../assistance/src/demo/media/frontal.jpg");
const VIDEO: &[u8] = include_bytes!("../../../../assistance/src/demo/media/recorrido.webm");

/// How many files the storage holds.
async fn stored(app: &TestApp) -> usize {
    app.assistance.blobs.list(None).try_collect::<Vec<_>>().await.expect("the storage can be listed").len()
}

async fn listed(case: &Case<'_>) -> Vec<Value> {
    let list = case.staff.get(&format!("/api/v1/conference-media/{}", case.id)).await.ok();
    list["media"].as_array().expect("a list").clone()
}

/// Every byte of every file under a folder.
fn contents(folder: &Path) -> Vec<u8> {
    let mut all = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() { all.extend(contents(&path)) } else { all.extend(std::fs::read(&path).expect("readable")) }
    }
    all
}

fn holds(haystack: &[u8], needle: &[u8]) -> bool {
    haystack.windows(needle.len()).any(|window| window == needle)
}

/// Names and contents of an archive with uncompressed entries, read from its central directory.
pub fn unzip(archive: &[u8]) -> Vec<(String, Vec<u8>)> {
    let u16_at = |at: usize| usize::from(u16::from_le_bytes([archive[at], archive[at + 1]]));
    let u32_at = |at: usize| u32::from_le_bytes(archive[at..at + 4].try_into().expect("four bytes")) as usize;
    let end = archive.len() - 22;
    assert_eq!(archive[end..end + 4], *b"PK\x05\x06", "an archive without comment ends here");
    let (count, mut at) = (u16_at(end + 10), u32_at(end + 16));
    let mut entries = Vec::new();
    for _ in 0..count {
        assert_eq!(archive[at..at + 4], *b"PK\x01\x02");
        assert_eq!(u16_at(at + 10), 0, "stored, not deflated");
        let (size, name_len, header) = (u32_at(at + 24), u16_at(at + 28), u32_at(at + 42));
        let name = String::from_utf8(archive[at + 46..at + 46 + name_len].to_vec()).expect("UTF-8");
        let data = header + 30 + u16_at(header + 26) + u16_at(header + 28);
        entries.push((name, archive[data..data + size].to_vec()));
        at += 46 + name_len + u16_at(at + 30) + u16_at(at + 32);
    }
    entries
}

async fn client_sends(app: &TestApp, case: &Case<'_>, key: &str, meta: &Value, bytes: &[u8]) -> atalaya_testkit::Answer {
    let (kind, body) = multipart(Some(meta), "foto.jpg", "image/jpeg", bytes);
    let client = app.anonymous().with("x-client-key", key);
    client.send_body(Method::POST, &format!("/api/v1/external/{}/media", case.hash), Some(&kind), body).await
}

both_engines! {
    // STORE-3, STORE-7
    async fn a_photo_arrives_byte_for_byte_with_a_small_copy(app) {
        let case = Case::open(app).await;
        let key = case.accept().await;
        let meta = json!({"captureId": "c-1", "method": "takePhoto", "capturedAt": "2026-11-20T08:58:00Z",
            "latitude": 39.4699, "longitude": -0.3763, "accuracy": 7.2, "lens": "Trasera 1×"});
        let sent = client_sends(app, &case, &key, &meta, PHOTO).await.ok()["media"].clone();
        assert_eq!(sent["hash"], json!(sha256(PHOTO)));
        let item = listed(&case).await[0].clone();
        assert_eq!((&item["width"], &item["height"], &item["size"]), (&json!(1600), &json!(1200), &json!(PHOTO.len())));
        assert_eq!((&item["mime"], &item["originalFileName"]), (&json!("image/jpeg"), &json!("foto-001.jpg")));
        assert_eq!((&item["latitude"], &item["longitude"], &item["accuracy"]), (&json!("39.469900"), &json!("-0.376300"), &json!(8)));
        assert_eq!(item["capturedAt"], json!("2026-11-20T09:00:00Z"), "our clock, not the device's");
        assert_eq!(case.staff.get(&text(&item["url"])).await.body, PHOTO);
        let small = case.staff.get(&text(&item["thumbnail"])).await;
        small.ok();
        assert_eq!(small.header("content-type"), Some("image/jpeg"));
        assert!(small.body.starts_with(b"\xff\xd8") && small.body.len() < PHOTO.len(), "{} bytes", small.body.len());
        assert_ne!(small.header("etag"), case.staff.get(&text(&item["url"])).await.header("etag"));
        let track = case.details().await["tracks"].as_array().unwrap().last().unwrap().clone();
        assert_eq!((&track["type"], &track["data"]["sha256"]), (&json!("MEDIA_CAPTURED"), &json!(sha256(PHOTO))));
        assert_eq!(track["data"]["deviceAt"], json!("2026-11-20T08:58:00Z"));
    }

    // STORE-1
    async fn files_at_rest_are_sealed_with_the_conference_s_key(app) {
        let case = Case::open(app).await;
        let folder = app.folder().join("blobs");
        let blobs = BlobStore::open(&StorageConfig::Folder(folder.clone()), app.sources.clone()).unwrap();
        let deps = Assistance::new(Parts { blobs, ..parts_of(app) });
        media::add(&deps, case.id.parse().unwrap(), still(PHOTO)).await.unwrap();
        let on_disk = contents(&folder);
        assert!(on_disk.len() > PHOTO.len());
        for at in [0, 100, PHOTO.len() / 2, PHOTO.len() - 24] {
            assert!(!holds(&on_disk, &PHOTO[at..at + 24]), "24 bytes of the photo at {at} lie in clear");
        }
        assert!(!holds(&on_disk, b"JFIF"), "the small copy neither");
        app.db.read().execute_unprepared("UPDATE conference SET data_key = NULL").await.unwrap();
        let erased = media::add(&deps, case.id.parse().unwrap(), still(PHOTO)).await;
        assert!(matches!(erased, Err(MediaError::Conference(_))), "{erased:?}");
    }

    // STORE-1
    async fn a_destroyed_key_erases_the_files_of_its_conference_only(app) {
        let (case, other) = (Case::open(app).await, Case::open(app).await);
        let url = text(&case.upload("foto.png", "image/png", &png()).await.ok()["media"]["url"]);
        let kept = text(&other.upload("foto.png", "image/png", &png()).await.ok()["media"]["url"]);
        let sql = format!("UPDATE conference SET data_key = NULL WHERE hash = '{}'", case.hash);
        app.db.read().execute_unprepared(&sql).await.unwrap();
        case.staff.get(&url).await.problem(410, "MEDIA_ERASED");
        case.staff.get(&format!("/uploads/{}.zip", case.id)).await.problem(410, "MEDIA_ERASED");
        case.upload("foto.png", "image/png", &png()).await.problem(410, "MEDIA_ERASED");
        assert_eq!(other.staff.get(&kept).await.body, png());
    }

    // STORE-5, STORE-8
    async fn what_is_refused_leaves_no_row_and_no_file(app) {
        let case = Case::open(app).await;
        let key = case.accept().await;
        let flood = {
            let mut bytes = png();
            bytes[16..24].copy_from_slice(&[0, 0, 0xc3, 0x50, 0, 0, 0xc3, 0x50]);
            let sum = atalaya_blobs::Digest::of(&bytes[12..29]).crc32;
            bytes[29..33].copy_from_slice(&sum.to_be_bytes());
            bytes
        };
        let lie = [&PHOTO[..400], &b"<script>alert(1)</script>"[..]].concat();
        let over = vec![0xff; limits::UPLOAD_MAX_BYTES + 1];
        for (bytes, status, code) in [
            (lie.as_slice(), 422, "NOT_A_PICTURE"),
            (&flood, 422, "PICTURE_TOO_BIG"),
            (VIDEO, 422, "NOT_A_PICTURE"),
            (&pdf(), 422, "NOT_A_PICTURE"),
            (b"PK\x03\x04 an archive", 422, "NOT_A_PICTURE"),
            (&over, 413, "FILE_TOO_LARGE"),
        ] {
            client_sends(app, &case, &key, &json!({"method": "file"}), bytes).await.problem(status, code);
        }
        for (name, kind, bytes) in [
            ("pagina.html", "text/html", &b"<!doctype html><script>alert(1)</script>"[..]),
            ("foto.jpg", "image/jpeg", b"<!doctype html><script>alert(1)</script>"),
            ("dibujo.svg", "image/svg+xml", b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>"),
            ("dibujo.svg", "image/svg+xml", b"<?xml version='1.0'?><svg xmlns='http://www.w3.org/2000/svg'/>"),
            ("todo.zip", "application/zip", b"PK\x03\x04\x14\x00\x00\x00\x00\x00"),
            ("hoja.xlsm", "application/vnd.ms-excel", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"),
            ("animacion.gif", "image/gif", b"GIF89a\x01\x00\x01\x00"),
            ("nota.txt", "text/plain", b"hola"),
        ] {
            case.upload(name, kind, bytes).await.problem(422, "FILE_TYPE_NOT_SUPPORTED");
        }
        case.upload("enorme.pdf", "application/pdf", &over).await.problem(413, "FILE_TOO_LARGE");
        assert_eq!((stored(app).await, listed(&case).await.len()), (0, 0));
        assert_eq!(case.tracks().await, ["CONFERENCE_CREATED", "LEGAL_ACCEPTED"]);
    }

    // STORE-8
    async fn the_limit_itself_is_allowed(app) {
        let case = Case::open(app).await;
        let mut largest = PHOTO.to_vec();
        largest.resize(limits::UPLOAD_MAX_BYTES, 0);
        let item = case.upload("grande.jpg", "image/jpeg", &largest).await.ok()["media"].clone();
        assert_eq!((&item["size"], &item["hash"]), (&json!(limits::UPLOAD_MAX_BYTES), &json!(sha256(&largest))));
        let tail = case.staff.clone().with("range", "bytes=26214300-").get(&text(&item["url"])).await;
        tail.expect(206);
        assert_eq!(tail.body.len(), 100);
    }

    // STORE-13
    async fn the_same_capture_sent_many_times_at_once_is_one_file(app) {
        let case = Case::open(app).await;
        let key = case.accept().await;
        let meta = json!({"captureId": "abc-1", "method": "frame"});
        let all = futures::future::join_all((0..6).map(|_| client_sends(app, &case, &key, &meta, PHOTO))).await;
        let ids: Vec<Value> = all.iter().map(|answer| answer.ok()["media"]["_id"].clone()).collect();
        assert!(ids.iter().all(|id| *id == ids[0]), "{ids:?}");
        assert_eq!((listed(&case).await.len(), stored(app).await), (1, 2), "one picture and its small copy");
        assert_eq!(case.tracks().await.iter().filter(|t| *t == "MEDIA_CAPTURED").count(), 1);
        // Another conference may use the same `captureId`.
        let other = Case::open(app).await;
        let key = other.accept().await;
        let its = client_sends(app, &other, &key, &meta, PHOTO).await.ok()["media"]["_id"].clone();
        assert_ne!(its, ids[0]);
    }

    // STORE-10
    async fn a_video_is_measured_and_sought_through(app) {
        let case = Case::open(app).await;
        let item = case.upload("recorrido.webm", "video/webm", VIDEO).await.ok()["media"].clone();
        assert_eq!((&item["type"], &item["mime"]), (&json!("VIDEO"), &json!("video/webm")));
        assert_eq!((&item["width"], &item["height"]), (&json!(640), &json!(480)));
        let duration = item["durationMs"].as_i64().expect("measured");
        assert!((13_500..14_500).contains(&duration), "{duration} ms");
        let url = text(&item["url"]);
        let part = case.staff.clone().with("range", "bytes=1000-1999").get(&url).await;
        part.expect(206);
        assert_eq!(part.body, VIDEO[1000..2000]);
        assert_eq!((part.header("content-length"), part.header("accept-ranges")), (Some("1000"), Some("bytes")));
    }

    // STORE-10
    async fn a_range_counts_only_for_the_same_file(app) {
        let case = Case::open(app).await;
        let url = text(&case.upload("foto.jpg", "image/jpeg", PHOTO).await.ok()["media"]["url"]);
        let tag = format!("\"{}\"", sha256(PHOTO));
        let ask = |if_range: &str| case.staff.clone().with("range", "bytes=0-9").with("if-range", if_range);
        ask(&tag).get(&url).await.expect(206);
        for stale in ["\"another\"", "Wed, 21 Oct 2026 07:28:00 GMT", &format!("W/{tag}")] {
            let whole = ask(stale).get(&url).await;
            whole.expect(200);
            assert_eq!(whole.body.len(), PHOTO.len(), "{stale}");
        }
        for several in ["bytes=0-1,5-9", "lines=1-2", "bytes=9-3", "bytes=x"] {
            case.staff.clone().with("range", several).get(&url).await.expect(200);
        }
        case.staff.clone().with("if-none-match", &format!("\"x\", W/{tag}")).get(&url).await.expect(304);
        case.staff.clone().with("if-none-match", "\"x\"").get(&url).await.expect(200);
        let head = case.staff.send(Method::HEAD, &url, None).await;
        assert_eq!((head.status, head.body.len()), (200, 0));
        assert_eq!(head.header("content-length"), Some(PHOTO.len().to_string().as_str()));
        let saved = case.staff.get(&format!("{url}?download=1")).await;
        assert_eq!(saved.header("content-disposition"), Some("attachment; filename=\"foto.jpg\"; filename*=UTF-8''foto.jpg"));
        assert_eq!(saved.header("cache-control"), Some("private, no-cache"));
    }

    // CASE-17
    async fn files_are_read_by_their_owner_his_principal_and_administrators(app) {
        let case = Case::open(app).await;
        let photo = case.upload("foto.jpg", "image/jpeg", PHOTO).await.ok()["media"].clone();
        let report = case.upload("parte.pdf", "application/pdf", &pdf()).await.ok()["media"].clone();
        let paths = [
            text(&photo["url"]),
            text(&photo["thumbnail"]),
            text(&report["url"]),
            format!("/uploads/{}.zip", case.id),
            format!("/api/v1/conference-media/{}", case.id),
            format!("/api/v1/zip/{}", case.id),
        ];
        let mates = case.owner.company;
        let of = |person| async move { app.log_in(&person).await };
        let may: Vec<Client> =
            vec![case.staff.clone(), of(app.person_in(mates, Role::Customer).await).await, app.as_role(Role::Admin).await];
        let may_not: Vec<Client> = vec![
            of(app.person_in(mates, Role::Worker).await).await,
            app.as_role(Role::Customer).await,
            app.as_role(Role::Worker).await,
            // The repair side reads only the conferences of its own requests.
            app.as_role(Role::Repairer).await,
        ];
        let roles_without: Vec<Client> = vec![app.as_role(Role::PasswordOperator).await];
        for path in &paths {
            for client in &may {
                client.get(path).await.expect(200);
            }
            for client in &may_not {
                let code = client.get(path).await.expect(404)["code"].clone();
                assert!(code == "MEDIA_NOT_FOUND" || code == "CONFERENCE_NOT_FOUND", "{path}: {code}");
            }
            for client in &roles_without {
                client.get(path).await.problem(403, "ROLE_NOT_ALLOWED");
            }
            app.anonymous().get(path).await.problem(401, "SESSION_REQUIRED");
        }
    }

    // STORE-11
    async fn the_archive_opens_and_holds_every_file_under_a_name_of_its_own(app) {
        let case = Case::open_with(app, json!({"expedientNumber": "2026/118-392 ñ"})).await;
        let files: [(&str, &str, &[u8]); 5] = [
            ("Daño lateral.jpg", "image/jpeg", PHOTO),
            ("daño LATERAL.jpg", "image/jpeg", PHOTO),
            ("../../etc/passwd.png", "image/png", &png()),
            ("parte.pdf", "application/pdf", &pdf()),
            ("recorrido.webm", "video/webm", VIDEO),
        ];
        for (name, kind, bytes) in files {
            case.upload(name, kind, bytes).await.ok();
            app.advance(TimeDelta::seconds(1));
        }
        let archive = case.staff.get(&format!("/uploads/{}.zip", case.id)).await;
        archive.expect(200);
        assert_eq!(archive.header("content-length"), Some(archive.body.len().to_string().as_str()));
        assert_eq!(archive.header("content-type"), Some("application/zip"));
        assert!(archive.header("content-disposition").unwrap().starts_with("attachment"));
        let entries = unzip(&archive.body);
        let names: Vec<&str> = entries.iter().map(|(name, _)| name.as_str()).collect();
        let evidence = ["verificador.html", "manifest.json"];
        let sent = ["Daño lateral.jpg", "daño LATERAL (2).jpg", "passwd.png", "parte.pdf", "recorrido.webm"];
        assert_eq!(names, [&sent[..], &evidence[..]].concat());
        for ((name, content), (_, _, sent)) in entries.iter().zip(files) {
            assert_eq!(content, sent, "{name}");
        }
        let empty = Case::open(app).await;
        let nothing = empty.staff.get(&format!("/uploads/{}.zip", empty.id)).await;
        nothing.expect(200);
        let names: Vec<String> = unzip(&nothing.body).into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, evidence);
    }

    // CLIENT-11
    async fn a_dictated_code_is_spent_once_even_by_two_at_once(app) {
        let case = Case::open(app).await;
        let code = text(&case.post("conference-code", json!({})).await.ok()["code"]);
        let ask = |n: u8| {
            let (client, body) = (app.anonymous().from([10, 2, 2, n]), json!({"code": code.clone()}));
            async move { client.post("/api/v1/external/code", body).await.status }
        };
        let mut all = futures::future::join_all((1..=6).map(ask)).await;
        all.sort_unstable();
        assert_eq!(all, [200, 422, 422, 422, 422, 422]);
    }

    // CASE-6, SMS-3
    async fn the_company_s_own_words_go_before_the_link(app) {
        let now = app.sources.now();
        let mut new = NewCompany::named(CompanyKind::Customer, "Levante").paying(now - TimeDelta::days(1));
        (new.sms_text, new.sms_sender) = (Some("Su perito le llama:".into()), Some("LEVANTE".into()));
        let company = app.company_with(new).await;
        let worker = app.person_in(company, Role::Worker).await;
        let case = Case::open_by(app, worker.clone(), json!({})).await;
        let sent = || async { app.outbox.for_conference(app.db.read(), case.id.parse().unwrap()).await.unwrap() };
        let first = sent().await.remove(0);
        assert_eq!((first.to.as_str(), first.sender.as_deref()), ("+34600123456", Some("LEVANTE")));
        assert_eq!(first.text, format!("Su perito le llama: {}", text(&case.opened["link"])));
        assert_eq!(first.link.as_deref(), case.opened["link"].as_str());
        let own = Case::open_by(app, worker, json!({"smsText": "Solo hoy:", "expedientNumber": "EXP-2"})).await;
        let its = app.outbox.for_conference(app.db.read(), own.id.parse().unwrap()).await.unwrap();
        assert!(its[0].text.starts_with("Solo hoy: http"), "{}", its[0].text);
        let english = Case::open_with(app, json!({"language": "en"})).await;
        let its = app.outbox.for_conference(app.db.read(), english.id.parse().unwrap()).await.unwrap();
        let text = its[0].text.clone();
        assert!(text.is_ascii() && !text.contains("Pulse") && text.contains("/c/"), "{text}");
        assert_eq!(english.link().await["legal"]["language"], "en");
    }
}
