//! Media: uploads, files, ranges, the zip, and who may read them.

pub mod storage;

use crate::support::{Case, multipart, pdf, png, sha256, text};
use atalaya_identity::auth::authenticate;
use atalaya_kernel::Role;
use atalaya_rest::Caller;
use atalaya_testkit::{Client, PASSWORD, both_engines};
use axum::http::Method;
use axum::middleware::from_fn_with_state;
use serde_json::{Value, json};

const PHOTO: &[u8] = include_bytes!("../../../assistance/src/demo/media/frontal.jpg");

both_engines! {
    // STORE-3
    async fn a_picture_keeps_its_bytes_hash_and_name(app) {
        let case = Case::open(app).await;
        let media = case.upload("daños del coche.png", "image/png", &png()).await.ok()["media"].clone();
        assert_eq!((&media["type"], &media["mime"], &media["origin"]), (&json!("PICTURE"), &json!("image/png"), &json!("upload")));
        assert_eq!((&media["hash"], &media["size"]), (&json!(sha256(&png())), &json!(png().len())));
        assert_eq!((&media["width"], &media["height"]), (&json!(1), &json!(1)));
        assert_eq!(media["originalFileName"], "daños del coche.png");
        let file = case.staff.get(&text(&media["url"])).await;
        file.ok();
        assert_eq!(file.body, png(), "byte for byte");
        assert_eq!(file.header("content-type"), Some("image/png"));
        assert_eq!(file.header("x-content-type-options"), Some("nosniff"));
        assert_eq!(file.header("etag"), Some(format!("\"{}\"", sha256(&png())).as_str()));
        assert!(file.header("content-disposition").unwrap().starts_with("inline"));
        let saved = case.staff.get(&format!("{}?download=1", text(&media["url"]))).await;
        assert!(saved.header("content-disposition").unwrap().starts_with("attachment"));
        let list = case.staff.get(&format!("/api/v1/conference-media/{}", case.id)).await.ok();
        assert_eq!(list["media"][0]["_id"], media["_id"]);
        assert_eq!(list["conference"]["_id"], json!(case.id));
        let tracks = case.details().await["tracks"].clone();
        assert!(tracks.to_string().contains(&sha256(&png())), "the hash is in the chain");
    }

    // STORE-10
    async fn ranges_and_revalidation(app) {
        let case = Case::open(app).await;
        let url = text(&case.upload("foto.png", "image/png", &png()).await.ok()["media"]["url"]);
        let (bytes, size) = (png(), png().len());
        let part = |range: &str| {
            let client = case.staff.clone().with("range", range);
            let url = url.clone();
            async move { client.get(&url).await }
        };
        let first = part("bytes=0-9").await;
        first.expect(206);
        assert_eq!((&first.body[..], first.header("content-range")), (&bytes[..10], Some(format!("bytes 0-9/{size}").as_str())));
        assert_eq!(part("bytes=-5").await.body, bytes[size - 5..]);
        assert_eq!(part("bytes=60-").await.body, bytes[60..]);
        let outside = part(&format!("bytes={size}-")).await;
        outside.expect(416);
        assert_eq!(outside.header("content-range"), Some(format!("bytes */{size}").as_str()));
        let tag = format!("\"{}\"", sha256(&bytes));
        let same = case.staff.clone().with("if-none-match", &tag).get(&url).await;
        same.expect(304);
        assert!(same.body.is_empty());
    }

    // STORE-14
    async fn documents_have_their_own_folder(app) {
        let case = Case::open(app).await;
        let media = case.upload("parte.pdf", "application/pdf", &pdf()).await.ok()["media"].clone();
        assert_eq!(media["type"], "DOCUMENT");
        let url = text(&media["url"]);
        assert!(url.starts_with("/uploads-documents/"), "{url}");
        assert_eq!(case.staff.get(&url).await.body, pdf());
        case.staff.get(&url.replace("/uploads-documents/", "/uploads/")).await.problem(404, "MEDIA_NOT_FOUND");
    }

    // STORE-13
    async fn a_still_of_the_client_is_stored_once(app) {
        let case = Case::open(app).await;
        let key = case.accept().await;
        let meta = json!({"captureId": "c-1", "method": "takePhoto", "capturedAt": "2026-11-20T09:00:00Z", "width": 1, "height": 1,
            "latitude": 40.4168, "longitude": -3.7038, "accuracy": 12, "lens": "environment", "mime": "image/png"});
        let first = case.capture(&key, &meta, &png()).await.ok()["media"].clone();
        let again = case.capture(&key, &meta, &png()).await.ok()["media"].clone();
        assert_eq!((&first["_id"], &first["hash"]), (&again["_id"], &json!(sha256(&png()))));
        let list = case.staff.get(&format!("/api/v1/conference-media/{}", case.id)).await.ok()["media"].clone();
        assert_eq!(list.as_array().map(Vec::len), Some(1), "sent twice, kept once");
        assert_eq!((&list[0]["origin"], &list[0]["method"], &list[0]["accuracy"]), (&json!("call"), &json!("takePhoto"), &json!(12)));
    }

    // STORE-5
    async fn what_is_not_a_picture_is_refused_and_nothing_is_kept(app) {
        let case = Case::open(app).await;
        let key = case.accept().await;
        let meta = json!({"method": "file"});
        for bytes in [&b"<html><script>alert(1)</script>"[..], b"GIF89a", &pdf(), &png()[..20], b"\x89PNG\r\n\x1a\n garbage"] {
            case.capture(&key, &meta, bytes).await.problem(422, "NOT_A_PICTURE");
        }
        for bytes in [&b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>"[..], b"MZ\x90\x00", b"#!/bin/sh"] {
            let answer = case.upload("foto.png", "image/png", bytes).await;
            assert_eq!(answer.status, 422, "{}", String::from_utf8_lossy(&answer.body));
        }
        case.capture("garbage", &meta, &png()).await.problem(403, "CLIENT_KEY_INVALID");
        let list = case.staff.get(&format!("/api/v1/conference-media/{}", case.id)).await.ok();
        assert_eq!(list["media"], json!([]));
        assert!(!case.tracks().await.contains(&"MEDIA_CAPTURED".to_owned()));
    }

    // STORE-8
    async fn broken_forms_and_files_over_the_limit(app) {
        let case = Case::open(app).await;
        let path = format!("/api/v1/conference-media/{}", case.id);
        let send = |kind: Option<&'static str>, body: Vec<u8>| {
            let (client, path) = (case.staff.clone(), path.clone());
            async move { client.send_body(Method::POST, &path, kind, body).await }
        };
        send(Some("application/json"), b"{}".to_vec()).await.problem(415, "MULTIPART_REQUIRED");
        send(Some("multipart/form-data; boundary=frame"), b"--frame\r\ngarbage".to_vec()).await.problem(400, "MALFORMED_MULTIPART");
        send(Some("multipart/form-data; boundary=frame"), b"--frame--\r\n".to_vec()).await.problem(422, "INVALID_FIELDS");
        case.upload("vacio.png", "image/png", b"").await.problem(422, "FILE_EMPTY");
        let huge = vec![0; 26_214_401];
        case.upload("grande.png", "image/png", &huge).await.problem(413, "FILE_TOO_LARGE");
        let (kind, body) = multipart(Some(&json!("not an object")), "foto.png", "image/png", &png());
        case.staff.send_body(Method::POST, &path, Some(&kind), body).await.problem(422, "INVALID_FIELDS");
        assert_eq!(case.staff.get(&path).await.ok()["media"], json!([]));
    }

    // STORE-14
    async fn path_tricks_find_nothing(app) {
        let case = Case::open(app).await;
        case.upload("foto.png", "image/png", &png()).await.ok();
        for path in [
            "/uploads/../secrets.toml",
            "/uploads/..%2f..%2fsecrets.toml",
            "/uploads/%2e%2e%2fsecrets.toml",
            "/uploads/....//secrets.toml",
            "/uploads/foto.png%00.zip",
            "/uploads/C:%5Cwindows",
            "/uploads/.zip",
            "/uploads/x.zip",
            "/uploads-documents/..%2f..%2fetc%2fpasswd",
            "/uploads/",
            "/uploads",
        ] {
            let answer = case.staff.get(path).await;
            assert_eq!(answer.status, 404, "{path}: {}", String::from_utf8_lossy(&answer.body));
        }
    }

    // STORE-11
    async fn the_zip_is_announced_and_streamed_whole(app) {
        let case = Case::open_with(app, json!({"expedientNumber": "EXP 7/ñ"})).await;
        case.upload("foto.png", "image/png", &png()).await.ok();
        case.upload("foto.png", "image/png", &png()).await.ok();
        case.upload("parte.pdf", "application/pdf", &pdf()).await.ok();
        let zip = text(&case.staff.get(&format!("/api/v1/zip/{}", case.id)).await.ok()["zip"]);
        assert_eq!(zip, format!("/uploads/{}.zip", case.id));
        let archive = case.staff.get(&zip).await;
        archive.ok();
        assert_eq!(archive.header("content-type"), Some("application/zip"));
        assert_eq!(archive.header("content-length"), Some(archive.body.len().to_string().as_str()), "known beforehand");
        assert!(archive.body.starts_with(b"PK\x03\x04"));
        let contains = |needle: &[u8]| archive.body.windows(needle.len()).any(|window| window == needle);
        assert!(contains(&png()) && contains(&pdf()), "stored, not recompressed");
        let ends = archive.body.windows(4).filter(|window| *window == b"PK\x01\x02").count();
        assert_eq!(ends, 5, "three files, two of the same name told apart; manifest and verifier");
    }

    // STORE-9
    async fn new_media_are_new_until_the_company_looks(app) {
        let case = Case::open(app).await;
        let key = case.accept().await;
        let list = || async { case.staff.get(&format!("/api/v1/conference-media/{}", case.id)).await.ok() };
        list().await;
        app.advance(chrono::TimeDelta::seconds(1));
        case.capture(&key, &json!({"method": "frame"}), &png()).await.ok();
        let admin = app.as_role(Role::Admin).await;
        let seen = admin.get(&format!("/api/v1/conference-media/{}", case.id)).await.ok();
        assert_eq!(seen["conference"]["isNewMedia"], true);
        assert_eq!(list().await["conference"]["isNewMedia"], true, "an administrator's look does not count");
        assert_eq!(list().await["conference"]["isNewMedia"], false);
    }

    // STORE-15
    async fn the_media_cookie_reads_files_and_nothing_else(app) {
        let case = Case::open(app).await;
        let url = text(&case.upload("foto.png", "image/png", &png()).await.ok()["media"]["url"]);
        let body = json!({"userName": case.owner.user_name, "password": PASSWORD, "login": true});
        let log_in = app.anonymous().post("/api/v1/login", body).await;
        let token = text(&log_in.ok()["token"]);
        let line = log_in.cookies("atalaya_media")[0].clone();
        let cookie = line.split(';').next().unwrap().to_owned();
        let with_cookie = app.anonymous().with("cookie", &cookie);

        assert_eq!(with_cookie.get(&url).await.body, png());
        let zip = with_cookie.get(&format!("/uploads/{}.zip", case.id)).await;
        zip.ok();
        with_cookie.get(&format!("/api/v1/conference-media/{}", case.id)).await.problem(401, "SESSION_REQUIRED");
        with_cookie.post(&format!("/api/v1/conference-close/{}", case.id), json!({})).await.problem(401, "SESSION_REQUIRED");
        // Neither token replaces the other.
        app.anonymous().with("cookie", &format!("atalaya_media={token}")).get(&url).await.problem(401, "SESSION_INVALID");
        let value = cookie.split_once('=').unwrap().1;
        app.anonymous().with_token(value).get(&url).await.problem(401, "SESSION_INVALID");

        app.anonymous().with_token(&*token).send(Method::POST, "/api/v1/logout", None).await.expect(204);
        with_cookie.get(&url).await.problem(401, "SESSION_ENDED");
        app.anonymous().get(&url).await.problem(401, "SESSION_REQUIRED");
    }

    // STORE-15
    async fn a_change_by_cookie_needs_the_page_s_token_as_well(app) {
        let log_in = {
            let worker = app.person(Role::Worker).await;
            let body = json!({"userName": worker.user_name, "password": PASSWORD, "login": true});
            app.anonymous().post("/api/v1/login", body).await
        };
        let line = log_in.cookies("atalaya_media")[0].clone();
        let cookie = line.split(';').next().unwrap();
        // No call changes anything by cookie yet; this tests the guard for the day that one does.
        let changes = axum::Router::new().route("/uploads/{name}", axum::routing::post(|_: Caller| async { "changed" }));
        let guarded = changes.layer(from_fn_with_state(app.identity.clone(), authenticate));
        let client = |cookies: &str| Client::new(guarded.clone(), None).with("cookie", cookies);
        let post = |client: Client| async move { client.send(Method::POST, "/uploads/x", None).await.status };
        let both = format!("{cookie}; XSRF-TOKEN=abc");
        assert_eq!(post(client(cookie)).await, 403);
        assert_eq!(post(client(&both)).await, 403);
        assert_eq!(post(client(&both).with("x-xsrf-token", "abd")).await, 403);
        assert_eq!(post(client(&both).with("x-xsrf-token", "abc")).await, 200);
    }

    // STORE-16
    async fn a_file_has_a_label_a_note_and_a_shot(app) {
        let case = Case::open(app).await;
        let media = case.upload("foto.png", "image/png", &png()).await.ok()["media"].clone();
        assert_eq!((&media["label"], &media["note"], &media["shot"], &media["expired"]), (&json!(null), &json!(null), &json!(null), &json!(false)));
        let path = format!("/api/v1/media/{}", text(&media["_id"]));
        let put = |change: Value| {
            let (client, path) = (case.staff.clone(), path.clone());
            async move { client.send(Method::PUT, &path, Some(json!({"media": change}))).await }
        };
        let done = put(json!({"label": " Frontal  ", "note": "Golpe en la aleta\nDerecha", "shot": "front-left"})).await.ok();
        assert_eq!((&done["media"]["label"], &done["media"]["shot"]), (&json!("Frontal"), &json!("front-left")));
        let done = put(json!({"note": null})).await.ok();
        assert_eq!((&done["media"]["label"], &done["media"]["note"]), (&json!("Frontal"), &json!(null)), "what is absent stays");
        assert_eq!(put(json!({"label": "  "})).await.ok()["media"]["label"], json!(null));
        for (field, max) in [("label", 60), ("note", 500)] {
            put(json!({field: "ñ".repeat(max - 1)})).await.ok();
            assert_eq!(put(json!({field: "ñ".repeat(max)})).await.ok()["media"][field], json!("ñ".repeat(max)));
            let refused = put(json!({field: "ñ".repeat(max + 1)})).await;
            refused.problem(422, "INVALID_FIELDS");
            let error = refused.json()["errors"][0].clone();
            assert_eq!((&error["field"], &error["code"]), (&json!(field), &json!("TOO_LONG")));
        }
        put(json!({"label": "a\u{0}b"})).await.problem(422, "INVALID_FIELDS");
        let listed = case.staff.get(&format!("/api/v1/conference-media/{}", case.id)).await.ok()["media"][0].clone();
        assert_eq!(listed["label"], json!("ñ".repeat(60)), "a refused text changes nothing");
        let stranger = app.as_role(Role::Worker).await;
        stranger.send(Method::PUT, &path, Some(json!({"media": {"label": "x"}}))).await.problem(404, "MEDIA_NOT_FOUND");
    }

    // STORE-6, STORE-7
    async fn a_file_opened_in_a_tab_may_do_nothing(app) {
        let case = Case::open(app).await;
        let script = b"<script>fetch('/api/v1/me')</script>";
        // A picture with a page after its end: kept byte for byte, recognised by its first bytes, and sandboxed.
        let both = [PHOTO, script].concat();
        let url = text(&case.upload("foto.jpg", "text/html", &both).await.ok()["media"]["url"]);
        let file = case.staff.get(&url).await;
        assert_eq!(file.body, both, "byte for byte");
        assert_eq!(file.header("content-type"), Some("image/jpeg"));
        assert_eq!(file.header("x-content-type-options"), Some("nosniff"));
        let policy = file.header("content-security-policy").unwrap();
        assert!(policy.starts_with("default-src 'none'") && policy.ends_with("sandbox"), "{policy}");
        assert!(policy.contains("; style-src-attr ") && !policy.contains("style-src "), "the browser's viewer places the picture");
        let small = case.staff.get(&format!("{url}?thumb=1")).await.body;
        assert!(!small.windows(script.len()).any(|w| w == script), "the small copy is made anew");
        let document = text(&case.upload("parte.pdf", "application/pdf", &pdf()).await.ok()["media"]["url"]);
        let policy = case.staff.get(&document).await.header("content-security-policy").unwrap().to_owned();
        assert!(policy.starts_with("default-src 'none'") && !policy.contains("script-src"), "{policy}");
        assert!(!policy.contains("unsafe-inline"), "{policy}");
    }

    // STORE-18
    async fn two_hundred_files_at_once_all_arrive(app) {
        let case = Case::open(app).await;
        let case = &case;
        let sent = futures::future::join_all((0..200).map(|n| async move {
            case.upload(&format!("foto {n}.png"), "image/png", &png()).await.status
        }));
        let sent = sent.await;
        assert!(sent.iter().all(|status| *status == 200), "{sent:?}");
        let list = case.staff.get(&format!("/api/v1/conference-media/{}", case.id)).await.ok()["media"].clone();
        assert_eq!(list.as_array().map(Vec::len), Some(200));
        let head = atalaya_cases::evidence::verify(app.db.read(), case.id.parse().unwrap()).await.unwrap();
        assert!(head.is_ok(), "one chain, whatever the order: {head:?}");
    }

    // STORE-24
    async fn only_what_was_announced_before_the_end_is_of_the_call(app) {
        let case = Case::open(app).await;
        let key = case.accept().await;
        let announce = |sha256: String| {
            let step = json!({"type": "CAPTURE_ANNOUNCED", "data": {"captureId": "shot-1", "sha256": sha256}});
            case.client_with(&key, "track", step)
        };
        announce("no hash".into()).await.problem(422, "INVALID_FIELDS");
        case.client("track", json!({"type": "CAPTURE_ANNOUNCED", "data": {"captureId": "x", "sha256": "0".repeat(64)}})).await.problem(403, "CLIENT_KEY_INVALID");
        announce(sha256(&png())).await.expect(204);
        announce(sha256(&png())).await.expect(204);
        case.post("conference-close", json!({})).await.ok();
        let closed = case.details().await["tracks"].as_array().unwrap().last().unwrap().clone();
        assert_eq!(closed["data"]["awaited"], json!([sha256(&png())]), "under the seal of the end");
        announce(sha256(b"later")).await.problem(410, "CONFERENCE_CLOSED");
        case.capture(&key, &json!({"captureId": "shot-1"}), &png()).await.ok();
        // The same picture with a byte more behind its end is another file.
        let other = |n: u8| [png(), vec![n]].concat();
        for n in 0..20 {
            app.advance(chrono::TimeDelta::milliseconds(1));
            case.capture(&key, &json!({}), &other(n)).await.ok();
        }
        case.capture(&key, &json!({}), &other(20)).await.problem(410, "CONFERENCE_CLOSED");
        let list = case.staff.get(&format!("/api/v1/conference-media/{}", case.id)).await.ok()["media"].clone();
        let origins: Vec<String> = list.as_array().unwrap().iter().map(|item| text(&item["origin"])).collect();
        assert_eq!(origins, [vec!["call"], vec!["late"; 20]].concat());
        let tracks = case.details().await["tracks"].clone();
        let late = tracks.as_array().unwrap().iter().filter(|track| track["data"]["late"] == true);
        assert!(late.clone().all(|track| track["type"] == "FILE_UPLOADED") && late.count() == 20);
    }

    // STORE-17
    async fn a_late_picture_of_a_closed_call_still_arrives(app) {
        let case = Case::open(app).await;
        let key = case.accept().await;
        case.post("conference-close", json!({})).await.ok();
        let late = case.capture(&key, &json!({"method": "takePhoto"}), &png()).await.ok()["media"].clone();
        assert_ne!(late["_id"], Value::Null);
    }
}
