//! What a controller must have on paper.

use crate::certificates::tool;
use crate::support::text;
use atalaya_kernel::Role;
use atalaya_kernel::keeping::{Processor, Service, Terms};
use atalaya_testkit::{Answer, Client, Engine, TestApp, both_engines};
use chrono::TimeDelta;
use sea_orm::ConnectionTrait;
use serde_json::{Value, json};

/// The words of a printed paper, without white space.
async fn words(app: &TestApp, client: &Client, path: &str) -> String {
    let printed: Answer = client.get(path).await;
    assert_eq!((printed.status, printed.header("content-type")), (200, Some("application/pdf")), "{path}");
    if let Ok(folder) = std::env::var("ATALAYA_SHOW_DOCUMENTS") {
        std::fs::write(format!("{folder}/{}.pdf", path.rsplit('/').next().unwrap()), &printed.body).unwrap();
    }
    tool(app, &printed.body, "pdftotext", &["-layout", "PDF", "-"]).split_whitespace().collect()
}

both_engines! {
    // RETAIN-30, RETAIN-31
    async fn a_breach_is_written_down_once_and_printed(app) {
        let admin = app.as_role(Role::Admin).await;
        let path = "/api/v1/security-breaches";
        assert!(words(app, &admin, "/api/v1/privacy-paper/breaches").await.contains("Noconstaningunabrecha"));
        admin.post(path, json!({})).await.problem(422, "INVALID_FIELDS");
        let good = json!({"title": "Portátil perdido", "nature": "Copias de dos expedientes", "people": 2,
            "knownAt": app.sources.now() - TimeDelta::hours(1), "happenedAt": app.sources.now() - TimeDelta::hours(9)});
        let with = |field: &str, value: Value| {
            let mut breach = good.clone();
            breach[field] = value;
            json!({"breach": breach})
        };
        let later = json!(app.sources.now() + TimeDelta::hours(1));
        for (field, value) in [("title", json!(" ")), ("knownAt", Value::Null), ("knownAt", later), ("people", json!(-1)),
            ("nature", json!("x".repeat(2001))), ("follows", json!(app.sources.uuid()))] {
            admin.post(path, with(field, value)).await.problem(422, "INVALID_FIELDS");
        }
        let first = admin.post(path, json!({"breach": good})).await.ok()["breach"].clone();
        let due: chrono::DateTime<chrono::Utc> = text(&first["dueAt"]).parse().unwrap();
        assert_eq!(due, app.sources.now() + TimeDelta::hours(71));
        app.advance(TimeDelta::hours(2));
        let admin = app.as_role(Role::Admin).await;
        let more = json!({"title": "Portátil encontrado", "nature": "Nadie lo abrió", "follows": first["_id"],
            "knownAt": app.sources.now(), "authorityAt": app.sources.now(), "measures": "Cifrado del disco"});
        admin.post(path, json!({"breach": more})).await.ok();
        let listed = admin.get(path).await.ok();
        assert_eq!((&listed["total"], &listed["breaches"][1]), (&json!(2), &first), "newest first, and nothing changed");
        for sql in ["UPDATE security_breach SET title = 'x'", "DELETE FROM security_breach"] {
            app.db.read().execute_unprepared(sql).await.expect_err("append-only");
        }
        assert_eq!(admin.get("/api/v1/audit?action=BREACH_RECORDED").await.ok()["total"], 2);
        let said = words(app, &admin, "/api/v1/privacy-paper/breaches").await;
        for word in ["1Portátilperdido", "2Portátilencontrado", "Copiasdedosexpedientes", "Continúalaanotación", "Cifradodeldisco"] {
            assert!(said.contains(word), "{word}: {said}");
        }
    }

    // RETAIN-31
    async fn what_is_not_configured_is_said_to_be_missing(app) {
        let admin = app.as_role(Role::Admin).await;
        let said = words(app, &admin, "/api/v1/privacy-paper/activities").await;
        for word in ["[sinindicarenlaconfiguración]", "Ningúntercerotratalosdatos", "1826días", "sinplazoescrito"] {
            assert!(said.contains(word), "{word}: {said}");
        }
        assert!(!said.contains('{') && !said.contains('}'), "{said}");
        admin.get("/api/v1/privacy-paper/otro").await.problem(404, "PAPER_UNKNOWN");
    }
}

// RETAIN-25, RETAIN-29, RETAIN-31
#[tokio::test]
async fn papers_and_contract_say_what_is_configured() {
    for engine in [Engine::Sqlite, Engine::Postgres] {
        let configured = TestApp::configured(engine, |config| {
            config.privacy.keeping = Terms::parse("chat=77", 99).unwrap();
            config.privacy.backup_keep_days = Some(35);
            config.privacy.officer = Some("Ana Delegada".into());
            config.privacy.hosting = Some("Nube Ibérica SL".into());
            config.messaging.smtp_url = Some("smtp://user:secreto@smtp.example.es".to_owned().into());
        });
        let Some(app) = configured.await else { continue };
        let admin = app.as_role(Role::Admin).await;
        let expected = [
            Processor { service: Service::Hosting, name: "Nube Ibérica SL".into() },
            Processor { service: Service::Email, name: "smtp.example.es".into() },
        ];
        assert_eq!(app.identity.settings.processors, expected);
        let told = admin.get("/api/v1/data-terms").await.ok();
        assert_eq!(told["processors"][1], json!({"service": "email", "name": "smtp.example.es"}));
        for kind in ["activities", "impact"] {
            let said = words(&app, &admin, &format!("/api/v1/privacy-paper/{kind}")).await;
            for word in ["AnaDelegada", "NubeIbéricaSL", "smtp.example.es", "Chat:77días", "99días", "35días"] {
                assert!(said.contains(word), "{kind}, {word}: {said}");
            }
            assert!(!said.contains("secreto"), "{said}");
        }
        let english = admin.clone().with("accept-language", "en");
        assert!(words(&app, &english, "/api/v1/privacy-paper/impact").await.contains("Dataprotectionimpactassessment"));
        let said = words(&app, &app.anonymous(), "/api/v1/contract").await;
        for word in ["Anexo", "NubeIbéricaSL", "smtp.example.es", "77días", "99días"] {
            assert!(said.contains(word), "contract, {word}: {said}");
        }
        app.close().await;
    }
}
