//! Layers of marks and measures in the archive of a case.

use super::archive::{archive, pack, page_of, verified, with_manifest};
use crate::media::storage::unzip;
use crate::support::{Case, png, sha256, text};
use atalaya_testkit::both_engines;
use axum::http::Method;
use serde_json::{Value, json};

both_engines! {
    // DRAW-11
    async fn an_archive_holds_the_layers_and_its_verifiers_check_them(app) {
        let case = Case::open(app).await;
        case.enters([]).await;
        let media = text(&case.upload("golpe.png", "image/png", &png()).await.ok()["media"]["_id"]);
        for n in 1..=2 {
            let mark = json!({"id": "aaaaaaaa", "kind": "number", "tone": 1, "points": [0.5, 0.5], "number": n});
            let body = json!({"drawing": {"add": [mark]}});
            case.staff.send(Method::PUT, &format!("/api/v1/media-drawing/{media}"), Some(body)).await.ok();
        }
        case.post("conference-close", json!({})).await.ok();
        let zip = archive(&case).await;
        let entries = unzip(&zip);
        let names: Vec<&str> = entries.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["golpe.png", "golpe-marcas.svg", "verificador.html", "manifest.json"]);
        assert_eq!(entries[0].1, png(), "the picture has no marks");
        let svg = String::from_utf8(entries[1].1.clone()).expect("text");
        assert!(svg.contains(">2</text>"), "{svg}");
        let html = page_of(&entries);
        assert_eq!(verified(app, &zip, &html), [""; 0]);

        let evil = svg.replace(">2<", ">3<").into_bytes();
        let mut repainted = entries.clone();
        repainted[1].1 = evil.clone();
        let told = with_manifest(&repainted, |m| m["drawings"][0]["sha256"] = json!(sha256(&evil)));
        let unlisted = with_manifest(&entries, |m| m["drawings"] = json!([]));
        let elsewhere = with_manifest(&entries, |m| m["drawings"][0]["seq"] = json!(1));
        let nowhere = with_manifest(&entries, |m| m["drawings"][0]["path"] = Value::Null);
        for (expected, changed) in [
            ("WRONG FILE golpe-marcas.svg", repainted),
            ("WRONG DRAWING 1", told),
            ("WRONG UNKNOWN golpe-marcas.svg", unlisted),
            ("WRONG DRAWING 1", elsewhere),
            ("WRONG FILE None", nowhere),
        ] {
            let found = verified(app, &pack(app, changed).await, &html);
            assert!(found.contains(&expected.to_owned()), "{expected}: {found:?}");
        }
    }

    // MEASURE-9
    async fn an_archive_holds_what_was_measured_and_its_verifiers_check_it(app) {
        let case = Case::open(app).await;
        case.enters([]).await;
        let media = text(&case.upload("golpe.png", "image/png", &png()).await.ok()["media"]["_id"]);
        let plane = json!({"id": "aaaaaaaa", "reference": "card", "corners": [0.3, 0.4, 0.7, 0.4, 0.7, 0.65, 0.3, 0.65],
            "shapes": [{"id": "bbbbbbbb", "kind": "length", "points": [0.3, 0.5, 0.7, 0.5]}]});
        case.staff.put(&format!("/api/v1/media-measure/{media}"), json!({"measure": {"add": [plane]}})).await.ok();
        case.post("conference-close", json!({})).await.ok();
        let zip = archive(&case).await;
        let entries = unzip(&zip);
        let names: Vec<&str> = entries.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["golpe.png", "golpe-medidas.svg", "verificador.html", "manifest.json"]);
        let svg = String::from_utf8(entries[1].1.clone()).expect("text");
        assert!(svg.contains(">1: 86 mm ± "), "{svg}");
        let html = page_of(&entries);
        assert_eq!(verified(app, &zip, &html), [""; 0]);
        let evil = svg.replace(">1: 86 mm", ">1: 96 mm").into_bytes();
        let mut longer = entries.clone();
        longer[1].1 = evil.clone();
        let told = with_manifest(&longer, |m| m["drawings"][0]["sha256"] = json!(sha256(&evil)));
        for (expected, changed) in [("WRONG FILE golpe-medidas.svg", longer), ("WRONG DRAWING 1", told)] {
            let found = verified(app, &pack(app, changed).await, &html);
            assert!(found.contains(&expected.to_owned()), "{expected}: {found:?}");
        }
    }
}
