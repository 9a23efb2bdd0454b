//! The pictures of a case as a PDF.

use crate::certificates::tool;
use crate::support::{Case, sha256, text};
use atalaya_kernel::Role;
use atalaya_testkit::{Answer, TestApp, both_engines};
use serde_json::json;
use std::process::Command;

const PICTURE: &[u8] = include_bytes!("../../../pdf/examples/picture.jpg");

async fn report(case: &Case<'_>, query: &str) -> Answer {
    case.staff.get(&format!("/api/v1/photo-report/{}{query}", case.id)).await
}

/// The text of a PDF, and how many pictures it holds.
fn read(app: &TestApp, pdf: &[u8]) -> (String, usize) {
    let path = app.folder().join("report.pdf");
    std::fs::write(&path, pdf).expect("a file in the test's folder");
    let run = |program: &str, args: &[&str]| {
        let out = Command::new(program).args(args).output();
        String::from_utf8_lossy(&out.unwrap_or_else(|error| panic!("{program}: {error}")).stdout).into_owned()
    };
    let path = path.display().to_string();
    let images = run("pdfimages", &["-list", &path]);
    (run("pdftotext", &["-layout", &path, "-"]), images.lines().filter(|line| line.contains("jpeg")).count())
}

both_engines! {
    // PHOTO-1, PHOTO-3
    async fn each_picture_stands_with_what_is_known_of_it(app) {
        let case = Case::open_with(app, json!({"type": 1, "carId": "1234BCD", "expedientNumber": "EXP-77"})).await;
        let key = case.enters([]).await;
        let meta = json!({"method": "takePhoto", "latitude": 40.4168, "longitude": -3.7038, "accuracy": 7.5});
        case.capture(&key, &meta, PICTURE).await.ok();
        case.upload("lateral.jpg", "image/jpeg", PICTURE).await.ok();
        case.upload("parte.pdf", "application/pdf", &crate::support::pdf()).await.ok();
        let media = case.staff.get(&format!("/api/v1/conference-media/{}", case.id)).await.ok()["media"].clone();
        // Two of one millisecond come in either order.
        let taken = media.as_array().unwrap().iter().find(|one| one["type"] == "PICTURE" && one["originalFileName"] != "lateral.jpg");
        let first = text(&taken.unwrap()["_id"]);
        let change = json!({"media": {"label": "Parachoques", "note": "Golpe de 12 cm"}});
        case.staff.put(&format!("/api/v1/media/{first}"), change).await.ok();

        let answer = report(&case, "").await;
        answer.expect(200);
        assert_eq!(answer.header("content-type"), Some("application/pdf"));
        assert!(answer.header("content-disposition").is_some_and(|name| name.contains("informe-EXP-77.pdf")));
        let (words, pictures) = read(app, &answer.body);
        assert_eq!(pictures, 2, "the document is no picture");
        for word in ["Informe fotográfico", "EXP-77", "1234BCD", "Parachoques", "Golpe de 12 cm", "40.41680, -3.70380"] {
            assert!(words.contains(word), "{word} in {words}");
        }
        assert!(words.contains(&sha256(PICTURE)[..32]));
        let certificates = case.staff.get(&format!("/api/v1/certificates/{}", case.id)).await.ok();
        let code = text(&certificates["certificates"][0]["code"]);
        assert!(words.contains(&code), "the code leads to the case's certificate");
        tool(app, &answer.body, "pdftoppm", &["-r", "120", "-f", "1", "-l", "1", "-png", "PDF", "report-page"]);
        let mut found = std::fs::read_dir(app.folder()).unwrap().map(|entry| entry.unwrap().path());
        let page = found.find(|page| page.extension() == Some("png".as_ref())).unwrap().display().to_string();
        let qr = tool(app, &answer.body, "zbarimg", &["-q", "--raw", "-Sdisable", "-Sqrcode.enable", &page]);
        assert_eq!(qr.trim(), format!("http://localhost:8080/verificar/{code}"));
        let (english, _) = read(app, &report(&case, "?language=en").await.body);
        assert!(english.contains("Photo report"));
    }

    // PHOTO-4
    async fn marks_lie_over_their_picture_when_they_are_asked_for(app) {
        let case = Case::open_with(app, json!({"expedientNumber": "EXP-78"})).await;
        case.enters([]).await;
        let media = text(&case.upload("lateral.jpg", "image/jpeg", PICTURE).await.ok()["media"]["_id"]);
        let mark = json!({"id": "aaaaaaaa", "kind": "text", "tone": 1, "points": [0.1, 0.1], "text": "Rozadura"});
        case.staff.put(&format!("/api/v1/media-drawing/{media}"), json!({"drawing": {"add": [mark]}})).await.ok();
        let plain = report(&case, "").await;
        let marked = report(&case, "?marks=true").await;
        assert!(marked.header("content-disposition").is_some_and(|name| name.contains("informe-EXP-78-con-marcas.pdf")));
        assert_eq!(read(app, &plain.body).1, read(app, &marked.body).1, "the picture is as it was");
        assert!(marked.body.len() > plain.body.len() && !read(app, &plain.body).0.contains("Rozadura"));
    }

    // PHOTO-5, MEASURE-10
    async fn what_was_measured_is_printed_beside_its_picture(app) {
        let case = Case::open(app).await;
        let media = text(&case.upload("lateral.jpg", "image/jpeg", PICTURE).await.ok()["media"]["_id"]);
        let plane = json!({"id": "aaaaaaaa", "reference": "a4", "corners": [0.3, 0.3, 0.7, 0.3, 0.7, 0.7, 0.3, 0.7],
            "shapes": [{"id": "bbbbbbbb", "kind": "length", "points": [0.3, 0.5, 0.7, 0.5]}]});
        case.staff.put(&format!("/api/v1/media-measure/{media}"), json!({"measure": {"add": [plane]}})).await.ok();
        let (plain, marked) = (report(&case, "").await, report(&case, "?marks=true").await);
        let (words, pictures) = read(app, &plain.body);
        assert!(words.contains("Medidas") && words.contains("1: 297 mm ±"), "{words}");
        assert_eq!(pictures, 1);
        assert!(marked.body.len() > plain.body.len(), "the layer lies over the picture");
    }

    // PHOTO-1
    async fn a_case_without_pictures_says_so_and_another_tenant_gets_none(app) {
        let case = Case::open(app).await;
        let (words, pictures) = read(app, &report(&case, "").await.body);
        assert!(words.contains("Esta conferencia no tiene fotos") && pictures == 0);
        let stranger = app.log_in(&app.person(Role::Customer).await).await;
        stranger.get(&format!("/api/v1/photo-report/{}", case.id)).await.problem(404, "CONFERENCE_NOT_FOUND");
    }
}
