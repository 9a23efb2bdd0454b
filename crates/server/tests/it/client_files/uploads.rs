//! The client's page and its tus uploads.

use super::Asked;
use crate::support::{Case, pdf, png, sha256, text};
use atalaya_testkit::both_engines;

/// A picture of some bytes that promises 50,000 × 50,000 pixels, with a true checksum.
fn flood() -> Vec<u8> {
    let mut bytes = png();
    bytes[16..24].copy_from_slice(&[0, 0, 0xc3, 0x50, 0, 0, 0xc3, 0x50]);
    let mut crc = flate2::Crc::new();
    crc.update(&bytes[12..29]);
    bytes[29..33].copy_from_slice(&crc.sum().to_be_bytes());
    bytes
}

use axum::http::Method;
use chrono::TimeDelta;
use serde_json::json;

async fn visits(case: &Case<'_>) -> usize {
    case.tracks().await.iter().filter(|track| *track == "FILES_OPENED").count()
}

both_engines! {
    // FILES-15, STORE-3
    async fn a_file_arrives_and_is_hashed_into_the_chain(app) {
        let asked = Asked::new(app, json!({"items": [{"label": "Matrícula", "shot": "plate"}]})).await;
        app.anonymous().post(&asked.path("/open"), json!({})).await.expect(204);
        assert_eq!(asked.list().await[0]["state"], "opened");
        let begun = asked.begin(0, "mi foto.png", "image/png", png().len(), "one").await;
        begun.expect(201);
        let address = begun.header("location").unwrap().to_owned();
        let head = asked.head(&address).await;
        assert_eq!((head.status, head.header("upload-offset"), head.header("upload-length"), head.header("cache-control")),
            (200, Some("0"), Some(png().len().to_string().as_str()), Some("no-store")));
        let first = asked.patch(&address, 0, &png()[..10]).await;
        assert_eq!((first.status, first.header("upload-offset"), first.header("tus-resumable")), (204, Some("10"), Some("1.0.0")));
        assert_eq!(asked.page().await["uploads"][0]["offset"], 10);
        asked.patch(&address, 0, &png()).await.problem(409, "UPLOAD_OFFSET");
        let last = asked.patch(&address, 10, &png()[10..]).await;
        last.expect(204);
        let media = last.header("upload-media").expect("a media item").to_owned();
        assert_eq!(asked.head(&address).await.header("upload-media"), Some(media.as_str()));
        let page = asked.page().await;
        assert_eq!((&page["items"][0]["state"], &page["items"][0]["files"]), (&json!("received"), &json!(1)));
        assert_eq!((&page["uploads"][0]["state"], &page["uploads"][0]["mediaId"]), (&json!("accepted"), &json!(media)));
        let list = asked.case.staff.get(&format!("/api/v1/conference-media/{}", asked.case.id)).await.ok()["media"].clone();
        assert_eq!((&list[0]["_id"], &list[0]["hash"], &list[0]["origin"]), (&json!(media), &json!(sha256(&png())), &json!("request")));
        assert_eq!((&list[0]["originalFileName"], &list[0]["requestId"]), (&json!("mi foto.png"), &asked.request["_id"]));
        assert_eq!(asked.case.staff.get(&text(&list[0]["url"])).await.body, png(), "byte for byte");
        let tracks = asked.case.details().await["tracks"].clone();
        let track = tracks.as_array().unwrap().iter().find(|t| t["type"] == "FILE_UPLOADED").expect("a track").clone();
        assert_eq!((&track["data"]["sha256"], &track["actor"]), (&json!(sha256(&png())), &json!("client")));
        assert!(asked.case.tracks().await.contains(&"FILES_OPENED".to_owned()));
        assert_eq!(asked.list().await[0]["state"], "complete");
    }

    // FILES-28
    async fn a_document_answers_and_ticks_no_shot(app) {
        let asked = Asked::new(app, json!({"items": [{"label": "Fachada", "shot": "facade"}]})).await;
        let tick = || async {
            let body = asked.case.staff.get(&format!("/api/v1/conference-shots/{}", asked.case.id)).await.ok();
            let shot = body["shots"].as_array().unwrap().iter().find(|shot| shot["key"] == "facade").unwrap().clone();
            (text(&shot["state"]), shot["mediaId"].clone())
        };
        asked.upload(0, "factura.pdf", "application/pdf", &pdf()).await.expect(204);
        let document = asked.list().await[0]["items"][0].clone();
        assert_eq!((&document["state"], tick().await), (&json!("received"), ("missing".to_owned(), json!(null))));
        let mark = json!({"key": "facade", "state": "done", "mediaId": document["mediaIds"][0]});
        let problem = asked.case.staff.put(&format!("/api/v1/conference-shots/{}", asked.case.id), mark).await.problem(422, "INVALID_FIELDS");
        assert_eq!(problem["errors"][0]["field"], "mediaId", "nor by hand");
        // Files of the same millisecond have no order.
        app.advance(TimeDelta::milliseconds(1));
        asked.upload(0, "foto.png", "image/png", &png()).await.expect(204);
        let picture = asked.list().await[0]["items"][0]["mediaIds"][1].clone();
        assert_eq!(tick().await, ("done".to_owned(), picture));
    }

    // FILES-14
    async fn a_visit_is_told_once_an_hour_for_each_device(app) {
        let mut asked = Asked::new(app, json!({})).await;
        let path = asked.path("/open");
        let open = |agent: &'static str| {
            let (client, path) = (app.anonymous().with("user-agent", agent), &path);
            async move { client.post(path, json!({})).await.expect(204); }
        };
        let (phone, desk) = ("Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 Version/18.1 Mobile/15E148 Safari/604.1",
            "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/131.0.0.0 Safari/537.36");
        for _ in 0..3 {
            open(phone).await;
        }
        assert_eq!(visits(&asked.case).await, 1);
        open(desk).await;
        assert_eq!(visits(&asked.case).await, 2, "another device");
        app.advance(TimeDelta::minutes(60) - TimeDelta::seconds(1));
        asked.case.log_in_again().await;
        open(phone).await;
        assert_eq!(visits(&asked.case).await, 2);
        app.advance(TimeDelta::seconds(1));
        open(phone).await;
        assert_eq!(visits(&asked.case).await, 3, "an hour later");
    }

    // FILES-19, FILES-21, FILES-22
    async fn what_is_not_taken_says_why(app) {
        let asked = Asked::new(app, json!({})).await;
        let flood = flood();
        let script = b"%PDF-1.7\n1 0 obj<</OpenAction<</S/JavaScript/JS(app.alert(1))>>>>endobj\n%%EOF".to_vec();
        for (bytes, code) in [
            (b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>".to_vec(), "FILE_TYPE_NOT_SUPPORTED"),
            (b"<html><script>alert(1)</script></html>".to_vec(), "FILE_TYPE_NOT_SUPPORTED"),
            (b"PK\x03\x04 word/vbaProject.bin".to_vec(), "FILE_TYPE_NOT_SUPPORTED"),
            (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 macros".to_vec(), "FILE_TYPE_NOT_SUPPORTED"),
            (b"MZ\x90\0".to_vec(), "FILE_TYPE_NOT_SUPPORTED"),
            (b"x".to_vec(), "FILE_TYPE_NOT_SUPPORTED"),
            (png()[..40].to_vec(), "NOT_A_PICTURE"),
            (flood, "PICTURE_TOO_BIG"),
            (script, "PDF_ACTIVE_CONTENT"),
        ] {
            asked.upload(0, "foto.jpg", "image/jpeg", &bytes).await.problem(422, code);
        }
        asked.upload(0, "foto.jpg", "image/jpeg", b"").await.problem(422, "FILE_EMPTY");
        asked.begin(0, "foto.jpg", "image/jpeg", 26_214_401, "big").await.problem(413, "FILE_TOO_LARGE");
        asked.begin(0, "parte.pdf", "application/pdf", 26_214_401, "big").await.problem(413, "FILE_TOO_LARGE");
        asked.begin(0, "video.mp4", "video/mp4", 209_715_201, "big").await.problem(413, "FILE_TOO_LARGE");
        asked.begin(0, "video.mp4", "video/mp4", 209_715_200, "fits").await.expect(201);
        let page = asked.page().await;
        let refused = page["uploads"].as_array().unwrap().iter().filter(|upload| upload["state"] == "refused").count();
        assert_eq!(refused, 9, "{page}");
        assert!(page["uploads"].to_string().contains("PDF_ACTIVE_CONTENT"), "the page tells why");
        assert_eq!(page["items"][0]["state"], "asked");
        asked.upload(0, "parte.txt", "text/plain", &pdf()).await.expect(204);
        let list = asked.case.staff.get(&format!("/api/v1/conference-media/{}", asked.case.id)).await.ok()["media"].clone();
        assert_eq!((list.as_array().map(Vec::len), &list[0]["originalFileName"], &list[0]["type"]), (Some(1), &json!("parte.pdf"), &json!("DOCUMENT")));
    }

    // FILES-16, FILES-17
    async fn the_protocol_is_kept_strictly(app) {
        let asked = Asked::new(app, json!({})).await;
        let options = app.anonymous().send(Method::OPTIONS, &asked.path("/uploads"), None).await;
        assert_eq!((options.status, options.header("tus-version"), options.header("tus-extension"), options.header("tus-max-size")),
            (204, Some("1.0.0"), Some("creation,termination,checksum"), Some("209715200")));
        let old = app.anonymous().with("tus-resumable", "0.2.2").with("upload-length", "3").send(Method::POST, &asked.path("/uploads"), None).await;
        old.problem(412, "TUS_VERSION_NOT_SUPPORTED");
        assert_eq!(old.header("tus-version"), Some("1.0.0"));
        asked.phone().send(Method::POST, &asked.path("/uploads"), None).await.problem(400, "TUS_HEADER_INVALID");
        asked.phone().with("upload-length", "-3").send(Method::POST, &asked.path("/uploads"), None).await.problem(400, "TUS_HEADER_INVALID");
        asked.phone().with("upload-length", "3").with("upload-metadata", "filename ???").send(Method::POST, &asked.path("/uploads"), None).await.problem(400, "TUS_HEADER_INVALID");
        asked.phone().with("upload-length", "3").with("upload-metadata", &crate::client_files::metadata(&[("item", "x")])).send(Method::POST, &asked.path("/uploads"), None).await.problem(422, "INVALID_FIELDS");
        let address = asked.begin(0, "a.png", "image/png", 10, "k").await.header("location").unwrap().to_owned();
        let again = asked.begin(0, "a.png", "image/png", 10, "k").await;
        assert_eq!((again.status, again.header("location")), (201, Some(address.as_str())), "the same key is the same upload");
        asked.begin(0, "a.png", "image/png", 11, "k").await.problem(400, "TUS_HEADER_INVALID");
        let typed = asked.phone().with("upload-offset", "0").send_body(Method::PATCH, &address, Some("image/png"), vec![1]).await;
        typed.problem(415, "TUS_CONTENT_TYPE");
        asked.phone().send_body(Method::PATCH, &address, Some("application/offset+octet-stream"), vec![1]).await.problem(400, "TUS_HEADER_INVALID");
        asked.patch(&address, 0, &[1; 11]).await.problem(413, "FILE_TOO_LARGE");
        asked.patch(&address, 0, &[1; 4]).await.expect(204);
        asked.patch(&address, 3, &[1; 4]).await.problem(409, "UPLOAD_OFFSET");
        asked.phone().send(Method::DELETE, &address, None).await.expect(204);
        assert_eq!(asked.head(&address).await.status, 404);
        asked.patch(&address, 4, &[1; 6]).await.problem(404, "UPLOAD_NOT_FOUND");
        app.anonymous().get("/api/v1/external/files/00000000000000000000000000000000").await.problem(404, "LINK_UNKNOWN");
        app.anonymous().get("/api/v1/external/files/..").await.problem(404, "LINK_UNKNOWN");
        let code = app.anonymous().get("/f/AAAAAAAAAA").await;
        assert_eq!((code.status, code.header("location")), (302, Some("/external?reason=unknown")));
    }
}
