//! How long each class of a conference's data is kept, and who else processes them, as this installation is configured.
//!
//! Pure values: the hourly job, the notice, the contract and the printed documents all read the same ones.

use std::fmt;

/// A class of personal data with a term of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DataClass {
    /// Phone, e-mail address and name of the client.
    Phone,
    Plate,
    Address,
    /// Address on the network and browser.
    Ip,
    Position,
    Chat,
    /// The chain of events: with its end all that is left of the conference is erased.
    Events,
}

impl DataClass {
    /// In the order shown.
    pub const ALL: [DataClass; 7] = [Self::Phone, Self::Plate, Self::Address, Self::Ip, Self::Position, Self::Chat, Self::Events];

    /// The name in configuration, database and texts.
    pub fn name(self) -> &'static str {
        match self {
            Self::Phone => "phone",
            Self::Plate => "plate",
            Self::Address => "address",
            Self::Ip => "ip",
            Self::Position => "position",
            Self::Chat => "chat",
            Self::Events => "events",
        }
    }

    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|class| class.name() == name)
    }

    /// The key of its words in the file of contracts.
    pub fn key(self) -> &'static str {
        match self {
            Self::Phone => "term_phone",
            Self::Plate => "term_plate",
            Self::Address => "term_address",
            Self::Ip => "term_ip",
            Self::Position => "term_position",
            Self::Chat => "term_chat",
            Self::Events => "term_events",
        }
    }
}

/// Fewest days of a term: as long as the files themselves stay.
pub const LEAST_DAYS: i64 = 31;
/// Most days of a term.
pub const MOST_DAYS: i64 = 3652;
/// Five years.
const DEFAULT_DAYS: i64 = 1826;
/// Three years, after which the gravest breach of data protection law is barred (LOPDGDD art. 72).
const DEFAULT_BLOCKED_DAYS: i64 = 1096;

/// The terms of an installation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Terms {
    days: [i64; DataClass::ALL.len()],
    /// Days between blocking and deletion.
    pub blocked_days: i64,
}

impl Default for Terms {
    fn default() -> Self {
        Self { days: [DEFAULT_DAYS; DataClass::ALL.len()], blocked_days: DEFAULT_BLOCKED_DAYS }
    }
}

impl Terms {
    /// Days from the opening of a conference until this class is blocked.
    pub fn days(&self, class: DataClass) -> i64 {
        self.days[class as usize]
    }

    /// Reads `phone=365,chat=90`; classes that are not named keep their default.
    ///
    /// Errors: what is wrong, in words for an operator.
    pub fn parse(text: &str, blocked_days: i64) -> Result<Self, String> {
        let mut terms = Self { blocked_days, ..Self::default() };
        for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
            let (name, days) = part.split_once('=').ok_or_else(|| format!("{part}: expected class=days"))?;
            let class = DataClass::parse(name.trim()).ok_or_else(|| format!("{name}: no such class"))?;
            let days: i64 = days.trim().parse().map_err(|_| format!("{part}: expected a number of days"))?;
            if !(LEAST_DAYS..=MOST_DAYS).contains(&days) {
                return Err(format!("{part}: must be between {LEAST_DAYS} and {MOST_DAYS}"));
            }
            terms.days[class as usize] = days;
        }
        let events = terms.days(DataClass::Events);
        if let Some(longer) = DataClass::ALL.into_iter().find(|class| terms.days(*class) > events) {
            return Err(format!("{}: longer than events, with which everything else ends", longer.name()));
        }
        Ok(terms)
    }
}

/// What somebody else does for this installation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Service {
    Hosting,
    Storage,
    Email,
    Sms,
    Whatsapp,
    Video,
    TimeStamps,
    Geocoding,
    Maps,
}

impl Service {
    /// The name in texts.
    pub fn name(self) -> &'static str {
        match self {
            Self::Hosting => "hosting",
            Self::Storage => "storage",
            Self::Email => "email",
            Self::Sms => "sms",
            Self::Whatsapp => "whatsapp",
            Self::Video => "video",
            Self::TimeStamps => "timeStamps",
            Self::Geocoding => "geocoding",
            Self::Maps => "maps",
        }
    }

    /// The key of its words in the file of contracts.
    pub fn key(self) -> &'static str {
        match self {
            Self::Hosting => "service_hosting",
            Self::Storage => "service_storage",
            Self::Email => "service_email",
            Self::Sms => "service_sms",
            Self::Whatsapp => "service_whatsapp",
            Self::Video => "service_video",
            Self::TimeStamps => "service_timeStamps",
            Self::Geocoding => "service_geocoding",
            Self::Maps => "service_maps",
        }
    }
}

/// Somebody who processes data for this installation, as configured.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Processor {
    pub service: Service,
    /// A name, or the host that is called.
    pub name: String,
}

impl Processor {
    /// The one behind an address; `None` for this machine itself. Keys and passwords in the address are left out.
    pub fn at(service: Service, address: &str) -> Option<Self> {
        let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
        let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
        let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
        let name = match host.strip_prefix('[') {
            Some(v6) => v6.split(']').next().unwrap_or_default(),
            None => host.split(':').next().unwrap_or_default(),
        };
        let own = name.is_empty() || name == "localhost" || name.parse::<std::net::IpAddr>().is_ok_and(|ip| ip.is_loopback());
        (!own).then(|| Self { service, name: name.to_owned() })
    }
}

impl fmt::Display for Processor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // RETAIN-25
    #[test]
    fn terms_are_read_and_held_to_their_bounds() {
        assert_eq!(Terms::parse("", 1096), Ok(Terms::default()));
        let terms = Terms::parse(" phone=365, chat=31 ", 10).expect("good");
        let days: Vec<i64> = DataClass::ALL.into_iter().map(|class| terms.days(class)).collect();
        assert_eq!((days, terms.blocked_days), (vec![365, 1826, 1826, 1826, 1826, 31, 1826], 10));
        for wrong in ["phone", "fax=40", "phone=x", "phone=30", "phone=3653", "phone=400,events=399"] {
            assert!(Terms::parse(wrong, 0).is_err(), "{wrong}");
        }
    }

    // RETAIN-29
    #[test]
    fn a_processor_is_a_host_and_never_a_secret() {
        let of = |address| Processor::at(Service::Email, address).map(|processor| processor.name);
        assert_eq!(of("smtps://user:secret@mail.example.es:465"), Some("mail.example.es".into()));
        assert_eq!(of("https://geo.example/search?key=secret"), Some("geo.example".into()));
        assert_eq!(of("https://[2001:db8::1]:443/x"), Some("2001:db8::1".into()));
        for own in ["smtp://localhost:25", "http://127.0.0.1:9000/x", "http://[::1]/", ""] {
            assert_eq!(of(own), None, "{own}");
        }
    }
}
