//! The end client's calls: a link, a notice, a device's key.

use crate::support::{Case, sha256, text};
use atalaya_assistance::client_page::door;
use atalaya_assistance::client_page::service::call_back;
use atalaya_testkit::both_engines;
use axum::http::Method;
use chrono::TimeDelta;
use sea_orm::ConnectionTrait;
use serde_json::{Value, json};

both_engines! {
    // CLIENT-1
    async fn opening_a_link_consumes_nothing(app) {
        let case = Case::open(app).await;
        let before = case.tracks().await;
        let link = text(&case.opened["link"]);
        let path = &link[link.find("/c/").unwrap()..];
        for _ in 0..3 {
            let robot = app.anonymous().with("user-agent", "WhatsApp/2.23 A").get(path).await;
            robot.expect(302);
            assert_eq!(robot.header("location"), Some(format!("/external/{}", case.hash).as_str()));
            assert_eq!(case.link().await["state"], "open");
        }
        assert_eq!(case.tracks().await, before, "a preview robot leaves no track");
        case.accept().await;
    }

    // CLIENT-2
    async fn the_link_tells_who_calls_and_why(app) {
        let case = Case::open_with(app, json!({"type": 1, "carId": "1234 BCD"})).await;
        let link = case.link().await;
        assert_eq!((&link["expedientNumber"], &link["type"], &link["carId"]), (&json!("EXP-1"), &json!(1), &json!("1234 BCD")));
        assert_eq!((&link["adjuster"], &link["contactPerson"]), (&json!("Nombre Apellido"), &json!("Luis")));
        assert_eq!(link["retentionDays"], 31);
        assert_eq!(link["languages"], json!(["es", "ca", "eu", "gl", "en", "fr", "pt", "de", "it", "ro", "ar"]));
        let legal = &link["legal"];
        assert_eq!(text(&legal["sha256"]), sha256(text(&legal["html"]).as_bytes()));
        let english = app.anonymous().get(&format!("/api/v1/external/{}?language=en", case.hash)).await.ok()["legal"].clone();
        assert_eq!(english["language"], "en");
        assert_ne!(english["documentId"], legal["documentId"]);
        // CLIENT-21
        for language in ["de", "it", "ro", "ar", "ca", "eu", "gl", "fr", "pt"] {
            let path = format!("/api/v1/external/{}?language={language}", case.hash);
            let notice = app.anonymous().get(&path).await.ok()["legal"].clone();
            assert_eq!((&notice["language"], &notice["version"]), (&json!(language), &json!(2)));
            assert!(text(&notice["html"]).contains("EXP-1"), "{notice}");
        }
        let all = link.to_string();
        assert!(!all.contains("600123456") && !all.contains(&case.owner.user_name), "no phone, no account: {all}");
    }

    // RETAIN-23, RETAIN-25
    async fn the_notice_promises_what_is_kept_and_no_less(app) {
        let case = Case::open(app).await;
        let admin = app.as_role(atalaya_kernel::Role::Admin).await;
        for (days, promised) in [(json!(10), 31), (json!(31), 31), (json!(90), 90), (Value::Null, 31)] {
            let company = json!({"customer": {"_id": case.owner.company, "retentionDays": days}});
            admin.put("/api/v1/customer", company).await.ok();
            let link = case.link().await;
            assert_eq!(link["retentionDays"], promised, "{days}");
            let html = text(&link["legal"]["html"]);
            assert!(html.contains(&format!("{promised} días")) && !html.contains(" 10 días"), "{html}");
            assert!(html.contains("chat, 1826;") && html.contains("1096 días después se borran"), "{html}");
        }
    }

    // CLIENT-3
    async fn unknown_hashes_and_codes(app) {
        let unknown = "0".repeat(32);
        for hash in [unknown.as_str(), "x", "..%2F..%2Fetc%2Fpasswd", &"a".repeat(500), "%00"] {
            app.anonymous().get(&format!("/api/v1/external/{hash}")).await.problem(404, "LINK_UNKNOWN");
        }
        for call in ["track", "legal", "join", "leave", "chat"] {
            let body = match call {
                "track" => json!({"type": "LINK_OPENED"}),
                "legal" => json!({"accept": true, "documentId": "x", "version": 1, "language": "es"}),
                "join" => json!({"camera": true, "microphone": true}),
                _ => json!({"text": "Hola"}),
            };
            app.anonymous().post(&format!("/api/v1/external/{unknown}/{call}"), body).await.problem(404, "LINK_UNKNOWN");
        }
        for code in ["AAAAAAAAAA", "x", "%2e%2e"] {
            let answer = app.anonymous().get(&format!("/c/{code}")).await;
            answer.expect(302);
            assert_eq!(answer.header("location"), Some("/external?reason=unknown"));
        }
    }

    // CLIENT-5, CLIENT-6
    async fn the_notice_is_accepted_as_shown_and_gives_the_device_a_key(app) {
        let case = Case::open(app).await;
        case.client("join", json!({"camera": true, "microphone": true})).await.problem(403, "CLIENT_KEY_INVALID");
        let mut other = case.notice(true).await;
        other["version"] = json!(99);
        let changed = case.client("legal", other).await.problem(422, "INVALID_FIELDS");
        assert_eq!(changed["errors"][0]["code"], "LEGAL_TEXT_CHANGED");
        let key = case.accept().await;
        let joined = case.client_with(&key, "join", json!({"camera": true, "microphone": false})).await.ok();
        assert_eq!(joined["conference"]["_id"], json!(case.id));
        assert!(text(&joined["identity"]).starts_with("client:"));
        assert_eq!(text(&joined["token"]).split('.').count(), 3);
        let details = case.details().await;
        let accepted = details["tracks"].as_array().unwrap().iter().find(|t| t["type"] == "LEGAL_ACCEPTED").unwrap().clone();
        assert_eq!((&accepted["actor"], &accepted["data"]["version"]), (&json!("client"), &json!(2)));
        let shown = case.link().await["legal"]["sha256"].clone();
        assert_eq!(accepted["data"]["documentSha256"], shown, "the chain holds the hash of what was read");
    }

    // CLIENT-5, LANG-7
    async fn the_notice_is_accepted_in_a_language_of_the_client_alone(app) {
        let case = Case::open_with(app, json!({"language": "ro"})).await;
        let link = case.link().await;
        assert_eq!((&link["language"], &link["legal"]["language"]), (&json!("ro"), &json!("ro")));
        case.accept().await;
        let details = case.details().await;
        let accepted = details["tracks"].as_array().unwrap().iter().find(|t| t["type"] == "LEGAL_ACCEPTED").unwrap().clone();
        assert_eq!(accepted["data"]["language"], "ro");
    }

    // SMS-4, LANG-7
    async fn the_first_sms_names_who_calls_in_the_language_of_the_client(app) {
        for (language, words) in [("es", "Pulse el enlace"), ("de", "Link antippen"), ("ar", "اضغط الرابط")] {
            let case = Case::open_with(app, json!({"language": language})).await;
            let sms = text(&case.details().await["messages"][0]["text"]);
            let company = text(&case.link().await["company"]);
            assert!(sms.starts_with(&format!("Nombre Apellido ({company}). {words}")), "{sms}");
            assert!(sms.ends_with(text(&case.opened["link"]).as_str()), "{sms}");
        }
    }

    // CLIENT-6
    async fn a_key_opens_its_own_conference_only(app) {
        let (one, two) = (Case::open(app).await, Case::open(app).await);
        let (key, foreign) = (one.accept().await, two.accept().await);
        one.client_with(&foreign, "join", json!({"camera": true, "microphone": true})).await.problem(403, "CLIENT_KEY_INVALID");
        one.client_with("garbage", "chat", json!({"text": "x"})).await.problem(403, "CLIENT_KEY_INVALID");
        one.client_with(&key, "join", json!({"camera": true, "microphone": true})).await.ok();
    }

    // CLIENT-7
    async fn declining_is_polite_and_may_be_taken_back(app) {
        let case = Case::open(app).await;
        let declined = case.client("legal", case.notice(false).await).await.ok();
        assert_eq!(declined, json!({}));
        assert_eq!(case.link().await["state"], "declined");
        assert_eq!(case.step("legal").await, ("failed".into(), Some("LEGAL_REJECTED".into())));
        let key = case.accept().await;
        assert_eq!(case.link().await["state"], "open");
        case.client_with(&key, "join", json!({"camera": true, "microphone": true})).await.ok();
        let tracks = case.tracks().await;
        assert!(tracks.contains(&"LEGAL_REJECTED".into()) && tracks.contains(&"LEGAL_ACCEPTED".into()), "{tracks:?}");
    }

    // CLIENT-8
    async fn steps_before_and_after_the_notice(app) {
        let case = Case::open(app).await;
        case.client("track", json!({"type": "LINK_OPENED"})).await.expect(204);
        let unfit = json!({"type": "PERMISSION_DENIED", "data": {"permission": "camera", "reason": "IN_APP_BROWSER"}});
        case.client("track", unfit).await.expect(204);
        let granted = json!({"type": "PERMISSION_GRANTED", "data": {"permission": "camera"}});
        case.client("track", granted.clone()).await.problem(403, "CLIENT_KEY_INVALID");
        let fix = json!({"type": "GEO_FIX", "data": {"latitude": 40.4168, "longitude": -3.7038, "accuracy": 11.2}});
        case.client("track", fix.clone()).await.problem(403, "CLIENT_KEY_INVALID");
        let key = case.accept().await;
        case.client_with(&key, "track", granted).await.expect(204);
        case.client_with(&key, "track", fix).await.expect(204);
        for forged in ["CONFERENCE_CLOSED", "LEGAL_ACCEPTED", "SMS_DELIVERED", "CONNECTED", "nonsense", ""] {
            case.client_with(&key, "track", json!({"type": forged})).await.problem(422, "INVALID_FIELDS");
        }
        let far = json!({"type": "GEO_FIX", "data": {"latitude": 91, "longitude": 0, "accuracy": 1}});
        case.client_with(&key, "track", far).await.problem(422, "INVALID_FIELDS");
    }

    // CASE-10, CLIENT-4, CLIENT-45
    async fn a_link_expires_after_a_day_to_the_second(app) {
        let mut case = Case::open(app).await;
        app.db.read().execute_unprepared("UPDATE company SET phone = '+34971000000'").await.unwrap();
        let key = case.accept().await;
        app.advance(TimeDelta::hours(24) - TimeDelta::milliseconds(1));
        assert_eq!(case.link().await["state"], "open");
        app.advance(TimeDelta::milliseconds(1));
        let link = case.link().await;
        assert_eq!((&link["state"], &link["legal"]), (&json!("expired"), &Value::Null));
        assert_eq!((&link["expedientNumber"], &link["contactPhone"]), (&Value::Null, &Value::Null));
        case.client_with(&key, "join", json!({"camera": true, "microphone": true})).await.problem(410, "LINK_EXPIRED");
        case.client("track", json!({"type": "LINK_OPENED"})).await.problem(410, "LINK_EXPIRED");
        case.log_in_again().await;
        case.post("conference-resend", json!({"channel": "sms"})).await.problem(410, "LINK_EXPIRED");
        case.post("conference-code", json!({})).await.problem(410, "LINK_EXPIRED");
    }

    // CASE-16, CLIENT-4
    async fn a_closed_conference_tells_so(app) {
        let case = Case::open(app).await;
        let key = case.accept().await;
        app.db.read().execute_unprepared("UPDATE company SET phone = '+34971000000'").await.unwrap();
        // CLIENT-27
        assert_eq!(case.link().await["contactPhone"], "+34971000000", "an open link has it");
        let before = call_back(&app.assistance, &case.hash).await.unwrap().phone;
        case.post("conference-close", json!({})).await.ok();
        // CLIENT-45
        let link = case.link().await;
        assert_eq!((&link["state"], &link["expedientNumber"], &link["contactPhone"]), (&json!("closed"), &Value::Null, &Value::Null));
        let shown = call_back(&app.assistance, &case.hash).await.unwrap().phone;
        assert_eq!((before, shown), (Some("+34971000000".to_owned()), None), "nor does the page without script");
        case.client_with(&key, "join", json!({"camera": true, "microphone": true})).await.problem(410, "CONFERENCE_CLOSED");
        case.client_with(&key, "chat", json!({"text": "x"})).await.problem(410, "CONFERENCE_CLOSED");
    }

    // CLIENT-6
    async fn a_client_s_credentials_do_nothing_an_adjuster_does(app) {
        let case = Case::open(app).await;
        let key = case.accept().await;
        let media_token = text(&case.client_with(&key, "join", json!({"camera": true, "microphone": true})).await.ok()["token"]);
        let path = format!("/api/v1/conference-close/{}", case.id);
        for client in [
            app.anonymous().with("x-client-key", &key),
            app.anonymous().with_token(&*key),
            app.anonymous().with_token(&*media_token),
            app.anonymous().with_token(&*case.hash),
        ] {
            let answer = client.post(&path, json!({})).await;
            assert_eq!(answer.status, 401, "{}", String::from_utf8_lossy(&answer.body));
        }
        let staff_media_token = text(&case.opened["token"]);
        app.anonymous().with_token(&*staff_media_token).post(&path, json!({})).await.problem(401, "SESSION_INVALID");
        assert_eq!(case.details().await["conference"]["closed"], false);
    }

    // CLIENT-11
    async fn a_dictated_code_opens_one_conference_once(app) {
        let case = Case::open(app).await;
        let dictate = || async { text(&case.post("conference-code", json!({})).await.ok()["code"]) };
        let redeem = |code: String, n: u8| {
            let client = app.anonymous().from([10, 1, 1, n]);
            async move { client.post("/api/v1/external/code", json!({"code": code})).await }
        };
        let code = dictate().await;
        assert!(code.len() == 12 && code.bytes().all(|b| b.is_ascii_digit()), "{code}");
        let typed = format!(" {} {}-{} {}", &code[..3], &code[3..6], &code[6..9], &code[9..]);
        assert_eq!(redeem(typed, 1).await.ok()["hash"], json!(case.hash));
        redeem(code, 1).await.problem(422, "CODE_INVALID");

        let old = dictate().await;
        let new = dictate().await;
        if old != new {
            redeem(old, 2).await.problem(422, "CODE_INVALID");
        }
        app.advance(TimeDelta::minutes(10));
        redeem(new, 2).await.problem(422, "CODE_INVALID");
        for bad in ["", "12345", "1234567890123", "abcdefabcdef", "' OR 1=1 --"] {
            redeem(bad.to_owned(), 3).await.problem(422, "CODE_INVALID");
        }
    }

    // CLIENT-44
    async fn wrong_codes_are_slowed_and_a_right_one_waits_ten_seconds_at_most(app) {
        let case = Case::open(app).await;
        let code = text(&case.post("conference-code", json!({})).await.ok()["code"]);
        let guess = |code: &str, from: std::net::IpAddr| {
            let (client, body) = (app.anonymous().with_ip(from), json!({"code": code}));
            async move { client.post("/api/v1/external/code", body).await }
        };
        // Neighbouring networks of one site count together.
        let site = |n: u16| std::net::Ipv6Addr::new(0x2001, 0xdb8, 7, n, 0, 0, 0, 1).into();
        for n in 1..=5 {
            guess("000000000000", site(n)).await.problem(422, "CODE_INVALID");
        }
        let mut waiting = Box::pin(guess(&code, site(6)));
        let at_once = tokio::time::timeout(std::time::Duration::from_millis(300), &mut waiting).await;
        assert!(at_once.is_err(), "the sixth waits");
        let refused = guess(&code, site(7)).await;
        refused.problem(429, "TOO_MANY_TRIES");
        assert_eq!(refused.headers["retry-after"], "10");
        drop(waiting);
        app.advance(TimeDelta::seconds(10));
        assert_eq!(guess(&code, site(8)).await.ok()["hash"], json!(case.hash));
        // Many networks at once open the breaker: each has one try, and a right code from elsewhere passes.
        let code = text(&case.post("conference-code", json!({})).await.ok()["code"]);
        let flood = (1..=60_u8).map(|n| guess("000000000000", [10, 9, 0, n].into()));
        assert!(futures::future::join_all(flood).await.iter().all(|answer| answer.status == 422));
        let second = tokio::time::timeout(std::time::Duration::from_millis(300), guess(&code, [10, 9, 0, 1].into())).await;
        assert!(second.is_err(), "the second wrong guess of a network waits");
        assert_eq!(guess(&code, [10, 9, 1, 1].into()).await.ok()["hash"], json!(case.hash));
    }

    // CLIENT-10, CLIENT-23
    async fn leaving_and_coming_back_by_the_same_link(app) {
        let case = Case::open(app).await;
        let key = case.accept().await;
        let join = || async { case.client_with(&key, "join", json!({"camera": true, "microphone": true})).await.ok() };
        let first = join().await;
        case.client_with(&key, "leave", json!({})).await.expect(204);
        assert_eq!(join().await["identity"], first["identity"], "a device stays the same participant");
        let battery_died = case.accept().await;
        let second = case.client_with(&battery_died, "join", json!({"camera": true, "microphone": true})).await.ok();
        assert_ne!(second["identity"], first["identity"]);
    }

    async fn bodies_of_the_client_are_checked(app) {
        let case = Case::open(app).await;
        let path = format!("/api/v1/external/{}/track", case.hash);
        let send = |kind, body: &'static str| {
            let (client, path) = (app.anonymous(), path.clone());
            async move { client.send_body(Method::POST, &path, kind, body).await }
        };
        send(Some("application/json"), "{").await.problem(400, "MALFORMED_JSON");
        send(None, "{}").await.problem(415, "JSON_CONTENT_TYPE_REQUIRED");
        send(Some("application/json"), "{}").await.problem(422, "INVALID_FIELDS");
        let huge = json!({"type": "LINK_OPENED", "data": {"x": "y".repeat(300_000)}});
        case.client("track", huge).await.problem(413, "BODY_TOO_LARGE");
    }
}

const DEVICES: fn() -> Value = || json!({"camera": true, "microphone": true});

/// The first phone is in the call; answers its key and identity.
async fn first_inside(case: &Case<'_>) -> (String, String) {
    let key = case.accept().await;
    let joined =
        case.client_with(&key, "join", json!({"camera": true, "microphone": true, "device": "iPhone · Safari"})).await.ok();
    let identity = text(&joined["identity"]);
    case.room_starts("RM_1").await;
    case.joins(&identity, "PA_first").await;
    (key, identity)
}

/// A second phone asks and waits; answers its key and identity.
async fn second_waits(case: &Case<'_>) -> (String, String) {
    let key = case.accept().await;
    let asked = json!({"camera": true, "microphone": true, "device": "iPhone · Safari"});
    let answer = case.client_with(&key, "join", asked).await;
    answer.expect(202);
    assert_eq!(answer.json(), json!({"door": "waiting"}), "no token, nothing of the call");
    let waiting = case.details().await["waiting"].clone();
    assert_eq!((waiting.as_array().map(Vec::len), &waiting[0]["device"]), (Some(1), &json!("iPhone · Safari (2)")));
    (key, text(&waiting[0]["identity"]))
}

async fn decide(case: &Case<'_>, identity: &str, decision: &str) {
    case.post("conference-admit", json!({"identity": identity, "decision": decision})).await.expect(204);
}

both_engines! {
    // CLIENT-40, CLIENT-41
    async fn a_second_device_waits_and_enters_when_the_first_has_left(app) {
        let case = Case::open(app).await;
        let (first_key, first) = first_inside(&case).await;
        let (second_key, _) = second_waits(&case).await;
        case.client_with(&second_key, "chat", json!({"text": "Hola"})).await.problem(403, "DEVICE_AT_DOOR");
        case.capture(&second_key, &json!({"method": "takePhoto"}), &crate::support::png()).await.problem(403, "DEVICE_AT_DOOR");
        // A reload is the same device, whatever waits.
        assert_eq!(case.client_with(&first_key, "join", DEVICES()).await.ok()["identity"], json!(first));
        case.leaves(&first, "PA_first").await;
        // It may be loading its page anew.
        app.advance(TimeDelta::milliseconds(4_999));
        case.client_with(&second_key, "join", DEVICES()).await.expect(202);
        app.advance(TimeDelta::milliseconds(1));
        let entered = case.client_with(&second_key, "join", DEVICES()).await.ok();
        case.joins(&text(&entered["identity"]), "PA_second").await;
        assert_eq!(case.details().await["waiting"], json!([]));
        // The first comes back: now it is the one that waits.
        case.client_with(&first_key, "join", DEVICES()).await.expect(202);
        let people = case.details().await["participants"].clone();
        let devices: Vec<_> = people.as_array().unwrap().iter().map(|one| text(&one["device"])).collect();
        assert_eq!(devices, ["iPhone · Safari", "iPhone · Safari (2)"]);
    }

    // CLIENT-40
    async fn a_device_that_the_adjuster_lets_in_keeps_its_place_while_it_connects(app) {
        let case = Case::open(app).await;
        let (_, first) = first_inside(&case).await;
        let (second_key, second) = second_waits(&case).await;
        decide(&case, &second, "replace").await;
        case.leaves(&first, "PA_first").await;
        // Nobody is in the media room, yet the place is taken.
        let third_key = case.accept().await;
        app.advance(TimeDelta::seconds(14));
        case.client_with(&third_key, "join", DEVICES()).await.expect(202);
        case.client_with(&second_key, "join", DEVICES()).await.ok();
        app.advance(TimeDelta::seconds(1));
        case.client_with(&third_key, "join", DEVICES()).await.ok();
    }

    // STORE-22, PHOTO-1
    async fn each_picture_names_the_device_that_took_it(app) {
        let case = Case::open(app).await;
        let (first_key, _) = first_inside(&case).await;
        let (second_key, second) = second_waits(&case).await;
        decide(&case, &second, "admit").await;
        case.client_with(&second_key, "join", DEVICES()).await.ok();
        case.joins(&second, "PA_second").await;
        for key in [&first_key, &second_key] {
            app.advance(TimeDelta::seconds(1));
            case.capture(key, &json!({"method": "takePhoto"}), &crate::support::png()).await.ok();
        }
        app.advance(TimeDelta::seconds(1));
        case.upload("lateral.png", "image/png", &crate::support::png()).await.ok();
        let media = case.staff.get(&format!("/api/v1/conference-media/{}", case.id)).await.ok()["media"].clone();
        let devices: Vec<_> = media.as_array().unwrap().iter().map(|item| item["device"].as_str()).collect();
        assert_eq!(devices, [Some("iPhone · Safari"), Some("iPhone · Safari (2)"), None], "the last is of staff");
        for document in ["photo-report", "print-cert"] {
            let answer = case.staff.get(&format!("/api/v1/{document}/{}", case.id)).await;
            answer.expect(200);
            let said = crate::certificates::tool(app, &answer.body, "pdftotext", &["-raw", "PDF", "-"]);
            let said: String = said.split_whitespace().collect();
            assert!(said.contains("iPhone·Safari(2)"), "{document}: {said}");
        }
    }

    // CLIENT-42
    async fn the_adjuster_decides_who_enters(app) {
        let case = Case::open(app).await;
        let (first_key, first) = first_inside(&case).await;
        let (second_key, second) = second_waits(&case).await;
        case.post("conference-admit", json!({"identity": first, "decision": "admit"})).await.problem(404, "DEVICE_NOT_WAITING");
        case.post("conference-admit", json!({"identity": second, "decision": "perhaps"})).await.problem(422, "INVALID_FIELDS");
        decide(&case, &second, "refuse").await;
        case.client_with(&second_key, "join", DEVICES()).await.problem(403, "DEVICE_REFUSED");
        case.client_with(&second_key, "chat", json!({"text": "Hola"})).await.problem(403, "DEVICE_AT_DOOR");
        assert_eq!(case.details().await["waiting"], json!([]));
        let mut again = DEVICES();
        again["again"] = json!(true);
        case.client_with(&second_key, "join", again).await.expect(202);
        decide(&case, &second, "admit").await;
        case.client_with(&second_key, "join", DEVICES()).await.ok();
        case.joins(&second, "PA_second").await;
        case.client_with(&second_key, "chat", json!({"text": "Hola"})).await.ok();
        case.client_with(&first_key, "join", DEVICES()).await.ok();
        let third_key = case.accept().await;
        case.client_with(&third_key, "join", DEVICES()).await.expect(202);
        let third = text(&case.details().await["waiting"][0]["identity"]);
        decide(&case, &third, "replace").await;
        case.client_with(&third_key, "join", DEVICES()).await.ok();
        case.client_with(&first_key, "join", DEVICES()).await.expect(202);
        let tracks: Vec<_> = case.tracks().await.into_iter().filter(|name| name.starts_with("DEVICE_")).collect();
        let expected = ["WAITING", "REFUSED", "WAITING", "ADMITTED", "WAITING", "REPLACED", "WAITING"];
        assert_eq!(tracks, expected.map(|name| format!("DEVICE_{name}")));
    }

    // CLIENT-42
    async fn a_waiting_device_that_goes_away_is_forgotten(app) {
        let case = Case::open(app).await;
        let (_, _) = first_inside(&case).await;
        let (second_key, second) = second_waits(&case).await;
        case.client_with(&second_key, "leave", json!({})).await.expect(204);
        assert_eq!(case.details().await["waiting"], json!([]));
        case.client_with(&second_key, "join", DEVICES()).await.expect(202);
        app.advance(TimeDelta::seconds(10));
        case.client_with(&second_key, "join", DEVICES()).await.expect(202);
        app.advance(TimeDelta::seconds(10));
        assert_eq!(door::forget_lost(&app.assistance).await.unwrap(), 0, "it has just asked");
        app.advance(TimeDelta::seconds(6));
        assert_eq!(case.details().await["waiting"], json!([]));
        assert_eq!(door::forget_lost(&app.assistance).await.unwrap(), 1);
        case.post("conference-admit", json!({"identity": second, "decision": "admit"})).await.problem(404, "DEVICE_NOT_WAITING");
    }

    // CLIENT-43
    async fn an_older_token_does_not_pass_the_door(app) {
        let case = Case::open(app).await;
        let (_, first) = first_inside(&case).await;
        let (second_key, second) = second_waits(&case).await;
        decide(&case, &second, "replace").await;
        case.leaves(&first, "PA_first").await;
        case.client_with(&second_key, "join", DEVICES()).await.ok();
        case.joins(&second, "PA_second").await;
        let before = case.details().await["participants"].clone();
        case.joins(&first, "PA_first_again").await;
        assert_eq!(case.details().await["participants"], before, "it was never there");
    }

    // EVID-30
    async fn the_permissions_shown_are_those_of_the_device_in_the_call(app) {
        let case = Case::open(app).await;
        let step = |name: &str| json!({"type": name, "data": {"permission": "camera", "reason": "CAMERA_DENIED"}});
        let key = case.accept().await;
        case.client_with(&key, "track", step("PERMISSION_GRANTED")).await.expect(204);
        let identity = text(&case.client_with(&key, "join", DEVICES()).await.ok()["identity"]);
        case.joins(&identity, "PA_1").await;
        let other = case.accept().await;
        case.client_with(&other, "track", step("PERMISSION_DENIED")).await.expect(204);
        let steps = case.details().await["progress"]["steps"].clone();
        let permissions = steps.as_array().unwrap().iter().find(|one| one["step"] == "permissions").unwrap().clone();
        assert_eq!((&permissions["state"], &permissions["detail"]["camera"]), (&json!("done"), &json!("granted")));
    }
}
