//! Comparing a place with the insured one. Pure.

use super::entity::geocoding;
use atalaya_cases::conferences::Conference;
use atalaya_checks::{place, province};
use serde::Serialize;
use std::collections::HashMap;
use utoipa::ToSchema;

/// Metres from the insured place above which a position is marked.
pub const FAR_M: i64 = 500;

/// What a position says about the insured place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum Verdict {
    /// At most 500 m away.
    Near,
    Far,
    /// The distance is not known; the province is the same.
    SameProvince,
    OtherProvince,
}

/// What is known of one position.
#[derive(Clone, Debug, Default, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlaceView {
    /// As the geocoder names it.
    pub address: Option<String>,
    /// Metres to the insured place; null when the geocoder does not know it, or there is none.
    pub distance_m: Option<i64>,
    /// The Spanish province it lies in.
    pub province: Option<&'static str>,
    /// That of the insured place, when the provinces were compared.
    pub insured_province: Option<&'static str>,
    /// Null when the case has no address to compare with.
    pub verdict: Option<Verdict>,
}

/// What the geocoder is asked about the insured place; none when the case has no street.
pub fn insured_address(case: &Conference) -> Option<String> {
    let text = |value: &Option<String>| value.as_deref().map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned);
    if let Some(whole) = text(&case.full_address) {
        return Some(whole);
    }
    let street = text(&case.address)?;
    let town = [text(&case.postal_code), text(&case.city)].into_iter().flatten().collect::<Vec<_>>().join(" ");
    let parts = [Some(street), Some(town).filter(|town| !town.is_empty()), text(&case.city_region)];
    Some(parts.into_iter().flatten().collect::<Vec<_>>().join(", "))
}

/// The province of the insured place: by its postal code, else by its name.
pub fn insured_province(case: &Conference) -> Option<&'static str> {
    let by_code = case.postal_code.as_deref().and_then(|code| province::of_postal_code(code.trim()));
    let named = |text: &Option<String>| text.as_deref().and_then(province::code_of).and_then(province::name);
    by_code.or_else(|| named(&case.city_region)).or_else(|| named(&case.region))
}

/// Positions are described once per this many decimals of a degree: some eleven metres.
pub fn place_key(latitude: f64, longitude: f64) -> String {
    format!("{latitude:.4},{longitude:.4}")
}

/// What is known about the places of one case.
#[derive(Clone, Debug, Default)]
pub struct Known {
    insured: Option<(f64, f64)>,
    insured_province: Option<&'static str>,
    addresses: HashMap<String, String>,
}

impl Known {
    pub fn new(case: &Conference, answers: &[geocoding::Model]) -> Self {
        // After an erasure nothing is left to compare with.
        if case.erased_at.is_some() {
            return Self::default();
        }
        let insured = insured_address(case).and_then(|asked| answers.iter().find(|answer| answer.asked == asked));
        let number = |text: &Option<String>| text.as_deref().and_then(|text| text.parse::<f64>().ok());
        Self {
            insured: insured.and_then(|answer| number(&answer.latitude).zip(number(&answer.longitude))),
            insured_province: insured_province(case),
            addresses: answers.iter().filter_map(|one| Some((one.asked.clone(), one.address.clone()?))).collect(),
        }
    }

    /// What a position means (PLACE-1, PLACE-2).
    pub fn view(&self, latitude: f64, longitude: f64) -> PlaceView {
        let distance_m = self.insured.map(|insured| place::distance_m(insured, (latitude, longitude)).round() as i64);
        let verdict = match (distance_m, self.insured_province) {
            (Some(metres), _) => Some(if metres > FAR_M { Verdict::Far } else { Verdict::Near }),
            (None, Some(name)) if place::may_lie_in(name, latitude, longitude) => Some(Verdict::SameProvince),
            (None, Some(_)) => Some(Verdict::OtherProvince),
            (None, None) => None,
        };
        PlaceView {
            address: self.addresses.get(&place_key(latitude, longitude)).cloned(),
            distance_m,
            province: place::province_at(latitude, longitude),
            insured_province: self.insured_province.filter(|_| distance_m.is_none()),
            verdict,
        }
    }

    /// The same of a stored position.
    pub fn view_of(&self, latitude: Option<&str>, longitude: Option<&str>) -> Option<PlaceView> {
        Some(self.view(latitude?.parse().ok()?, longitude?.parse().ok()?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(insured: Option<(f64, f64)>, province: Option<&'static str>) -> Known {
        Known { insured, insured_province: province, addresses: HashMap::new() }
    }

    // PLACE-1, PLACE-2
    #[test]
    fn distance_first_then_the_province() {
        let sol = (40.416_8, -3.703_8);
        for (known, place, metres, verdict) in [
            (known(Some(sol), Some("Madrid")), (40.416_8, -3.703_8), Some(0), Some(Verdict::Near)),
            (known(Some(sol), Some("Madrid")), (40.421_2, -3.703_8), Some(489), Some(Verdict::Near)),
            (known(Some(sol), Some("Madrid")), (40.421_4, -3.703_8), Some(511), Some(Verdict::Far)),
            (known(None, Some("Madrid")), (40.48, -3.36), None, Some(Verdict::SameProvince)),
            (known(None, Some("Madrid")), (39.47, -0.376), None, Some(Verdict::OtherProvince)),
            (known(None, None), sol, None, None),
        ] {
            let view = known.view(place.0, place.1);
            assert_eq!((view.distance_m, view.verdict), (metres, verdict), "{place:?}");
        }
        assert_eq!(known(None, None).view(39.47, -0.376).province, Some("Valencia/València"));
    }
}
