//! Requesting, listing, sending again, cancelling, reviewing.

use super::{Asked, ask, asking, hold, lasted, token_of};
use crate::support::{Case, png, text};
use atalaya_kernel::{ClientLanguage, CompanyKind, Role};
use atalaya_testkit::both_engines;
use chrono::{DateTime, TimeDelta, Utc};
use serde_json::json;

both_engines! {
    // FILES-7
    async fn an_sms_goes_out_and_the_request_is_kept(app) {
        let case = lasted(app, 60).await;
        assert_eq!(case.details().await["conference"]["mayRequestFiles"], true);
        assert_eq!(case.details().await["conference"]["filesRequested"], false);
        let request = ask(&case, json!({"items": [{"label": "Matrícula", "shot": "plate", "hint": "De frente"}, {"label": "Golpe"}]})).await.ok()["request"].clone();
        assert_eq!((&request["state"], &request["to"], &request["contactType"]), (&json!("sent"), &json!("+34 ••• ••• 456"), &json!(1)));
        assert_eq!((&request["items"][0]["label"], &request["items"][0]["shot"], &request["items"][0]["state"]), (&json!("Matrícula"), &json!("plate"), &json!("asked")));
        let details = case.details().await;
        assert_eq!(details["conference"]["filesRequested"], true);
        let message = details["messages"].as_array().unwrap().last().unwrap().clone();
        let sms = text(&message["text"]);
        assert!(sms.starts_with("Necesitamos fotos de su expediente. http"), "{sms}");
        assert_eq!(message["channel"], "sms");
        assert!(case.tracks().await.contains(&"FILES_REQUESTED".to_owned()));
        let track = details["tracks"].as_array().unwrap().iter().find(|t| t["type"] == "FILES_REQUESTED").unwrap().clone();
        assert_eq!(track["data"]["requestId"], request["_id"]);
        let list = case.staff.get(&format!("/api/v1/client-files/{}", case.id)).await.ok();
        assert_eq!(list["requests"][0]["_id"], request["_id"]);
        let page = app.anonymous().get(&format!("/api/v1/external/files/{}", token_of(&case).await)).await.ok();
        assert_eq!((&page["state"], &page["pageShowText"]), (&json!("open"), &json!("Haga fotos del golpe, de cerca y de lejos.")));
        assert_eq!(page["expiresAt"], request["expiresAt"]);
    }

    // FILES-26
    async fn a_company_s_own_shot_keeps_its_frame(app) {
        let principal = app.person(Role::Customer).await;
        let (worker, client) = (app.person_in(principal.company, Role::Worker).await, app.log_in(&principal).await);
        let path = format!("/api/v1/shots/{}", principal.company);
        let list = json!([{"label": "Bastidor", "overlay": "vin"}, {"key": "plate", "label": "Todo", "overlay": "wide"}, {"key": "x", "label": "Sin marco"}]);
        let shots = client.put(&path, json!({"type": 2, "shots": list})).await.ok()["shots"]["diversos"].clone();
        let case = Case::open_by(app, worker, json!({})).await;
        hold(&case, 60).await;
        let item = |shot: &serde_json::Value| json!({"shot": shot, "label": "Foto"});
        let items = json!([item(&shots[0]["key"]), item(&json!("plate")), item(&json!("x")), item(&json!("facade")), {"label": "Libre"}]);
        let request = ask(&case, json!({"items": items})).await.ok()["request"].clone();
        client.post(&format!("/api/v1/shots-reset/{}", principal.company), json!({"type": 2})).await.ok();
        let page = app.anonymous().get(&format!("/api/v1/external/files/{}", token_of(&case).await)).await.ok();
        for items in [&request["items"], &page["items"]] {
            let frames: Vec<_> = items.as_array().unwrap().iter().map(|item| item["overlay"].as_str()).collect();
            assert_eq!(frames, [Some("vin"), Some("wide"), None, None, None]);
        }
    }

    // FILES-4
    async fn an_email_has_the_adjuster_s_title_and_text(app) {
        let case = lasted(app, 60).await;
        let fields = json!({"contactType": "2", "to": "luis@correo.example", "emailTitle": "Fotos & daños", "contactText": "Hola:\n\nNecesito <b>fotos</b>."});
        let request = ask(&case, fields).await.ok()["request"].clone();
        assert_eq!((&request["to"], &request["emailTitle"]), (&json!("l•••@correo.example"), &json!("Fotos & daños")));
        let admin = app.as_role(Role::Admin).await;
        let mail = admin.get("/api/v1/outbox?channel=email").await.ok()["outbox"][0].clone();
        assert_eq!((&mail["to"], &mail["subject"]), (&json!("luis@correo.example"), &json!("Fotos & daños")));
        let (plain, html) = (text(&mail["text"]), text(&mail["html"]));
        assert!(plain.contains("Necesito <b>fotos</b>.") && plain.contains("/f/"), "{plain}");
        assert!(html.contains("&lt;b&gt;fotos") && !html.contains("<b>fotos"), "{html}");
    }

    // FILES-4, FILES-5
    async fn the_page_s_text_is_asked_for_once(app) {
        let case = lasted(app, 60).await;
        let answer = ask(&case, json!({"pageShowText": ""})).await.problem(422, "INVALID_FIELDS");
        assert_eq!(answer["errors"][0]["field"], "pageShowText");
        ask(&case, json!({})).await.ok();
        ask(&case, json!({"pageShowText": null})).await.ok();
        let page = app.anonymous().get(&format!("/api/v1/external/files/{}", token_of(&case).await)).await.ok();
        assert_eq!(page["pageShowText"], "Haga fotos del golpe, de cerca y de lejos.", "the second page shows the first one's");
        assert_eq!(page["items"].as_array().map(Vec::len), Some(1), "one free thing");
        assert_eq!(page["items"][0]["label"], "Fotos, vídeos o documentos");
    }

    // FILES-29
    async fn near_its_end_the_e_mail_says_the_last_day(app) {
        let fields = json!({"contactType": 2, "to": "luis@correo.example", "emailTitle": "Fotos", "contactText": "Hola"});
        let mail = async || {
            let outbox = app.as_role(Role::Admin).await.get("/api/v1/outbox?channel=email").await.ok();
            text(&outbox["outbox"][0]["text"])
        };
        let owner = app.person(Role::Worker).await;
        let mut cases = Vec::new();
        for language in ClientLanguage::ALL {
            let case = Case::open_by(app, owner.clone(), json!({"language": language.code()})).await;
            hold(&case, 60).await;
            cases.push(case);
        }
        ask(&cases[0], fields.clone()).await.ok();
        assert!(!mail().await.contains("vale hasta"));
        app.advance(TimeDelta::days(28));
        let last_days = [
            "El enlace vale hasta el 20 de diciembre de 2026.",
            "20 de desembre del 2026",
            "2026(e)ko abenduaren 20(a)",
            "20 de decembro de 2026",
            "20 December 2026",
            "20 décembre 2026",
            "20 de dezembro de 2026",
            "Der Link gilt bis 20.12.2026.",
            "20/12/2026",
            "20.12.2026",
            "20/12/2026",
        ];
        for (case, last_day) in cases.iter_mut().zip(last_days) {
            // The newest message is the one read.
            app.advance(TimeDelta::seconds(1));
            case.log_in_again().await;
            ask(case, fields.clone()).await.ok();
            let mail = mail().await;
            assert!(mail.contains(last_day), "{last_day} in {mail}");
        }
    }

    // FILES-3, FILES-6
    async fn every_wrong_field_is_told_at_once(app) {
        let case = lasted(app, 60).await;
        let fields = json!({"contactType": 2, "to": "nobody", "contactText": "x".repeat(401), "emailTitle": "x".repeat(71), "pageShowText": "x".repeat(251)});
        let answer = ask(&case, fields).await.problem(422, "INVALID_FIELDS");
        let errors: Vec<(String, String)> = answer["errors"].as_array().unwrap().iter().map(|e| (text(&e["field"]), text(&e["code"]))).collect();
        let expected = [("contactText", "TOO_LONG"), ("to", "EMAIL_INVALID"), ("emailTitle", "TOO_LONG"), ("pageShowText", "TOO_LONG")];
        assert_eq!(errors, expected.map(|(f, c)| (f.to_owned(), c.to_owned())));
        assert_eq!(answer["errors"][0]["message"], "Máximo 400 caracteres");
        case.staff.post("/api/v1/client-files/new", json!({})).await.problem(422, "INVALID_FIELDS");
        ask(&case, json!({"conferenceId": "x"})).await.problem(404, "CONFERENCE_NOT_FOUND");
        assert_eq!(case.staff.get(&format!("/api/v1/client-files/{}", case.id)).await.ok()["requests"], json!([]));
        assert_eq!(case.details().await["conference"]["filesRequested"], false);
    }

    // FILES-1
    async fn a_call_of_22_seconds_is_too_short_and_of_23_is_not(app) {
        for (seconds, may) in [(22, false), (23, true)] {
            let case = lasted(app, seconds).await;
            assert_eq!(case.details().await["conference"]["mayRequestFiles"], json!(may));
            let answer = ask(&case, json!({})).await;
            if may { answer.ok(); } else { answer.problem(409, "DURATION_TOO_SHORT"); }
        }
        let never = Case::open(app).await;
        ask(&never, json!({})).await.problem(409, "DURATION_TOO_SHORT");
    }

    // FILES-1, FILES-8
    async fn days_29_30_and_31(app) {
        let mut case = lasted(app, 60).await;
        let minute = TimeDelta::seconds(60);
        app.advance(TimeDelta::days(30) - minute - TimeDelta::seconds(1));
        case.log_in_again().await;
        assert_eq!(case.details().await["conference"]["mayRequestFiles"], true);
        ask(&case, json!({})).await.ok();
        let token = token_of(&case).await;
        app.advance(TimeDelta::seconds(1));
        let conference = case.details().await["conference"].clone();
        assert_eq!((&conference["mayRequestFiles"], &conference["mediaExpired"]), (&json!(false), &json!(false)), "day 30: neither");
        ask(&case, json!({})).await.problem(409, "FILE_REQUEST_EXPIRED");
        let page = app.anonymous().get(&format!("/api/v1/external/files/{token}")).await.ok();
        assert_eq!((&page["state"], &page["items"], &page["adjuster"]), (&json!("expired"), &json!([]), &json!(null)));
        app.advance(TimeDelta::days(1));
        case.log_in_again().await;
        assert_eq!(case.details().await["conference"]["mediaExpired"], true);
        ask(&case, json!({})).await.problem(409, "FILES_EXPIRED");
    }

    // FILES-2
    async fn who_may_ask(app) {
        let case = lasted(app, 60).await;
        let ask_as = |client: atalaya_testkit::Client| {
            let body = asking(&case, json!({}));
            async move { client.post("/api/v1/client-files/new", body).await }
        };
        ask_as(app.as_role(Role::Admin).await).await.ok();
        let principal = app.person_in(case.owner.company, Role::Customer).await;
        ask_as(app.log_in(&principal).await).await.ok();
        let colleague = app.person_in(case.owner.company, Role::Worker).await;
        ask_as(app.log_in(&colleague).await).await.problem(404, "CONFERENCE_NOT_FOUND");
        ask_as(app.as_role(Role::Customer).await).await.problem(404, "CONFERENCE_NOT_FOUND");
    }

    // FILES-10
    async fn a_request_is_sent_again_and_taken_back(app) {
        let asked = Asked::new(app, json!({})).await;
        let id = text(&asked.request["_id"]);
        let sent = |case: &Case<'_>| { let (staff, id) = (case.staff.clone(), id.clone()); async move { staff.post(&format!("/api/v1/client-files-resend/{id}"), json!({})).await } };
        sent(&asked.case).await.ok();
        assert_eq!(asked.case.details().await["messages"].as_array().unwrap().iter().filter(|m| m["link"].as_str().is_some_and(|l| l.contains("/f/"))).count(), 2);
        let cancelled = asked.case.staff.post(&format!("/api/v1/client-files-cancel/{id}"), json!({})).await.ok();
        assert_eq!(cancelled["request"]["state"], "cancelled");
        asked.case.staff.post(&format!("/api/v1/client-files-cancel/{id}"), json!({})).await.ok();
        sent(&asked.case).await.problem(409, "FILE_REQUEST_CANCELLED");
        assert_eq!(asked.page().await["state"], "cancelled");
        asked.begin(0, "a.png", "image/png", 10, "k").await.problem(410, "LINK_EXPIRED");
        assert_eq!(asked.case.tracks().await.iter().filter(|t| *t == "FILES_CANCELLED").count(), 1);
        let other = app.as_role(Role::Worker).await;
        other.post(&format!("/api/v1/client-files-cancel/{id}"), json!({})).await.problem(404, "FILE_REQUEST_NOT_FOUND");
    }

    // FILES-11
    async fn ten_messages_an_hour_about_a_case(app) {
        let mut asked = Asked::new(app, json!({})).await;
        let resend = format!("/api/v1/client-files-resend/{}", text(&asked.request["_id"]));
        app.advance(TimeDelta::minutes(10));
        for _ in 0..5 {
            asked.case.staff.post(&resend, json!({})).await.ok();
        }
        for _ in 0..4 {
            ask(&asked.case, json!({})).await.ok();
        }
        let refused = asked.case.staff.post(&resend, json!({})).await;
        refused.problem(429, "TOO_MANY_REQUESTS");
        assert_eq!(refused.header("retry-after"), Some("3001"), "until the first one is an hour old");
        ask(&asked.case, json!({})).await.problem(429, "TOO_MANY_REQUESTS");
        let other = lasted(app, 60).await;
        ask(&other, json!({})).await.ok();
        app.advance(TimeDelta::minutes(50));
        asked.case.log_in_again().await;
        asked.case.staff.post(&resend, json!({})).await.ok();
        asked.case.staff.post(&resend, json!({})).await.problem(429, "TOO_MANY_REQUESTS");
    }

    // FILES-12
    async fn what_came_is_approved_or_sent_back(app) {
        let asked = Asked::new(app, json!({"items": [{"label": "Matrícula"}, {"label": "Golpe"}]})).await;
        for nth in [0, 1] {
            asked.upload(nth, "foto.png", "image/png", &png()).await.expect(204);
        }
        app.anonymous().post(&asked.path("/finish"), json!({})).await.expect(204);
        assert_eq!(asked.list().await[0]["state"], "complete");
        assert_eq!(asked.page().await["state"], "finished");
        let media = |list: &serde_json::Value, nth: usize| text(&list[0]["items"][nth]["mediaIds"][0]);
        let list = asked.list().await;
        let judge = |id: String, body: serde_json::Value| { let staff = asked.case.staff.clone(); async move { staff.post(&format!("/api/v1/media-review/{id}"), body).await } };
        let good = judge(media(&list, 0), json!({"approve": true})).await.ok()["media"].clone();
        assert_eq!((&good["review"], &good["requestId"], &good["itemId"]), (&json!("approved"), &asked.request["_id"], &asked.request["items"][0]["_id"]));
        let bad = judge(media(&list, 1), json!({"approve": false, "note": "Está borrosa"})).await.ok()["media"].clone();
        assert_eq!((&bad["review"], &bad["reviewNote"]), (&json!("rejected"), &json!("Está borrosa")));
        judge(media(&list, 1), json!({"approve": false, "note": "x".repeat(251)})).await.problem(422, "INVALID_FIELDS");
        judge(media(&list, 1), json!({"approve": false, "note": "x".repeat(250)})).await.ok();
        judge(media(&list, 1), json!({"approve": false, "note": "Está borrosa"})).await.ok();
        let list = asked.list().await;
        assert_eq!((&list[0]["state"], &list[0]["received"], &list[0]["approved"]), (&json!("partial"), &json!(1), &json!(1)));
        let page = asked.page().await;
        assert_eq!((&page["state"], &page["items"][1]["state"], &page["items"][1]["note"]), (&json!("open"), &json!("rejected"), &json!("Está borrosa")));
        let before = asked.case.details().await["messages"].as_array().unwrap().len();
        app.advance(TimeDelta::minutes(2));
        atalaya_client_files::jobs::run(&app.assistance).await.unwrap();
        atalaya_client_files::jobs::run(&app.assistance).await.unwrap();
        let messages = asked.case.details().await["messages"].clone();
        assert_eq!(messages.as_array().unwrap().len(), before + 1, "two verdicts, one message");
        assert!(text(&messages[before]["text"]).starts_with("Hay que repetir alguna foto"), "{messages}");
        asked.upload(1, "otra.png", "image/png", &png()).await.expect(204);
        assert_eq!(asked.list().await[0]["items"][1]["state"], "received");
        let own = asked.case.upload("propia.png", "image/png", &png()).await.ok()["media"]["_id"].clone();
        judge(text(&own), json!({"approve": true})).await.problem(409, "NOT_REQUESTED");
    }

    // FILES-13
    async fn the_requester_is_told_once_and_the_client_reminded_once(app) {
        let tend = || atalaya_client_files::jobs::run(&app.assistance);
        let admin = app.as_role(Role::Admin).await;
        let asked = Asked::new(app, json!({"notify": true, "remind": true, "items": [{"label": "A"}, {"label": "B"}]})).await;
        app.advance(TimeDelta::minutes(1));
        tend().await.unwrap();
        asked.upload(0, "a.png", "image/png", &png()).await.expect(204);
        asked.upload(1, "b.png", "image/png", &png()).await.expect(204);
        tend().await.unwrap();
        assert_eq!(admin.get("/api/v1/outbox?channel=email").await.ok()["outbox"], json!([]), "two minutes to gather");
        app.advance(TimeDelta::minutes(2));
        tend().await.unwrap();
        tend().await.unwrap();
        let mails = admin.get("/api/v1/outbox?channel=email").await.ok()["outbox"].clone();
        assert_eq!(mails.as_array().map(Vec::len), Some(1));
        assert!(text(&mails[0]["text"]).contains("Recibido: 2 de 2."), "{mails}");
        assert!(text(&mails[0]["link"]).ends_with(&format!("/conference-media/{}", asked.case.id)));
        assert!(!asked.case.tracks().await.contains(&"EMAIL_SENT".to_owned()), "no step of the case");

        let silent = Asked::new(app, json!({"remind": true})).await;
        app.advance(TimeDelta::days(2));
        tend().await.unwrap();
        tend().await.unwrap();
        let admin = app.as_role(Role::Admin).await;
        let all = admin.get("/api/v1/outbox?channel=sms").await.ok()["outbox"].clone();
        let reminders = all.as_array().unwrap().iter().filter(|m| text(&m["text"]).starts_with("Le recordamos")).count();
        assert_eq!(reminders, 1, "{} only", silent.token);
    }

    // FILES-13
    async fn a_requester_without_an_address_is_told_by_sms(app) {
        let company = app.company(CompanyKind::Customer, "Sin correo").await;
        let owner = app.person_with(company, Role::Worker, |new| (new.email, new.phone) = (None, Some("+34611222333".into()))).await;
        let case = Case::open_by(app, owner, json!({})).await;
        hold(&case, 60).await;
        let request = ask(&case, json!({"notify": true, "items": [{"label": "A"}, {"label": "B"}]})).await.ok()["request"].clone();
        let token = token_of(&case).await;
        let asked = Asked { case, request, token };
        asked.upload(0, "a.png", "image/png", &png()).await.expect(204);
        app.advance(TimeDelta::minutes(2));
        for _ in 0..2 {
            atalaya_client_files::jobs::run(&app.assistance).await.unwrap();
        }
        let admin = app.as_role(Role::Admin).await;
        assert_eq!(admin.get("/api/v1/outbox?channel=email").await.ok()["outbox"], json!([]));
        let all = admin.get("/api/v1/outbox?channel=sms").await.ok()["outbox"].clone();
        let told: Vec<_> = all.as_array().unwrap().iter().filter(|m| m["to"] == "+34611222333").collect();
        assert_eq!(told.len(), 1, "once: {all}");
        let words = format!("Archivos recibidos del expediente EXP-1: 1 de 2. {}", text(&told[0]["link"]));
        assert_eq!((text(&told[0]["text"]), words.ends_with(&format!("/conference-media/{}", asked.case.id))), (words.clone(), true));
        assert_eq!(asked.case.tracks().await.iter().filter(|t| *t == "SMS_SENT").count(), 0, "no step of the case");
    }

    // FILES-1
    async fn a_company_that_keeps_files_longer_asks_for_them_longer(app) {
        let owner = app.person(Role::Worker).await;
        for (days, until) in [(31, None), (32, Some(31)), (90, Some(89))] {
            let admin = app.as_role(Role::Admin).await;
            let company = json!({"customer": {"_id": owner.company, "retentionDays": days}});
            admin.put("/api/v1/customer", company).await.ok();
            let mut case = Case::open_by(app, owner.clone(), json!({})).await;
            let created = app.assistance.sources.now();
            let told = case.opened["conference"]["mediaRequestExpired"].clone();
            let told = told.as_str().map(|at| at.parse::<DateTime<Utc>>().unwrap() - created);
            assert_eq!(told, until.map(TimeDelta::days), "{days}");
            hold(&case, 60).await;
            let last = TimeDelta::days(until.unwrap_or(30));
            app.advance(created + last - TimeDelta::seconds(1) - app.assistance.sources.now());
            case.log_in_again().await;
            assert_eq!(case.details().await["conference"]["mayRequestFiles"], true, "{days}");
            ask(&case, json!({})).await.ok();
            app.advance(TimeDelta::seconds(1));
            let conference = case.details().await["conference"].clone();
            assert_eq!((&conference["mayRequestFiles"], &conference["mediaExpired"]), (&json!(false), &json!(false)), "{days}");
            ask(&case, json!({})).await.problem(409, "FILE_REQUEST_EXPIRED");
            app.advance(TimeDelta::days(1));
            case.log_in_again().await;
            ask(&case, json!({})).await.problem(409, "FILES_EXPIRED");
        }
    }

    async fn a_hold_can_be_made_of_any_case(app) {
        let case = Case::open(app).await;
        hold(&case, 30).await;
        assert_eq!(case.details().await["conference"]["duration"], 30);
    }
}
