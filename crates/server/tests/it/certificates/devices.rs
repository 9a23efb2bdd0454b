//! Pictures that the client's device signs before they leave it, from the phone to the three verifiers and the certificate.

use super::archive::{Entries, Given, archive, faults, manifest, pack, page_of, said_with, with_manifest};
use super::forgery::{listed, rebuild, sign, with_other_picture};
use super::{print, tool};
use crate::media::storage::unzip;
use crate::support::{Case, png, sha256, text};
use atalaya_cases::evidence_keys::{KeyPair, Statement};
use atalaya_testkit::{TestApp, both_engines};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

const SIGNED_AT: &str = "2026-11-20T09:00:07.120Z";
const CAPTURE: &str = "5e1f9c-1";
const TAKEN: &str = "sincambiosdesdesucapturaeneldispositivodelcliente";
const CHOSEN: &str = "sincambiosdesdequeseeligióeneldispositivodelcliente";

/// The two numbers of a signature side by side, as WebCrypto writes them.
fn raw(der: &str) -> String {
    let der = STANDARD.decode(der).expect("base64");
    let (mut at, mut out) = (2, Vec::new());
    for _ in 0..2 {
        let length = usize::from(der[at + 1]);
        let number = &der[at + 2..at + 2 + length];
        let number = &number[number.len().saturating_sub(32)..];
        out.extend(std::iter::repeat_n(0, 32 - number.len()));
        out.extend_from_slice(number);
        at += 2 + length;
    }
    STANDARD.encode(out)
}

/// What a phone says of a picture that it signed with this key.
fn signed(conference: &str, key: &KeyPair, capture: &str, method: &str, bytes: &[u8]) -> Value {
    let name = key.public().fingerprint();
    let statement = Statement::Still([conference, capture, method, SIGNED_AT, &sha256(bytes)]);
    json!({
        "captureId": capture, "method": method, "capturedAt": SIGNED_AT, "deviceKey": name,
        "deviceSignature": raw(&key.sign(&statement.text(&name))),
    })
}

/// The client accepts with a key of the device's own; answers ours.
async fn accepts(case: &Case<'_>, public: &str) -> String {
    let mut notice = case.notice(true).await;
    notice["deviceKey"] = json!(public);
    let accepted = case.client("legal", notice).await.ok();
    assert_eq!(accepted["conference"], json!(case.id));
    text(&accepted["clientKey"])
}

/// A closed case with one picture that the client's device signed.
async fn with_signed_picture<'a>(app: &'a TestApp, key: &KeyPair) -> Case<'a> {
    let case = Case::open(app).await;
    let ours = accepts(&case, &key.public().base64()).await;
    case.capture(&ours, &signed(&case.id, key, CAPTURE, "takePhoto", &png()), &png()).await.ok();
    case.post("conference-close", json!({})).await.ok();
    case
}

/// Event data of this type, in order.
fn data_of(m: &Value, event_type: &str) -> Vec<Value> {
    let events = m["events"].as_array().expect("events").iter();
    let events = events.map(|link| serde_json::from_str::<Value>(link["canonical"].as_str().expect("text")).expect("an event"));
    events.filter(|event| event["type"] == event_type).map(|event| event["data"].clone()).collect()
}

/// The archive with what its events say of device and picture replaced, everything else made to fit.
fn with_events(entries: &Entries, of_notice: impl Fn(&mut Value), of_picture: impl Fn(&mut Value)) -> Entries {
    with_manifest(entries, |m| {
        rebuild(m, |event| match event["type"].as_str() {
            Some("LEGAL_ACCEPTED") => of_notice(&mut event["data"]),
            Some("MEDIA_CAPTURED") => of_picture(&mut event["data"]),
            _ => {}
        });
        let picture = data_of(m, "MEDIA_CAPTURED").swap_remove(0);
        for fact in ["deviceKey", "deviceSignature"] {
            m["media"][0][fact] = picture[fact].clone();
        }
    })
}

both_engines! {
    // EVID-60, EVID-61, EVID-62, EVID-63
    async fn a_picture_is_unchanged_since_its_capture_where_its_signature_fits(app) {
        let phone = KeyPair::generate(&app.sources);
        let case = Case::open(app).await;
        let ours = accepts(&case, &phone.public().base64()).await;
        let stranger = KeyPair::generate(&app.sources);
        let bytes = |n: u8| [&png()[..], &[n]].concat();
        let of = |key: &KeyPair, n: u8, method: &str| signed(&case.id, key, &format!("c-{n}"), method, &bytes(n));
        let mut other_time = of(&phone, 3, "takePhoto");
        other_time["capturedAt"] = json!("2026-11-20T09:00:08.120Z");
        for (n, meta, expected) in [
            (1, of(&phone, 1, "takePhoto"), "valid"),
            (2, of(&phone, 2, "file"), "valid"),
            (3, other_time, "invalid"),
            (4, of(&stranger, 4, "takePhoto"), "invalid"),
            (5, json!({"captureId": "c-5", "method": "frame"}), "unsigned"),
        ] {
            case.capture(&ours, &meta, &bytes(n)).await.ok();
            let listed = case.staff.get(&format!("/api/v1/conference-media/{}", case.id)).await.ok();
            let item = listed["media"].as_array().unwrap().iter().find(|item| item["hash"] == json!(sha256(&bytes(n))));
            assert_eq!(item.expect("it is kept")["deviceSignature"], expected, "{n}");
        }
        let uploaded = case.upload("parte.png", "image/png", &png()).await.ok();
        assert_eq!(uploaded["media"]["deviceSignature"], Value::Null, "nobody's device");
        case.post("conference-close", json!({})).await.ok();
        let printed = print(&case, "").await;
        let zip = archive(&case).await;
        let entries = unzip(&zip);
        let m = manifest(&entries);
        assert_eq!(data_of(&m, "LEGAL_ACCEPTED")[0]["devicePublicKey"], json!(phone.public().base64()));
        let pictures = data_of(&m, "MEDIA_CAPTURED");
        let checks: Vec<_> = pictures.iter().map(|data| text(&data["deviceCheck"])).collect();
        assert_eq!(checks, ["valid", "valid", "invalid", "invalid", "unsigned"]);
        assert_eq!(pictures[2]["deviceSignature"], Value::Null, "what does not fit proves nothing");
        assert_eq!(m["media"][0]["deviceSignature"], pictures[0]["deviceSignature"]);
        let (said, code) = said_with(app, &zip, &page_of(&entries), &Given::default());
        assert_eq!((faults(said.clone()), code), (vec![], 3), "a wrong signature makes no archive wrong");
        for note in [
            "NOTE unchanged since capture on the client's device: 1 pictures",
            "NOTE unchanged since they were chosen on the client's device: 1 pictures",
            "NOTE without a signature of the client's device that fits: 3 pictures",
        ] {
            assert!(said.contains(&note.to_owned()), "{note}: {said:?}");
        }
        // Lines of a table are broken anywhere, and those of its columns stand beside each other.
        let raw = tool(app, &printed.body, "pdftotext", &["-raw", "PDF", "-"]);
        let words: String = raw.split_whitespace().collect();
        assert_eq!((words.matches(TAKEN).count(), words.matches(CHOSEN).count()), (1, 1), "{raw}");
    }

    // EVID-60
    async fn a_device_without_a_key_is_as_welcome(app) {
        let case = Case::open(app).await;
        for public in ["", "no key", &"A".repeat(5000)] {
            let ours = accepts(&case, public).await;
            case.capture(&ours, &json!({"method": "takePhoto"}), &png()).await.ok();
        }
        let m = manifest(&unzip(&archive(&case).await));
        assert!(data_of(&m, "LEGAL_ACCEPTED").iter().all(|data| data.get("devicePublicKey").is_none()));
        assert!(data_of(&m, "MEDIA_CAPTURED").iter().all(|data| data["deviceCheck"] == "unsigned"));
    }

    // EVID-62, CERT-20
    async fn a_device_s_signature_outlives_a_chain_made_anew(app) {
        let [phone, another] = [(); 2].map(|()| KeyPair::generate(&app.sources));
        let case = with_signed_picture(app, &phone).await;
        print(&case, "").await;
        let entries = unzip(&archive(&case).await);
        let elsewhere = with_signed_picture(app, &another).await;
        let elsewhere = manifest(&unzip(&archive(&elsewhere).await));
        let replayed = data_of(&elsewhere, "MEDIA_CAPTURED").swap_remove(0);
        assert_eq!(replayed["sha256"], json!(sha256(&png())), "the same picture, of another case");
        let html = page_of(&entries);
        let forger = KeyPair::generate(&app.sources);
        let same = |_: &mut Value| ();
        let forgers_key = json!(forger.public().base64());
        let name = json!(forger.public().fingerprint());
        for (what, forged) in [
            ("another picture", with_other_picture(&entries)),
            ("another public key", with_events(&entries, |data| data["devicePublicKey"] = forgers_key.clone(), same)),
            ("another public key and its name", with_events(
                &entries,
                |data| data["devicePublicKey"] = forgers_key.clone(),
                |data| data["deviceKey"] = name.clone(),
            )),
            ("no public key", with_events(&entries, |data| _ = data.as_object_mut().unwrap().remove("devicePublicKey"), same)),
            ("a signature of another case", with_events(
                &entries,
                |data| data["devicePublicKey"] = json!(another.public().base64()),
                |data| for fact in ["deviceKey", "deviceSignature", "captureId", "signedAt"] {
                    data[fact] = replayed[fact].clone();
                },
            )),
            ("another time", with_events(&entries, same, |data| data["signedAt"] = json!("2026-11-20T09:00:08.120Z"))),
            ("another method", with_events(&entries, same, |data| data["method"] = json!("file"))),
            ("called valid", with_events(&entries, same, |data| data["deviceSignature"] = Value::Null)),
        ] {
            let forged = with_manifest(&forged, |m| sign(m, &forger, vec![listed(&forger, json!({}))]));
            let (said, code) = said_with(app, &pack(app, forged).await, &html, &Given::default());
            assert_eq!((said, code), (vec!["WRONG DEVICE_SIGNATURE 1".to_owned()], 1), "{what}");
        }
        // The list beside the events says the same as they.
        let silent = with_manifest(&entries, |m| m["media"][0]["deviceSignature"] = Value::Null);
        let (said, code) = said_with(app, &pack(app, silent).await, &html, &Given::default());
        assert_eq!((said, code), (vec![concat!("WRONG MEDIA", " 1").to_owned()], 1));
    }
}
