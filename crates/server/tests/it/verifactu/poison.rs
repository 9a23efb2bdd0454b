//! Records on which the office chokes.

use super::{invoiced, queue, records, send, states, with_office};
use crate::support::text;
use atalaya_kernel::Role;
use atalaya_testkit::Engine;
use chrono::TimeDelta;
use sea_orm::ConnectionTrait;
use serde_json::json;

// FACTU-3, FACTU-4
#[tokio::test]
async fn one_poisoned_record_holds_no_other_up() {
    with_office(async |app, office| {
        office.set(|memory| {
            memory.poison.insert("A2026-000002".into());
            memory.loose = true;
        });
        let admin = invoiced(app, 5).await;
        assert_eq!(send(app).await, 1);
        let now = queue(&admin).await;
        assert_eq!(now["lastError"], "VERIFACTU_FAULT");
        assert!(text(&now["lastErrorText"]).contains("Codigo[4102].El XML no cumple el esquema"), "{now}");
        for _ in 0..9 {
            app.advance(TimeDelta::seconds(60));
            send(app).await;
        }
        let all = states(&admin).await;
        for (number, state) in &all {
            let expected = if number == "A2026-000002" { "rejected" } else { "accepted" };
            assert_eq!(state, expected, "{number}");
            // Its own number: the record after it names it too.
            let own =
                format!("<sum1:IDFactura><sum1:IDEmisorFactura>B85626240</sum1:IDEmisorFactura><sum1:NumSerieFactura>{number}<");
            let carried = office.calls().iter().filter(|call| call.contains(&own)).count();
            assert!(number == "A2026-000002" || carried <= 3, "{number}: two refused calls at most, and its own: {carried}");
        }
        let now = queue(&admin).await;
        assert_eq!((&now["pending"], &now["sent"], &now["lastErrorText"]), (&json!(0), &json!(0), &serde_json::Value::Null));

        // The office's words stay with the record, which is put right once the reason is gone.
        let bad = records(&admin, "?search=A2026-000002").await.remove(0);
        assert_eq!((&bad["code"], &bad["resendable"]), (&json!("VERIFACTU_FAULT"), &json!(true)));
        assert!(text(&bad["message"]).contains("Falta informar campo obligatorio"), "{bad}");
        office.set(|memory| memory.poison.clear());
        admin.post(&format!("/api/v1/verifactu-resend/{}", text(&bad["_id"])), json!({})).await.ok();
        app.advance(TimeDelta::seconds(60));
        assert_eq!(send(app).await, 1);
        assert_eq!(records(&admin, "?search=A2026-000002").await[0]["state"], "accepted");
        assert_eq!(office.wrong(), Vec::<String>::new());
    })
    .await;
}

// FACTU-4
#[tokio::test]
async fn a_record_that_the_schema_refuses_stays_here() {
    with_office(async |app, office| {
        office.set(|memory| memory.loose = true);
        let admin = invoiced(app, 3).await;
        let trigger = match app.engine {
            Engine::Postgres => "ALTER TABLE verifactu_record DISABLE TRIGGER USER",
            Engine::Sqlite => "DROP TRIGGER verifactu_record_no_update",
        };
        let spoil = "UPDATE verifactu_record SET xml = REPLACE(xml, '<sum1:NIF>', '<sum1:NIF>ES') WHERE seq = 2";
        for statement in [trigger, spoil] {
            app.db.read().execute_unprepared(statement).await.expect(statement);
        }
        assert_eq!(send(app).await, 1, "the others go at once");
        let all = records(&admin, "").await;
        let of = |seq: i64| all.iter().find(|one| one["seq"] == seq).expect("a record").clone();
        assert_eq!((&of(1)["state"], &of(3)["state"]), (&json!("accepted"), &json!("accepted")));
        assert_eq!(
            (&of(2)["state"], &of(2)["code"], &of(2)["message"]),
            (&json!("rejected"), &json!("VERIFACTU_FLAWED"), &json!("NIF"))
        );
        assert!(of(2)["sentAt"].is_null() && office.calls().len() == 1);
    })
    .await;
}

// FACTU-4
#[tokio::test]
async fn an_office_that_refuses_everything_blames_no_record() {
    with_office(async |app, office| {
        invoiced(app, 4).await;
        office.set(|memory| {
            memory.poison = ["1", "2", "3", "4"].map(|nth| format!("A2026-00000{nth}")).into();
            memory.loose = true;
        });
        for _ in 0..12 {
            send(app).await;
            app.advance(TimeDelta::hours(1));
        }
        let all = states(&app.as_role(Role::Admin).await).await;
        assert_eq!(all.len(), 4);
        assert!(all.iter().all(|(_, state)| state == "sent"), "{all:?}");
        office.set(|memory| memory.poison.clear());
        for _ in 0..6 {
            send(app).await;
            app.advance(TimeDelta::hours(1));
        }
        let all = states(&app.as_role(Role::Admin).await).await;
        assert!(all.iter().all(|(_, state)| state == "accepted"), "{all:?}");
    })
    .await;
}
