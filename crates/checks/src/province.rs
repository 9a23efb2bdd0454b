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

/// Provinces outside the territory of the Spanish VAT: Canarias, Ceuta and Melilla.
const OUTSIDE_IVA: [u8; 4] = [35, 38, 51, 52];

fn code(postal_code: &str) -> Option<u8> {
    crate::contact::is_postal_code(postal_code).then(|| postal_code[..2].parse().ok()).flatten()
}

/// The province a postal code lies in; `None` for what is no Spanish postal code.
pub fn of_postal_code(postal_code: &str) -> Option<&'static str> {
    code(postal_code).map(|n| NAMES[usize::from(n) - 1])
}

/// How many there are; codes go from 1 to this.
pub const COUNT: u8 = 52;

/// The name of a code.
pub fn name(code: u8) -> Option<&'static str> {
    NAMES.get(usize::from(code).checked_sub(1)?).copied()
}

/// The code of a name as people write it: in either language, with or without accents.
pub fn code_of(text: &str) -> Option<u8> {
    let plain = |text: &str| -> String {
        text.chars().flat_map(char::to_lowercase).map(without_accent).filter(|c| c.is_alphabetic()).collect()
    };
    let wanted = plain(text);
    let is = |name: &str| plain(name) == wanted || name.split('/').any(|one| plain(one) == wanted);
    let found = NAMES.iter().position(|name| !wanted.is_empty() && is(name))?;
    u8::try_from(found + 1).ok()
}

fn without_accent(letter: char) -> char {
    match letter {
        'á' | 'à' => 'a',
        'é' | 'è' => 'e',
        'í' | 'ï' => 'i',
        'ó' | 'ò' => 'o',
        'ú' | 'ü' => 'u',
        other => other,
    }
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
    fn names_as_people_write_them() {
        for (text, code) in [("Valencia", 46), ("VALÈNCIA", 46), ("avila", 5), ("la rioja", 26), ("Illes Balears", 7)] {
            assert_eq!(code_of(text), Some(code), "{text}");
        }
        assert_eq!((code_of(""), code_of("Andorra"), name(0), name(53)), (None, None, None, None));
    }

    #[test]
    fn postal_codes_of_the_reference() {
        let reference = reference();
        let codes = |kind: &str| reference["postal_code"][kind].as_array().unwrap().clone();
        assert!(codes("valid").iter().all(|c| of_postal_code(c.as_str().unwrap()).is_some()));
        assert!(codes("invalid").iter().all(|c| of_postal_code(c.as_str().unwrap()).is_none()));
    }
}
