//! Lists of conferences: whose, which days, what they show.

mod long;

use crate::support::{Case, opening_with, png, text};
use atalaya_assistance::call_page::closing;
use atalaya_kernel::Role;
use atalaya_testkit::{Client, both_engines};
use chrono::TimeDelta;
use serde_json::{Value, json};

const DIVERSOS: &str = "/api/v1/conferences-div-details";
const AUTOS: &str = "/api/v1/conferences-autos-details";

async fn list(client: &Client, path: &str, range: Value) -> Vec<Value> {
    client.post(path, range).await.ok()["conferences"].as_array().expect("a list").clone()
}

/// A field of every row.
fn column(rows: &[Value], field: &str) -> Vec<String> {
    rows.iter().map(|row| text(&row[field])).collect()
}

/// The administrator's row of a conference.
async fn row_of(case: &Case<'_>) -> Value {
    let admin = case.app.log_in(&case.app.person(Role::Admin).await).await;
    let rows = list(&admin, &format!("{DIVERSOS}/{}", case.owner.company), json!({"begin": "2026-11-01"})).await;
    rows.into_iter().find(|row| row["_id"] == case.id.as_str()).expect("the conference is listed")
}

async fn shown(case: &Case<'_>) -> (String, String) {
    let row = row_of(case).await;
    (text(&row["derived"]["observations"]), text(&row["durationState"]))
}

/// Client and adjuster are together for some seconds.
async fn talk(case: &Case<'_>, key: &str, seconds: i64) {
    let joined = case.client_with(key, "join", json!({"camera": true, "microphone": true})).await.ok();
    let client = text(&joined["identity"]);
    case.room_starts("RM_1").await;
    case.joins(&case.staff_identity(), "PA_1").await;
    case.joins(&client, "PA_2").await;
    case.app.advance(TimeDelta::seconds(seconds));
    case.leaves(&client, "PA_2").await;
    case.leaves(&case.staff_identity(), "PA_1").await;
}

both_engines! {
    // CASE-17, CASE-21, CASE-22, CASE-23
    async fn everybody_sees_his_own_part(app) {
        let worker = app.person(Role::Worker).await;
        let colleague = app.person_in(worker.company, Role::Worker).await;
        let principal = app.person_in(worker.company, Role::Customer).await;
        let stranger = app.person(Role::Customer).await;
        for (person, expedient) in [(&worker, "MIO-1"), (&colleague, "SUYO-1")] {
            Case::open_by(app, person.clone(), json!({"expedientNumber": expedient})).await;
            app.advance(TimeDelta::minutes(1));
        }
        Case::open_by(app, worker.clone(), json!({"expedientNumber": "AUTO-1", "type": 1, "carId": "1234 BCD"})).await;
        let path = format!("{DIVERSOS}/{}", worker.company);
        let of = async |person| column(&list(&app.log_in(person).await, &path, json!({})).await, "expedientNumber");
        assert_eq!(of(&worker).await, ["MIO-1"]);
        assert_eq!(of(&principal).await, ["SUYO-1", "MIO-1"], "newest first");
        let admin = app.person(Role::Admin).await;
        assert_eq!(of(&admin).await, ["SUYO-1", "MIO-1"]);
        app.log_in(&stranger).await.post(&path, json!({})).await.problem(404, "COMPANY_NOT_FOUND");
        app.log_in(&principal).await.post(&format!("{DIVERSOS}/0"), json!({})).await.problem(403, "ROLE_NOT_ALLOWED");
        let admin = app.log_in(&admin).await;
        let all = list(&admin, &format!("{AUTOS}/0"), json!({})).await;
        assert_eq!(column(&all, "expedientNumber"), ["AUTO-1"]);
        assert!(all[0]["derived"].is_object(), "derived columns are the administrator's");
        let autos = list(&app.log_in(&worker).await, &format!("{AUTOS}/{}", worker.company), json!({})).await;
        assert!(autos[0].get("derived").is_none());
        assert_eq!(autos[0]["jwt"], Value::Null);
    }

    // CASE-19
    async fn days_are_those_of_madrid_and_both_count(app) {
        let worker = app.person(Role::Worker).await;
        // 20 November 2026, nine o'clock UTC; then 23:30 in Madrid, then the first half hour of the 21st there.
        for (expedient, later) in [("A", 0), ("B", 13 * 60 + 30), ("C", 60)] {
            app.advance(TimeDelta::minutes(later));
            Case::open_by(app, worker.clone(), json!({"expedientNumber": expedient})).await;
        }
        let client = app.log_in(&worker).await;
        let path = format!("{DIVERSOS}/{}", worker.company);
        let of = async |range| column(&list(&client, &path, range).await, "expedientNumber");
        assert_eq!(of(json!({"begin": "2026-11-20", "end": "2026-11-20"})).await, ["B", "A"]);
        assert_eq!(of(json!({"begin": "2026-11-21", "end": "2026-11-21"})).await, ["C"]);
        assert_eq!(of(json!({"begin": "2026-11-20T09:00:00Z", "end": "2026-11-20T09:00:00Z"})).await, ["A"]);
        assert_eq!(of(json!({})).await, ["C", "B", "A"]);
        for (body, field) in [
            (json!({"begin": "ayer"}), "begin"),
            (json!({"end": "2026-02-30"}), "end"),
            (json!({"begin": "2026-11-21", "end": "2026-11-20"}), "end"),
        ] {
            let problem = client.post(&path, body).await.problem(422, "INVALID_FIELDS");
            assert_eq!(problem["errors"][0]["field"], field);
        }
    }

    // CASE-19
    async fn the_days_on_which_clocks_change_are_whole(app) {
        let worker = app.person(Role::Worker).await;
        let path = format!("{DIVERSOS}/{}", worker.company);
        // From 20 November 2026, nine o'clock UTC, to the last second of 27 March 2027 in Madrid; the 28th has 23 hours.
        app.advance(TimeDelta::days(127) + TimeDelta::hours(14) - TimeDelta::seconds(1));
        for (expedient, later) in [("27", 0), ("28 first", 1), ("28 last", 23 * 3600 - 1), ("29", 1)] {
            app.advance(TimeDelta::seconds(later));
            Case::open_by(app, worker.clone(), json!({"expedientNumber": expedient})).await;
        }
        let client = app.log_in(&worker).await;
        let of = async |begin: &str, end: &str| column(&list(&client, &path, json!({"begin": begin, "end": end})).await, "expedientNumber");
        assert_eq!(of("2027-03-27", "2027-03-27").await, ["27"]);
        assert_eq!(of("2027-03-28", "2027-03-28").await, ["28 last", "28 first"]);
        assert_eq!(of("2027-03-29", "2027-03-29").await, ["29"]);
        assert_eq!(of("2027-03-27T23:00:00Z", "2027-03-28T21:59:59Z").await, ["28 last", "28 first"], "moments are what they are");
    }

    // CASE-13
    async fn a_call_that_the_client_waited_in_alone_is_short(app) {
        let case = Case::open(app).await;
        case.client("track", json!({"type": "LINK_OPENED"})).await.expect(204);
        let key = case.accept().await;
        let joined = case.client_with(&key, "join", json!({"camera": true, "microphone": true})).await.ok();
        case.room_starts("RM_1").await;
        case.joins(&text(&joined["identity"]), "PA_1").await;
        app.advance(TimeDelta::seconds(40));
        case.post("conference-close", json!({})).await.ok();
        assert_eq!(shown(&case).await, ("unknown".to_owned(), "lessThanTen".to_owned()), "nobody of ours was there");
    }

    // CASE-13
    async fn a_lost_notice_of_the_room_loses_no_duration(app) {
        let case = Case::open(app).await;
        case.client("track", json!({"type": "LINK_OPENED"})).await.expect(204);
        let key = case.accept().await;
        let joined = case.client_with(&key, "join", json!({"camera": true, "microphone": true})).await.ok();
        case.joins(&case.staff_identity(), "PA_1").await;
        case.joins(&text(&joined["identity"]), "PA_2").await;
        app.advance(TimeDelta::seconds(25));
        case.post("conference-close", json!({})).await.ok();
        assert_eq!(shown(&case).await, ("correct".to_owned(), "seconds".to_owned()));
        assert_eq!(row_of(&case).await["duration"], 25);
    }

    // CASE-22
    async fn lists_are_searched_sorted_and_paged(app) {
        let worker = app.person(Role::Worker).await;
        let cases = [
            ("EXP 3", "Begoña Núñez", "+34611223344"),
            ("EXP 1", "Álvaro Ruiz", "+34600123456"),
            ("EXP 2", "Carla 100%", "+34600123457"),
        ];
        for (expedient, contact, phone) in cases {
            let staff = app.log_in(&worker).await;
            let fields = json!({"expedientNumber": expedient, "contactPerson": contact, "phoneNumber": phone});
            staff.post("/api/v1/getToken", opening_with(fields)).await.ok();
            app.advance(TimeDelta::seconds(1));
        }
        let client = app.log_in(&worker).await;
        let path = format!("{DIVERSOS}/{}", worker.company);
        let of = async |query: &str| column(&list(&client, &format!("{path}?{query}"), json!({})).await, "expedientNumber");
        assert_eq!(of("search=nunez%20BEGONA").await, ["EXP 3"], "accents, case and order do not matter");
        assert_eq!(of("search=%25").await.len(), 3, "a percent sign is no joker; alone it is nothing to look for");
        assert_eq!(of("search=exp2").await, ["EXP 2"], "spaces of case numbers do not matter");
        for part in ["bego", "go%C3%B1a", "1122", "xp3"] {
            assert_eq!(of(&format!("search={part}")).await, ["EXP 3"], "the beginning and the middle of a word: {part}");
        }
        assert_eq!(of("search=nu_ez").await.len(), 0, "an underscore is no joker either");
        for written in ["611223344", "611%2022%2033%2044", "611%20223%20344", "%2B34%20611%20223%20344", "%2B34611223344"] {
            assert_eq!(of(&format!("search={written}")).await, ["EXP 3"], "a telephone as people write it: {written}");
        }
        assert_eq!(of("sort=expedientNumber").await, ["EXP 1", "EXP 2", "EXP 3"]);
        assert_eq!(of("sort=-expedientNumber&limit=2").await, ["EXP 3", "EXP 2"]);
        let page = client.post(&format!("{path}?sort=expedientNumber&limit=2"), json!({})).await.ok();
        assert_eq!(page["total"], 3);
        assert!(text(&page["nextCursor"]).starts_with("2."), "the number of the page, and the row that it follows");
        assert_eq!(of("sort=expedientNumber&limit=2&cursor=2").await, ["EXP 3"]);
        for (query, field) in [("sort=hash", "sort"), ("user=luis", "user")] {
            let problem = client.post(&format!("{path}?{query}"), json!({})).await.problem(422, "INVALID_FIELDS");
            assert_eq!(problem["errors"][0]["field"], field);
        }
    }

    // CASE-17
    async fn a_principal_narrows_the_list_to_one_of_his_people(app) {
        let worker = app.person(Role::Worker).await;
        let colleague = app.person_in(worker.company, Role::Worker).await;
        let principal = app.log_in(&app.person_in(worker.company, Role::Customer).await).await;
        for (person, expedient) in [(&worker, "MIO-1"), (&colleague, "SUYO-1")] {
            Case::open_by(app, person.clone(), json!({"expedientNumber": expedient})).await;
        }
        let path = format!("{DIVERSOS}/{}?user=", worker.company);
        let of = async |client: &Client, user: &str| column(&list(client, &format!("{path}{user}"), json!({})).await, "expedientNumber");
        assert_eq!(of(&principal, &colleague.id.to_string()).await, ["SUYO-1"]);
        assert_eq!(of(&principal, "").await.len(), 2);
        let own = app.log_in(&worker).await;
        assert!(of(&own, &colleague.id.to_string()).await.is_empty(), "a worker's scope stays his own");
    }

    // CASE-20, EVID-10
    async fn each_observation_and_duration_is_reached_by_what_people_do(app) {
        let pair = |observation: &str, duration: &str| (observation.to_owned(), duration.to_owned());

        let case = Case::open(app).await;
        assert_eq!(shown(&case).await, pair("pending", "notExpired"));
        case.post("conference-close", json!({})).await.ok();
        assert_eq!(shown(&case).await, pair("noLink", "notExpired"));
        app.advance(TimeDelta::hours(24));
        assert_eq!(shown(&case).await, pair("noLink", "noSession"));

        let case = Case::open(app).await;
        case.client("track", json!({"type": "LINK_OPENED"})).await.expect(204);
        case.post("conference-close", json!({})).await.ok();
        assert_eq!(shown(&case).await.0, "noLegal");

        let case = Case::open(app).await;
        case.client("track", json!({"type": "LINK_OPENED"})).await.expect(204);
        let key = case.accept().await;
        let refused = json!({"type": "PERMISSION_DENIED", "data": {"permission": "camera", "reason": "NotAllowedError"}});
        case.client_with(&key, "track", refused).await.expect(204);
        case.post("conference-close", json!({})).await.ok();
        assert_eq!(shown(&case).await.0, "permissions");

        for (seconds, observation, duration) in [(10, "unknown", "lessThanTen"), (11, "correct", "seconds")] {
            let case = Case::open(app).await;
            case.client("track", json!({"type": "LINK_OPENED"})).await.expect(204);
            let key = case.accept().await;
            talk(&case, &key, seconds).await;
            case.post("conference-close", json!({})).await.ok();
            assert_eq!(shown(&case).await, pair(observation, duration), "{seconds} s");
            assert_eq!(row_of(&case).await["duration"], seconds);
        }
    }

    // EVID-10, STORE-9
    async fn a_short_call_with_a_picture_is_correct_and_news_are_told(app) {
        let case = Case::open(app).await;
        case.client("track", json!({"type": "LINK_OPENED"})).await.expect(204);
        let key = case.accept().await;
        talk(&case, &key, 3).await;
        case.upload("daños.png", "image/png", &png()).await.ok();
        case.post("conference-close", json!({})).await.ok();
        let row = row_of(&case).await;
        assert_eq!((&row["derived"]["observations"], &row["derived"]["pictures"]), (&json!("correct"), &json!(1)));
        assert_eq!((&row["isNewMedia"], &row["files"], &row["newFiles"]), (&json!(true), &json!(1), &json!(1)));
        assert_eq!((&row["mayRequestFiles"], &row["mediaExpired"]), (&json!(false), &json!(false)), "three seconds are too few");
        assert!(row.get("observation").is_none(), "it is among the derived columns");
        app.advance(TimeDelta::seconds(1));
        let media = format!("/api/v1/conference-media/{}", case.id);
        let glance = case.staff.get(&format!("{media}?peek=true")).await.ok();
        assert_eq!(glance["media"].as_array().map(Vec::len), Some(1));
        assert_eq!(row_of(&case).await["newFiles"], 1, "its thumbnails were shown beside the list");
        case.staff.get(&media).await.ok();
        let row = row_of(&case).await;
        assert_eq!((&row["isNewMedia"], &row["newFiles"]), (&json!(false), &json!(0)), "the company has looked");
    }

    // CASE-24, CASE-26
    async fn a_list_is_narrowed_to_what_waits_and_to_chosen_ones(app) {
        let worker = app.person(Role::Worker).await;
        let open = async |expedient: &str| Case::open_by(app, worker.clone(), json!({"expedientNumber": expedient})).await;
        let seen = open("VISTA").await;
        let unseen = open("NUEVA").await;
        for case in [&seen, &unseen] {
            let key = case.accept().await;
            talk(case, &key, 30).await;
            case.upload("daños.png", "image/png", &png()).await.ok();
            case.post("conference-close", json!({})).await.ok();
        }
        app.advance(TimeDelta::seconds(1));
        seen.staff.get(&format!("/api/v1/conference-media/{}", seen.id)).await.ok();
        open("CANCELADA").await.post("conference-close", json!({})).await.ok();
        open("CADUCADA").await;
        app.advance(TimeDelta::hours(25));
        let pending = open("PENDIENTE").await;
        let client = &pending.staff;
        let path = format!("{DIVERSOS}/{}", worker.company);
        let of = async |query: &str| {
            column(&list(client, &format!("{path}?sort=expedientNumber&{query}"), json!({})).await, "expedientNumber")
        };
        // Once before its job has closed what expired, once after.
        for closed in [false, true] {
            if closed {
                assert_eq!(closing::close_idle(&app.assistance).await.expect("closed"), 1);
            }
            assert_eq!(of("state=new").await, ["NUEVA"]);
            assert_eq!(of("state=pending").await, ["PENDIENTE"]);
            assert_eq!(of("state=expired").await, ["CADUCADA"], "closed: {closed}");
            assert_eq!(of("state=notConnected").await, ["CADUCADA", "CANCELADA"]);
        }
        assert_eq!(of(&format!("ids={},{}", seen.id, pending.id)).await, ["PENDIENTE", "VISTA"]);
        assert_eq!(of(&format!("ids={}&state=new", seen.id)).await.len(), 0);
        let workbook = async |query: &str| {
            let answer = client.post(&format!("{path}?format=xlsx&sort=expedientNumber&{query}"), json!({})).await;
            let rows = crate::sheets::open(&answer.body).rows;
            rows.iter().skip(1).map(|row| row[1].clone()).collect::<Vec<_>>()
        };
        assert_eq!(workbook("state=notConnected").await, ["CADUCADA", "CANCELADA"], "the same rows are exported");
        assert_eq!(workbook(&format!("ids={}", seen.id)).await, ["VISTA"]);
        let stranger = Case::open(app).await;
        assert_eq!(of(&format!("ids={}", stranger.id)).await.len(), 0, "another company's stays out of sight");
        client.post(&format!("{path}?ids=x"), json!({})).await.problem(422, "INVALID_FIELDS");
    }

    // CASE-28
    async fn a_row_says_who_cancelled_it(app) {
        let worker = app.person(Role::Worker).await;
        let principal = app.person_in(worker.company, Role::Customer).await;
        let boss = app.log_in(&principal).await;
        let open = async |expedient: &str| Case::open_by(app, worker.clone(), json!({"expedientNumber": expedient})).await;
        open("SUYA").await.post("conference-close", json!({})).await.ok();
        let other = open("DEL JEFE").await;
        boss.post(&format!("/api/v1/conference-close/{}", other.id), json!({})).await.ok();
        let met = open("HABLADA").await;
        let key = met.accept().await;
        talk(&met, &key, 30).await;
        met.post("conference-close", json!({})).await.ok();
        let expired = open("CADUCADA").await;
        app.advance(TimeDelta::hours(25));
        assert_eq!(closing::close_idle(&app.assistance).await.unwrap(), 1, "{}: its link ran out", expired.id);
        let (boss, admin) = (app.log_in(&principal).await, app.log_in(&app.person(Role::Admin).await).await);
        let name = async |person: &atalaya_testkit::Person| {
            let user = admin.get(&format!("/api/v1/user/{}", person.id)).await.ok()["user"].clone();
            json!(format!("{} {}", text(&user["name"]), text(&user["surname"])).trim())
        };
        let expected = [Value::Null, name(&principal).await, Value::Null, name(&worker).await];
        for client in [&boss, &admin] {
            let rows = list(client, &format!("{DIVERSOS}/{}?sort=expedientNumber", worker.company), json!({})).await;
            let said: Vec<Value> = rows.iter().map(|row| row["cancelledBy"].clone()).collect();
            assert_eq!(said, expected, "{:?}", column(&rows, "expedientNumber"));
            // CASE-24: so does the workbook.
            let path = format!("{DIVERSOS}/{}?format=xlsx&sort=expedientNumber", worker.company);
            let sheet = crate::sheets::open(&client.post(&path, json!({})).await.body).rows;
            let at = sheet[0].iter().position(|heading| heading == "Cancelada por").expect("a column");
            let named = |row: &Vec<String>| row.get(at).filter(|name| !name.is_empty()).map_or(Value::Null, |name| json!(name));
            let said: Vec<Value> = sheet[1..].iter().map(named).collect();
            assert_eq!(said, expected, "{sheet:?}");
        }
    }

    // CASE-24
    async fn a_workbook_holds_the_rows_of_the_filter(app) {
        let case = Case::open_with(app, json!({"expedientNumber": "=HYPERLINK(1)"})).await;
        let path = format!("{DIVERSOS}/{}?format=xlsx", case.owner.company);
        let answer = case.staff.post(&path, json!({})).await;
        assert_eq!(answer.status, 200);
        assert!(answer.header("content-disposition").is_some_and(|name| name.contains("diversos-2026-11-20.xlsx")));
        let sheet = crate::sheets::open(&answer.body);
        assert_eq!((sheet.rows.len(), sheet.rows[1][1].as_str()), (2, "=HYPERLINK(1)"), "a text, not a formula");
    }
}
