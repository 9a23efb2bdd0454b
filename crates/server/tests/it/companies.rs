//! Customers, repairers, car repair shops: lists, profiles, changes.

use crate::sheets;
use crate::support::text;
use atalaya_identity::companies::NewCompany;
use atalaya_kernel::{CompanyId, CompanyKind, Role, Status};
use atalaya_testkit::{Client, Person, SocketClient, TestApp, both_engines};
use chrono::TimeDelta;
use sea_orm::{ConnectionTrait, Statement};
use serde_json::{Value, json};
use std::collections::BTreeMap;

const IBAN: &str = "ES9121000418450200051332";
const MASKED: &str = "ES91 **** **** **** **** 1332";
const OTHER_IBAN: &str = "ES10 0182 1234 8500 0000 0001";

/// A principal of a company that works, and his browser.
async fn principal(app: &TestApp) -> (Person, Client) {
    let person = app.person(Role::Customer).await;
    let client = app.log_in(&person).await;
    (person, client)
}

/// A good form for this company.
fn form(id: CompanyId) -> Value {
    json!({
        "_id": id, "name": " Ana Ruiz ", "company": "Peritos Núñez, S.L.", "cif": "b-64717838",
        "address": "Calle Mayor, 1", "city": "Valencia", "region": "Valencia", "postalCode": "46001",
        "email": "ana@ejemplo.es", "phone": "+34", "mobile": "600 12 31 23", "bankAccount": MASKED
    })
}

fn with(mut body: Value, fields: Value) -> Value {
    body.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    body
}

/// A change, a second after the one before it.
async fn later(app: &TestApp, client: &Client, body: Value) -> Value {
    app.advance(TimeDelta::seconds(1));
    put(client, body).await.ok()["customer"].clone()
}

async fn put(client: &Client, body: Value) -> atalaya_testkit::Answer {
    client.put("/api/v1/customer", json!({"customer": body})).await
}

fn names(answer: &Value, noun: &str) -> Vec<String> {
    answer[noun].as_array().expect("a list").iter().map(|row| text(&row["company"])).collect()
}

/// Field and code of every wrong field.
fn fields(problem: &Value) -> Vec<(String, String)> {
    problem["errors"].as_array().expect("errors").iter().map(|e| (text(&e["field"]), text(&e["code"]))).collect()
}

/// `action detail` of every entry of the log about a company.
async fn log(app: &TestApp, company: CompanyId) -> Vec<String> {
    let backend = app.db.read().get_database_backend();
    let sql = match app.engine {
        atalaya_testkit::Engine::Sqlite => {
            "SELECT action, CAST(detail AS TEXT) AS detail FROM audit_entry WHERE company_id = $1 ORDER BY at, action"
        }
        atalaya_testkit::Engine::Postgres => {
            "SELECT action, detail::text AS detail FROM audit_entry WHERE company_id = $1 ORDER BY at, action"
        }
    };
    let rows = app.db.read().query_all_raw(Statement::from_sql_and_values(backend, sql, [company.0.into()])).await.unwrap();
    let entry = |row: &sea_orm::QueryResult| {
        let (action, detail): (String, String) = (row.try_get("", "action").unwrap(), row.try_get("", "detail").unwrap());
        // PostgreSQL keeps keys in an order of its own.
        let detail: BTreeMap<String, Value> = serde_json::from_str(&detail).unwrap();
        format!("{action} {}", json!(detail))
    };
    rows.iter().map(entry).collect()
}

/// One column of a company's row.
async fn column(app: &TestApp, company: CompanyId, name: &str) -> Option<String> {
    let sql = format!("SELECT {name} AS value FROM company WHERE id = $1");
    let backend = app.db.read().get_database_backend();
    let row = app.db.read().query_one_raw(Statement::from_sql_and_values(backend, sql, [company.0.into()])).await.unwrap();
    row.unwrap().try_get("", "value").unwrap()
}

async fn seeded(app: &TestApp) {
    for (name, status) in [
        ("Ópera Peritos", Status::Active),
        ("Nube Gestión", Status::Unpaid),
        ("Ñandú Seguros", Status::Active),
        ("Nzala", Status::Active),
        ("50% de Ahorro", Status::Trial),
    ] {
        let mut new = NewCompany::named(CompanyKind::Customer, name);
        new.status = status;
        new.city = Some("Cádiz".into());
        app.company_with(new).await;
    }
    app.company_with(NewCompany::named(CompanyKind::Repairer, "Reparador Único")).await;
    app.company_with(NewCompany::named(CompanyKind::CarRepairShop, "Taller Único")).await;
}

both_engines! {
    // COMPANY-1
    async fn lists_are_searched_filtered_sorted_and_paged(app) {
        seeded(app).await;
        let admin = app.as_role(Role::Admin).await;
        let list = |query: &str| { let path = format!("/api/v1/customers?{query}"); let admin = admin.clone(); async move { admin.get(&path).await.ok() } };
        let all = list("").await;
        assert_eq!(names(&all, "customers"), ["50% de Ahorro", "Nube Gestión", "Nzala", "Ñandú Seguros", "Ópera Peritos"]);
        assert_eq!((all["total"].as_u64(), all["nextCursor"].is_null()), (Some(5), true));
        assert_eq!(names(&list("sort=-company").await, "customers")[0], "Ópera Peritos");
        assert_eq!(names(&list("search=NANDU%20segu").await, "customers"), ["Ñandú Seguros"]);
        assert_eq!(names(&list("search=%C3%B1and%C3%BA").await, "customers"), ["Ñandú Seguros"]);
        assert_eq!(list("search=cadiz").await["total"], 5);
        assert_eq!(list("search=_").await["total"], 0, "no wildcard");
        assert_eq!(names(&list("status=5").await, "customers"), ["Nube Gestión"]);
        assert_eq!(list("status=2&search=nube").await["total"], 0);
        let first = list("limit=2").await;
        assert_eq!(names(&first, "customers").len(), 2);
        let second = list(&format!("limit=2&cursor={}", text(&first["nextCursor"]))).await;
        assert_eq!(names(&second, "customers"), ["Nzala", "Ñandú Seguros"]);
        let last = list(&format!("limit=2&cursor={}", text(&second["nextCursor"]))).await;
        assert_eq!((names(&last, "customers").len(), last["nextCursor"].is_null(), last["total"].as_u64()), (1, true, Some(5)));
        for sort in ["name", "cif", "city", "region", "email", "status", "created_at", "pay_startAt"] {
            assert_eq!(list(&format!("sort={sort}")).await["total"], 5, "{sort}");
            assert_eq!(list(&format!("sort=-{sort}")).await["total"], 5, "{sort}");
        }
        assert_eq!(names(&admin.get("/api/v1/repairers").await.ok(), "repairers"), ["Reparador Único"]);
        assert_eq!(names(&admin.get("/api/v1/carReparations").await.ok(), "carReparations"), ["Taller Único"]);
        for (query, field) in [("sort=password", "sort"), ("status=9", "status"), ("cursor=x", "cursor"), ("format=pdf", "format")] {
            let problem = admin.get(&format!("/api/v1/customers?{query}")).await.problem(422, "INVALID_FIELDS");
            assert_eq!(fields(&problem)[0].0, field);
        }
    }

    // COMPANY-9, ACCOUNT-1
    async fn a_list_tells_what_the_screen_shows(app) {
        let (person, _) = principal(app).await;
        app.person_in(person.company, Role::Worker).await;
        let admin = app.as_role(Role::Admin).await;
        let row = admin.get("/api/v1/customers").await.ok()["customers"][0].clone();
        assert_eq!(row["_id"], json!(person.company));
        assert_eq!((row["users"].as_u64(), row["companyType"].as_str()), (Some(2), Some("2")));
        assert_eq!(row["principal"]["_id"], json!(person.id));
        assert_eq!(row["principal"]["name"], "Nombre Apellido");
        assert_eq!((row["blocked"].as_bool(), row["missing"].as_array().map(Vec::len)), (Some(false), Some(0)));
        assert_eq!((row["bankAccount"].as_str(), row["bankName"].as_str()), (Some(MASKED), Some("CaixaBank")));
        let mut new = NewCompany::named(CompanyKind::Customer, "Aún nada");
        new.cif = Some("B1234567D".into());
        app.company_with(new).await;
        let row = admin.get("/api/v1/customers?search=nada").await.ok()["customers"][0].clone();
        assert_eq!(row["missing"], json!(["legal", "iban", "status"]));
        assert_eq!((row["blocked"].as_bool(), row["cifWarning"].as_bool()), (Some(true), Some(true)));
        assert!(row["principal"].is_null() && row["bankAccount"].is_null() && row.get("bic").is_none());
    }

    // COMPANY-1
    async fn lists_are_workbooks_too(app) {
        seeded(app).await;
        app.company(CompanyKind::Customer, "=HYPERLINK(\"x\")").await;
        let admin = app.as_role(Role::Admin).await;
        let answer = admin.get("/api/v1/customers?format=xlsx&search=a&limit=1").await;
        answer.ok();
        assert_eq!(answer.header("content-type"), Some("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"));
        assert_eq!(answer.header("content-disposition"), Some("attachment; filename=\"clientes-2026-11-20.xlsx\""));
        let sheet = sheets::open(&answer.body);
        assert_eq!(sheet.name, "data");
        let total = admin.get("/api/v1/customers?search=a").await.ok()["total"].as_u64().unwrap();
        assert_eq!(sheet.rows.len() as u64, total + 1, "all rows of the filter and the headings");
        assert_eq!(&sheet.rows[0][..3], ["Razón social", "NIF/CIF", "Estado"]);
        assert_eq!(sheet.rows[1][2], "En prueba");
        let created: f64 = sheet.rows[1][11].parse().expect("a date is a number");
        assert!((46_346.0..46_347.0).contains(&created), "{created}: 20 November 2026 in Madrid");
        let english = admin.clone().with("accept-language", "en").get("/api/v1/customers?format=xlsx&sort=-company").await;
        let sheet = sheets::open(&english.body);
        assert_eq!(sheet.rows[0][1], "Tax ID");
        let formula = sheet.rows.iter().find(|row| row[0].starts_with('=')).expect("a text, not a formula");
        assert_eq!((formula[0].as_str(), formula[15].as_str()), ("=HYPERLINK(\"x\")", "CaixaBank"));
        assert!(!formula.iter().any(|cell| cell.contains("1332")), "no account in a sheet: {formula:?}");
        for (path, name) in [("repairers", "reparadores"), ("carReparations", "talleres")] {
            let answer = admin.get(&format!("/api/v1/{path}?format=xlsx")).await;
            assert_eq!(sheets::open(&answer.body).rows.len(), 2);
            assert!(answer.header("content-disposition").unwrap().contains(name));
        }
    }

    // COMPANY-3
    async fn a_principal_changes_the_company(app) {
        let (person, client) = principal(app).await;
        // What invoices say is the administrator's to change; a principal asks for it (FISCAL-2).
        let admin = app.as_role(Role::Admin).await;
        let changed = put(&admin, form(person.company)).await.ok()["customer"].clone();
        for (field, value) in [
            ("name", "Ana Ruiz"), ("company", "Peritos Núñez, S.L."), ("cif", "B64717838"), ("postalCode", "46001"),
            ("mobile", "+34600123123"), ("email", "ana@ejemplo.es"), ("bankAccount", MASKED),
        ] {
            assert_eq!(changed[field], value, "{field}");
        }
        assert!(changed["phone"].is_null());
        assert_eq!(client.get(&format!("/api/v1/customer/{}", person.company)).await.ok()["customer"], changed);
        let found = app.as_role(Role::Admin).await.get("/api/v1/customers?search=nunez%20600123").await.ok();
        assert_eq!(names(&found, "customers"), ["Peritos Núñez, S.L."], "the list finds the new name and phone");
        let entries = log(app, person.company).await;
        let expected = r#"COMPANY_CHANGED {"fields":["name","company","cif","address","city","region","postalCode","email","mobile"]}"#;
        assert_eq!(entries, [expected], "names of fields only");
        put(&client, form(person.company)).await.ok();
        assert_eq!(log(app, person.company).await.len(), 1, "what does not differ is no change");
        put(&client, json!({"_id": person.company, "name": "Otra Persona", "mobile": "600 12 31 24"})).await.ok();
        assert_eq!(log(app, person.company).await.len(), 2, "people and numbers are the principal's own");
        put(&admin, json!({"_id": person.company, "city": "Alcoy", "company": ""})).await.ok();
        let changed = client.get(&format!("/api/v1/customer/{}", person.company)).await.ok()["customer"].clone();
        assert_eq!((changed["city"].as_str(), changed["company"].as_str(), changed["cif"].as_str()),
            (Some("Alcoy"), Some("Peritos Núñez, S.L."), Some("B64717838")), "absent keys stay, a firm without name too");
    }

    // COMPANY-2
    async fn wrong_fields_are_told_together(app) {
        let (person, client) = principal(app).await;
        let wrong = json!({"_id": person.company, "name": " ", "cif": "12345678A", "address": "", "city": "", "region": "",
            "postalCode": "99999", "email": "ana@", "phone": "12345678", "mobile": "", "bankAccount": "ES9121000418450200051333",
            "legal": true, "legalId": "018f3b2a-0000-7000-8000-00000000dead", "status": "nonsense"});
        let problem = put(&client, wrong.clone()).await.problem(422, "INVALID_FIELDS");
        let expected = [
            ("name", "REQUIRED"), ("cif", "FISCAL_INCORRECT"), ("address", "REQUIRED"), ("city", "REQUIRED"),
            ("region", "REQUIRED"), ("postalCode", "POSTAL_CODE_INVALID"), ("email", "EMAIL_INVALID"),
            ("phone", "PHONE_INCORRECT"), ("mobile", "PHONE_REQUIRED"), ("bankAccount", "IBAN_INCORRECT"),
            ("legalId", "LEGAL_TEXT_CHANGED"),
        ];
        assert_eq!(fields(&problem), expected.map(|(field, code)| (field.to_owned(), code.to_owned())));
        assert!(problem["errors"].as_array().unwrap().iter().all(|error| !text(&error["message"]).is_empty()));
        assert!(!problem.to_string().contains("200051333"), "what was typed is not repeated");
        let admin = app.as_role(Role::Admin).await;
        let wrong = with(wrong, json!({"pay_startAt": "tomorrow", "retentionDays": -1, "insurers": "x"}));
        let of_admin = fields(&put(&admin, wrong).await.problem(422, "INVALID_FIELDS"));
        for field in ["status", "pay_startAt", "retentionDays", "insuranceCompanies"] {
            assert!(of_admin.iter().any(|(of, _)| of == field), "{field}: {of_admin:?}");
        }
        assert!(log(app, person.company).await.is_empty());
    }

    // COMPANY-4
    async fn nobody_but_an_administrator_sets_privileged_keys(app) {
        let greedy = json!({
            "status": 2, "pay_startAt": null, "retentionDays": 999, "insurers": ["x"], "companyType": "1", "kind": 1, "blocked": false,
            "missing": [], "legalHistory": [], "priceId": "018f3b2a-0000-7000-8000-00000000dead", "created_at": "2000-01-01T00:00:00Z",
            "users": 0, "principal": null, "bic": "CAIXESBB", "creditorSuffix": "ABC", "registryData": "x", "parent": "x", "role": 1,
            "hasIban": false, "bankName": "x", "search": "x", "sort_key": "x"
        });
        for (role, noun, path) in [
            (Role::Customer, "customer", "/api/v1/customer"),
            (Role::Repairer, "repairer", "/api/v1/repairer"),
            (Role::CarRepairShop, "carReparation", "/api/v1/carReparation"),
        ] {
            let mut new = NewCompany::named(atalaya_testkit::people::kind_of(role), "Empresa").paying(app.sources.now());
            new.status = Status::Unpaid;
            let company = app.company_with(new).await;
            let client = app.log_in(&app.person_in(company, role).await).await;
            let read = format!("{path}/{company}");
            let before = client.get(&read).await.ok();
            for body in [greedy.clone(), with(greedy.clone(), json!({"status": {}, "pay_startAt": 7, "retentionDays": "x", "insurers": 1}))] {
                let answer = client.put(path, json!({noun: with(body, json!({"_id": company}))})).await.ok();
                assert_eq!(answer, before, "{role:?}");
            }
            assert!(log(app, company).await.is_empty());
            for member in [Role::Worker, Role::RepairerOperator, Role::WorkshopOperator] {
                let member = app.log_in(&app.person_in(company, member).await).await;
                member.put(path, json!({noun: {"_id": company, "name": "x"}})).await.problem(403, "ROLE_NOT_ALLOWED");
                member.get(&read).await.problem(403, "ROLE_NOT_ALLOWED");
            }
        }
    }

    // COMPANY-6
    async fn other_tenants_and_other_kinds_are_not_found(app) {
        let (person, _) = principal(app).await;
        let (_, stranger) = principal(app).await;
        let admin = app.as_role(Role::Admin).await;
        let nobody = "018f3b2a-0000-7000-8000-00000000dead";
        stranger.get(&format!("/api/v1/customer/{}", person.company)).await.problem(404, "COMPANY_NOT_FOUND");
        put(&stranger, form(person.company)).await.problem(404, "COMPANY_NOT_FOUND");
        for client in [&stranger, &admin] {
            client.get(&format!("/api/v1/customer/{nobody}")).await.problem(404, "COMPANY_NOT_FOUND");
            client.put("/api/v1/customer", json!({"customer": {"_id": nobody}})).await.problem(404, "COMPANY_NOT_FOUND");
            client.get(&format!("/api/v1/customer-by-user/{nobody}")).await.problem(404, "USER_NOT_FOUND");
            client.get(&format!("/api/v1/get-parent/{nobody}")).await.problem(404, "COMPANY_NOT_FOUND");
        }
        admin.get(&format!("/api/v1/repairer/{}", person.company)).await.problem(404, "COMPANY_NOT_FOUND");
        admin.put("/api/v1/carReparation", json!({"carReparation": {"_id": person.company}})).await.problem(404, "COMPANY_NOT_FOUND");
        stranger.get("/api/v1/customer/0").await.problem(404, "NOT_FOUND");
        put(&stranger, json!({"name": "x"})).await.problem(422, "INVALID_FIELDS");
    }

    // ACCOUNT-1, ACCOUNT-2
    async fn an_account_is_sealed_and_masked(app) {
        let (person, client) = principal(app).await;
        let id = person.company;
        let hash = column(app, id, "iban_hash").await.expect("a keyed hash");
        assert!(!column(app, id, "bank_account").await.unwrap().contains("0200051332"));
        let sealed = column(app, id, "bank_account").await;
        for unchanged in [json!(MASKED), json!("ES** **** 9999"), json!(IBAN), json!("es91 2100-0418-4502-0005-1332")] {
            let answer = put(&client, json!({"_id": id, "bankAccount": unchanged})).await.ok();
            assert_eq!(answer["customer"]["bankAccount"], MASKED);
        }
        assert_eq!(column(app, id, "bank_account").await, sealed);
        assert!(log(app, id).await.is_empty());
        let answer = later(app, &client, json!({"_id": id, "bankAccount": OTHER_IBAN})).await;
        assert_eq!((answer["bankAccount"].as_str(), answer["bankName"].as_str()), (Some("ES10 **** **** **** **** 0001"), Some("BBVA")));
        assert_ne!(column(app, id, "iban_hash").await, Some(hash.clone()));
        assert_eq!((column(app, id, "iban_country").await, column(app, id, "iban_bank").await), (Some("ES".into()), Some("0182".into())));
        let answer = later(app, &client, json!({"_id": id, "bankAccount": null})).await;
        assert!(answer["bankAccount"].is_null() && answer["bankName"].is_null());
        assert_eq!((answer["hasIban"].as_bool(), &answer["missing"]), (Some(false), &json!(["iban"])));
        assert_eq!(column(app, id, "bank_account").await, None);
        later(app, &client, json!({"_id": id, "bankAccount": IBAN})).await;
        assert_eq!(column(app, id, "iban_hash").await, Some(hash), "the same account has the same hash");
        assert_eq!(log(app, id).await, [r#"IBAN_CHANGED {"set":true}"#, r#"IBAN_CHANGED {"set":false}"#, r#"IBAN_CHANGED {"set":true}"#]);
    }

    // MENU-3
    async fn a_menu_opens_and_closes_with_the_company(app) {
        let (person, client) = principal(app).await;
        let mut socket = app.socket(&client).await;
        let event = format!("unblockMenu_{}", person.id);
        let next = async |socket: &mut SocketClient| text(&socket.expect_event(&event).await["state"]);
        put(&client, json!({"_id": person.company, "mobile": "600 12 31 24"})).await.ok();
        put(&client, json!({"_id": person.company, "bankAccount": ""})).await.ok();
        assert_eq!(next(&mut socket).await, "blocked", "the phone changed nothing for the menu");
        put(&client, json!({"_id": person.company, "bankAccount": IBAN})).await.ok();
        assert_eq!(next(&mut socket).await, "unblocked");
        let admin = app.as_role(Role::Admin).await;
        let later = app.sources.now() + TimeDelta::days(3);
        put(&admin, json!({"_id": person.company, "pay_startAt": later})).await.ok();
        assert_eq!(next(&mut socket).await, "blocked");
        put(&admin, json!({"_id": person.company, "status": 5})).await.ok();
        assert_eq!(next(&mut socket).await, "blocked", "blocked it was, but by one piece more now");
        let user = client.get(&format!("/api/v1/user/{}", person.id)).await.ok()["user"]["company"].clone();
        assert_eq!((user["blocked"].as_bool(), &user["missing"]), (Some(true), &json!(["payStart", "status"])));
    }

    // MENU-3
    async fn an_operator_on_a_phone_hears_that_its_company_may_call_again(app) {
        let operator = app.person(Role::WorkshopOperator).await;
        let mut colleagues = Vec::new();
        for _ in 0..3 {
            colleagues.push(app.person_in(operator.company, Role::WorkshopOperator).await);
        }
        let boss = app.person_in(operator.company, Role::CarRepairShop).await;
        let phone = "Mozilla/5.0 (Linux; Android 15; Pixel 8) AppleWebKit/537.36 Chrome/142.0.0.0 Mobile Safari/537.36";
        // Tablets of Android leave "Mobile" out.
        let tablet = "Mozilla/5.0 (Linux; Android 15; SM-X810) AppleWebKit/537.36 Chrome/142.0.0.0 Safari/537.36";
        let desk = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/142.0.0.0 Safari/537.36";
        // So does Safari of an iPad call itself: a desktop (0033).
        let ipad = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.5 Safari/605.1.15";
        let admin = app.as_role(Role::Admin).await;
        let status = async |status: i16| {
            let body = json!({"carReparation": {"_id": operator.company, "status": status}});
            admin.put("/api/v1/carReparation", body).await.ok();
        };
        let mut sockets = Vec::new();
        let people = [(&operator, phone), (&colleagues[0], tablet), (&colleagues[1], desk), (&colleagues[2], ipad), (&boss, phone)];
        for (person, agent) in people {
            let client = app.log_in_from(person, agent).await;
            sockets.push((format!("unblockMenu_{}", person.id), app.socket(&client).await));
        }
        let opened = ["mobile-unblocked", "mobile-unblocked", "unblocked", "unblocked", "unblocked"];
        for (to, heard) in [(5, ["blocked"; 5]), (2, opened), (3, ["blocked"; 5])] {
            status(to).await;
            for ((event, socket), state) in sockets.iter_mut().zip(heard) {
                assert_eq!(text(&socket.expect_event(event).await["state"]), state, "{to}");
            }
        }
    }

    // COMPANY-4
    async fn an_administrator_changes_what_is_privileged(app) {
        let (person, client) = principal(app).await;
        let admin = app.as_role(Role::Admin).await;
        let body = json!({"_id": person.company, "status": 3, "pay_startAt": "2026-12-01", "retentionDays": 90, "legal": true});
        let changed = put(&admin, body).await.ok()["customer"].clone();
        assert_eq!((changed["status"].as_u64(), changed["retentionDays"].as_u64()), (Some(3), Some(90)));
        assert_eq!(changed["pay_startAt"], "2026-11-30T23:00:00Z", "midnight in Madrid");
        assert_eq!(changed["legalHistory"], json!([]), "nobody accepts for another company");
        assert_eq!(log(app, person.company).await,
            [r#"COMPANY_CHANGED {"fields":["pay_startAt","retentionDays"]}"#, r#"COMPANY_STATUS_CHANGED {"from":2,"to":3}"#]);
        for status in Status::ALL {
            let body = json!({"_id": person.company, "status": i16::from(status)});
            assert_eq!(put(&admin, body).await.ok()["customer"]["status"], i16::from(status));
        }
        client.get("/api/v1/renewToken").await.problem(401, "SESSION_ENDED");
        let changed = put(&admin, json!({"_id": person.company, "pay_startAt": null, "retentionDays": null})).await.ok();
        assert!(changed["customer"]["pay_startAt"].is_null() && changed["customer"]["retentionDays"].is_null());
    }

    // SESSION-7
    async fn a_company_that_is_closed_ends_its_sessions(app) {
        let (person, client) = principal(app).await;
        let worker = app.log_in(&app.person_in(person.company, Role::Worker).await).await;
        let (_, stranger) = principal(app).await;
        let admin = app.as_role(Role::Admin).await;
        put(&admin, json!({"_id": person.company, "status": 5})).await.ok();
        client.get(&format!("/api/v1/user/{}", person.id)).await.ok();
        put(&admin, json!({"_id": person.company, "status": 1})).await.ok();
        for ended in [client, worker] {
            ended.get(&format!("/api/v1/user/{}", person.id)).await.problem(401, "SESSION_ENDED");
        }
        stranger.get("/api/v1/insuranceCompanies").await.ok();
    }

    async fn a_principal_accepts_the_terms(app) {
        let company = app.company_with(NewCompany { legal: false, ..NewCompany::named(CompanyKind::Customer, "Sin aceptar").paying(app.sources.now()) }).await;
        let client = app.log_in(&app.person_in(company, Role::Customer).await).await;
        let texts = client.get("/api/v1/legal-id/0").await.ok()["legal"].clone();
        put(&client, json!({"_id": company, "legal": "yes"})).await.ok();
        put(&client, json!({"_id": company, "legal": true, "legalId": "x"})).await.problem(422, "INVALID_FIELDS");
        let changed = put(&client, json!({"_id": company, "legal": true, "legalId": texts[0]["_id"]})).await.ok()["customer"].clone();
        assert_eq!((changed["legal"].as_bool(), &changed["legalId"]), (Some(true), &texts[0]["_id"]));
        assert_eq!(changed["legalHistory"].as_array().map(Vec::len), Some(2), "general and particular conditions");
        assert!(changed["legalHistory"][0]["accepted_at"].is_string() && changed["legalHistory"][0]["expires_at"].is_null());
        assert_eq!((changed["blocked"].as_bool(), &changed["missing"]), (Some(false), &json!([])));
        let again = put(&client, json!({"_id": company, "legal": false})).await.ok()["customer"].clone();
        assert_eq!(again, changed, "what is accepted stays");
    }

    // COMPANY-5
    async fn the_platform_is_the_issuer(app) {
        let platform = app.platform().await;
        let admin = app.as_role(Role::Admin).await;
        let body = json!({"_id": platform, "name": "Elena Vidal", "company": "Atalaya Remota, S.L.", "cif": "B12345674", "bic": "caixesbbxxx",
            "creditorSuffix": "001", "registryData": "Registro Mercantil de Valencia, tomo 1", "status": 1, "bankAccount": IBAN});
        let changed = put(&admin, body).await.ok()["customer"].clone();
        assert_eq!((changed["bic"].as_str(), changed["creditorSuffix"].as_str(), changed["companyType"].as_str()),
            (Some("CAIXESBBXXX"), Some("001"), Some("1")));
        assert_eq!((changed["status"].as_u64(), changed["bankAccount"].as_str()), (Some(2), Some(MASKED)), "it stays active");
        assert_eq!(admin.get(&format!("/api/v1/customer/{platform}")).await.ok()["customer"], changed);
        let wrong = json!({"_id": platform, "bic": "x", "creditorSuffix": "0001", "cif": "x"});
        assert_eq!(fields(&put(&admin, wrong).await.problem(422, "INVALID_FIELDS")).len(), 3);
        let operator = app.as_role(Role::PasswordOperator).await;
        operator.get(&format!("/api/v1/customer/{platform}")).await.problem(403, "ROLE_NOT_ALLOWED");
        let (_, stranger) = principal(app).await;
        stranger.get(&format!("/api/v1/customer/{platform}")).await.problem(404, "COMPANY_NOT_FOUND");
        assert_eq!(admin.get("/api/v1/customers").await.ok()["total"], 1, "no customer");
    }

    // COMPANY-10
    async fn one_company_of_a_kind_has_a_tax_id(app) {
        let (person, _) = principal(app).await;
        let (other, _) = principal(app).await;
        let admin = app.as_role(Role::Admin).await;
        put(&admin, json!({"_id": person.company, "cif": "12345678-z"})).await.ok();
        let problem = put(&admin, json!({"_id": other.company, "cif": "12345678Z", "city": "Alcoy"})).await.problem(409, "COMPANY_EXISTS");
        assert_eq!(fields(&problem)[0].0, "cif");
        assert!(log(app, other.company).await.is_empty(), "nothing of it was written");
        let repairer = app.person(Role::Repairer).await;
        admin.put("/api/v1/repairer", json!({"repairer": {"_id": repairer.company, "cif": "12345678Z"}})).await.ok();
    }

    // COMPANY-7
    async fn parents_are_told_as_far_as_they_may(app) {
        let (person, client) = principal(app).await;
        let worker = app.person_in(person.company, Role::Worker).await;
        let full = client.get(&format!("/api/v1/customer/{}", person.company)).await.ok()["customer"].clone();
        let admin = app.as_role(Role::Admin).await;
        for id in [person.company.0, person.id.0, worker.id.0] {
            let path = format!("/api/v1/get-parent/{id}");
            for reader in [&client, &admin] {
                assert_eq!(reader.get(&path).await.ok()["parent"], full);
            }
            let summary = json!({"_id": person.company, "companyType": "2", "company": full["company"], "status": 2, "legal": true,
                "hasIban": true, "pay_startAt": full["pay_startAt"]});
            for reader in [app.log_in(&worker).await, app.as_role(Role::RepairerOperator).await] {
                assert_eq!(reader.get(&path).await.ok()["parent"], summary);
            }
        }
        for reader in [&client, &admin] {
            assert_eq!(reader.get(&format!("/api/v1/customer-by-user/{}", worker.id)).await.ok()["customer"], full);
        }
        let (_, stranger) = principal(app).await;
        stranger.get(&format!("/api/v1/customer-by-user/{}", worker.id)).await.problem(404, "USER_NOT_FOUND");
    }

    async fn choices_for_administrators(app) {
        seeded(app).await;
        let admin = app.as_role(Role::Admin).await;
        let active = admin.get("/api/v1/active-customers").await.ok();
        assert_eq!(names(&active, "customers"), ["Nzala", "Ñandú Seguros", "Ópera Peritos"]);
        assert_eq!(names(&admin.get("/api/v1/active-customers?search=opera").await.ok(), "customers"), ["Ópera Peritos"]);
        let types = admin.get("/api/v1/companyTypes").await.ok();
        assert_eq!(types, json!([{"_id": "2", "name": "Cliente"}, {"_id": "4", "name": "Reparador"}, {"_id": "6", "name": "Taller"}]));
        let english = admin.clone().with("accept-language", "en").get("/api/v1/companyTypes").await.ok();
        assert_eq!(english[0]["name"], "Customer");
    }
}
