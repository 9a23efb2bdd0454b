//! One migration per file, never edited once it has landed; breaking changes expand first and contract later.

use sea_orm_migration::prelude::*;

mod m0001_companies;
mod m0002_sessions;
mod m0003_jobs;
mod m0004_content;
mod m0005_conferences;
mod m0006_media;
mod m0007_accounts;
mod m0008_company_cif;
mod m0009_search_keys;
mod m0010_conference_lists;
mod m0011_media_review;
mod m0012_client_files;
mod m0013_certificates;
mod m0014_retention;
mod m0015_reviews;
mod m0016_sockets;
mod m0017_notifications;
mod m0018_push;
mod m0019_video_calls;
mod m0020_terms;
mod m0021_invoices;
mod m0022_verifactu;
mod m0023_sepa;
mod m0024_incidences;
mod m0025_messaging;
mod m0026_marketing;
mod m0027_webhooks;
mod m0028_billing_notices;
mod m0029_sms_ceilings;
mod m0030_devices_at_the_door;
mod m0031_places;
mod m0032_chat_phrases;
mod m0033_trust;
mod m0034_proofs;
mod m0035_evidence_keys;
mod m0036_changes;
mod m0037_payment_proposals;
mod m0038_amendments;
mod m0040_media_routes;
mod m0041_audit_chain;
mod m0043_drawings;
mod m0044_evidence_days;
mod m0045_changed_keys;
mod m0046_fiscal;
mod m0047_conference_search;
mod m0048_before_the_call;
mod m0049_forgotten_keys;
mod m0050_verifactu_faults;
mod m0051_abroad;
mod m0052_blocked_data;
mod m0053_measures;
mod m0055_einvoices;
mod m0056_device_keys;
mod m0058_connections;
mod tables;

/// The list of migrations, in order.
pub struct Migrator;

#[async_trait::async_trait]
impl MigratorTrait for Migrator {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        let all: Vec<Box<dyn MigrationTrait>> = vec![
            Box::new(m0001_companies::Migration),
            Box::new(m0002_sessions::Migration),
            Box::new(m0003_jobs::Migration),
            Box::new(m0004_content::Migration),
            Box::new(m0005_conferences::Migration),
            Box::new(m0006_media::Migration),
            Box::new(m0007_accounts::Migration),
            Box::new(m0008_company_cif::Migration),
            Box::new(m0009_search_keys::Migration),
            Box::new(m0010_conference_lists::Migration),
            Box::new(m0011_media_review::Migration),
            Box::new(m0012_client_files::Migration),
            Box::new(m0013_certificates::Migration),
            Box::new(m0014_retention::Migration),
            Box::new(m0015_reviews::Migration),
            Box::new(m0016_sockets::Migration),
            Box::new(m0017_notifications::Migration),
            Box::new(m0018_push::Migration),
            Box::new(m0019_video_calls::Migration),
            Box::new(m0020_terms::Migration),
            Box::new(m0021_invoices::Migration),
            Box::new(m0022_verifactu::Migration),
            Box::new(m0023_sepa::Migration),
            Box::new(m0024_incidences::Migration),
            Box::new(m0025_messaging::Migration),
            Box::new(m0026_marketing::Migration),
            Box::new(m0027_webhooks::Migration),
            Box::new(m0028_billing_notices::Migration),
            Box::new(m0029_sms_ceilings::Migration),
            Box::new(m0030_devices_at_the_door::Migration),
            Box::new(m0031_places::Migration),
            Box::new(m0032_chat_phrases::Migration),
            Box::new(m0033_trust::Migration),
            Box::new(m0034_proofs::Migration),
            Box::new(m0035_evidence_keys::Migration),
            Box::new(m0036_changes::Migration),
            Box::new(m0037_payment_proposals::Migration),
            Box::new(m0038_amendments::Migration),
            Box::new(m0040_media_routes::Migration),
            Box::new(m0041_audit_chain::Migration),
            Box::new(m0043_drawings::Migration),
            Box::new(m0044_evidence_days::Migration),
            Box::new(m0045_changed_keys::Migration),
            Box::new(m0046_fiscal::Migration),
            Box::new(m0047_conference_search::Migration),
            Box::new(m0048_before_the_call::Migration),
            Box::new(m0049_forgotten_keys::Migration),
            Box::new(m0050_verifactu_faults::Migration),
            Box::new(m0051_abroad::Migration),
            Box::new(m0052_blocked_data::Migration),
            Box::new(m0053_measures::Migration),
            Box::new(m0055_einvoices::Migration),
            Box::new(m0056_device_keys::Migration),
            Box::new(m0058_connections::Migration),
        ];
        all.into_iter().map(|migration| Box::new(Whole(migration)) as Box<dyn MigrationTrait>).collect()
    }
}

/// A migration that is done as a whole or not at all, with the note that it is done, on SQLite as on PostgreSQL: after a crash in its
/// middle the next start begins it anew (DEEP-8).
struct Whole(Box<dyn MigrationTrait>);

impl MigrationName for Whole {
    fn name(&self) -> &str {
        self.0.name()
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Whole {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        self.0.up(manager).await
    }

    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sea_orm::{ConnectionTrait, Database};

    struct Half;

    impl MigrationName for Half {
        fn name(&self) -> &str {
            "half"
        }
    }

    #[async_trait::async_trait]
    impl MigrationTrait for Half {
        async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
            manager.get_connection().execute_unprepared("CREATE TABLE first_half (id int)").await?;
            Err(DbErr::Custom("the machine stops here".into()))
        }
    }

    struct Stopped;

    impl MigratorTrait for Stopped {
        fn migrations() -> Vec<Box<dyn MigrationTrait>> {
            vec![Box::new(Whole(Box::new(Half)))]
        }
    }

    // DEEP-8
    #[tokio::test]
    async fn a_migration_that_stops_in_the_middle_leaves_nothing_behind() {
        let mut options = sea_orm::ConnectOptions::new("sqlite::memory:");
        let db = Database::connect(options.max_connections(1).to_owned()).await.expect("in memory");
        for _ in 0..2 {
            let error = Stopped::up(&db, None).await.expect_err("it stops");
            assert!(error.to_string().contains("the machine stops here"), "the second time as the first: {error}");
        }
        assert!(db.execute_unprepared("SELECT id FROM first_half").await.is_err(), "no half of a schema");
        assert_eq!(Stopped::get_pending_migrations(&db).await.expect("answered").len(), 1);
        let every = Migrator::migrations();
        assert!(every.iter().all(|migration| migration.use_transaction() == Some(true)));
    }
}
