//! Uploads that break: cut anywhere, repeated, overtaken, many at once.

use super::Asked;
use crate::support::{multipart, png, sha256, text};
use atalaya_testkit::both_engines;
use axum::body::{Body, Bytes};
use axum::http::Method;
use sea_orm::{ConnectionTrait, Statement};
use serde_json::json;
use std::io;
use std::net::SocketAddr;
use std::time::Duration;
use tokio::io::AsyncWriteExt;

const PICTURE: &[u8] = include_bytes!("../../../../assistance/src/demo/media/lateral.jpg");
const KIND: Option<&str> = Some("application/offset+octet-stream");

/// A body that arrives in pieces of this size and then breaks.
fn torn(bytes: &[u8], piece: usize) -> Body {
    let pieces: Vec<io::Result<Bytes>> = bytes.chunks(piece.max(1)).map(|part| Ok(Bytes::copy_from_slice(part))).collect();
    let cut = std::iter::once(Err(io::Error::from(io::ErrorKind::ConnectionReset)));
    Body::from_stream(futures::stream::iter(pieces.into_iter().chain(cut)))
}

both_engines! {
    // FILES-15
    async fn cut_at_random_bytes_the_hash_is_the_same(app) {
        let asked = Asked::new(app, json!({})).await;
        let random = |below: usize| u64::from_le_bytes(app.sources.bytes::<8>()) as usize % below.max(1);
        for round in 0..8 {
            let begun = asked.begin(0, "lateral.jpg", "image/jpeg", PICTURE.len(), &format!("round-{round}")).await;
            let address = begun.header("location").unwrap().to_owned();
            let (mut cuts, mut last) = (0, None);
            while last.is_none() {
                let offset: usize = asked.head(&address).await.header("upload-offset").unwrap().parse().unwrap();
                let rest = &PICTURE[offset..];
                if random(3) == 0 || cuts > 12 {
                    last = asked.patch(&address, offset, rest).await.header("upload-media").map(str::to_owned);
                    continue;
                }
                let part = &rest[..random(rest.len() + 1)];
                let phone = asked.phone().with("upload-offset", &offset.to_string());
                phone.send_body(Method::PATCH, &address, KIND, torn(part, random(5000) + 1)).await;
                let kept = asked.head(&address).await;
                assert_eq!(kept.header("upload-offset"), Some((offset + part.len()).to_string().as_str()), "what arrived is kept");
                if offset + part.len() == PICTURE.len() {
                    last = kept.header("upload-media").map(str::to_owned);
                }
                cuts += 1;
            }
            let list = asked.case.staff.get(&format!("/api/v1/conference-media/{}", asked.case.id)).await.ok()["media"].clone();
            let media = list.as_array().unwrap().iter().find(|m| m["_id"] == json!(last)).expect("the media item").clone();
            assert_eq!((&media["hash"], &media["size"]), (&json!(sha256(PICTURE)), &json!(PICTURE.len())), "after {cuts} cuts");
        }
    }

    // FILES-19
    async fn two_hundred_files_at_once_and_not_one_more(app) {
        let asked = Asked::new(app, json!({})).await;
        let picture = png();
        let one = || async {
            let key = app.next().to_string();
            let address = asked.begin(0, "foto.png", "image/png", picture.len(), &key).await.header("location").unwrap().to_owned();
            loop {
                // Too many at once only means to try again.
                match asked.patch(&address, 0, &picture).await {
                    answer if answer.status == 429 => {}
                    answer => return answer,
                }
            }
        };
        let all = futures::future::join_all((0..200).map(|_| one())).await;
        assert!(all.iter().all(|answer| answer.status == 204), "{:?}", all.iter().find(|answer| answer.status != 204));
        asked.upload(0, "foto.png", "image/png", &picture).await.problem(409, "TOO_MANY_FILES");
        let page = asked.page().await;
        assert_eq!((&page["items"][0]["files"], &page["maxFiles"]), (&json!(200), &json!(200)));
        assert_eq!(asked.case.tracks().await.iter().filter(|track| *track == "FILE_UPLOADED").count(), 200);
    }

    // FILES-19, FILES-20
    async fn a_link_brings_four_files_at_once_and_no_more(app) {
        let asked = Asked::new(app, json!({})).await;
        let begin = |key: &'static str| {
            let begun = asked.begin(0, "a.png", "image/png", 100, key);
            async move { begun.await.header("location").unwrap().to_owned() }
        };
        let mut held = Vec::new();
        for key in ["a", "b", "c", "d"] {
            let (phone, address) = (asked.phone().with("upload-offset", "0"), begin(key).await);
            let silent = Body::from_stream(futures::stream::pending::<io::Result<Bytes>>());
            held.push(tokio::spawn(async move { phone.send_body(Method::PATCH, &address, KIND, silent).await }));
        }
        let mut fifth = asked.patch(&begin("e").await, 0, &[1; 4]).await;
        if fifth.status == 204 {
            // The four had not all arrived yet.
            fifth = asked.patch(&begin("f").await, 0, &[1; 4]).await;
        }
        fifth.problem(429, "TOO_MANY_REQUESTS");
        assert_eq!(fifth.header("retry-after"), Some("5"));
        let other = Asked::new(app, json!({})).await;
        let elsewhere = other.begin(0, "a.png", "image/png", 100, "a").await.header("location").unwrap().to_owned();
        other.patch(&elsewhere, 0, &[1; 4]).await.expect(204);
        // A new request for the same file takes the place of the lost one.
        asked.patch(&begin("a").await, 0, &[1; 4]).await.expect(204);
        for task in held {
            task.abort();
        }
    }

    // FILES-24
    async fn an_upload_given_up_counts_and_leaves_nothing(app) {
        let asked = Asked::new(app, json!({})).await;
        let blobs = || async {
            use futures::TryStreamExt;
            let all: Vec<_> = app.assistance.blobs.list(None).try_collect().await.unwrap();
            all.len()
        };
        let before = blobs().await;
        let rows = || async {
            let backend = app.db.read().get_database_backend();
            let ask = Statement::from_string(backend, "SELECT state, name FROM file_upload");
            app.db.read().query_all_raw(ask).await.unwrap()
        };
        for tries in 1..=2 {
            let address = asked.begin(0, "dni.jpg", "image/jpeg", PICTURE.len(), "k").await.header("location").unwrap().to_owned();
            asked.patch(&address, 0, &PICTURE[..5000]).await.expect(204);
            assert_eq!(blobs().await, before + 1);
            asked.phone().send(Method::DELETE, &address, None).await.expect(204);
            asked.phone().send(Method::DELETE, &address, None).await.problem(404, "UPLOAD_NOT_FOUND");
            assert_eq!((asked.head(&address).await.status, blobs().await), (404, before));
            let rows = rows().await;
            assert_eq!(rows.len(), tries, "every try counts");
            for row in rows {
                assert_eq!((row.try_get_by_index::<String>(0).unwrap(), row.try_get_by_index::<String>(1).unwrap()), ("cancelled".into(), String::new()));
            }
        }
        assert_eq!(asked.page().await["uploads"], json!([]));
        // The deletion is stored with it: had the process died, the hourly job would delete the bytes.
        let backend = app.db.read().get_database_backend();
        let ask = Statement::from_string(backend, "SELECT name FROM file_deletion WHERE name LIKE '%/uploads/%'");
        assert_eq!(app.db.read().query_all_raw(ask).await.unwrap().len(), 2);
        asked.upload(0, "a.jpg", "image/jpeg", PICTURE).await.expect(204);
        atalaya_privacy::erasures::expiry::run(&app.privacy).await.unwrap();
        assert_eq!(blobs().await, before + 2, "the file and its small copy");
    }

    // FILES-18
    async fn a_sum_that_does_not_fit_keeps_nothing(app) {
        let asked = Asked::new(app, json!({})).await;
        let picture = png();
        let address = asked.begin(0, "a.png", "image/png", picture.len(), "k").await.header("location").unwrap().to_owned();
        let send = |offset: usize, sum: &[u8], algorithm: &str, bytes: Vec<u8>| {
            use base64::Engine;
            let sum = format!("{algorithm} {}", base64::engine::general_purpose::STANDARD.encode(sum));
            let phone = asked.phone().with("upload-offset", &offset.to_string()).with("upload-checksum", &sum);
            let address = address.clone();
            async move { phone.send_body(Method::PATCH, &address, KIND, bytes).await }
        };
        send(0, &[0; 20], "sha1", picture[..9].to_vec()).await.problem(460, "UPLOAD_CHECKSUM");
        assert_eq!(asked.head(&address).await.header("upload-offset"), Some("0"));
        send(0, &[0; 16], "md5", picture[..9].to_vec()).await.problem(400, "TUS_HEADER_INVALID");
        let sha1 = aws_lc_rs::digest::digest(&aws_lc_rs::digest::SHA1_FOR_LEGACY_USE_ONLY, &picture[..9]);
        send(0, sha1.as_ref(), "sha1", picture[..9].to_vec()).await.expect(204);
        let sha256 = aws_lc_rs::digest::digest(&aws_lc_rs::digest::SHA256, &picture[9..]);
        send(9, sha256.as_ref(), "sha256", picture[9..].to_vec()).await.expect(204);
        assert_eq!(asked.page().await["items"][0]["state"], "received");
    }

    // FILES-15
    async fn a_connection_that_dies_keeps_what_arrived(app) {
        let asked = Asked::new(app, json!({})).await;
        let address = asked.begin(0, "a.jpg", "image/jpeg", PICTURE.len(), "k").await.header("location").unwrap().to_owned();
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let server = listener.local_addr().unwrap();
        let service = app.router.clone().into_make_service_with_connect_info::<SocketAddr>();
        let serving = tokio::spawn(async move { axum::serve(listener, service).await });
        let half = PICTURE.len() / 2;
        let mut phone = tokio::net::TcpStream::connect(server).await.unwrap();
        let head = format!("PATCH {address} HTTP/1.1\r\nHost: x\r\nTus-Resumable: 1.0.0\r\nUpload-Offset: 0\r\n\
            Content-Type: application/offset+octet-stream\r\nContent-Length: {}\r\n\r\n", PICTURE.len());
        phone.write_all(head.as_bytes()).await.unwrap();
        phone.write_all(&PICTURE[..half]).await.unwrap();
        phone.flush().await.unwrap();
        drop(phone);
        let mut offset = json!(0);
        for _ in 0..200 {
            offset = asked.page().await["uploads"][0]["offset"].clone();
            if offset != 0 { break; }
            tokio::time::sleep(Duration::from_millis(25)).await;
        }
        assert_eq!(offset, json!(half), "every byte that arrived");
        asked.patch(&address, half, &PICTURE[half..]).await.expect(204);
        serving.abort();
        let list = asked.case.staff.get(&format!("/api/v1/conference-media/{}", asked.case.id)).await.ok()["media"].clone();
        assert_eq!(list[0]["hash"], json!(sha256(PICTURE)));
    }

    // FILES-24
    async fn nothing_under_way_is_readable_and_nothing_stays_behind(app) {
        let asked = Asked::new(app, json!({})).await;
        let address = asked.begin(0, "a.jpg", "image/jpeg", PICTURE.len(), "k").await.header("location").unwrap().to_owned();
        asked.patch(&address, 0, &PICTURE[..5000]).await.expect(204);
        let stored = || async {
            use futures::TryStreamExt;
            let all: Vec<_> = app.assistance.blobs.list(None).try_collect().await.unwrap();
            all.into_iter().filter(|blob| blob.name.as_str().contains("/uploads/")).count()
        };
        assert_eq!(stored().await, 1);
        let id = text(&asked.request["_id"]);
        asked.case.staff.post(&format!("/api/v1/client-files-cancel/{id}"), json!({})).await.ok();
        asked.patch(&address, 5000, &PICTURE[5000..]).await.problem(410, "LINK_EXPIRED");
        app.advance(chrono::TimeDelta::minutes(31));
        atalaya_client_files::jobs::run(&app.assistance).await.unwrap();
        assert_eq!(stored().await, 0, "swept");
    }

    // FILES-23
    async fn a_heic_is_kept_and_its_preview_drawn_by_the_sender(app) {
        let asked = Asked::new(app, json!({})).await;
        let heic = [b"\0\0\0\x18ftypheic\0\0\0\0mif1heic".as_slice(), &[7; 300]].concat();
        let media = asked.upload(0, "IMG_1.HEIC", "image/heic", &heic).await.header("upload-media").expect("kept").to_owned();
        let path = asked.path(&format!("/preview/{media}"));
        let put = |bytes: Vec<u8>| {
            let (kind, body) = multipart(None, "preview.jpg", "image/jpeg", &bytes);
            let (client, path) = (app.anonymous(), path.clone());
            async move { client.send_body(Method::POST, &path, Some(&kind), body).await }
        };
        put(png()).await.problem(422, "NOT_A_PICTURE");
        put(b"<svg/>".to_vec()).await.problem(422, "NOT_A_PICTURE");
        put(vec![0; (2 << 20) + 1]).await.problem(413, "FILE_TOO_LARGE");
        put(PICTURE.to_vec()).await.expect(204);
        put(PICTURE.to_vec()).await.expect(204);
        let item = asked.case.staff.get(&format!("/api/v1/conference-media/{}", asked.case.id)).await.ok()["media"][0].clone();
        assert_eq!((&item["mime"], &item["hash"], &item["originalFileName"]), (&json!("image/heif"), &json!(sha256(&heic)), &json!("IMG_1.heic")));
        for address in [text(&item["preview"]), text(&item["thumbnail"])] {
            let file = asked.case.staff.get(&address).await;
            file.expect(200);
            assert_eq!((file.header("content-type"), &file.body[..3]), (Some("image/jpeg"), &b"\xff\xd8\xff"[..]), "{address}");
        }
        assert_eq!(asked.case.staff.get(&text(&item["url"])).await.body, heic, "the original as it is");
        let other = Asked::new(app, json!({})).await;
        let (kind, body) = multipart(None, "preview.jpg", "image/jpeg", PICTURE);
        let foreign = app.anonymous().send_body(Method::POST, &other.path(&format!("/preview/{media}")), Some(&kind), body).await;
        foreign.problem(404, "MEDIA_NOT_FOUND");
    }

    // FILES-21, STORE-6
    async fn a_script_in_the_metadata_is_bytes_and_nothing_else(app) {
        let asked = Asked::new(app, json!({})).await;
        let script = b"Exif\0\0<script>alert(1)</script>";
        let length = u16::try_from(script.len() + 2).unwrap().to_be_bytes();
        let bytes = [&PICTURE[..2], b"\xff\xe1", &length, script, &PICTURE[2..]].concat();
        asked.upload(0, "<img src=x onerror=alert(1)>.jpg", "text/html", &bytes).await.expect(204);
        let item = asked.case.staff.get(&format!("/api/v1/conference-media/{}", asked.case.id)).await.ok()["media"][0].clone();
        assert_eq!(item["hash"], json!(sha256(&bytes)), "byte for byte");
        let file = asked.case.staff.get(&text(&item["url"])).await;
        assert_eq!((file.header("content-type"), file.header("x-content-type-options")), (Some("image/jpeg"), Some("nosniff")));
        assert!(!text(&item["originalFileName"]).contains('<'), "{item}");
        let small = asked.case.staff.get(&text(&item["thumbnail"])).await;
        assert!(!small.body.windows(7).any(|window| window == b"<script"));
    }
}
