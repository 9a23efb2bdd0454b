//! `doctor --deep`: a healthy installation has no finding, and each kind of damage has its own (`docs/rules/deep.md`).

use crate::evidence::lift_triggers;
use crate::support::{Case, pdf, png};
use atalaya_blobs::{BlobName, DataKey};
use atalaya_server::deep::{self, Kind, Walk};
use atalaya_testkit::{Engine, TestApp, both_engines};
use chrono::TimeDelta;
use futures::TryStreamExt;
use sea_orm::ConnectionTrait;
use serde_json::json;

async fn walked(app: &TestApp) -> Walk {
    let (blobs, master) = (&app.assistance.blobs, &app.assistance.master);
    deep::walk(&app.db, blobs, master, None, app.sources.now()).await.expect("the database answers")
}

/// Kind and place of everything that was found.
async fn found(app: &TestApp) -> Vec<(Kind, String)> {
    walked(app).await.findings.into_iter().map(|finding| (finding.kind, finding.what)).collect()
}

async fn run(app: &TestApp, sql: &str) {
    app.db.read().execute_unprepared(sql).await.unwrap_or_else(|error| panic!("{sql}: {error}"));
}

/// A closed conference with a picture of the call, a document and a chat.
async fn lived(app: &TestApp) -> Case<'_> {
    let case = Case::open(app).await;
    let key = case.enters([json!({"type": "PERMISSION_GRANTED", "data": {"permission": "camera"}})]).await;
    case.capture(&key, &json!({"method": "takePhoto"}), &png()).await.ok();
    case.upload("parte.pdf", "application/pdf", &pdf()).await.ok();
    case.client_with(&key, "chat", json!({"text": "Ya está"})).await.ok();
    app.advance(TimeDelta::seconds(90));
    case.post("conference-close", json!({})).await.ok();
    case
}

/// The stored files of a case.
async fn files(app: &TestApp, case: &Case<'_>) -> Vec<BlobName> {
    let folder = BlobName::new(format!("conferences/{}", case.id)).expect("a name");
    let infos: Vec<_> = app.assistance.blobs.list(Some(&folder)).try_collect().await.expect("the storage answers");
    infos.into_iter().map(|info| info.name).collect()
}

/// What is done to the database, and what is found then and was not before.
const DAMAGE: [(&str, Kind, &str); 9] = [
    ("UPDATE media_item SET recording_id = id", Kind::Dangling, "media_item.recording_id to recording"),
    ("UPDATE conference SET projection = '{}'", Kind::SummaryWrong, "conference.projection"),
    ("UPDATE conference SET chain_head = '00'", Kind::ChainBroken, "conference"),
    (
        "INSERT INTO invoice_series (series, year, last_number, last_date) VALUES ('A', 2026, 1, '2026-01-31')",
        Kind::NumberGap,
        "invoice_series",
    ),
    (
        "INSERT INTO remittance (id, msg_id, version, state, sha256, first_collection, debits, total, excluded, blocks, \
         created_by, created_at) SELECT id, 'M1', '08', 'open', '', '2026-12-01', 1, 100, '[]', '[]', id, CURRENT_TIMESTAMP \
         FROM app_user LIMIT 1",
        Kind::SumWrong,
        "remittance.total",
    ),
    ("UPDATE conference SET closed_at = NULL", Kind::StateWrong, "conference closed without a time"),
    ("UPDATE media_item SET hash = '00'", Kind::FileDamaged, "media_item"),
    (
        "INSERT INTO job (id, kind, state, payload, attempts, max_attempts, run_at, created_at) \
         SELECT id, 'x', 'running', '{}', 1, 10, CURRENT_TIMESTAMP, CURRENT_TIMESTAMP FROM app_user LIMIT 1",
        Kind::Stuck,
        "job without a lease",
    ),
    ("UPDATE outbox SET state = 'queued', next_attempt_at = NULL", Kind::Stuck, "outbox without a next attempt"),
];

both_engines! {
    // DEEP-1, DEEP-2, DEEP-3, DEEP-4, DEEP-5, DEEP-6, DEEP-7
    async fn what_was_lived_has_no_finding_and_each_damage_has_its_own(app) {
        let case = lived(app).await;
        let walk = walked(app).await;
        assert_eq!(walk.findings, []);
        assert!(walk.files >= 2 && walk.conferences == 1 && walk.references > 30, "{}", walk.told());

        for (sql, kind, what) in DAMAGE {
            let before = found(app).await;
            run(app, sql).await;
            let expected = (kind, what.to_owned());
            let after = found(app).await;
            assert!(!before.contains(&expected) && after.contains(&expected), "{sql}: {before:?}, then {after:?}");
            assert!(kind.is_damage());
        }
        assert_eq!(case.details().await["conference"]["_id"], case.id, "it only looks");
    }

    // DEEP-3
    async fn a_changed_event_breaks_chain_and_seal(app) {
        let _case = lived(app).await;
        lift_triggers(app).await;
        run(app, "UPDATE evidence_event SET hash = prev").await;
        assert!(found(app).await.contains(&(Kind::ChainBroken, "conference".into())));
    }

    // DEEP-4
    async fn files_that_are_gone_changed_or_nobodys(app) {
        let case = lived(app).await;
        let blobs = &app.assistance.blobs;
        let names = files(app, &case).await;
        let document = names.iter().find(|name| name.as_str().ends_with(".pdf")).expect("the document");
        let picture = names.iter().find(|name| !name.as_str().contains(".thumb.") && *name != document).expect("the picture");
        let stranger = DataKey::generate(&app.sources);

        let stray = BlobName::new(format!("conferences/{}/left-over.jpg", case.id)).expect("a name");
        blobs.put(&stray, &stranger, b"x").await.expect("stored");
        let [finding] = walked(app).await.findings.try_into().expect("one finding");
        assert_eq!((finding.kind, finding.count, finding.first.as_str()), (Kind::FileStray, 1, stray.as_str()));
        assert!(!finding.kind.is_damage(), "a crash may leave one, and nobody can open it");
        assert!(blobs.delete(&stray).await.expect("deleted"));

        blobs.put(picture, &stranger, b"another picture").await.expect("stored");
        assert_eq!(found(app).await, [(Kind::FileDamaged, "media_item".into())]);
        assert!(blobs.delete(document).await.expect("deleted"));
        assert_eq!(found(app).await, [(Kind::FileMissing, "media_item".into()), (Kind::FileDamaged, "media_item".into())]);
    }

    // DEEP-2
    async fn a_declared_reference_that_sqlite_was_kept_from_checking(app) {
        let _case = lived(app).await;
        // PostgreSQL has no way round its references.
        if app.engine == Engine::Sqlite {
            run(app, "PRAGMA foreign_keys = OFF; UPDATE participation SET conference_id = id; PRAGMA foreign_keys = ON").await;
            assert!(found(app).await.contains(&(Kind::Dangling, "participation to conference".into())));
        }
    }
}
