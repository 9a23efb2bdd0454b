//! Insurance companies and whom an operator may ask.

use crate::sheets;
use crate::support::text;
use crate::video_call_requests::{go_offline, go_online};
use atalaya_identity::companies::NewCompany;
use atalaya_kernel::{CompanyId, CompanyKind, Role, Status};
use atalaya_testkit::{Client, TestApp, both_engines};
use chrono::TimeDelta;
use serde_json::{Value, json};

const PATH: &str = "/api/v1/insuranceCompanies";

async fn add(admin: &Client, name: &str) -> String {
    text(&admin.post(PATH, json!({"insuranceCompany": {"name": name}})).await.ok()["insuranceCompany"]["_id"])
}

fn names(answer: &Value, key: &str) -> Vec<String> {
    answer.as_array().expect("a list").iter().map(|row| text(&row[key])).collect()
}

async fn set(admin: &Client, company: CompanyId, ids: &[&str]) {
    let path = format!("/api/v1/company-insurers/{company}");
    let answer = admin.put(&path, json!({"insuranceCompanies": ids})).await.ok();
    assert_eq!(answer["insuranceCompanies"].as_array().map(Vec::len), Some(ids.len()));
}

async fn customer(app: &TestApp, name: &str, change: impl FnOnce(&mut NewCompany)) -> CompanyId {
    let mut new = NewCompany::named(CompanyKind::Customer, name).paying(app.sources.now() - TimeDelta::days(60));
    new.region = Some("Valencia".into());
    change(&mut new);
    app.company_with(new).await
}

both_engines! {
    // INSURER-1
    async fn administrators_keep_them(app) {
        let admin = app.as_role(Role::Admin).await;
        let worker = app.as_role(Role::Worker).await;
        add(&admin, "Ñublo Seguros").await;
        let mutua = add(&admin, "  Mutua   del Ebro ").await;
        add(&admin, "Océano").await;
        let all = admin.get(PATH).await.ok();
        assert_eq!(names(&all, "name"), ["Mutua del Ebro", "Ñublo Seguros", "Océano"]);
        assert_eq!(all[0], json!({"_id": mutua, "name": "Mutua del Ebro", "active": true, "customers": 0}));
        admin.post(PATH, json!({"insuranceCompany": {"name": "OCEANO"}})).await.problem(409, "INSURANCE_NAME_TAKEN");
        let problem = admin.post(PATH, json!({"insuranceCompany": {"name": " "}})).await.problem(422, "INVALID_FIELDS");
        assert_eq!(problem["errors"][0]["code"], "REQUIRED");
        let change = |fields: Value| json!({"insuranceCompany": fields});
        admin.put(PATH, change(json!({"_id": mutua, "name": "océano"}))).await.problem(409, "INSURANCE_NAME_TAKEN");
        let renamed = admin.put(PATH, change(json!({"_id": mutua, "name": "Zaragoza Mutua", "active": false}))).await.ok();
        assert_eq!(renamed["insuranceCompany"], json!({"_id": mutua, "name": "Zaragoza Mutua", "active": false, "customers": 0}));
        assert_eq!(names(&admin.get(PATH).await.ok(), "name").len(), 2, "only those that are offered");
        assert_eq!(names(&admin.get(&format!("{PATH}?all=true")).await.ok(), "name")[2], "Zaragoza Mutua");
        let answer = admin.clone().with("accept-language", "en").get(&format!("{PATH}?all=true&format=xlsx")).await;
        assert_eq!(answer.header("content-disposition"), Some("attachment; filename=\"aseguradoras-2026-11-20.xlsx\""));
        let sheet = sheets::open(&answer.body);
        assert_eq!((sheet.name.as_str(), sheet.rows.len()), ("data", 4));
        assert_eq!(sheet.rows[0], ["Insurance company", "Active", "Customers"]);
        assert_eq!(sheet.rows[3], ["Zaragoza Mutua", "0", "0"]);
        let seen = worker.get(&format!("{PATH}?all=true&format=xlsx")).await.ok();
        assert_eq!(names(&seen, "name"), ["Ñublo Seguros", "Océano"]);
        assert_eq!(seen[0].as_object().map(serde_json::Map::len), Some(2), "id and name");
        admin.put(PATH, change(json!({"_id": mutua, "active": true}))).await.ok();
        assert_eq!(names(&worker.get(PATH).await.ok(), "name").len(), 3);
    }

    // INSURER-2
    async fn customers_work_for_several(app) {
        let admin = app.as_role(Role::Admin).await;
        let (first, second) = (add(&admin, "Primera").await, add(&admin, "Segunda").await);
        let company = customer(app, "Peritos", |_| {}).await;
        let path = format!("/api/v1/company-insurers/{company}");
        assert_eq!(admin.get(&path).await.ok(), json!({"insuranceCompanies": []}));
        set(&admin, company, &[&first, &second]).await;
        assert_eq!(admin.get(&path).await.ok()["insuranceCompanies"].as_array().map(Vec::len), Some(2));
        let counts = admin.get(PATH).await.ok();
        assert_eq!((counts[0]["customers"].as_u64(), counts[1]["customers"].as_u64()), (Some(1), Some(1)));
        set(&admin, company, &[&second]).await;
        assert_eq!(admin.get(&path).await.ok(), json!({"insuranceCompanies": [second]}));
        // The same with the company's form
        let body = json!({"customer": {"_id": company, "insurers": [first]}});
        admin.put("/api/v1/customer", body).await.ok();
        assert_eq!(admin.get(&path).await.ok(), json!({"insuranceCompanies": [first]}));
        let nobody = "018f3b2a-0000-7000-8000-00000000dead";
        for body in [json!([nobody]), json!(["x"]), json!("x"), json!([7])] {
            let problem = admin.put(&path, json!({"insuranceCompanies": body})).await.problem(422, "INVALID_FIELDS");
            assert_eq!(problem["errors"][0]["field"], "insuranceCompanies");
        }
        let repairer = app.company(CompanyKind::Repairer, "Reparador").await;
        for id in [repairer.to_string(), nobody.to_owned()] {
            let path = format!("/api/v1/company-insurers/{id}");
            admin.get(&path).await.problem(404, "COMPANY_NOT_FOUND");
            admin.put(&path, json!({"insuranceCompanies": []})).await.problem(404, "COMPANY_NOT_FOUND");
        }
    }

    // INSURER-3
    async fn operators_see_whom_they_may_ask(app) {
        let admin = app.as_role(Role::Admin).await;
        let insurer = add(&admin, "Mutua").await;
        let other = add(&admin, "Otra").await;
        let now = app.sources.now();
        let attended = customer(app, "Ñandú Peritos", |_| {}).await;
        let alone = customer(app, "Nube Peritos", |_| {}).await;
        let blocked: [fn(&mut NewCompany); 3] =
            [|new| new.status = Status::Unpaid, |new| new.iban = None, |new| new.legal = false];
        let mut all = vec![attended, alone, customer(app, "Aún no", |new| new.pay_start_at = Some(now + TimeDelta::days(1))).await];
        for change in blocked {
            all.push(customer(app, "Bloqueada", change).await);
        }
        for company in &all {
            set(&admin, *company, &[&insurer]).await;
        }
        set(&admin, customer(app, "De otra", |_| {}).await, &[&other]).await;
        let worker = app.person_in(attended, Role::Worker).await;
        go_online(app, &worker).await;
        let operator = app.as_role(Role::RepairerOperator).await;
        let path = format!("/api/v1/customer-insurance/{insurer}");
        let seen = operator.get(&path).await.ok();
        let entry = |id: CompanyId, name: &str, available| {
            let state = if available { "free" } else { "away" };
            json!({"_id": id, "company": name, "region": "Valencia", "available": available, "state": state, "waiting": 0})
        };
        assert_eq!(seen, json!([entry(alone, "Nube Peritos", false), entry(attended, "Ñandú Peritos", true)]));
        go_offline(app, &worker).await;
        assert_eq!(operator.get(&path).await.ok()[1]["available"], false, "he has gone");
        go_online(app, &app.person_in(attended, Role::CarRepairShop).await).await;
        assert_eq!(operator.get(&path).await.ok()[1]["available"], false, "he takes no calls");
        // "and the other party is active"
        let mut inactive = NewCompany::named(CompanyKind::Repairer, "Reparador");
        inactive.status = Status::Unpaid;
        let company = app.company_with(inactive).await;
        let operator = app.log_in(&app.person_in(company, Role::RepairerOperator).await).await;
        assert_eq!(operator.get(&path).await.ok(), json!([]));
        // One that is not offered
        let admin = app.as_role(Role::Admin).await;
        admin.put(PATH, json!({"insuranceCompany": {"_id": insurer, "active": false}})).await.ok();
        operator.get(&path).await.problem(404, "INSURANCE_NOT_FOUND");
        assert_eq!(names(&admin.get(&path).await.ok(), "company").len(), 2);
    }
}
