//! The clock jumps: back a day, as after a wrong time server was corrected, and ahead a year, as after a long sleep.

use crate::client_files::{Asked, hold};
use crate::second_factor::{code, enrol};
use crate::support::{Case, png, text};
use atalaya_kernel::Role;
use atalaya_testkit::{Answer, Client, PASSWORD, Person, TestApp, both_engines};
use chrono::TimeDelta;
use serde_json::{Value, json};

const DAY: TimeDelta = TimeDelta::days(1);
const YEAR: TimeDelta = TimeDelta::days(365);
const NEW: &str = "tejado rojo bajo la lluvia";

async fn log_in(app: &TestApp, person: &Person, password: &str) -> Answer {
    app.anonymous().post("/api/v1/login", json!({"userName": person.user_name, "password": password, "login": true})).await
}

async fn recovery_token(app: &TestApp, person: &Person) -> String {
    app.anonymous().post("/api/v1/remember-email", json!({"email": person.user_name})).await.expect(204);
    let sent = app.as_role(Role::Admin).await.get(&format!("/api/v1/outbox?to={}", person.user_name)).await.ok();
    text(&sent["outbox"][0]["link"]).rsplit('/').next().expect("a token").to_owned()
}

async fn change(app: &TestApp, token: &str) -> Answer {
    app.anonymous().put("/api/v1/change-password", json!({"change": {"token": token, "password": NEW}})).await
}

async fn is_alive(client: &Client) -> bool {
    client.get("/api/v1/me").await.status == 200
}

/// Every recurring task that deletes, ends or reminds.
async fn run_everything(app: &TestApp) {
    atalaya_identity::tasks::sweep(&app.identity).await.expect("the sweep");
    atalaya_privacy::erasures::expiry::run(&app.privacy).await.expect("the retention");
    atalaya_client_files::jobs::run(&app.assistance).await.expect("the requests for files");
    atalaya_assistance::video_call_requests::jobs::run(&app.assistance).await.expect("the requests for calls");
    atalaya_assistance::call_page::closing::close_idle(&app.assistance).await.expect("the closing");
    atalaya_bank_files::run_daily(&app.billing).await.expect("the daily work of billing");
}

both_engines! {
    // CLOCK-1, AUTH-5
    async fn a_clock_set_back_locks_nobody_out_for_a_day(app) {
        let person = app.person(Role::Worker).await;
        for _ in 0..5 {
            log_in(app, &person, "otra").await.problem(422, "LOGIN_INCORRECT");
        }
        log_in(app, &person, PASSWORD).await.problem(429, "LOGIN_LOCKED");
        app.advance(-DAY);
        log_in(app, &person, PASSWORD).await.ok();
        // And a lock counts again, its own time.
        for _ in 0..5 {
            log_in(app, &person, "otra").await.problem(422, "LOGIN_INCORRECT");
        }
        let locked = log_in(app, &person, PASSWORD).await;
        locked.problem(429, "LOGIN_LOCKED");
        assert_eq!(locked.header("retry-after"), Some("900"));
        app.advance(TimeDelta::minutes(15));
        log_in(app, &person, PASSWORD).await.ok();
        // What the other day's clock wrote locks nobody when that day comes.
        app.advance(DAY);
        log_in(app, &person, PASSWORD).await.ok();
    }

    // CLOCK-2, SESSION-3, SESSION-8
    async fn ended_sessions_stay_ended_and_none_outlives_a_year(app) {
        let person = app.person(Role::Worker).await;
        let (ended, alive, quiet) = (app.log_in(&person).await, app.log_in(&person).await, app.log_in(&person).await);
        ended.post("/api/v1/logout", json!({})).await.expect(204);
        for jump in [-DAY, DAY] {
            app.advance(jump);
            assert!(!is_alive(&ended).await, "after {jump}");
        }
        assert!(is_alive(&alive).await, "the clock is where it was");
        app.advance(YEAR);
        assert!(!is_alive(&alive).await);
        run_everything(app).await;
        app.advance(-YEAR);
        // The process may keep the one that was asked for ten seconds of its own; this one was never asked before.
        assert!(!is_alive(&quiet).await && !is_alive(&ended).await, "what was swept does not come back");
        assert!(is_alive(&app.log_in(&person).await).await);
    }

    // CLOCK-5
    async fn a_token_of_a_clock_that_was_ahead_opens_nothing_once_it_is_right(app) {
        let person = app.person(Role::Worker).await;
        // Nodes need not agree to the second.
        app.advance(TimeDelta::minutes(5));
        let near = app.log_in(&person).await;
        app.advance(TimeDelta::minutes(-5));
        assert!(is_alive(&near).await);
        app.advance(YEAR);
        let ahead = app.log_in(&person).await;
        assert!(is_alive(&ahead).await);
        app.advance(-YEAR);
        ahead.get("/api/v1/me").await.problem(401, "SESSION_EXPIRED");
        app.advance(TimeDelta::days(29));
        ahead.get("/api/v1/me").await.problem(401, "SESSION_EXPIRED");
        assert!(is_alive(&app.log_in(&person).await).await);
    }

    // CLOCK-2, RECOVER-3, LINK-4
    async fn a_used_link_stays_used_and_an_old_one_old(app) {
        let person = app.person(Role::Worker).await;
        let used = recovery_token(app, &person).await;
        change(app, &used).await.expect(204);
        app.advance(-DAY);
        change(app, &used).await.problem(422, "TOKEN_USED");
        app.advance(DAY + TimeDelta::minutes(5));
        let old = recovery_token(app, &person).await;
        app.advance(YEAR);
        change(app, &old).await.problem(422, "TOKEN_EXPIRED");
        run_everything(app).await;
        app.advance(-YEAR);
        change(app, &old).await.problem(422, "TOKEN_INVALID");
        change(app, &used).await.expect(422);
        log_in(app, &person, NEW).await.ok();
    }

    // CLOCK-2, CLIENT-11, CASE-10
    async fn a_conference_s_codes_and_link_expire_whatever_the_clock_did_before(app) {
        let case = Case::open(app).await;
        let redeem = async |code: &str| app.anonymous().post("/api/v1/external/code", json!({"code": code})).await;
        let spent = text(&case.post("conference-code", json!({})).await.ok()["code"]);
        redeem(&spent).await.ok();
        let kept = text(&case.post("conference-code", json!({})).await.ok()["code"]);
        app.advance(-DAY);
        redeem(&spent).await.problem(422, "CODE_INVALID");
        assert_eq!(case.link().await["state"], "open");
        app.advance(DAY + YEAR);
        redeem(&kept).await.problem(422, "CODE_INVALID");
        assert_eq!(case.link().await["state"], "expired");
        case.client("track", json!({"type": "LINK_OPENED"})).await.problem(410, "LINK_EXPIRED");
        run_everything(app).await;
        app.advance(-YEAR);
        let state = case.link().await["state"].clone();
        assert_ne!(state, "open", "it was closed meanwhile");
    }

    // CLOCK-2, FACTOR-3, FACTOR-5
    async fn a_code_of_a_day_lived_twice_is_refused_and_a_recovery_code_opens(app) {
        let me = enrol(app, app.person(Role::Worker).await).await;
        let waiting = async || {
            let token = text(&log_in(app, &me.person, PASSWORD).await.ok()["token"]);
            app.anonymous().with_token(token)
        };
        let body = |code: &str| json!({"userId": me.person.id, "token": code});
        let used = code(app, &me.secret, 0);
        waiting().await.post("/api/v1/verify2fa", body(&used)).await.ok();
        app.advance(-DAY);
        waiting().await.post("/api/v1/verify2fa", body(&used)).await.problem(422, "CODE_INVALID");
        waiting().await.post("/api/v1/verify2fa", body(&me.recovery[0])).await.ok();
        app.advance(DAY);
        waiting().await.post("/api/v1/verify2fa", body(&used)).await.problem(422, "CODE_INVALID");
        app.advance(TimeDelta::seconds(60));
        waiting().await.post("/api/v1/verify2fa", body(&code(app, &me.secret, 0))).await.ok();
    }

    // CLOCK-3, EVID-3
    async fn the_chain_stays_whole(app) {
        let mut case = Case::open(app).await;
        case.client("track", json!({"type": "LINK_OPENED"})).await.expect(204);
        for jump in [-DAY, YEAR, -YEAR, DAY] {
            app.advance(jump);
            case.log_in_again().await;
            let chat = format!("/api/v1/conference-chat/{}", case.id);
            let answer = case.staff.post(&chat, json!({"text": "Hola"})).await;
            assert!(answer.status < 500, "{}", String::from_utf8_lossy(&answer.body));
            crate::evidence::verified(app, &case).await.expect("the chain is whole");
        }
    }

    // CLOCK-4, RETAIN-7, FILES-15
    async fn after_a_year_everything_due_is_done_and_nothing_else(app) {
        let asked = Asked::new(app, json!({})).await;
        let picture = png();
        let media = asked.upload(0, "foto.png", "image/png", &picture).await;
        let media = media.header("upload-media").expect("a media item").to_owned();
        let open = Case::open(app).await;
        hold(&open, 60).await;
        app.advance(YEAR);
        for _ in 0..2 {
            run_everything(app).await;
        }
        let staff = app.log_in(&asked.case.owner).await;
        let list = staff.get(&format!("/api/v1/conference-media/{}", asked.case.id)).await.ok()["media"].clone();
        let kept: Vec<&Value> = list.as_array().expect("a list").iter().filter(|one| one["_id"] == json!(media)).collect();
        assert_eq!(kept.len(), 1, "no retention is set: nothing is deleted");
        crate::evidence::verified(app, &asked.case).await.expect("the chain is whole");
        // Back again, and once more: what was done is not done twice.
        app.advance(-YEAR);
        run_everything(app).await;
        crate::evidence::verified(app, &asked.case).await.expect("the chain is whole");
        let staff = app.log_in(&asked.case.owner).await;
        staff.get(&format!("/api/v1/conferences-details/{}", asked.case.id)).await.ok();
    }
}
