//! The settings of billing.

use super::load::{ConfigError, Reader};
use atalaya_billing::BillingSettings;
use atalaya_billing::remittances::SepaSettings;
use atalaya_billing::verifactu::{Certificate, Mode, Person, VerifactuSettings};

pub(super) fn read(read: &Reader) -> Result<BillingSettings, ConfigError> {
    let invoice_messages = read.required("invoice_messages", "true or false")?;
    Ok(BillingSettings { verifactu: verifactu(read)?, sepa: sepa(read)?, invoice_messages })
}

/// Direct debits.
fn sepa(read: &Reader) -> Result<SepaSettings, ConfigError> {
    let message = read.text("sepa_message").unwrap_or_default();
    let days = |key, most: u32| match read.required::<u32>(key, "a number of days")? {
        days if days <= most => Ok(days),
        _ => Err(read.bad(key, "too many days")),
    };
    let max_returns = read.required("sepa_max_returns", "a number")?;
    if max_returns == 0 {
        return Err(read.bad("sepa_max_returns", "must be at least 1"));
    }
    Ok(SepaSettings {
        version: message.parse().map_err(|why: String| read.bad("sepa_message", &why))?,
        notice_days: days("sepa_notice_days", 60)?,
        lead_days: days("sepa_lead_days", 14)?,
        first_sequence: read.required("sepa_first_sequence", "true or false")?,
        plain_mail: read.required("sepa_plain_mail", "true or false")?,
        unpaid_days: days("sepa_unpaid_days", 3650)?,
        max_returns,
        auto_suspend: read.required("sepa_auto_suspend", "true or false")?,
    })
}

/// Records for the tax office. Sending needs a certificate, so the start fails without one.
fn verifactu(read: &Reader) -> Result<VerifactuSettings, ConfigError> {
    let mode = read.text("verifactu_mode").unwrap_or_default();
    let mode = Mode::parse(&mode).ok_or_else(|| read.bad("verifactu_mode", "expected off, test or production"))?;
    let certificate = certificate(read)?;
    if mode != Mode::Off && certificate.is_none() {
        let why = "needs a certificate: set verifactu_certificate and verifactu_key";
        return Err(read.bad("verifactu_mode", why));
    }
    let trial = read.required("verifactu_trial", "true or false")?;
    if mode == Mode::Production && trial {
        return Err(
            read.bad("verifactu_trial", "made-up customers are not reported to the tax office (verifactu_mode is production)")
        );
    }
    let authorities = file(read, "verifactu_authorities")?;
    if authorities.as_ref().is_some_and(|pem| !pem.contains("-----BEGIN CERTIFICATE-----")) {
        return Err(read.bad("verifactu_authorities", "there is no certificate in it (PEM)"));
    }
    let producer = match (read.text("verifactu_producer_name"), read.text("verifactu_producer_nif")) {
        (Some(name), Some(nif)) if nif.len() == 9 => Some(Person { name, nif }),
        (_, Some(nif)) if nif.len() != 9 => return Err(read.bad("verifactu_producer_nif", "expected nine letters and digits")),
        (None, None) => None,
        _ => {
            let (key, why) = ("verifactu_producer_name", "name and NIF of the producer belong together; only one is set");
            return Err(ConfigError::Incomplete { key, why });
        }
    };
    let settings = VerifactuSettings {
        mode,
        trial,
        certificate,
        seal: read.required("verifactu_seal", "true or false")?,
        url: read.url("verifactu_url", &["https"])?,
        authorities,
        producer,
        producer_contact: read.text("verifactu_producer_contact"),
        installation: read.text("verifactu_installation").unwrap_or_default(),
        declared: read.text("verifactu_declared"),
        ..VerifactuSettings::default()
    };
    // Whoever sends must be able to show who answers for the program (art. 13 of the regulation, art. 15 of the order).
    match settings.undeclared().first().copied() {
        Some(key) if mode == Mode::Production => {
            let why = "the producer's statement of compliance is incomplete, and production needs it whole";
            Err(ConfigError::Incomplete { key, why })
        }
        _ => Ok(settings),
    }
}

fn certificate(read: &Reader) -> Result<Option<Certificate>, ConfigError> {
    match (file(read, "verifactu_certificate")?, file(read, "verifactu_key")?) {
        (None, None) => Ok(None),
        (Some(chain), Some(key)) => {
            Certificate::read(&chain, &key.into()).map(Some).map_err(|why| read.bad("verifactu_certificate", why))
        }
        _ => {
            let (key, why) =
                ("verifactu_certificate", "verifactu_certificate and verifactu_key belong together; only one is set");
            Err(ConfigError::Incomplete { key, why })
        }
    }
}

/// The content of the file that a setting names.
fn file(read: &Reader, key: &'static str) -> Result<Option<String>, ConfigError> {
    let Some(path) = read.text(key) else { return Ok(None) };
    std::fs::read_to_string(&path).map(Some).map_err(|error| read.bad(key, &format!("cannot be read: {}", error.kind())))
}
