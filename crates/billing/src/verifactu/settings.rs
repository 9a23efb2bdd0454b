//! What the operator of the platform decides about Veri*Factu.

use super::certificate::Certificate;
use atalaya_einvoice::verifactu::{Environment, Person, System};
use std::time::Duration;

/// Whether records are sent, and where to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// Records are made and kept; nothing is sent. QR codes lead to the tax office's test host.
    #[default]
    Off,
    /// Sent to the tax office's test service.
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

    /// Which host QR codes lead to.
    pub fn environment(self) -> Environment {
        match self {
            Self::Production => Environment::Production,
            Self::Off | Self::Test => Environment::Test,
        }
    }
}

/// Settings `verifactu_*`.
#[derive(Clone, Debug)]
pub struct VerifactuSettings {
    pub mode: Mode,
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

impl Default for VerifactuSettings {
    fn default() -> Self {
        Self {
            mode: Mode::Off,
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
