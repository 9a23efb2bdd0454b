//! The accountant's pack: register, entries and documents of a period.

use super::*;
use atalaya_testkit::{Answer, both_engines};
use std::io::{Cursor, Read};

const PACK: &[&str] = &["accounting-summary", "accounting-register", "accounting-entries", "accounting-documents"];

/// A table without its mark, split into cells.
fn table(answer: &Answer) -> Vec<Vec<String>> {
    assert_eq!((answer.status, answer.header("content-type")), (200, Some("text/csv; charset=utf-8")));
    let text = String::from_utf8(answer.body.to_vec()).expect("UTF-8");
    let text = text.strip_prefix('\u{feff}').expect("a byte order mark").to_owned();
    text.split("\r\n").filter(|line| !line.is_empty()).map(|line| line.split(';').map(str::to_owned).collect()).collect()
}

fn files(answer: &Answer) -> Vec<(String, Vec<u8>)> {
    assert_eq!((answer.status, answer.header("content-type")), (200, Some("application/zip")));
    let mut archive = zip::ZipArchive::new(Cursor::new(answer.body.to_vec())).expect("an archive");
    let count = archive.len();
    let read = |nth| {
        let mut entry = archive.by_index(nth).expect("an entry");
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes).expect("its content, checked against its sum");
        (entry.name().expect("a name").into_owned(), bytes)
    };
    (0..count).map(read).collect()
}

both_engines! {
    // BOOKS-1, BOOKS-2, BOOKS-3
    async fn the_register_and_the_entries_of_a_period(app) {
        let (admin, _, invoice) = one_invoice(app).await;
        let body = json!({"reason": "Descuento", "kind": "differences", "amount": -5});
        admin.post(&format!("/api/v1/invoice-rectify/{}", id(&invoice)), body).await.expect(201);
        let sum = admin.get("/api/v1/accounting-summary?period=2026-4T").await.ok();
        assert_eq!((&sum["invoices"], &sum["rectifying"], &sum["from"], &sum["to"]), (&json!(2), &json!(1), &json!("2026-10-01"), &json!("2026-12-31")));
        assert_eq!((sum["base"].as_f64(), sum["vat"].as_f64(), sum["total"].as_f64()), (Some(25.0), Some(5.25), Some(30.25)));
        // The invoice is October's by its operation, what rectifies it November's by its issue.
        for (period, invoices) in [("2026-10", 1), ("2026-11", 1), ("2026-3T", 0), ("2026", 2), ("2025", 0)] {
            assert_eq!(admin.get(&format!("/api/v1/accounting-summary?period={period}")).await.ok()["invoices"], json!(invoices), "{period}");
        }

        let answer = admin.get("/api/v1/accounting-register?period=2026-4T").await;
        let name = "attachment; filename=\"2026_B85626240_E_ATALAYA-REMOTA--S-L-.csv\"";
        assert_eq!(answer.header("content-disposition"), Some(name));
        let rows = table(&answer);
        assert_eq!(rows.len(), 4, "two rows of headings");
        assert_eq!(rows[2][..2], ["2026", "4T"]);
        assert_eq!((rows[2][5].as_str(), rows[2][10].as_str(), rows[2][11].as_str()), ("F1", "A2026", "000001"));
        assert_eq!(rows[2][20..24], ["36,30", "30,00", "21,00", "6,30"]);
        assert_eq!((rows[3][5].as_str(), rows[3][10].as_str(), rows[3][21].as_str()), ("R1", "R2026", "-5,00"));
        assert_eq!(table(&admin.get("/api/v1/accounting-register?period=2026-10").await)[2][1], "10", "who files each month");

        let rows = table(&admin.get("/api/v1/accounting-entries?period=2026-4T").await);
        let accounts: Vec<_> = rows[1..].iter().map(|row| (row[0].as_str(), row[2].as_str(), row[5].as_str(), row[6].as_str())).collect();
        assert_eq!(accounts, [
            ("1", "430", "36,30", ""), ("1", "705", "", "30,00"), ("1", "4770", "", "6,30"),
            ("2", "430", "", "6,05"), ("2", "705", "5,00", ""), ("2", "4770", "1,05", ""),
        ]);
    }

    // BOOKS-4
    async fn every_document_of_a_period_in_one_archive(app) {
        let (admin, principal, invoice) = one_invoice(app).await;
        let answer = admin.get("/api/v1/accounting-documents?period=2026-10").await;
        assert_eq!(answer.header("content-disposition"), Some("attachment; filename=\"facturas-2026-10.zip\""));
        let all = files(&answer);
        let names: Vec<&str> = all.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["pdf/A2026-000001.pdf", "xml/A2026-000001.xml", "ubl/A2026-000001-ubl.xml"]);
        let pdf = admin.get(&format!("/api/v1/print-invoice/{}", id(&invoice))).await;
        assert_eq!(all[0].1, pdf.body.to_vec(), "the bytes that are kept");
        let xml = String::from_utf8_lossy(&all[1].1);
        assert!(xml.contains("<InvoiceTotal>36.30</InvoiceTotal>"), "{xml}");
        assert!(String::from_utf8_lossy(&all[2].1).contains(">36.30</cbc:PayableAmount>"));
        assert_eq!(files(&admin.get("/api/v1/accounting-documents?period=2026-10&format=xml").await).len(), 2);
        assert!(files(&admin.get("/api/v1/accounting-documents?period=2026-09").await).is_empty());
        // It delivers nothing, and what was annulled is in no book.
        let client = app.log_in(&principal).await;
        assert_eq!(invoices(&client, Some(principal.company)).await[0]["sentAt"], Value::Null);
        admin.post(&format!("/api/v1/invoice-cancel/{}", id(&invoice)), json!({})).await.ok();
        assert!(files(&admin.get("/api/v1/accounting-documents?period=2026-10").await).is_empty());
        assert_eq!(admin.get("/api/v1/accounting-summary?period=2026-10").await.ok()["invoices"], json!(0));
    }

    // BOOKS-1, BOOKS-4
    async fn a_period_is_a_month_a_quarter_or_a_year(app) {
        let admin = app.as_role(Role::Admin).await;
        for call in PACK {
            for period in ["", "2026-13", "2026-5T", "26", "2026-10-01", "x"] {
                admin.get(&format!("/api/v1/{call}?period={period}")).await.problem(422, "INVALID_FIELDS");
            }
            admin.get(&format!("/api/v1/{call}")).await.problem(422, "INVALID_FIELDS");
        }
        admin.get("/api/v1/accounting-documents?period=2026&format=doc").await.problem(422, "INVALID_FIELDS");
        let (principal, owner) = customer(app, "Peritaciones Levante, S.L.", "46001").await;
        for person in [principal, owner] {
            let client = app.log_in(&person).await;
            for call in PACK {
                client.get(&format!("/api/v1/{call}?period=2026-10")).await.problem(403, "ROLE_NOT_ALLOWED");
            }
        }
    }

    // BOOKS-5
    async fn a_name_that_is_a_formula_is_a_text(app) {
        app.clock.set(at("2026-10-05T09:00:00Z"));
        issuer(app).await;
        customer(app, "=HYPERLINK(\"http://x\")", "46001").await;
        app.clock.set(at("2026-11-02T09:00:00Z"));
        let admin = app.as_role(Role::Admin).await;
        generate(app, &admin).await;
        let answer = admin.get("/api/v1/accounting-register?period=2026-10").await;
        assert!(String::from_utf8_lossy(&answer.body).contains("\"'=HYPERLINK(\"\"http://x\"\")\""));
    }
}
