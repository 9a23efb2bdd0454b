//! Long lists: their totals, pages and workbooks.

use super::{AUTOS, DIVERSOS, column, list};
use crate::support::{Case, text};
use atalaya_kernel::Role;
use atalaya_testkit::bulk::{self, BulkCall};
use atalaya_testkit::{Client, Engine, both_engines};
use chrono::TimeDelta;
use sea_orm::ConnectionTrait;
use serde_json::{Value, json};

both_engines! {
    // CASE-42
    async fn the_next_page_follows_the_row_before_whatever_comes_meanwhile(app) {
        let worker = app.person(Role::Worker).await;
        let path = format!("{DIVERSOS}/{}", worker.company);
        let plates = [Some("1111BBB"), None, Some("3333BBB"), Some("2222BBB"), None, Some("2222BBB"), None];
        for (nth, plate) in plates.into_iter().enumerate() {
            let fields = json!({"expedientNumber": format!("N{nth}"), "carId": plate, "phoneNumber": format!("+3460000000{}", nth / 2)});
            Case::open_by(app, worker.clone(), fields).await;
            app.advance(TimeDelta::minutes(1));
        }
        let principal = app.log_in(&app.person_in(worker.company, Role::Customer).await).await;
        let own = app.log_in(&worker).await;
        for client in [&principal, &own] {
            for field in ["createdAt", "expedientNumber", "userName", "customerName", "phoneNumber", "carId", "duration"] {
                for sort in [field.to_owned(), format!("-{field}")] {
                    let whole = column(&list(client, &format!("{path}?sort={sort}"), json!({})).await, "expedientNumber");
                    let (mut met, mut cursor) = (Vec::new(), String::new());
                    loop {
                        let page = client.post(&format!("{path}?sort={sort}&limit=2&cursor={cursor}"), json!({})).await.ok();
                        assert_eq!(page["total"], 7);
                        met.extend(column(page["conferences"].as_array().expect("a page"), "expedientNumber"));
                        let Some(next) = page["nextCursor"].as_str() else { break };
                        cursor = next.to_owned();
                    }
                    assert_eq!(met, whole, "page by page, sorted by {sort}");
                    let third = list(client, &format!("{path}?sort={sort}&limit=2&cursor=4"), json!({})).await;
                    assert_eq!(column(&third, "expedientNumber"), whole[4..6], "the third page at once");
                }
            }
        }
        let first = principal.post(&format!("{path}?limit=2"), json!({})).await.ok();
        Case::open_by(app, worker.clone(), json!({"expedientNumber": "NUEVA"})).await;
        let next = text(&first["nextCursor"]);
        let second = list(&principal, &format!("{path}?limit=2&cursor={next}"), json!({})).await;
        assert_eq!(column(&second, "expedientNumber"), ["N4", "N3"], "a new row shifts nothing");
        let unknown = list(&principal, &format!("{path}?limit=2&cursor=2.{}", uuid::Uuid::nil()), json!({})).await;
        assert_eq!(column(&unknown, "expedientNumber"), ["N5", "N4"], "without its row a cursor is a number");
    }

    // CASE-42, CASE-43
    async fn long_lists_are_counted_and_reached_page_by_page(app) {
        let worker = app.person(Role::Worker).await;
        let start = app.sources.now() - TimeDelta::days(40);
        let call = |nth: i64| BulkCall {
            company: worker.company,
            user: worker.id,
            expedient: format!("L{nth:04}"),
            start: start + TimeDelta::minutes(nth * 20),
            seconds: 60,
            guests: Vec::new(),
        };
        let calls: Vec<_> = (0..2_500).map(call).collect();
        bulk::calls(&app.db, &app.sources, &calls).await;
        let path = format!("{DIVERSOS}/{}", worker.company);
        let principal = app.log_in(&app.person_in(worker.company, Role::Customer).await).await;
        let admin = app.log_in(&app.person(Role::Admin).await).await;
        let all = json!({"begin": "2026-01-01"});
        let page = async |client: &Client, path: &str, query: &str, range: &Value| {
            let page = client.post(&format!("{path}?limit=3&{query}"), range.clone()).await.ok();
            (page["total"].clone(), column(page["conferences"].as_array().expect("a page"), "expedientNumber"))
        };
        let everybody = format!("{DIVERSOS}/0");
        for (client, path) in [(&principal, &path), (&admin, &path), (&admin, &everybody)] {
            for sort in ["createdAt", "expedientNumber"] {
                for offset in [0, 1_200, 2_100, 2_400, 2_498] {
                    let expected: Vec<_> = (offset..2_500_i32.min(offset + 3)).map(|nth| format!("L{nth:04}")).collect();
                    let found = page(client, path, &format!("sort={sort}&cursor={offset}"), &all).await;
                    assert_eq!(found, (json!(2_500), expected), "{offset} rows on, sorted by {sort}");
                    let expected: Vec<_> = (offset..2_500_i32.min(offset + 3)).map(|nth| format!("L{:04}", 2_499 - nth)).collect();
                    let found = page(client, path, &format!("sort=-{sort}&cursor={offset}"), &all).await;
                    assert_eq!(found, (json!(2_500), expected), "{offset} rows on, sorted by -{sort}");
                }
            }
        }
        // Part of the days, from the middle of one to the middle of another.
        let moment = |nth: i64| (start + TimeDelta::minutes(nth * 20)).to_rfc3339();
        let some = json!({"begin": moment(100), "end": moment(2_399)});
        for sort in ["createdAt", "expedientNumber"] {
            for offset in [0_i64, 5, 2_290] {
                let expected: Vec<_> = (0..3).map(|nth| format!("L{:04}", 100 + offset + nth)).collect();
                let found = page(&principal, &path, &format!("sort={sort}&cursor={offset}"), &some).await;
                assert_eq!(found, (json!(2_300), expected), "{offset} rows into part of the days, by {sort}");
            }
        }
        let sheet = crate::sheets::open(&principal.post(&format!("{path}?format=xlsx&sort=expedientNumber"), all.clone()).await.body);
        let numbers: Vec<_> = sheet.rows[1..].iter().map(|row| row[1].clone()).collect();
        assert_eq!(numbers, (0..2_500).map(|nth| format!("L{nth:04}")).collect::<Vec<_>>(), "a workbook has every row, in order");
        let many = "UPDATE conference_tally SET conferences = conferences + 1048576";
        app.db.read().execute_unprepared(many).await.expect("the statement runs");
        let problem = principal.post(&format!("{path}?format=xlsx"), all).await.problem(422, "WORKBOOK_TOO_LONG");
        assert!(text(&problem["detail"]).contains("1048575"), "{problem}");
    }

    // CASE-42
    async fn counts_follow_conferences_that_move_or_go(app) {
        let worker = app.person(Role::Worker).await;
        let kept = Case::open_by(app, worker.clone(), json!({"expedientNumber": "QUEDA"})).await;
        let moved = Case::open_by(app, worker.clone(), json!({"expedientNumber": "CAMBIA"})).await;
        app.advance(TimeDelta::minutes(1));
        let admin = app.log_in(&app.person(Role::Admin).await).await;
        let totals = async || {
            let mut totals = Vec::new();
            for path in [DIVERSOS, AUTOS] {
                let page = admin.post(&format!("{path}/{}?limit=1&sort=phoneNumber", worker.company), json!({})).await.ok();
                totals.push(page["total"].clone());
            }
            totals
        };
        assert_eq!(totals().await, [json!(2), json!(0)]);
        let row = |case: &Case| match app.engine {
            Engine::Postgres => format!("'{}'", case.id),
            Engine::Sqlite => format!("X'{}'", case.id.replace('-', "")),
        };
        let sql = format!("UPDATE conference SET conference_type = 1 WHERE id = {}", row(&moved));
        app.db.read().execute_unprepared(&sql).await.expect("the statement runs");
        assert_eq!(totals().await, [json!(1), json!(1)]);
        let found = list(&admin, &format!("{AUTOS}/{}?search=cambia", worker.company), json!({})).await;
        assert_eq!(column(&found, "expedientNumber"), ["CAMBIA"], "the index of words knows it");
        let found = list(&admin, &format!("{DIVERSOS}/{}?search=queda", worker.company), json!({})).await;
        assert_eq!(found[0]["_id"], kept.id.as_str());
    }
}
