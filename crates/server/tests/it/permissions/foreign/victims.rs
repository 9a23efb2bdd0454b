//! Everything that other tenants have: something of each kind, its ids, and texts that nobody else may read.

use super::super::world::{Needs, World};
use super::database::{Stored, Tables};
use crate::support::text;
use atalaya_kernel::Role;
use atalaya_testkit::TestApp;
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};

/// Kept once for all, or for everybody: no tenant has a secret here.
const SHARED: &[&str] = &["insurance_company", "customer_insurance", "legal_text", "price", "job", "invoice_run", "evidence_key"];

const NEEDS: &[Needs] = &[
    Needs::Media,
    Needs::Nothing,
    Needs::Repairer,
    Needs::Workshop,
    Needs::Conference,
    Needs::FileRequest,
    Needs::ApiKey,
    Needs::Webhook,
    Needs::Socket,
    Needs::Insurer,
    Needs::VideoCall,
    Needs::Incidence,
    Needs::OwnVideoCall,
];

pub struct Victims {
    worlds: Vec<(Needs, World)>,
    /// One id of every table.
    pub pool: Vec<String>,
    /// Company, user, conference: what most things hang on.
    pub main: Vec<String>,
    /// The ids of everything that is theirs.
    pub ids: BTreeSet<String>,
    /// What is theirs in the database.
    pub rows: BTreeSet<Stored>,
    /// What no other tenant may be told.
    pub secrets: Vec<String>,
    /// What can be looked for.
    pub texts: Vec<String>,
}

impl Victims {
    pub async fn new(app: &TestApp, tables: &Tables) -> Self {
        let platform = app.platform().await.to_string();
        crate::invoices::issuer(app).await;
        let before = tables.read(app).await;
        let worlds = Self::build(app).await;
        let after = tables.read(app).await;
        let new: Vec<&Stored> = after.difference(&before).filter(|row| !SHARED.contains(&row.table.as_str())).collect();
        let mut ids: BTreeSet<String> = new.iter().filter_map(|row| tables.id(row)).collect();
        // Counters of all companies have no company, and administrators who helped to build it are nobody's.
        ids.remove(&platform);
        ids.remove(&uuid::Uuid::nil().to_string());
        for person in new.iter().filter(|row| row.table == "app_user" && tables.names(row, "parent", &platform)) {
            ids.retain(|id| Some(id) != tables.id(person).as_ref());
        }
        let mut first: BTreeMap<&str, String> = BTreeMap::new();
        for row in &new {
            if let Some(id) = tables.id(row) {
                first.entry(row.table.as_str()).or_insert(id);
            }
        }
        let media = &worlds.iter().find(|(needs, _)| *needs == Needs::Media).expect("there is one").1;
        let main = vec![media.owner.company.to_string(), media.owner.id.to_string(), media.conference.clone()];
        let mut pool: BTreeSet<String> = first.into_values().chain(main.clone()).filter(|id| *id != platform).collect();
        for (_, world) in &worlds {
            pool.extend(
                [&world.hash, &world.insurer, &world.video_call, &world.incidence_image]
                    .into_iter()
                    .filter(|id| !id.is_empty())
                    .cloned(),
            );
        }
        pool.insert(format!("user:{}", media.owner.id));
        pool.insert(worlds.iter().find(|(needs, _)| *needs == Needs::Socket).expect("there is one").1.socket());
        let mut secrets: BTreeSet<String> = new.iter().flat_map(|row| tables.uuids(row)).filter(|id| ids.contains(id)).collect();
        secrets.retain(|id| !pool.contains(id));
        for (_, world) in &worlds {
            secrets.insert(world.owner.user_name.clone());
            secrets.extend(
                [&world.expedient, &world.request_token, &world.client_key].into_iter().filter(|one| !one.is_empty()).cloned(),
            );
        }
        let rows = new.into_iter().filter(|row| tables.concerns(row, &ids)).cloned().collect();
        let texts = vec![media.owner.user_name.clone(), media.expedient.clone(), media.owner.id.to_string()];
        Self { worlds, pool: pool.into_iter().collect(), main, ids, rows, secrets: secrets.into_iter().collect(), texts }
    }

    async fn build(app: &TestApp) -> Vec<(Needs, World)> {
        // An invoice of October with its mandate; the tests' day comes after it.
        let (_, principal, _) = crate::invoices::one_invoice(app).await;
        crate::sepa::signed(app, &principal).await;
        app.clock.set(atalaya_testkit::app::start());
        let mut worlds = Vec::new();
        for needs in NEEDS {
            worlds.push((*needs, World::new(app, *needs).await));
        }
        let media = &worlds[0].1;
        let owner = app.log_in(&media.owner).await;
        let note = format!("/api/v1/expedient-notes/{}", media.expedient);
        owner.post(&note, json!({"text": "Llamar el lunes"})).await.ok();
        let chat = format!("/api/v1/conference-chat/{}", media.conference);
        owner.post(&chat, json!({"text": "Hola"})).await.ok();
        crate::passkeys::device_of(app, &media.owner).await;
        crate::push::device_of(app, &media.owner).await;
        let principal = app.person_in(media.owner.company, Role::Customer).await;
        let invitation = json!({"emailOPhone": "invitada@ejemplo.es", "type": 3, "customerId": media.owner.company});
        let client = app.log_in(&principal).await;
        client.post("/api/v1/activation", invitation).await.ok();
        let made = client.post("/api/v1/generate-apiKey", json!({})).await.ok();
        text(&made["apiKey"]);
        let shots = json!({"type": 1, "shots": [{"label": "Techo"}]});
        client.put(&format!("/api/v1/shots/{}", media.owner.company), shots).await.ok();
        worlds
    }

    /// The victim of a row of the table.
    pub fn world(&self, needs: Needs) -> &World {
        &self.worlds.iter().find(|(own, _)| *own == needs).expect("one of each").1
    }
}
