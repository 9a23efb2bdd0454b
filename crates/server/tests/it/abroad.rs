//! Customers outside Spain, an issuer in the Canaries, and VIES.

use crate::certificates::tool;
use crate::invoices::{self, at, call, customer, generate, id, issuer};
use crate::support::text;
use atalaya_fiscal::Vies;
use atalaya_kernel::Role;
use atalaya_testkit::{Answer, Client, Person, TestApp, both_engines};
use axum::extract::State;
use axum::http::StatusCode;
use axum::routing::post;
use axum::{Json, Router};
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};

/// What moves a company to Lisbon.
fn lisbon(cif: &str) -> Value {
    json!({"country": "PT", "cif": cif, "company": "Peritos de Lisboa, Lda.", "address": "Rua Augusta, 1", "postalCode": "1100-048",
        "city": "Lisboa", "region": "", "since": "2026-10-05", "reason": "Se ha constituido en Portugal"})
}

async fn change(admin: &Client, person: &Person, body: Value) -> Answer {
    admin.put(&format!("/api/v1/fiscal-identity/{}", person.company), json!({"fiscalIdentity": body})).await
}

fn wrong(problem: &Value) -> Vec<(String, String)> {
    problem["errors"].as_array().expect("errors").iter().map(|e| (text(&e["field"]), text(&e["code"]))).collect()
}

/// October begins, with an issuer and a customer.
async fn october(app: &TestApp) -> (Client, Person, Person) {
    app.clock.set(at("2026-10-05T09:00:00Z"));
    issuer(app).await;
    let (principal, owner) = customer(app, "Peritaciones Levante, S.L.", "46001").await;
    (app.as_role(Role::Admin).await, principal, owner)
}

/// October's invoice of this company: the administrator, the invoice, and what is printed of it.
async fn invoiced(app: &TestApp, principal: &Person) -> (Client, Value, String) {
    app.clock.set(at("2026-11-02T09:00:00Z"));
    let admin = app.as_role(Role::Admin).await;
    let run = generate(app, &admin).await;
    assert_eq!(run["errors"], json!([]), "{run}");
    let invoice = invoices::invoices(&admin, Some(principal.company)).await.remove(0);
    let pdf = admin.get(&format!("/api/v1/print-invoice/{}", id(&invoice))).await;
    let said = tool(app, &pdf.body, "pdftotext", &["-layout", "PDF", "-"]);
    (admin, invoice, said.split_whitespace().collect::<Vec<_>>().join(" "))
}

async fn record(admin: &Client) -> String {
    let records = admin.get("/api/v1/verifactu-records").await.ok();
    let record = records["records"].as_array().expect("records").first().expect("a record").clone();
    let answer = admin.get(&format!("/api/v1/verifactu-record/{}", text(&record["_id"]))).await;
    String::from_utf8_lossy(&answer.body).into_owned()
}

/// VIES, as far as its REST interface is asked.
#[derive(Clone, Default)]
struct Stub {
    questions: Arc<Mutex<Vec<Value>>>,
    mood: Arc<Mutex<&'static str>>,
}

async fn answer(State(stub): State<Stub>, Json(question): Json<Value>) -> (StatusCode, Json<Value>) {
    let number = text(&question["vatNumber"]);
    stub.questions.lock().expect("unpoisoned").push(question.clone());
    match *stub.mood.lock().expect("unpoisoned") {
        "down" => (StatusCode::SERVICE_UNAVAILABLE, Json(json!({"actionSucceed": false}))),
        // What VIES says when a member's registry does not answer.
        "busy" => (StatusCode::OK, Json(json!({"actionSucceed": false, "errorWrappers": [{"error": "MS_UNAVAILABLE"}]}))),
        "strange" => (StatusCode::OK, Json(json!("x".repeat(70_000)))),
        _ => {
            let valid = number == "501964843";
            let said = json!({"countryCode": question["countryCode"], "vatNumber": number, "valid": valid,
                "requestDate": "2026-10-05T09:00:00.000Z", "requestIdentifier": if valid { "WAPIAAAAZ1" } else { "" }, "name": "---"});
            (StatusCode::OK, Json(said))
        }
    }
}

async fn with_vies(app: &TestApp) -> Stub {
    let stub = Stub::default();
    let router = Router::new().route("/rest-api/check-vat-number", post(answer)).with_state(stub.clone());
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let url = format!("http://{}/rest-api", listener.local_addr().expect("an address"));
    tokio::spawn(async move { axum::serve(listener, router).await });
    app.billing.fiscal.vies.set(Arc::new(Vies::new(url)));
    stub
}

both_engines! {
    // ABROAD-1
    async fn only_an_administrator_names_a_country_and_the_number_is_one_of_there(app) {
        let (admin, principal, _) = october(app).await;
        let client = app.log_in(&principal).await;
        change(&client, &principal, lisbon("501964843")).await.problem(403, "ROLE_NOT_ALLOWED");
        for (body, field, code) in [
            (json!({"country": "PT", "since": "2026-10-05", "reason": "x"}), "cif", "VAT_NUMBER_INVALID"),
            (lisbon("50196484"), "cif", "VAT_NUMBER_INVALID"),
            (json!({"country": "XX", "since": "2026-10-05", "reason": "x"}), "country", "INVALID"),
        ] {
            let found = wrong(&change(&admin, &principal, body).await.problem(422, "INVALID_FIELDS"));
            assert_eq!(found, [(field.to_owned(), code.to_owned())]);
        }
        let platform = app.platform().await;
        let own = json!({"fiscalIdentity": {"country": "PT", "cif": "501964843", "since": "2026-10-05", "reason": "x"}});
        let found = admin.put(&format!("/api/v1/fiscal-identity/{platform}"), own).await.problem(422, "INVALID_FIELDS");
        assert_eq!(wrong(&found), [("country".to_owned(), "INVALID".to_owned())]);

        let told = change(&admin, &principal, lisbon("501 964 843")).await.ok()["fiscalIdentity"].clone();
        let block = &told["block"];
        assert_eq!((text(&block["country"]), text(&block["cif"]), text(&told["regime"])), ("PT".into(), "PT501964843".into(), "reverseCharge".into()));
        assert_eq!(told["versions"][1]["block"]["country"], "ES");
        assert_eq!(told["versions"][0]["viesAt"], Value::Null, "VIES is off");

        // What is in force passes the company's own form; another tax id is a Spanish one there.
        let form = json!({"customer": {"_id": principal.company, "cif": "PT501964843", "postalCode": "1100-048", "name": "Otra persona"}});
        assert_eq!(client.put("/api/v1/customer", form).await.ok()["customer"]["name"], "Otra persona");
        let found = client.put("/api/v1/customer", json!({"customer": {"_id": principal.company, "cif": "PT999999990"}})).await;
        assert_eq!(wrong(&found.problem(422, "INVALID_FIELDS")), [("cif".to_owned(), "FISCAL_INCORRECT".to_owned())]);
        let home = json!({"customer": {"_id": principal.company, "cif": "A58818501", "postalCode": "46001", "region": "Valencia"}});
        admin.put("/api/v1/customer", home).await.ok();
        let told = admin.get(&format!("/api/v1/fiscal-identity/{}", principal.company)).await.ok()["fiscalIdentity"].clone();
        assert_eq!((text(&told["block"]["country"]), text(&told["regime"])), ("ES".into(), "general".into()));
    }

    // ABROAD-2, ABROAD-4, ABROAD-5
    async fn an_invoice_to_another_member_state_is_a_reverse_charge(app) {
        let (admin, principal, owner) = october(app).await;
        change(&admin, &principal, lisbon("PT501964843")).await.ok();
        app.accept_terms(&principal).await;
        call(app, &owner, "EXP 1", 300).await;
        let (admin, invoice, said) = invoiced(app, &principal).await;
        assert_eq!((invoice["vatRate"].as_f64(), invoice["vat"].as_f64(), invoice["total"].as_f64()), (Some(0.0), Some(0.0), Some(30.0)));
        assert!(said.contains("Inversión del sujeto pasivo (art. 196 Directiva 2006/112/CE)"), "{said}");
        assert!(said.contains("NIF-IVA PT501964843") && said.contains("1100-048 Lisboa (PT)"), "{said}");
        let details = admin.get(&format!("/api/v1/get-details/{}", id(&invoice))).await.ok();
        assert!(text(&details["totals"]["exempt"]).contains("Inversión del sujeto pasivo"), "{details}");
        let xml = record(&admin).await;
        assert!(xml.contains("<sum1:IDOtro><sum1:IDType>02</sum1:IDType><sum1:ID>PT501964843</sum1:ID></sum1:IDOtro>"), "{xml}");
        assert!(xml.contains("<sum1:CalificacionOperacion>N2<") && !xml.contains("TipoImpositivo"), "{xml}");
        let facturae = admin.get(&format!("/api/v1/invoice-facturae/{}", id(&invoice))).await;
        let facturae = String::from_utf8_lossy(&facturae.body).into_owned();
        assert!(facturae.contains("<ResidenceTypeCode>U<") && facturae.contains("<CountryCode>PRT<"), "{facturae}");

        // What rectifies it names the same taxpayer and bears no tax either.
        let body = json!({"reason": "Error", "kind": "to-zero"});
        let made = admin.post(&format!("/api/v1/invoice-rectify/{}", id(&invoice)), body).await.expect(201)["invoice"].clone();
        let pdf = admin.get(&format!("/api/v1/print-invoice/{}", id(&made))).await;
        let said = tool(app, &pdf.body, "pdftotext", &["-layout", "PDF", "-"]);
        assert!(said.contains("Inversión del sujeto pasivo") && said.contains("PT501964843"), "{said}");
    }

    // ABROAD-2, ABROAD-4, ABROAD-5
    async fn outside_the_union_nothing_is_subject_and_nothing_reversed(app) {
        let (admin, principal, owner) = october(app).await;
        let london = json!({"country": "gb", "cif": "GB 123 4567 89", "address": "1 Strand", "postalCode": "WC2N 5HR", "city": "London", "region": "",
            "since": "2026-10-05", "reason": "Se ha trasladado"});
        change(&admin, &principal, london).await.ok();
        app.accept_terms(&principal).await;
        call(app, &owner, "EXP 1", 300).await;
        let (admin, invoice, said) = invoiced(app, &principal).await;
        assert_eq!((invoice["vatRate"].as_f64(), invoice["total"].as_f64()), (Some(0.0), Some(30.0)));
        assert!(said.contains("art. 69 Ley 37/1992") && !said.contains("sujeto pasivo"), "{said}");
        let xml = record(&admin).await;
        let other = "<sum1:IDOtro><sum1:CodigoPais>GB</sum1:CodigoPais><sum1:IDType>04</sum1:IDType><sum1:ID>GB 123 4567 89</sum1:ID></sum1:IDOtro>";
        assert!(xml.contains(other), "{xml}");
    }

    // ABROAD-6
    async fn an_issuer_in_the_canaries_charges_igic_and_reverses_the_rest(app) {
        app.clock.set(at("2026-10-05T09:00:00Z"));
        issuer(app).await;
        let admin = app.as_role(Role::Admin).await;
        let platform = app.platform().await;
        let move_to = json!({"customer": {"_id": platform, "postalCode": "35002", "city": "Las Palmas", "region": "Las Palmas"}});
        admin.put("/api/v1/customer", move_to).await.ok();
        let (islands, islands_owner) = customer(app, "Peritos de Tenerife, S.L.", "38001").await;
        let (peninsula, peninsula_owner) = customer(app, "Peritaciones Levante, S.L.", "46001").await;
        call(app, &islands_owner, "EXP 1", 300).await;
        call(app, &peninsula_owner, "EXP 2", 300).await;
        let (admin, invoice, said) = invoiced(app, &islands).await;
        assert_eq!((invoice["vatRate"].as_f64(), invoice["vat"].as_f64(), invoice["total"].as_f64()), (Some(7.0), Some(2.1), Some(32.1)));
        assert!(said.contains("IGIC 7 %") && !said.contains("no sujeta"), "{said}");
        let other = invoices::invoices(&admin, Some(peninsula.company)).await.remove(0);
        let pdf = admin.get(&format!("/api/v1/print-invoice/{}", id(&other))).await;
        let said = tool(app, &pdf.body, "pdftotext", &["-layout", "PDF", "-"]).split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(said.contains("no sujeta al IGIC") && said.contains("art. 84.Uno.2.º Ley 37/1992"), "{said}");
        let records = admin.get("/api/v1/verifactu-records").await.ok();
        for one in records["records"].as_array().expect("records") {
            let xml = admin.get(&format!("/api/v1/verifactu-record/{}", text(&one["_id"]))).await;
            assert!(String::from_utf8_lossy(&xml.body).contains("<sum1:Impuesto>03</sum1:Impuesto>"));
        }
        let entries = admin.get("/api/v1/accounting-entries?period=2026-10").await;
        assert!(String::from_utf8_lossy(&entries.body).contains(";4777;"));
    }

    // ABROAD-3
    async fn vies_is_asked_only_where_it_is_configured(app) {
        let (admin, principal, _) = october(app).await;
        let stub = with_vies(app).await;
        let found = change(&admin, &principal, lisbon("999999990")).await.problem(422, "INVALID_FIELDS");
        assert_eq!(wrong(&found), [("cif".to_owned(), "VAT_NUMBER_UNKNOWN".to_owned())]);
        for mood in ["down", "busy", "strange"] {
            *stub.mood.lock().expect("unpoisoned") = mood;
            change(&admin, &principal, lisbon("501964843")).await.problem(503, "VIES_UNAVAILABLE");
        }
        let path = format!("/api/v1/fiscal-identity/{}", principal.company);
        assert_eq!(admin.get(&path).await.ok()["fiscalIdentity"]["versions"], json!([]), "nothing was written");
        *stub.mood.lock().expect("unpoisoned") = "";
        let told = change(&admin, &principal, lisbon("501964843")).await.ok()["fiscalIdentity"]["versions"][0].clone();
        assert_eq!((text(&told["viesReference"]), told["viesAt"].is_string()), ("WAPIAAAAZ1".into(), true));
        let asked = stub.questions.lock().expect("unpoisoned").clone();
        let whole = json!({"countryCode": "PT", "vatNumber": "501964843", "requesterMemberStateCode": "ES", "requesterNumber": "B85626240"});
        assert_eq!((asked.len(), asked.last()), (5, Some(&whole)));
        // A change that leaves the number alone asks nobody, nor does one outside the Union.
        change(&admin, &principal, json!({"city": "Porto", "since": "2026-10-05", "reason": "x"})).await.ok();
        let london = json!({"country": "GB", "cif": "GB 123 4567 89", "postalCode": "WC2N 5HR", "since": "2026-10-05", "reason": "x"});
        change(&admin, &principal, london).await.ok();
        assert_eq!(stub.questions.lock().expect("unpoisoned").len(), 5);
    }
}
