//! What the operator of the platform decides about Veri*Factu.

use super::Certificate;
use atalaya_einvoice::verifactu::{Person, System};
use chrono::NaiveDate;
use std::time::Duration;

/// Whether records are sent, and where to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// Records are made and kept; nothing is sent, and invoices have no QR. Until the end of 2026.
    #[default]
    Off,
    /// Sent to the tax office's test service: a trial, or a rehearsal.
    Test,
    Production,
}

impl Mode {
    pub fn name(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Test => "test",
            Self::Production => "production",
        }
    }

    pub fn parse(name: &str) -> Option<Self> {
        [Self::Off, Self::Test, Self::Production].into_iter().find(|mode| mode.name() == name)
    }
}

/// Settings `verifactu_*`.
#[derive(Clone, Debug)]
pub struct VerifactuSettings {
    pub mode: Mode,
    /// Every customer of this installation is made up: its invoices say so, and may be issued in test mode for ever.
    pub trial: bool,
    /// From this day on invoices are issued in production alone (RDL 15/2025).
    pub binding_from: NaiveDate,
    pub certificate: Option<Certificate>,
    /// Service for certificates of seal: other hosts.
    pub seal: bool,
    /// Instead of the tax office's own address.
    pub url: Option<String>,
    /// PEM of authorities that are believed besides the known ones; for tests and proxies.
    pub authorities: Option<String>,
    /// Who made the program; the issuer itself without it.
    pub producer: Option<Person>,
    /// Address and contact of the producer, in the declaration.
    pub producer_contact: Option<String>,
    /// Number of this installation.
    pub installation: String,
    /// Day and place of the declaration.
    pub declared: Option<String>,
    /// How long a call may take.
    pub patience: Duration,
}

/// The day that binds companies.
pub const BINDING_FROM: NaiveDate = NaiveDate::from_ymd_opt(2027, 1, 1).expect("a day of the calendar");

impl Default for VerifactuSettings {
    fn default() -> Self {
        Self {
            mode: Mode::Off,
            trial: false,
            binding_from: BINDING_FROM,
            certificate: None,
            seal: false,
            url: None,
            authorities: None,
            producer: None,
            producer_contact: None,
            installation: "1".to_owned(),
            declared: None,
            patience: Duration::from_secs(60),
        }
    }
}

/// The program's name for the tax office.
pub const SYSTEM_NAME: &str = "Atalaya";
/// Its two letters.
pub const SYSTEM_ID: &str = "AT";
/// Of this build.
pub const SYSTEM_VERSION: &str = env!("CARGO_PKG_VERSION");

impl VerifactuSettings {
    /// Whether an invoice of that day must not be issued in this mode.
    pub fn binds(&self, day: NaiveDate) -> bool {
        let suffices = match self.mode {
            Mode::Off => false,
            Mode::Test => self.trial,
            Mode::Production => true,
        };
        !suffices && day >= self.binding_from
    }

    /// What the producer's statement of compliance still lacks, by the names of the settings.
    pub fn undeclared(&self) -> Vec<&'static str> {
        let blank = |text: &Option<String>| text.as_deref().is_none_or(|text| text.trim().is_empty());
        [
            ("verifactu_producer_name", self.producer.is_none()),
            ("verifactu_producer_contact", blank(&self.producer_contact)),
            ("verifactu_installation", self.installation.trim().is_empty()),
            ("verifactu_declared", blank(&self.declared)),
        ]
        .into_iter()
        .filter_map(|(name, lacking)| lacking.then_some(name))
        .collect()
    }

    /// The program as records name it; its producer is this issuer unless another is configured.
    pub fn system(&self, issuer: &Person) -> System {
        System {
            producer: self.producer.clone().unwrap_or_else(|| issuer.clone()),
            name: SYSTEM_NAME.to_owned(),
            id: SYSTEM_ID.to_owned(),
            version: SYSTEM_VERSION.to_owned(),
            installation: self.installation.clone(),
        }
    }

    /// Where records are sent.
    pub fn service(&self) -> String {
        if let Some(url) = &self.url {
            return url.clone();
        }
        let host = match (self.mode, self.seal) {
            (Mode::Production, false) => "https://www1.agenciatributaria.gob.es",
            (Mode::Production, true) => "https://www10.agenciatributaria.gob.es",
            (_, false) => "https://prewww1.aeat.es",
            (_, true) => "https://prewww10.aeat.es",
        };
        format!("{host}/wlpl/TIKE-CONT/ws/SistemaFacturacion/VerifactuSOAP")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // FACTU-6
    #[test]
    fn from_2027_on_invoices_are_issued_in_production_alone() {
        let day = |text: &str| text.parse::<NaiveDate>().expect("a day");
        // Mode, whether customers are made up, and whether an invoice may be issued on the last day of 2026 and after it.
        let table = [
            (Mode::Off, false, true, false),
            (Mode::Off, true, true, false),
            (Mode::Test, false, true, false),
            (Mode::Test, true, true, true),
            (Mode::Production, false, true, true),
        ];
        for (mode, trial, before, after) in table {
            let settings = VerifactuSettings { mode, trial, ..VerifactuSettings::default() };
            for (text, may) in [("2026-12-31", before), ("2027-01-01", after), ("2031-05-01", after)] {
                assert_eq!(!settings.binds(day(text)), may, "{mode:?} {trial} {text}");
            }
        }
    }
}
