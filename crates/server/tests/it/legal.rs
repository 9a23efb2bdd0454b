//! The client's notice in the database, the conditions of the contract and their acceptance.

use atalaya_content::legal::{NoticeParams, service};
use atalaya_identity::companies::NewCompany;
use atalaya_identity::companies::legal::{self, Actor};
use atalaya_kernel::keeping::Terms;
use atalaya_kernel::{ClientLanguage, CompanyKind, Language, Role};
use atalaya_testkit::both_engines;
use std::collections::HashSet;

fn params(expedient: &str) -> NoticeParams {
    NoticeParams {
        company: "Peritos & Cía".into(),
        expedient: expedient.into(),
        retention_days: 31,
        contact: "rgpd@ejemplo.es".into(),
        terms: Terms::default(),
    }
}

both_engines! {
    // LEGAL-2, LEGAL-3, LEGAL-4
    async fn the_notice_in_force_is_rendered_in_each_language_and_hashed(app) {
        let content = &app.content;
        let es = service::notice_in_force(content, Language::Es, &params("E-1")).await.unwrap();
        let en = service::notice_in_force(content, Language::En, &params("E-1")).await.unwrap();
        assert_eq!((es.language, en.language, es.version), (ClientLanguage::Es, ClientLanguage::En, 2));
        for language in ClientLanguage::ALL {
            assert_eq!(service::notice_in_force(content, language, &params("E-1")).await.unwrap().language, language);
        }
        assert!(es.html.contains("Peritos &amp; Cía") && es.html.contains("E-1") && es.html.contains("31"));
        assert_ne!(es.document_id, en.document_id);
        assert_eq!(es.sha256.len(), 64);
        let other = service::notice_in_force(content, Language::Es, &params("E-2")).await.unwrap();
        assert_ne!(es.sha256, other.sha256, "the hash is of what this client read");
        assert_eq!(es.document_id, other.document_id);
        let again = service::notice_in_force(content, Language::Es, &params("E-1")).await.unwrap();
        assert_eq!(es, again);
    }

    // LEGAL-10
    async fn a_clock_that_was_set_right_leaves_nobody_without_a_text(app) {
        app.advance(chrono::TimeDelta::days(-1));
        let notice = service::notice_in_force(&app.content, Language::En, &params("E-1")).await.unwrap();
        assert_eq!((notice.language, notice.version), (ClientLanguage::En, 1), "the first one there is");
        assert_eq!(service::conditions_in_force(&app.content, Language::Es).await.unwrap().len(), 2);
    }

    // LEGAL-5
    async fn seeding_again_adds_nothing(app) {
        let content = &app.content;
        let before = service::notice_in_force(content, Language::Es, &params("E-1")).await.unwrap();
        service::seed(content).await.unwrap();
        let after = service::notice_in_force(content, Language::Es, &params("E-1")).await.unwrap();
        assert_eq!(before.document_id, after.document_id);
    }

    // LEGAL-1, LEGAL-6
    async fn the_conditions_in_force_are_served_in_the_language_asked_for(app) {
        let anybody = app.anonymous();
        let es = anybody.get("/api/v1/legal-id/0").await.ok()["legal"].clone();
        let kinds: Vec<_> = es.as_array().unwrap().iter().map(|text| text["type"].as_i64().unwrap()).collect();
        assert_eq!(kinds, [1, 2]);
        assert_eq!((es[0]["title"].as_str(), es[0]["version"].as_i64()), (Some("Condiciones generales"), Some(1)));
        for text in es.as_array().unwrap() {
            assert_eq!(text["language"], "es");
            let html = text["html"].as_str().unwrap();
            assert!(html.starts_with("<h3>") && html.len() > 1500 && !html.contains('{') && !html.contains("<script"));
        }
        let en = anybody.clone().with("accept-language", "en").get("/api/v1/legal-id/0").await.ok()["legal"].clone();
        assert_eq!((en[0]["title"].as_str(), en[1]["language"].as_str()), (Some("General terms"), Some("en")));
        assert_eq!(anybody.get("/api/v1/legalbylanguage/0/en").await.ok()["legal"], en);

        let id = es[1]["_id"].as_str().unwrap();
        let one = anybody.clone().with("accept-language", "en").get(&format!("/api/v1/legal-id/{id}")).await.ok();
        assert_eq!(one["legal"], serde_json::json!([es[1]]), "an id is that very text, whatever the language");
        let translated = anybody.get(&format!("/api/v1/legalbylanguage/{id}/en")).await.ok();
        assert_eq!(translated["legal"], serde_json::json!([en[1]]), "the same version in the other language");

        let notice = service::notice_in_force(&app.content, Language::Es, &params("E-1")).await.unwrap();
        for unknown in ["x".to_owned(), app.sources.uuid().to_string(), notice.document_id.to_string()] {
            anybody.get(&format!("/api/v1/legal-id/{unknown}")).await.problem(404, "LEGAL_NOT_FOUND");
        }
        let problem = anybody.get("/api/v1/legalbylanguage/0/xx").await.problem(422, "INVALID_FIELDS");
        assert_eq!(problem["errors"][0]["code"], "LANGUAGE_UNKNOWN");
    }

    // LEGAL-7
    async fn an_acceptance_is_written_once_with_the_text_that_was_read(app) {
        let company = app.company_with(NewCompany::named(CompanyKind::Customer, "Cliente")).await;
        let principal = app.person_in(company, Role::Customer).await;
        let by = Actor::new(principal.id, principal.role);
        let english = service::conditions_in_force(&app.content, Language::En).await.unwrap();
        for _ in 0..2 {
            let texts = legal::texts(&app.identity, None, Some(english[1].id), Language::Es).await.unwrap();
            let tx = app.db.write().await.unwrap();
            legal::accept(&app.identity, &tx, company, &texts, &by).await.unwrap();
            tx.commit().await.unwrap();
        }
        let history = legal::history(&app.identity, company).await.unwrap();
        let accepted: HashSet<_> = history.iter().map(|entry| entry.legal_id).collect();
        let both = HashSet::from([english[0].id, english[1].id]);
        assert_eq!((history.len(), accepted), (2, both), "both conditions, in the language they were read in, once");
        assert_eq!((history[0].accepted_at, history[0].expires_at), (app.sources.now(), None));

        let notice = service::notice_in_force(&app.content, Language::Es, &params("E-1")).await.unwrap();
        for wrong in [app.sources.uuid(), notice.document_id] {
            assert!(legal::texts(&app.identity, None, Some(wrong), Language::Es).await.is_err(), "no such conditions in force");
        }
    }
}
