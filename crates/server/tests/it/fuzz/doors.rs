//! The same through the doors of HTTP: whatever is sent is answered, and never with the server's own failure.

use super::{Found, Tally, Throw};
use crate::client_files::{Asked, metadata};
use crate::messaging::gateway::Gateway;
use crate::messaging::gateways::{http_receipt, with_http};
use crate::passkeys::device::{Device, Says, decode, encode};
use crate::support::{Case, multipart, multipart_with, png, text};
use atalaya_kernel::Role;
use atalaya_testkit::{Answer, Client, Engine, TestApp};
use axum::http::Method;
use serde_json::{Value, json};

/// Files that one request for files takes.
const FILES_OF_A_REQUEST: usize = 150;

/// Visible characters only, as a header must be.
fn header(bytes: &[u8]) -> String {
    let visible = |byte: &u8| if (0x20..0x7f).contains(byte) { *byte } else { 0x20 + byte % 0x5f };
    bytes.iter().map(|byte| char::from(visible(byte))).take(4_000).collect()
}

fn judged(answer: &Answer) -> Result<(), String> {
    if answer.status < 500 {
        return Ok(());
    }
    Err(format!("{} {}", answer.status, String::from_utf8_lossy(&answer.body)))
}

/// A form with a file, with bytes of all kinds between its boundaries.
pub async fn forms(app: &TestApp, mut throw: Throw<'_>) -> Tally {
    let case = Case::open(app).await;
    let meta = json!({"method": "takePhoto", "lens": "back"}).to_string();
    let (kind, plain) = multipart(None, "daños.png", "image/png", &png());
    let (_, with_meta) = multipart_with(&[("meta", &meta)], "foto.png", "image/png", &png());
    throw.seeds(
        [plain, with_meta],
        &[
            b"--frame\r\n",
            b"--frame--\r\n",
            b"\r\n\r\n",
            b"Content-Disposition: form-data; name=\"file\"; filename=\"../../x\"",
            b"Content-Type: image/svg+xml",
            b"filename*=UTF-8''%ff%00",
            b"Content-Transfer-Encoding: base64",
            b"name=\"meta\"",
            b"\0",
        ],
    );
    let path = format!("/api/v1/conference-media/{}", case.id);
    while let Some(input) = throw.next() {
        let answer = case.staff.send_body(Method::POST, &path, Some(&kind), input.clone()).await;
        throw.judge(&input, judged(&answer));
    }
    throw.end()
}

/// Beginning an upload with any headers, and sending any bytes to one that has begun.
pub async fn uploads(app: &TestApp, mut throw: Throw<'_>) -> Tally {
    let mut asked = Asked::new(app, json!({})).await;
    let good = metadata(&[("filename", "foto.png"), ("filetype", "image/png"), ("item", &asked.item(0)), ("uploadKey", "a")]);
    throw.seeds(
        [
            good.into_bytes(),
            png(),
            b"sha256 47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=".to_vec(),
            b"18446744073709551615".to_vec(),
        ],
        &[b"-1", b"0", b"9223372036854775807", b",", b" ", b"filename ", b"item "],
    );
    let mut begun: Option<String> = None;
    let mut nth = 0;
    while let Some(input) = throw.next() {
        nth += 1;
        if nth % FILES_OF_A_REQUEST == 0 {
            asked = Asked::new(app, json!({})).await;
            begun = None;
        }
        let said = header(&input);
        let half = said.len() / 2;
        let phone = asked.phone();
        let answer = match (nth % 3, &begun) {
            (0, Some(address)) => {
                let offset = if nth % 2 == 0 { "0" } else { &said[..half.min(30)] };
                let phone = phone.with("upload-offset", offset).with("upload-checksum", &said);
                phone.send_body(Method::PATCH, address, Some("application/offset+octet-stream"), input.clone()).await
            }
            (1, _) => {
                let phone = phone.with("upload-length", "67").with("upload-metadata", &said);
                phone.send(Method::POST, &asked.path("/uploads"), None).await
            }
            _ => {
                let phone = phone.with("upload-length", &said[..half]).with("upload-defer-length", &said[half..]);
                phone.send(Method::POST, &asked.path("/uploads"), None).await
            }
        };
        if answer.status == 201 {
            begun = answer.header("location").map(str::to_owned);
        }
        throw.judge(&input, judged(&answer));
    }
    throw.end()
}

/// Receipts of a gateway, rightly signed, so that what they say is read.
pub async fn receipts(mut throw: Throw<'_>) -> Tally {
    let gateway = Gateway::start().await;
    let app = with_http(Engine::Sqlite, &gateway).await.expect("SQLite needs nothing");
    let one = json!({"id": "m-1", "status": "delivered"});
    throw.seeds(
        [one.to_string().into_bytes(), json!({"receipts": [one, {"reference": "x", "status": "sent"}]}).to_string().into_bytes()],
        &[b"\"receipts\":[", b"null", b"\"status\":\"delivered\"", b"\\u0000", b"[[[[[[[[", b"1e999"],
    );
    while let Some(input) = throw.next() {
        // It is signed as a JSON value, or as a text where it is none.
        let body: Value = serde_json::from_slice(&input).unwrap_or_else(|_| json!(String::from_utf8_lossy(&input)));
        let status = http_receipt(&app, "h00k", 0, body).await;
        throw.judge(&input, if status < 500 { Ok(()) } else { Err(status.to_string()) });
    }
    throw.end()
}

/// Sessions' tokens: changed ones open nothing.
pub async fn sessions(app: &TestApp, mut throw: Throw<'_>) -> Tally {
    let client = app.as_role(Role::Worker).await;
    let token = client.token.expect("logged in");
    throw.seeds(
        [token.clone().into_bytes(), b"eyJhbGciOiJub25lIn0.e30.".to_vec()],
        &[b".", b"eyJhbGciOiJub25lIn0", b"e30", b"Bearer "],
    );
    while let Some(input) = throw.next() {
        let said = header(&input);
        let answer = app.anonymous().with_token(said.as_str()).get("/api/v1/me").await;
        let opened = answer.status == 200 && said.trim() != token;
        throw.judge(&input, if opened { Err("a changed token opens a session".to_owned()) } else { judged(&answer) });
    }
    throw.end()
}

/// Drawings on a picture.
pub async fn drawings(app: &TestApp, mut throw: Throw<'_>) -> Tally {
    let case = Case::open(app).await;
    let media = case.upload("daños.png", "image/png", &png()).await.ok()["media"]["_id"].clone();
    let mark = json!({"id": "aaaaaaaa", "kind": "number", "tone": 1, "points": [0.5, 0.5], "number": 1});
    let pen = json!({"id": "bbbbbbbb", "kind": "pen", "tone": 2, "points": [0.1, 0.2, 0.3, 0.4]});
    let words = json!({"id": "cccccccc", "kind": "text", "tone": 3, "points": [0.1, 0.2], "text": "</text><script>"});
    throw.seeds(
        [
            json!({"drawing": {"add": [mark, words]}}).to_string().into_bytes(),
            json!({"drawing": {"add": [pen], "remove": ["aaaaaaaa"]}}).to_string().into_bytes(),
        ],
        &[b"1e308", b"-0.0", b"NaN", b"null", b"\"kind\":\"arrow\"", b"\\ud800", b"0.5,", b"[", b"{"],
    );
    let path = format!("/api/v1/media-drawing/{}", text(&media));
    while let Some(input) = throw.next() {
        let answer = case.staff.send_body(Method::PUT, &path, Some("application/json"), input.clone()).await;
        throw.judge(&input, judged(&answer));
    }
    throw.end()
}

/// What a device says when a passkey is made (CBOR), under a question of its own each time.
pub async fn passkeys(app: &TestApp, mut throw: Throw<'_>) -> Tally {
    let person = app.person(Role::Worker).await;
    let ask = async |client: &Client| client.post("/api/v1/passkey-options", json!({})).await;
    let client = app.log_in(&person).await;
    let options = ask(&client).await.ok();
    let good = Device::new(&options).create(&Says::creating(&options));
    let object = decode(&text(&good["response"]["attestationObject"]));
    let said = decode(&text(&good["response"]["clientDataJSON"]));
    throw.seeds(
        [object.clone(), said],
        &[b"\xbf", b"\xff", b"\x9b\xff\xff\xff\xff\xff\xff\xff\xff", b"\xa3", b"hauthData", b"\x5b"],
    );
    let mut nth = 0;
    while let Some(input) = throw.next() {
        nth += 1;
        let asked = ask(&client).await;
        if asked.status != 200 {
            throw.judge(&input, judged(&asked));
            continue;
        }
        let options = asked.json();
        let mut credential = Device::new(&options).create(&Says::creating(&options));
        let place = if nth % 4 == 0 { "clientDataJSON" } else { "attestationObject" };
        credential["response"][place] = json!(encode(&input));
        let answer = client.post("/api/v1/passkeys", json!({"credential": credential, "name": "x"})).await;
        let known = input == object;
        let made: Result<(), Found> = if answer.status == 200 && !known && place == "clientDataJSON" {
            Err("made without its question".to_owned())
        } else {
            judged(&answer)
        };
        throw.judge(&input, made);
    }
    throw.end()
}
