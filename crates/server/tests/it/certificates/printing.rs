//! What a certificate prints of links and of recordings.

use super::{lived, overview, print, tool, verification};
use crate::client_files::{ask, hold};
use crate::support::{Case, text};
use atalaya_assistance::calls::SpoolFile;
use atalaya_assistance::media::recordings;
use atalaya_blobs::Spool;
use atalaya_cases::conferences::vault;
use atalaya_kernel::RecordingId;
use atalaya_testkit::{TestApp, both_engines};
use atalaya_webm::{AudioTrack, Frame, LiveMuxer, TrackKind, Tracks};
use chrono::{DateTime, SecondsFormat, TimeDelta, Utc};
use sea_orm::ConnectionTrait;
use serde_json::json;

/// The text of a case's certificate without white space, since lines are broken anywhere.
async fn words_of(case: &Case<'_>) -> String {
    let printed = print(case, "").await;
    tool(case.app, &printed.body, "pdftotext", &["-layout", "PDF", "-"]).split_whitespace().collect()
}

/// A moment in UTC as it is printed, without white space.
fn printed_time(at: DateTime<Utc>) -> String {
    at.format("%Y-%m-%d%H:%M:%S%.3fUTC").to_string()
}

/// Writes a recording whose first packet comes so much after the file's time zero, and makes its video.
async fn recorded(case: &Case<'_>, started_at: DateTime<Utc>, first_ms: u64) {
    let deps = &case.app.assistance;
    let id = case.id.parse().expect("an id");
    let recording: RecordingId = case.app.sources.id();
    let by = atalaya_cases::evidence::Actor::System;
    atalaya_assistance::calls::recording::note_start(deps, id, recording, None, by).await.expect("noted");
    let name = SpoolFile { recording, identity: "client:0001".into(), screen: false, started_at }.name().expect("a name");
    let key = vault::data_key(deps, id).await.expect("a key");
    let spool = Spool::open(&deps.spool, case.app.sources.clone()).expect("a folder");
    let mut writer = spool.create(&name, &key).expect("a file");
    let (mut muxer, mut bytes) = LiveMuxer::new(Tracks { video: None, audio: Some(AudioTrack { channels: 2, rate: 48_000 }) });
    for timestamp_ms in [first_ms, first_ms + 20] {
        bytes.extend(muxer.push(Frame { track: TrackKind::Audio, timestamp_ms, keyframe: true, data: &[0xf8, 0xff, 0xfe] }));
    }
    bytes.extend(muxer.flush());
    writer.append(&bytes).expect("written");
    writer.finish().expect("finished");
    recordings::finalise(deps, &name).await.expect("made").expect("a video");
}

async fn run(app: &TestApp, sql: &str) {
    app.db.read().execute_unprepared(sql).await.expect("the statement runs");
}

both_engines! {
    // CERT-30, CERT-31
    async fn it_says_who_issues_it_and_proves_nothing_without_a_stamp(app) {
        let case = lived(app).await;
        app.platform().await;
        run(app, "UPDATE company SET company = 'Videoperitación Norte, S.L.', cif = 'B85626240' WHERE kind = 1").await;
        let said = words_of(&case).await;
        for shown in ["VideoperitaciónNorte,S.L.(NIFB85626240),apeticiónde", "Registralossucesosyarchivos", "Nodemuestralaidentidad"] {
            assert!(said.contains(shown), "{shown} in {said}");
        }
        assert!(!said.to_lowercase().contains("acredita"), "{said}");
    }

    // CERT-23
    async fn no_link_is_printed_that_still_opens_something(app) {
        let case = Case::open(app).await;
        hold(&case, 60).await;
        let others = "Como en http://localhost:8080/f/Zy9Xw8Vu7T";
        ask(&case, json!({"contactText": others})).await.ok();
        let email = json!({"contactType": 2, "to": "ana@example.test", "emailTitle": "Fotos", "contactText": "Envíelas aquí."});
        ask(&case, email).await.ok();
        let sql = "SELECT hash AS a, short_code AS b FROM conference UNION SELECT token, short_code FROM file_request";
        let rows = crate::incidences::rows(app, sql).await;
        let secret = |column| rows.iter().map(move |row| row.try_get::<String>("", column).expect("a text"));
        let secrets: Vec<String> = secret("a").chain(secret("b")).chain(["Zy9Xw8Vu7T".to_owned()]).collect();
        assert_eq!(secrets.len(), 7, "the call's, two requests', another one's");
        let said = words_of(&case).await;
        for secret in secrets {
            assert!(!said.contains(&secret), "{secret} in {said}");
        }
        for shown in ["Comoenhttp://localhost:8080/f/…", "Envíelasaquí.", "localhost:8080/c/…", "sinelcódigoquelosabre"] {
            assert!(said.contains(shown), "{shown} in {said}");
        }
    }

    // CERT-24
    async fn a_video_began_with_its_first_frame(app) {
        let case = lived(app).await;
        let command = app.sources.now();
        // The engine waits for the first frame; the file lacks its first second and a half.
        recorded(&case, command + TimeDelta::seconds(7), 1_500).await;
        let began = command + TimeDelta::milliseconds(8_500);
        let said = words_of(&case).await;
        assert!(said.contains(&printed_time(began)), "{} in {said}", printed_time(began));
        let code = text(&overview(&case).await["certificates"][0]["code"]);
        let media = verification(app, &code).await.ok()["certificate"]["media"].clone();
        assert_eq!((&media[2]["type"], &media[2]["capturedAt"]), (&json!("VIDEO"), &json!(began.to_rfc3339_opts(SecondsFormat::Millis, true))));
    }

    // CERT-24
    async fn an_older_recording_takes_its_beginning_from_its_row(app) {
        let case = lived(app).await;
        let began = app.sources.now() + TimeDelta::seconds(7);
        recorded(&case, began, 0).await;
        crate::evidence::lift_triggers(app).await;
        run(app, "UPDATE evidence_event SET data = REPLACE(data, 'startedAt', 'other')").await;
        assert!(words_of(&case).await.contains(&printed_time(began)));
    }

    // EVID-31
    async fn a_question_that_is_open_or_was_never_asked_is_no_refusal(app) {
        let case = Case::open(app).await;
        let without = |permission, reason| json!({"type": "PERMISSION_DENIED", "data": {"permission": permission, "reason": reason}});
        case.enters([without("camera", "PERMISSION_NO_ANSWER"), without("microphone", "SKIPPED")]).await;
        let said = words_of(&case).await;
        assert!(said.contains("Sinrespuesta") && said.contains("Omitidoporelcliente"), "{said}");
        assert!(!said.contains("Denegado"), "{said}");
    }
}
