//! The producer's statement of compliance: points a to l of art. 15 of Orden HAC/1177/2024, in their order.

use super::{SYSTEM_ID, SYSTEM_NAME, SYSTEM_VERSION, VerifactuSettings};
use crate::{Billing, BillingResult};
use atalaya_einvoice::verifactu::Person;
use atalaya_kernel::Language;

/// The text of each point; an empty one is not configured yet. `issuer` is the producer unless another is configured.
pub fn points(settings: &VerifactuSettings, issuer: Option<&Person>, language: Language) -> Vec<(char, String)> {
    let t = |es: &str, en: &str| if language == Language::En { en.to_owned() } else { es.to_owned() };
    let producer = settings.producer.as_ref().or(issuer);
    let texts = [
        SYSTEM_NAME.to_owned(),
        SYSTEM_ID.to_owned(),
        SYSTEM_VERSION.to_owned(),
        t(
            "Programa de servidor con base de datos (SQLite o PostgreSQL) y aplicación web. Calcula y expide las facturas mensuales del \
             servicio de videoasistencia, genera en la misma operación el registro de alta o de anulación encadenado por su huella, lo \
             conserva sin posibilidad de cambio, lo remite a la Agencia Tributaria e imprime el código QR en la factura. Funciona en un \
             equipo con Linux; no necesita otros componentes físicos.",
            "Server program with a database (SQLite or PostgreSQL) and a web application. It calculates and issues the monthly invoices \
             of the video assistance service, makes in the same operation the record of issue or annulment, chained by its hash, keeps it \
             unchangeable, sends it to the tax agency and prints the QR code on the invoice. It runs on a machine with Linux and needs \
             no other physical components.",
        ),
        t(
            "Sí. Solo puede funcionar como VERI*FACTU: todos los registros se destinan a su remisión a la Agencia Tributaria.",
            "Yes. It only works as VERI*FACTU: every record is made to be sent to the tax agency.",
        ),
        t(
            "No. Cada instalación sirve a un solo obligado tributario: la empresa que explota la plataforma.",
            "No. Each installation serves one taxpayer only: the company that runs the platform.",
        ),
        t(
            "No se firman los registros: al remitirse todos a la Agencia Tributaria no es exigible. Cada registro lleva su huella SHA-256 \
             encadenada con la del anterior.",
            "Records are not signed: this is not required as all of them are sent to the tax agency. Each carries its SHA-256 hash, \
             chained to that of the record before.",
        ),
        producer.map(|producer| producer.name.clone()).unwrap_or_default(),
        producer.map(|producer| producer.nif.clone()).unwrap_or_default(),
        settings.producer_contact.clone().unwrap_or_default(),
        t(
            "El productor declara que este sistema informático, en la versión indicada, cumple lo dispuesto en el artículo 29.2.j) de la Ley \
             58/2003, General Tributaria, en el Reglamento aprobado por el Real Decreto 1007/2023, en la Orden HAC/1177/2024 y en las \
             especificaciones que la Agencia Tributaria publica en su sede electrónica.",
            "The producer declares that this system, in the version given, complies with article 29.2.j) of Ley 58/2003 General Tributaria, \
             the regulation approved by Real Decreto 1007/2023, Orden HAC/1177/2024 and the specifications that the tax agency publishes \
             in its electronic office.",
        ),
        settings.declared.clone().unwrap_or_default(),
    ];
    ('a'..='l').zip(texts).collect()
}

/// The platform's own company, which issues; `None` while its name or NIF is missing.
pub async fn platform(d: &Billing) -> BillingResult<Option<Person>> {
    let platform = atalaya_identity::companies::service::platform(&d.identity).await?;
    Ok(platform.and_then(|company| Some(Person { nif: company.cif.filter(|cif| !cif.is_empty())?, name: company.name })))
}
