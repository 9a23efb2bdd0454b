//! Incidences of the demo data: one in each status, with answers, a note and an image.

use crate::incidences::IncidenceError;
use crate::incidences::model::{IncidenceChange, SendIncidence};
use crate::incidences::service;
use crate::{Parts, Records};
use atalaya_assistance::demo;
use atalaya_cases::conferences::{Conference, Scope};
use atalaya_cases::lists::{self, Filter, SortBy};
use atalaya_kernel::IncidenceId;
use atalaya_kernel::sources::ManualClock;
use atalaya_rest::caller::Caller;
use atalaya_rest::page::{Slice, Sort};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use chrono::TimeDelta;
use serde_json::{Value, json};
use std::sync::Arc;

const SCREEN: &[u8] = include_bytes!("../../assistance/src/demo/media/suelo.jpg");
const AGENT: &str =
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36";

/// Who did what, so many hours after the incidence was sent.
enum Act {
    Admin(i64, Value),
    Author(i64, Value),
}

/// Makes the incidences: of these two workers of the example customer and this workshop, answered by this administrator.
pub async fn seed_incidences(
    deps: &Records,
    admin: &Caller,
    workers: [&Caller; 2],
    workshop: &Caller,
) -> Result<(), IncidenceError> {
    let [ana, luis] = workers;
    let stuck = json!({"type": 2, "reason": 3, "phoneNumber": "+34600123221",
        "comments": "Dos clientes de hoy no han recibido el SMS con el enlace. Les hemos mandado el correo."});
    play(
        deps,
        (luis, admin),
        118,
        stuck,
        &[
            Act::Admin(2, json!({"status": 2, "note": "El proveedor tuvo una caída de 10:40 a 11:15."})),
            Act::Admin(
                3,
                json!({"answer": "El operador tuvo una avería entre las 10:40 y las 11:15. Ya está resuelta.", "status": 4}),
            ),
        ],
    )
    .await?;
    let place = json!({"type": 2, "reason": 4, "expedientId": "2026-118040",
        "comments": "La posición del cliente salía a varias calles de distancia."});
    play(deps, (ana, admin), 97, place, &[
        Act::Admin(4, json!({"status": 2})),
        Act::Admin(20, json!({"answer": "El teléfono solo tenía la posición aproximada. Pida al cliente que active la precisa.", "status": 4})),
        Act::Author(44, json!({"answer": "Nos ha vuelto a pasar con otro cliente que sí la tenía activada."})),
    ]).await?;
    if let Some(conference) = newest_of(deps, ana).await? {
        let image = json!({"src": format!("data:image/jpeg;base64,{}", STANDARD.encode(SCREEN)), "name": "pantalla.jpg"});
        let frozen = json!({"type": 1, "reason": 2, "conferenceId": conference.id, "network": {"type": "4g", "rtt": 180},
            "browser": {"language": "es-ES", "screen": "1920×1080"},
            "comments": "El vídeo del cliente se quedó congelado un par de veces y tuvimos que pedirle que volviera a entrar."});
        let hours = (deps.sources.now() - conference.created_at).num_hours().clamp(4, 23);
        play_with(
            deps,
            (ana, admin),
            hours - 1,
            (frozen, json!([image])),
            &[
                Act::Admin(1, json!({"status": 2, "note": "Mirar las reconexiones de esta conferencia."})),
                Act::Admin(
                    2,
                    json!({"answer": "Lo estamos revisando. ¿Sabe si el cliente estaba con datos móviles o con wifi?"}),
                ),
            ],
        )
        .await?;
    }
    let deaf = json!({"type": 2, "reason": 1, "comments": "En la última videollamada el perito nos oía con eco. Usamos un altavoz de mesa."});
    play(deps, (workshop, admin), 2, deaf, &[]).await
}

async fn newest_of(deps: &Records, worker: &Caller) -> Result<Option<Conference>, IncidenceError> {
    let filter = Filter {
        scope: Scope::of(worker),
        role: worker.role,
        company: None,
        conference_type: None,
        range: None,
        user: None,
        state: None,
        ids: None,
        search: String::new(),
    };
    let sort = Sort { field: SortBy::CreatedAt, descending: true };
    let found = lists::list(deps.db.read(), &filter, sort, Slice { offset: 0, limit: 1 }).await?;
    Ok(found.into_iter().next())
}

async fn play(
    deps: &Records,
    people: (&Caller, &Caller),
    hours_ago: i64,
    incidence: Value,
    acts: &[Act],
) -> Result<(), IncidenceError> {
    play_with(deps, people, hours_ago, (incidence, json!([])), acts).await
}

/// The same context under another clock, see [`demo::under`].
fn under(clock: &Arc<ManualClock>, deps: &Records) -> Records {
    Records::new(Parts { assistance: demo::under(clock, deps), ..Parts::clone(deps) })
}

/// Makes one under a clock of the past.
async fn play_with(
    deps: &Records,
    (author, admin): (&Caller, &Caller),
    hours_ago: i64,
    (incidence, files): (Value, Value),
    acts: &[Act],
) -> Result<(), IncidenceError> {
    let begin = deps.sources.now() - TimeDelta::hours(hours_ago);
    let clock: Arc<ManualClock> = ManualClock::at(begin);
    let deps = under(&clock, deps);
    let body: SendIncidence = serde_json::from_value(json!({"incidence": incidence, "files": files})).expect("a good form");
    let made = service::send(&deps, author, body.check()?, &body.files, Some(AGENT.to_owned())).await?;
    for act in acts {
        let (by, hours, wish) = match act {
            Act::Admin(hours, wish) => (admin, hours, wish),
            Act::Author(hours, wish) => (author, hours, wish),
        };
        clock.set(begin + TimeDelta::hours(*hours));
        let mut wish = wish.clone();
        wish["_id"] = json!(IncidenceId(made.id));
        let wish: IncidenceChange = serde_json::from_value(wish).expect("a good change");
        let (id, change) = wish.check()?;
        service::change(&deps, by, id, change, &wish.files).await?;
    }
    Ok(())
}
