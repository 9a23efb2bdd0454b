//! Spanish provinces, named by the first two digits of a postal code (INE).

/// Names by code, `01` first.
const NAMES: [&str; 52] = [
    "Álava/Araba",
    "Albacete",
    "Alicante/Alacant",
    "Almería",
    "Ávila",
    "Badajoz",
    "Illes Balears",
    "Barcelona",
    "Burgos",
    "Cáceres",
    "Cádiz",
    "Castellón/Castelló",
    "Ciudad Real",
    "Córdoba",
    "A Coruña",
    "Cuenca",
    "Girona",
    "Granada",
    "Guadalajara",
    "Gipuzkoa",
    "Huelva",
    "Huesca",
    "Jaén",
    "León",
    "Lleida",
    "La Rioja",
    "Lugo",
    "Madrid",
    "Málaga",
    "Murcia",
    "Navarra",
    "Ourense",
    "Asturias",
    "Palencia",
    "Las Palmas",
    "Pontevedra",
    "Salamanca",
    "Santa Cruz de Tenerife",
    "Cantabria",
    "Segovia",
    "Sevilla",
    "Soria",
    "Tarragona",
    "Teruel",
    "Toledo",
    "Valencia/València",
    "Valladolid",
    "Bizkaia",
    "Zamora",
    "Zaragoza",
    "Ceuta",
    "Melilla",
];

/// Provinces outside the territory of the Spanish VAT: Canarias, Ceuta and Melilla (DOMAIN §3).
const OUTSIDE_IVA: [u8; 4] = [35, 38, 51, 52];

fn code(postal_code: &str) -> Option<u8> {
    crate::contact::is_postal_code(postal_code).then(|| postal_code[..2].parse().ok()).flatten()
}

/// The province a postal code lies in; `None` for what is no Spanish postal code.
pub fn of_postal_code(postal_code: &str) -> Option<&'static str> {
    code(postal_code).map(|n| NAMES[usize::from(n) - 1])
}

/// Whether the Spanish VAT applies at a postal code; `None` for what is no Spanish postal code.
pub fn in_iva_territory(postal_code: &str) -> Option<bool> {
    code(postal_code).map(|n| !OUTSIDE_IVA.contains(&n))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    fn reference() -> Value {
        serde_json::from_str(include_str!("../../../vectors/es_reference.json")).unwrap()
    }

    #[test]
    fn every_province_of_the_reference_is_found_by_its_postal_codes() {
        let reference = reference();
        let provinces = reference["provinces"].as_object().unwrap();
        assert_eq!(provinces.len(), NAMES.len());
        for (code, name) in provinces {
            assert_eq!(of_postal_code(&format!("{code}001")), name.as_str());
            let outside = reference["not_iva_territory"].as_array().unwrap().iter().any(|c| c == code);
            assert_eq!(in_iva_territory(&format!("{code}001")), Some(!outside), "{code}");
        }
    }

    #[test]
    fn postal_codes_of_the_reference() {
        let reference = reference();
        let codes = |kind: &str| reference["postal_code"][kind].as_array().unwrap().clone();
        assert!(codes("valid").iter().all(|c| of_postal_code(c.as_str().unwrap()).is_some()));
        assert!(codes("invalid").iter().all(|c| of_postal_code(c.as_str().unwrap()).is_none()));
    }
}
