//! The records of a period, as an inspection asks for them.

use super::office::fits;
use super::{invoiced, others_before, with_office};
use atalaya_kernel::Role;
use atalaya_testkit::both_engines;
use serde_json::json;
use std::io::{Cursor, Read as _};

const PERIOD: &str = "/api/v1/verifactu-export?from=2026-11-02&to=2026-11-02";

both_engines! {
    // FACTU-9
    async fn the_records_of_a_period_are_one_document(app) {
        let admin = invoiced(app, 3).await;
        let answer = admin.get(&format!("{PERIOD}&reference=REQ-1")).await;
        answer.expect(200);
        assert_eq!(answer.header("content-type"), Some("application/xml"));
        let name = "attachment; filename=\"registros-2026-11-02-2026-11-02-B85626240.xml\"";
        assert_eq!(answer.header("content-disposition"), Some(name));
        let xml = String::from_utf8_lossy(&answer.body).into_owned();
        assert_eq!(xml.matches("<sum:RegistroFactura>").count(), 3);
        assert!(xml.contains("<sum1:RefRequerimiento>REQ-1</sum1:RefRequerimiento><sum1:FinRequerimiento>S<"), "{xml}");
        let places: Vec<_> = (1..=3).map(|nth| xml.find(&format!("<sum1:NumSerieFactura>A2026-00000{nth}<"))).collect();
        assert!(places.iter().all(Option::is_some) && places.is_sorted(), "in the order of the chain: {places:?}");
        assert!(fits("verifactu/SuministroLR.xsd", &xml));
        let plain = admin.get(PERIOD).await;
        assert!(!String::from_utf8_lossy(&plain.body).contains("RemisionRequerimiento"), "nobody asked");

        let export = |query: &str| format!("/api/v1/verifactu-export?{query}");
        admin.get(&export("from=2026-10-01&to=2026-11-01")).await.problem(404, "RECORD_NOT_FOUND");
        for (query, field, code) in [
            ("from=2026-11-02", "to", "INVALID"),
            ("from=ayer&to=2026-11-02", "from", "INVALID"),
            ("from=2026-11-02&to=2026-11-01", "to", "INVALID"),
            ("from=2026-11-02&to=2026-11-02&reference=1234567890123456789", "reference", "TOO_LONG"),
        ] {
            let refused = admin.get(&export(query)).await.problem(422, "INVALID_FIELDS");
            assert_eq!((&refused["errors"][0]["field"], &refused["errors"][0]["code"]), (&json!(field), &json!(code)), "{query}");
        }
        app.as_role(Role::Customer).await.get(PERIOD).await.problem(403, "ROLE_NOT_ALLOWED");
    }
}

// FACTU-9
#[tokio::test]
async fn more_than_a_call_holds_come_as_an_archive() {
    with_office(async |app, _| {
        let admin = invoiced(app, 2).await;
        others_before(app).await;
        let answer = admin.get(&format!("{PERIOD}&reference=REQ-1")).await;
        answer.expect(200);
        assert_eq!(answer.header("content-type"), Some("application/zip"));
        let mut archive = zip::ZipArchive::new(Cursor::new(&answer.body)).expect("an archive");
        let mut found = Vec::new();
        for nth in 0..archive.len() {
            let mut part = archive.by_index(nth).expect("a document");
            let mut xml = String::new();
            part.read_to_string(&mut xml).expect("a text");
            found.push((
                part.name().expect("a name").into_owned(),
                xml.matches("<sum:RegistroFactura>").count(),
                xml.contains("FinRequerimiento>S<"),
            ));
        }
        let name = |nth: u32| format!("registros-2026-11-02-2026-11-02-B85626240-000{nth}.xml");
        assert_eq!(found, [(name(1), 1000, false), (name(2), 2, true)]);
    })
    .await;
}
