//! Certificates: what they say, when a new one is issued, who may verify them.

mod archive;
mod days;
mod devices;
mod flood;
mod forgery;
mod layers;
mod page;
mod printing;
mod stamps;

use crate::support::{Case, pdf, png, sha256, text};
use atalaya_kernel::Role;
use atalaya_testkit::{Answer, TestApp, both_engines};
use chrono::TimeDelta;
use serde_json::{Value, json};
use std::process::Command;

/// A closed conference with every kind of event.
async fn lived(app: &TestApp) -> Case<'_> {
    let fields = json!({"type": 1, "carId": "1234BCD", "expedientNumber": "EXP-2026-0077"});
    let case = Case::open_with(app, fields).await;
    let phone = app.anonymous().with("user-agent", "Mozilla/5.0 (Linux; Android 16; Pixel 9) Chrome/142.0 Mobile");
    phone.post(&format!("/api/v1/external/{}/track", case.hash), json!({"type": "LINK_OPENED"})).await.expect(204);
    let legal = case.link().await["legal"].clone();
    let shown = json!({"documentId": legal["documentId"], "language": "es", "sha256": legal["sha256"]});
    case.client("track", json!({"type": "LEGAL_SHOWN", "data": shown})).await.expect(204);
    app.advance(TimeDelta::seconds(5));
    let steps = [
        json!({"type": "PERMISSION_GRANTED", "data": {"permission": "camera"}}),
        json!({"type": "PERMISSION_DENIED", "data": {"permission": "microphone", "reason": "NotAllowedError"}}),
        json!({"type": "GEO_FIX", "data": {"latitude": 40.4168, "longitude": -3.7038, "accuracy": 11.2}}),
    ];
    let key = case.enters(steps).await;
    let meta = json!({"method": "takePhoto", "latitude": 40.4168, "longitude": -3.7038, "accuracy": 7.5});
    case.capture(&key, &meta, &png()).await.ok();
    app.advance(TimeDelta::seconds(1));
    case.upload("parte.pdf", "application/pdf", &pdf()).await.ok();
    app.advance(TimeDelta::seconds(90));
    case.post("conference-close", json!({})).await.ok();
    case
}

async fn print(case: &Case<'_>, query: &str) -> Answer {
    let answer = case.staff.get(&format!("/api/v1/print-cert/{}{query}", case.id)).await;
    answer.expect(200);
    assert_eq!(answer.header("content-type"), Some("application/pdf"));
    answer
}

async fn overview(case: &Case<'_>) -> Value {
    case.staff.get(&format!("/api/v1/certificates/{}", case.id)).await.ok()
}

async fn verification(app: &TestApp, code: &str) -> Answer {
    app.anonymous().get(&format!("/api/v1/verification/{code}")).await
}

/// Runs a tool on the PDF and answers what it printed.
pub(crate) fn tool(app: &TestApp, pdf: &[u8], program: &str, args: &[&str]) -> String {
    let path = app.folder().join("certificate.pdf");
    std::fs::write(&path, pdf).expect("a file in the test's folder");
    let path = path.display().to_string();
    let args: Vec<&str> = args.iter().map(|arg| if *arg == "PDF" { path.as_str() } else { *arg }).collect();
    let out = Command::new(program).args(args).current_dir(app.folder()).output();
    let out = out.unwrap_or_else(|error| panic!("{program} (scripts/install.sh test): {error}"));
    assert!(out.status.success(), "{program}: {}", String::from_utf8_lossy(&out.stderr));
    String::from_utf8_lossy(&out.stdout).into_owned()
}

both_engines! {
    // CERT-1, CERT-2, CERT-3, CERT-4, CERT-7, CERT-11, CERT-12
    async fn the_certificate_says_everything_and_its_code_leads_to_its_verification(app) {
        let case = lived(app).await;
        let printed = print(&case, "").await;
        assert!(printed.header("content-disposition").unwrap().starts_with("attachment; filename=\"certificado-EXP-2026-0077.pdf\""));
        let list = overview(&case).await;
        let certificate = list["certificates"][0].clone();
        let (number, code) = (text(&certificate["number"]), text(&certificate["code"]));
        let said = tool(app, &printed.body, "pdftotext", &["-layout", "PDF", "-"]);
        // Text extracted from the PDF may lack the spaces of small letters.
        let squeezed = |text: &str| text.split_whitespace().collect::<String>();
        let folded = squeezed(&said);
        let (head, root) = (text(&list["seal"]["head"]), text(&list["seal"]["root"]));
        let picture = sha256(&png());
        for part in [
            "Certificado de evidencias electrónicas", &number, &code, "EXP-2026-0077", "1234BCD", &case.id,
            "1 Identificación", "2 Comunicación", "3 Acceso del cliente", "4 Aviso legal", "5 Permisos", "6 Conexión",
            "7 Geolocalización", "8 Archivos", "9 Integridad", "10 Alcance",
            "SMS", "192.0.2.1", "Android", "Chrome", "Cámara", "Concedido", "Denegado", "NotAllowedError",
            "20/11/2026 10:00:00 +01:00", "2026-11-20 09:00:00.000 UTC", "40.41680, -3.70380", "± 12 m", "± 8 m",
            "foto-001.png", "parte.pdf", &picture[..32], &picture[32..], &head[..32], &head[32..], &root[..32], &root[32..],
            "Este certificado recoge los datos registrados automáticamente por la plataforma.",
            &format!("/verificar/{code}"),
        ] {
            assert!(folded.contains(&squeezed(part)), "{part} is not in:\n{said}");
        }
        assert!(!folded.contains("600123456"), "the recipient is masked");
        let scope = "No valora el contenido de las imágenes ni sustituye al dictamen pericial.";
        assert!(folded.contains(&squeezed(scope)), "{said}");
        for word in ["notarial", "validezlegal"] {
            assert!(!folded.to_lowercase().contains(word), "{word}");
        }
        tool(app, &printed.body, "pdftoppm", &["-r", "120", "-f", "1", "-l", "1", "-png", "PDF", "page"]);
        let page = std::fs::read_dir(app.folder()).unwrap().map(|e| e.unwrap().path()).find(|p| p.extension() == Some("png".as_ref())).unwrap();
        let qr = tool(app, &printed.body, "zbarimg", &["-q", "--raw", "-Sdisable", "-Sqrcode.enable", &page.display().to_string()]);
        assert_eq!(qr.trim(), format!("http://localhost:8080/verificar/{code}"));

        let seen = verification(app, &code.to_lowercase().replace('-', "").replace('0', "o")).await.ok()["certificate"].clone();
        assert_eq!((&seen["number"], &seen["state"]), (&json!(number), &json!("valid")));
        assert_eq!((&seen["head"], &seen["root"], &seen["expedient"]), (&json!(head), &json!(root), &json!("•••••••••0077")));
        let hashes: Vec<_> = seen["media"].as_array().unwrap().iter().map(|m| (text(&m["type"]), text(&m["sha256"]))).collect();
        assert_eq!(hashes, [("PICTURE".to_owned(), picture), ("DOCUMENT".to_owned(), sha256(&pdf()))]);
        for personal in ["600123456", "1234BCD", "EXP-2026", "Luis", "192.0.2.1", "40.41"] {
            assert!(!seen.to_string().contains(personal), "{personal}: {seen}");
        }
    }

    // CERT-6, CERT-8
    async fn a_new_one_is_issued_only_when_something_happened(app) {
        let case = lived(app).await;
        let before = case.tracks().await.len();
        let first = print(&case, "").await;
        assert_eq!(case.tracks().await.last().map(String::as_str), Some("CERTIFICATE_ISSUED"));
        app.advance(TimeDelta::hours(30));
        let mut case = case;
        case.log_in_again().await;
        let second = print(&case, "?inline=1").await;
        assert!(second.header("content-disposition").unwrap().starts_with("inline"));
        assert_eq!(first.body, second.body, "the same, byte for byte");
        let english = print(&case, "?language=en").await;
        let said = tool(app, &english.body, "pdftotext", &["PDF", "-"]);
        assert!(said.contains("Case EXP-2026-0077") && said.contains("does not replace an expert's report"), "{said}");
        assert_eq!(case.tracks().await.len(), before + 1);
        case.upload("otro 🚗 漢字.png", "image/png", &png()).await.ok();
        let third = print(&case, "").await;
        assert_ne!(first.body, third.body);
        let list = overview(&case).await;
        let numbers: Vec<_> = list["certificates"].as_array().unwrap().iter().map(|c| text(&c["number"])).collect();
        assert_eq!(numbers, ["CE-2026-000002", "CE-2026-000001"]);
        assert_ne!(list["certificates"][0]["code"], list["certificates"][1]["code"]);
        assert_eq!((&list["seal"]["media"], &list["chain"]), (&json!(3), &json!({"valid": true, "brokenAt": null})));
    }

    // EVID-13, EVID-14
    async fn closing_seals_and_so_do_later_files(app) {
        let case = Case::open(app).await;
        assert_eq!(overview(&case).await["seal"], Value::Null);
        case.post("conference-close", json!({})).await.ok();
        let sealed = overview(&case).await["seal"].clone();
        assert_eq!((&sealed["media"], &sealed["timestamp"]), (&json!(0), &Value::Null));
        case.upload("otro.png", "image/png", &png()).await.ok();
        let again = overview(&case).await["seal"].clone();
        assert_eq!(again["media"], json!(1));
        assert_ne!(sealed["root"], again["root"]);
        // RFC 6962 by hand: node of the two leaves.
        let leaf = |hex_text: &str| sha256(&[&[0][..], &hex::decode(hex_text).unwrap()].concat());
        let (head, file) = (leaf(&text(&again["head"])), leaf(&sha256(&png())));
        let node = sha256(&[&[1][..], &hex::decode(head).unwrap(), &hex::decode(file).unwrap()].concat());
        assert_eq!(text(&again["root"]), node);
    }

    // CERT-8, CERT-15
    async fn one_can_be_taken_back_by_the_company_s_principal(app) {
        let case = lived(app).await;
        print(&case, "").await;
        let certificate = overview(&case).await["certificates"][0].clone();
        let (id, code) = (text(&certificate["_id"]), text(&certificate["code"]));
        let path = format!("/api/v1/certificate-void/{id}");
        let reason = json!({"reason": "Emitido por error"});
        let other = app.person(Role::Customer).await;
        app.log_in(&other).await.post(&path, reason.clone()).await.problem(404, "CERTIFICATE_NOT_FOUND");
        case.staff.post(&path, reason.clone()).await.problem(403, "ROLE_NOT_ALLOWED");
        let principal = app.person_in(case.owner.company, Role::Customer).await;
        let principal = app.log_in(&principal).await;
        for (wrong, code) in [("", "REQUIRED"), ("   ", "REQUIRED"), (&"x".repeat(251), "TOO_LONG")] {
            let problem = principal.post(&path, json!({"reason": wrong})).await.problem(422, "INVALID_FIELDS");
            assert_eq!((&problem["errors"][0]["field"], &problem["errors"][0]["code"]), (&json!("reason"), &json!(code)));
        }
        let voided = principal.post(&path, json!({"reason": "x".repeat(250)})).await.ok();
        assert_eq!(voided["certificate"]["state"], "void");
        assert_eq!(principal.post(&path, reason).await.ok()["certificate"]["voidReason"], json!("x".repeat(250)), "once");
        assert_eq!(verification(app, &code).await.ok()["certificate"]["state"], "void");
        print(&case, "").await;
        let list = overview(&case).await["certificates"].clone();
        assert_eq!((&list[0]["state"], &list[1]["state"]), (&json!("valid"), &json!("void")), "a fresh one can be issued");
    }

    // CERT-13
    async fn codes_are_hard_to_guess_and_cannot_be_tried_quickly(app) {
        for code in ["7H2KQ-9VX0M-RT4CA-PZ81D", "x", "%F0%9F%94%91", "7H2KQ-9VX0M-RT4CA-PZ81U"] {
            verification(app, code).await.problem(404, "CERTIFICATE_NOT_FOUND");
        }
        for _ in 4..20 {
            verification(app, "x").await.problem(404, "CERTIFICATE_NOT_FOUND");
        }
        let refused = verification(app, "x").await;
        refused.problem(429, "TOO_MANY_TRIES");
        assert!(refused.header("retry-after").is_some());
        app.anonymous().from([10, 9, 8, 7]).get("/api/v1/verification/x").await.problem(404, "CERTIFICATE_NOT_FOUND");
        app.advance(TimeDelta::seconds(61));
        verification(app, "x").await.problem(404, "CERTIFICATE_NOT_FOUND");
    }

    // CERT-14
    async fn a_record_that_was_changed_is_not_called_valid(app) {
        let case = lived(app).await;
        print(&case, "").await;
        let code = text(&overview(&case).await["certificates"][0]["code"]);
        assert_eq!(verification(app, &code).await.ok()["certificate"]["state"], "valid");
        crate::evidence::lift_triggers(app).await;
        let run = async |sql: &str| sea_orm::ConnectionTrait::execute_unprepared(app.db.read(), sql).await.unwrap();
        let forged = format!("REPLACE(data, '{}', '{}')", sha256(&png()), sha256(b"forged"));
        run(&format!("UPDATE evidence_event SET data = {forged}")).await;
        assert_eq!(verification(app, &code).await.ok()["certificate"]["state"], "broken", "another file's hash");
        run(&format!("UPDATE evidence_event SET data = REPLACE(data, '{}', '{}')", sha256(b"forged"), sha256(&png()))).await;
        assert_eq!(verification(app, &code).await.ok()["certificate"]["state"], "valid");
        run("DELETE FROM evidence_event WHERE seq = 4").await;
        assert_eq!(verification(app, &code).await.ok()["certificate"]["state"], "broken", "an event taken out");
    }

    // CERT-10
    async fn a_kept_document_that_was_changed_is_not_set_anew(app) {
        let case = lived(app).await;
        let first = print(&case, "").await;
        let number = text(&overview(&case).await["certificates"][0]["number"]);
        let name = atalaya_blobs::BlobName::new(format!("conferences/{}/{number}.es.pdf", case.id)).unwrap();
        let other = atalaya_blobs::DataKey::generate(&app.sources);
        app.assistance.blobs.put(&name, &other, b"something else").await.unwrap();
        let answer = case.staff.get(&format!("/api/v1/print-cert/{}", case.id)).await;
        assert_eq!(answer.status, 500, "told, not replaced");
        assert!(app.assistance.blobs.delete(&name).await.unwrap());
        assert_eq!(print(&case, "").await.body, first.body, "gone: set again");
    }

    // CERT-14, CERT-16
    async fn when_the_files_are_gone_their_hashes_remain(app) {
        let case = lived(app).await;
        let first = print(&case, "").await;
        let code = text(&overview(&case).await["certificates"][0]["code"]);
        app.advance(TimeDelta::days(31));
        assert_eq!(verification(app, &code).await.ok()["certificate"]["state"], "filesExpired");
        // Destroy the conference's key and erase its personal values, as an erasure does.
        let statements = ["DELETE FROM evidence_value", "UPDATE conference SET data_key = NULL, car_id = NULL, erased_at = created_at"];
        for sql in statements {
            sea_orm::ConnectionTrait::execute_unprepared(app.db.read(), sql).await.unwrap();
        }
        let mut case = case;
        case.log_in_again().await;
        let left = print(&case, "").await;
        assert_ne!(first.body, left.body);
        let said = tool(app, &left.body, "pdftotext", &["-layout", "PDF", "-"]);
        for gone in ["192.0.2.1", "40.41680", "1234BCD"] {
            assert!(!said.contains(gone), "{gone}: {said}");
        }
        for kept in [&sha256(&png())[..32], "Dato eliminado", "ya no se conserva"] {
            assert!(said.contains(kept), "{kept}: {said}");
        }
        assert_eq!(left.body, print(&case, "").await.body, "still the same twice");
        let seen = verification(app, &code).await.ok()["certificate"].clone();
        assert_eq!((&seen["state"], seen["media"].as_array().map(Vec::len)), (&json!("filesExpired"), Some(2)));
    }
}
