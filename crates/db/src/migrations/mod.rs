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
mod tables;

/// The list of migrations, in order.
pub struct Migrator;

#[async_trait::async_trait]
impl MigratorTrait for Migrator {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        vec![
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
        ]
    }
}
