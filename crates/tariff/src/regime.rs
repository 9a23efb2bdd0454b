//! The regimes of VAT that a customer can be under (TARIFF-12, ABROAD-2).

use crate::Percent;
use serde::{Deserialize, Serialize};

/// Tax rate where VAT applies.
const VAT: Percent = Percent(2100);
/// The general rate of the Canaries' own tax (Ley 4/2012, art. 51).
const IGIC: Percent = Percent(700);
/// Postal codes that begin so are of the Canaries, which have their own tax.
const CANARIES: [&str; 2] = ["35", "38"];
/// Ceuta and Melilla, which have another one.
const AFRICA: [&str; 2] = ["51", "52"];

/// Where a taxpayer has his seat, as far as the tax asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The peninsula and the Balearic Islands.
    Peninsula,
    Canaries,
    CeutaMelilla,
    /// Another member of the European Union.
    Union,
    /// Everywhere else.
    World,
}

impl Place {
    /// Within Spain.
    pub fn of_postal_code(postal_code: &str) -> Self {
        let begins = |with: &[&str]| with.iter().any(|province| postal_code.trim().starts_with(province));
        match (begins(&CANARIES), begins(&AFRICA)) {
            (true, _) => Self::Canaries,
            (_, true) => Self::CeutaMelilla,
            _ => Self::Peninsula,
        }
    }
}

/// How what a customer uses is taxed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum VatRegime {
    /// The general rate.
    #[default]
    General,
    /// Not subject, by the rules on the place of supply (art. 69 Ley 37/1992).
    Outside,
    /// Not subject where the issuer is; the recipient owes the tax of his own country or territory.
    ReverseCharge,
    /// The general rate of the Canaries: issuer and customer are there.
    Igic,
}

impl VatRegime {
    pub const ALL: [Self; 4] = [Self::General, Self::Outside, Self::ReverseCharge, Self::Igic];

    /// What the places of issuer and customer make it. The service is rendered where the business that receives it has its seat
    /// (art. 69.One.1 Ley 37/1992, art. 17 Ley 20/1991).
    pub fn between(issuer: Place, customer: Place) -> Self {
        match (issuer == Place::Canaries, customer) {
            (false, Place::Peninsula) => Self::General,
            (true, Place::Canaries) => Self::Igic,
            (_, Place::Union) | (true, Place::Peninsula) => Self::ReverseCharge,
            (false, Place::Canaries) | (_, Place::CeutaMelilla | Place::World) => Self::Outside,
        }
    }

    /// What a postal code makes it, of an issuer on the peninsula.
    pub fn of_postal_code(postal_code: &str) -> Self {
        Self::between(Place::Peninsula, Place::of_postal_code(postal_code))
    }

    /// Its rate.
    pub fn rate(self) -> Percent {
        match self {
            Self::General => VAT,
            Self::Igic => IGIC,
            Self::Outside | Self::ReverseCharge => Percent(0),
        }
    }

    /// Its name in the database and on the wire.
    pub fn name(self) -> &'static str {
        match self {
            Self::General => "general",
            Self::Outside => "outside",
            Self::ReverseCharge => "reverseCharge",
            Self::Igic => "igic",
        }
    }

    /// The one of this name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|regime| regime.name() == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // TARIFF-12
    #[test]
    fn islands_and_cities_in_africa_are_outside() {
        for code in ["35001", "38720", "51001", "52006", " 51001"] {
            assert_eq!(VatRegime::of_postal_code(code), VatRegime::Outside, "{code}");
        }
        for code in ["28001", "07001", "15001", ""] {
            assert_eq!(VatRegime::of_postal_code(code), VatRegime::General, "{code}");
        }
        assert_eq!(VatRegime::ALL.map(|regime| VatRegime::parse(regime.name())), VatRegime::ALL.map(Some));
        assert_eq!(VatRegime::ALL.map(VatRegime::rate), [Percent(2100), Percent(0), Percent(0), Percent(700)]);
    }

    // ABROAD-2, ABROAD-6
    #[test]
    fn both_places_decide() {
        use Place::{Canaries, CeutaMelilla, Peninsula, Union, World};
        for (issuer, customer, regime) in [
            (Peninsula, Peninsula, VatRegime::General),
            (Peninsula, Canaries, VatRegime::Outside),
            (Peninsula, CeutaMelilla, VatRegime::Outside),
            (Peninsula, Union, VatRegime::ReverseCharge),
            (Peninsula, World, VatRegime::Outside),
            (Canaries, Peninsula, VatRegime::ReverseCharge),
            (Canaries, Canaries, VatRegime::Igic),
            (Canaries, CeutaMelilla, VatRegime::Outside),
            (Canaries, Union, VatRegime::ReverseCharge),
            (Canaries, World, VatRegime::Outside),
        ] {
            assert_eq!(VatRegime::between(issuer, customer), regime, "{issuer:?} to {customer:?}");
        }
        assert_eq!(
            [" 35001", "38001", "52001", "28001"].map(Place::of_postal_code),
            [Canaries, Canaries, CeutaMelilla, Peninsula]
        );
        assert_eq!(
            serde_json::to_string(&VatRegime::ALL.map(VatRegime::name)).unwrap(),
            serde_json::to_string(&VatRegime::ALL).unwrap()
        );
    }
}
