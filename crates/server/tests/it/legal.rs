//! The client's notice in the database (DOMAIN §6.2).

use atalaya_content::legal::{NoticeParams, service};
use atalaya_kernel::Language;
use atalaya_testkit::both_engines;

fn params(expedient: &str) -> NoticeParams {
    NoticeParams {
        company: "Peritos & Cía".into(),
        expedient: expedient.into(),
        retention_days: 31,
        contact: "rgpd@ejemplo.es".into(),
    }
}

both_engines! {
    async fn the_notice_in_force_is_rendered_in_each_language_and_hashed(app) {
        let content = &app.content;
        let es = service::notice_in_force(content, Language::Es, &params("E-1")).await.unwrap();
        let en = service::notice_in_force(content, Language::En, &params("E-1")).await.unwrap();
        assert_eq!((es.language, en.language, es.version), (Language::Es, Language::En, 1));
        assert!(es.html.contains("Peritos &amp; Cía") && es.html.contains("E-1") && es.html.contains("31"));
        assert_ne!(es.document_id, en.document_id);
        assert_eq!(es.sha256.len(), 64);
        let other = service::notice_in_force(content, Language::Es, &params("E-2")).await.unwrap();
        assert_ne!(es.sha256, other.sha256, "the hash is of what this client read");
        assert_eq!(es.document_id, other.document_id);
        let again = service::notice_in_force(content, Language::Es, &params("E-1")).await.unwrap();
        assert_eq!(es, again);
    }

    async fn seeding_again_adds_nothing(app) {
        let content = &app.content;
        let before = service::notice_in_force(content, Language::Es, &params("E-1")).await.unwrap();
        service::seed(content).await.unwrap();
        let after = service::notice_in_force(content, Language::Es, &params("E-1")).await.unwrap();
        assert_eq!(before.document_id, after.document_id);
    }
}
