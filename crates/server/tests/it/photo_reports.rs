//! The pictures of a case as a PDF.

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
        let first = text(&media[0]["_id"]);
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
        let (english, _) = read(app, &report(&case, "?language=en").await.body);
        assert!(english.contains("Photo report"));
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
