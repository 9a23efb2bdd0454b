//! A list narrowed to days, types, reasons and companies, and as a workbook.

use super::{general, send};
use crate::sheets;
use crate::support::{Case, text};
use atalaya_kernel::{CompanyKind, Role, UserId};
use atalaya_rest::page::WORKBOOK_ROWS;
use atalaya_testkit::{Client, Person, both_engines};
use chrono::TimeDelta;
use sea_orm::{ConnectionTrait, DbBackend};
use serde_json::{Value, json};

/// Numbers of the incidences of a page.
async fn numbers(client: &Client, of: UserId, query: &str) -> Vec<String> {
    let page = client.get(&format!("/api/v1/incidences/{of}?{query}")).await.ok();
    page["incidences"].as_array().expect("a list").iter().map(|row| text(&row["number"])).collect()
}

/// So many incidences more like the only one there is, but for another reason.
async fn copies(app: &atalaya_testkit::TestApp, many: u64) {
    let id = match app.db.read().get_database_backend() {
        DbBackend::Postgres => "gen_random_uuid()",
        _ => "randomblob(16)",
    };
    let same = "company_id, author_id, last_by, image_count, answer_count, incidence_type, status, comments, search, data_key, \
                created_at, updated_at";
    let sql = format!(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {many}) \
         INSERT INTO incidence (id, number, reason, {same}) SELECT {id}, number + i, 5, {same} FROM incidence, n"
    );
    let written = app.db.read().execute_unprepared(&sql).await.expect("the statement runs");
    assert_eq!(written.rows_affected(), many);
}

/// An administrator with a log-in of today.
async fn administrator(app: &atalaya_testkit::TestApp) -> (Person, Client) {
    let person = app.person(Role::Admin).await;
    let client = app.log_in(&person).await;
    (person, client)
}

both_engines! {
    // INCID-17
    async fn a_list_is_narrowed_by_days_types_reasons_and_companies(app) {
        let case = Case::open(app).await;
        let about = json!({"type": 1, "reason": 2, "comments": "Se congela", "conferenceId": case.id});
        send(&case.staff, about, json!([])).await.expect(201);
        // 20 November 2026, ten o'clock in Madrid; then its 23:30, then the first half hour of the 21st.
        app.advance(TimeDelta::minutes(13 * 60 + 30));
        let company = app.company(CompanyKind::CarRepairShop, "Talleres Ñandú").await;
        let workshop = app.person_in(company, Role::WorkshopOperator).await;
        send(&app.log_in(&workshop).await, general(), json!([])).await.expect(201);
        app.advance(TimeDelta::minutes(60));
        let (person, admin) = administrator(app).await;
        send(&app.log_in(&workshop).await, json!({"type": 2, "reason": 1, "comments": "Eco"}), json!([])).await.expect(201);
        for (query, expected) in [
            ("", &["INC-000003", "INC-000002", "INC-000001"][..]),
            ("type=1", &["INC-000001"]),
            ("type=2&reason=1", &["INC-000003"]),
            ("reason=1,2", &["INC-000003", "INC-000001"]),
            ("begin=2026-11-20&end=2026-11-20", &["INC-000002", "INC-000001"]),
            ("begin=2026-11-21", &["INC-000003"]),
            ("end=2026-11-20&type=2", &["INC-000002"]),
            ("begin=2026-11-20T09:00:00Z&end=2026-11-20T09:00:00Z", &["INC-000001"]),
            (&format!("company={company}"), &["INC-000003", "INC-000002"]),
            (&format!("company={company}&status=1&q=eco"), &["INC-000003"]),
        ] {
            assert_eq!(numbers(&admin, person.id, query).await, expected, "{query}");
        }
        for (query, field) in [("type=3", "type"), ("reason=x", "reason"), ("company=1", "company"), ("begin=ayer", "begin"),
            ("end=2026-02-30", "end"), ("begin=2026-11-21&end=2026-11-20", "end"), ("format=pdf", "format")] {
            let problem = admin.get(&format!("/api/v1/incidences/{}?{query}", person.id)).await.problem(422, "INVALID_FIELDS");
            assert_eq!(problem["errors"][0]["field"], field, "{query}");
        }
        let own = format!("company={}", case.owner.company);
        let mut case = case;
        case.log_in_again().await;
        assert_eq!(numbers(&case.staff, case.owner.id, &own).await, ["INC-000001"]);
        let others = format!("/api/v1/incidences/{}?company={company}", case.owner.id);
        case.staff.get(&others).await.problem(404, "COMPANY_NOT_FOUND");
    }

    // INCID-19, INCID-23
    async fn a_workbook_holds_every_row_of_the_filter(app) {
        let company = app.company(CompanyKind::Customer, "Gabinete Ñandú").await;
        let worker = app.person_in(company, Role::Worker).await;
        let client = app.log_in(&worker).await;
        let of = |n: usize| json!({"type": 2, "reason": 4, "comments": format!("=SUM({n})"), "expedientId": format!("E-{n}")});
        let mut last = Value::Null;
        for n in 0..23 {
            last = send(&client, of(n), json!([])).await.expect(201)["incidence"].clone();
        }
        send(&client, general(), json!([])).await.expect(201);
        let path = format!("/api/v1/incidences/{}?format=xlsx&reason=4", worker.id);
        let answer = client.get(&path).await;
        assert!(answer.header("content-disposition").is_some_and(|name| name.contains("incidencias-2026-11-20.xlsx")));
        let sheet = sheets::open(&answer.body);
        let headings = ["Número", "Enviada el", "Último cambio", "Estado", "Tipo", "Motivo", "Expediente", "Comentarios",
            "Enviada por", "Respuestas"];
        assert_eq!((sheet.name.as_str(), &sheet.rows[0][..]), ("data", &headings.map(str::to_owned)[..]));
        assert_eq!(sheet.rows.len(), 24, "a heading and all 23, not a page of them");
        assert_eq!(sheet.rows[1][0], text(&last["number"]), "the latest change first");
        assert_eq!(sheet.rows[1][3..8], ["Sin atender", "General", "Geolocalización", "E-22", "=SUM(22)"]);
        let (person, admin) = administrator(app).await;
        let all = sheets::open(&admin.get(&format!("/api/v1/incidences/{}?format=xlsx&language=es", person.id)).await.body);
        assert_eq!((all.rows.len(), all.rows[0][10].as_str(), all.rows[1][10].as_str()), (25, "Empresa", "Gabinete Ñandú"));

        // Rows of an erased conference keep their line and say why it is empty.
        let sql = "UPDATE incidence SET data_key = NULL, comments = '' WHERE number = 23";
        app.db.read().execute_unprepared(sql).await.expect("the statement runs");
        let erased = sheets::open(&client.get(&path).await.body);
        assert_eq!(erased.rows[1][7], "Contenido suprimido con los datos de la conferencia.");
    }

    // INCID-23
    async fn a_workbook_that_would_be_cut_is_refused(app) {
        let company = app.company(CompanyKind::Customer, "Gabinete Grande").await;
        let worker = app.person_in(company, Role::Worker).await;
        let client = app.log_in(&worker).await;
        send(&client, json!({"type": 2, "reason": 1, "comments": "Eco"}), json!([])).await.expect(201);
        copies(app, WORKBOOK_ROWS).await;
        let path = |query: &str| format!("/api/v1/incidences/{}?{query}", worker.id);
        let refused = client.get(&path("format=xlsx")).await.problem(422, "WORKBOOK_TOO_LONG");
        let said = text(&refused["detail"]);
        assert!(said.contains("50001") && said.contains("50000"), "it says how many there are and may be: {said}");
        let narrowed = client.get(&path("format=xlsx&reason=1")).await;
        assert_eq!(sheets::open(&narrowed.body).rows.len(), 2, "a narrower list is given");
        assert_eq!(client.get(&path("")).await.ok()["total"], 50_001, "on the screen there is no limit");
    }
}
