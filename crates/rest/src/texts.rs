//! Error texts by language, from `locales/<lang>/errors.json`, embedded at build time.

use atalaya_kernel::Language;
use axum::http::StatusCode;
use std::collections::{BTreeMap, HashMap};
use std::sync::LazyLock;

type Catalogue = HashMap<String, String>;

const SOURCES: [(Language, &str); 7] = [
    (Language::Es, include_str!("../../../locales/es/errors.json")),
    (Language::Ca, include_str!("../../../locales/ca/errors.json")),
    (Language::Eu, include_str!("../../../locales/eu/errors.json")),
    (Language::Gl, include_str!("../../../locales/gl/errors.json")),
    (Language::En, include_str!("../../../locales/en/errors.json")),
    (Language::Fr, include_str!("../../../locales/fr/errors.json")),
    (Language::Pt, include_str!("../../../locales/pt/errors.json")),
];

static CATALOGUES: LazyLock<HashMap<Language, Catalogue>> =
    LazyLock::new(|| SOURCES.into_iter().map(|(language, json)| (language, parse(json))).collect());

fn parse(json: &str) -> Catalogue {
    serde_json::from_str(json).expect("the test below reads the same embedded file")
}

/// The text of a code with its `{params}` filled in; Spanish when the language lacks it, `None` when there is no text.
pub fn message(language: Language, code: &str, params: &BTreeMap<&'static str, String>) -> Option<String> {
    let key = code.to_lowercase();
    let template = [language, Language::Es].iter().find_map(|of| CATALOGUES.get(of)?.get(&key))?;
    Some(params.iter().fold(template.clone(), |text, (name, value)| text.replace(&format!("{{{name}}}"), value)))
}

/// What a status means, for the title of a problem.
pub fn title(language: Language, status: StatusCode) -> String {
    message(language, &format!("status_{}", status.as_u16()), &BTreeMap::new())
        .unwrap_or_else(|| status.canonical_reason().unwrap_or("Error").to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_languages_have_the_same_keys() {
        let keys = |language| CATALOGUES[&language].keys().cloned().collect::<std::collections::BTreeSet<_>>();
        let spanish = keys(Language::Es);
        assert!(spanish.iter().all(|key| *key == key.to_lowercase()), "keys are lower-cased codes");
        for language in Language::ALL {
            assert_eq!(keys(language), spanish, "{language:?}");
        }
    }

    #[test]
    fn params_are_filled_in() {
        let params = BTreeMap::from([("max", "100".to_owned())]);
        assert_eq!(message(Language::En, "TOO_LONG", &params).unwrap(), "At most 100 characters");
    }
}
