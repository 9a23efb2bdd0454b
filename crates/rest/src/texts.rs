//! Error texts by language, from `locales/<lang>/errors.json`, embedded at build time.

use atalaya_kernel::Language;
use axum::http::StatusCode;
use std::collections::{BTreeMap, HashMap};
use std::sync::LazyLock;

type Catalogue = HashMap<String, String>;

static ES: LazyLock<Catalogue> = LazyLock::new(|| parse(include_str!("../../../locales/es/errors.json")));
static EN: LazyLock<Catalogue> = LazyLock::new(|| parse(include_str!("../../../locales/en/errors.json")));

fn parse(json: &str) -> Catalogue {
    serde_json::from_str(json).expect("the test below reads the same embedded file")
}

fn catalogue(language: Language) -> &'static Catalogue {
    match language {
        Language::Es => &ES,
        Language::En => &EN,
    }
}

/// The text of a code with its `{params}` filled in; Spanish when the language lacks it, `None` when nobody wrote it.
pub fn message(language: Language, code: &str, params: &BTreeMap<&'static str, String>) -> Option<String> {
    let key = code.to_lowercase();
    let template = catalogue(language).get(&key).or_else(|| ES.get(&key))?;
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
    fn both_languages_have_the_same_keys() {
        let keys = |c: &Catalogue| c.keys().cloned().collect::<std::collections::BTreeSet<_>>();
        assert_eq!(keys(&ES), keys(&EN));
        assert!(ES.keys().all(|key| *key == key.to_lowercase()), "keys are lower-cased codes");
    }

    #[test]
    fn params_are_filled_in() {
        let params = BTreeMap::from([("max", "100".to_owned())]);
        assert_eq!(message(Language::En, "TOO_LONG", &params).unwrap(), "At most 100 characters");
    }
}
