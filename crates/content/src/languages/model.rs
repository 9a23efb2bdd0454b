//! Bundles and prefixes as data.

use atalaya_kernel::Language;
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::LazyLock;

include!(concat!(env!("OUT_DIR"), "/bundles.rs"));

/// Texts by key.
pub type Texts = BTreeMap<String, String>;

/// Namespaces that only the server reads (SMS and e-mail texts, documents).
const SERVER_ONLY: [&str; 2] = ["messages", "documents"];

/// A language bundle with the specification's field names.
#[derive(Serialize, Debug, utoipa::ToSchema)]
#[schema(as = LanguageBundle)]
pub struct Bundle {
    #[serde(rename = "LANGUAGE_CODE")]
    pub language_code: &'static str,
    #[serde(rename = "NAMESPACE")]
    pub namespace: BTreeMap<&'static str, Texts>,
}

static BUNDLES: LazyLock<Vec<(Language, Bundle)>> =
    LazyLock::new(|| Language::ALL.into_iter().map(|language| (language, build(language))).collect());

/// The bundle of a language, Spanish where it lacks a key.
pub fn bundle(language: Language) -> &'static Bundle {
    let found = BUNDLES.iter().find(|(of, _)| *of == language);
    &found.expect("there is a bundle for every language").1
}

fn build(language: Language) -> Bundle {
    Bundle { language_code: language.code(), namespace: namespaces(language, |name| !SERVER_ONLY.contains(&name)) }
}

fn namespaces(language: Language, wanted: impl Fn(&str) -> bool) -> BTreeMap<&'static str, Texts> {
    let mut all: BTreeMap<&'static str, Texts> = BTreeMap::new();
    for code in [Language::default().code(), language.code()] {
        for (_, name, json) in FILES.iter().filter(|(of, name, _)| *of == code && wanted(name)) {
            all.entry(name).or_default().extend(parse(json));
        }
    }
    all
}

/// The texts of each language for the server's own use, including its own namespaces.
static WRITTEN: LazyLock<Vec<(Language, BTreeMap<&'static str, Texts>)>> = LazyLock::new(|| {
    Language::ALL.into_iter().map(|language| (language, namespaces(language, |name| name != "messages"))).collect()
});

fn parse(json: &str) -> Texts {
    serde_json::from_str(json).expect("a test reads every embedded bundle")
}

/// One text of a language, for what the server itself writes (headings of workbooks, documents); the key when the text is
/// missing.
pub fn text(language: Language, namespace: &str, key: &'static str) -> &'static str {
    find(language, namespace, key).unwrap_or(key)
}

/// Like [`text`], for a key that may be missing.
pub fn find(language: Language, namespace: &str, key: &str) -> Option<&'static str> {
    let (_, all) = WRITTEN.iter().find(|(of, _)| *of == language)?;
    all.get(namespace)?.get(key).map(String::as_str)
}

/// A language to choose.
#[derive(Serialize, Debug, Clone, Copy, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AvailableLanguage {
    pub code: &'static str,
    /// In the language itself.
    pub name: &'static str,
    pub flag_url: &'static str,
}

/// The languages with a complete bundle.
pub fn available() -> Vec<AvailableLanguage> {
    let of = |language: Language| match language {
        Language::Es => AvailableLanguage { code: "es", name: "Español", flag_url: "/flags/es.svg" },
        Language::Ca => AvailableLanguage { code: "ca", name: "Català", flag_url: "/flags/es-ct.svg" },
        Language::Eu => AvailableLanguage { code: "eu", name: "Euskara", flag_url: "/flags/es-pv.svg" },
        Language::Gl => AvailableLanguage { code: "gl", name: "Galego", flag_url: "/flags/es-ga.svg" },
        Language::En => AvailableLanguage { code: "en", name: "English", flag_url: "/flags/gb.svg" },
        Language::Fr => AvailableLanguage { code: "fr", name: "Français", flag_url: "/flags/fr.svg" },
        Language::Pt => AvailableLanguage { code: "pt", name: "Português", flag_url: "/flags/pt.svg" },
    };
    Language::ALL.into_iter().map(of).collect()
}

/// A country's phone prefix.
#[derive(Serialize, Debug, Clone, PartialEq, Eq, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PhonePrefix {
    /// ISO 3166-1 alpha-2, lower case.
    pub code: &'static str,
    pub name: &'static str,
    /// With its plus sign, `+34`.
    pub prefix: &'static str,
    pub flag_url: String,
}

/// `code⇥prefix⇥name`, one country a line, the names in the order of [`Language::ALL`] (ITU-T E.164 country codes, CLDR names).
const PREFIXES: &str = include_str!("prefixes.tsv");

/// Every country's prefix with its name in this language, in the language's order; Spain, the default, comes first.
pub fn phone_prefixes(language: Language) -> Vec<PhonePrefix> {
    let mut all: Vec<PhonePrefix> = PREFIXES.lines().filter_map(|line| prefix_of(line, language)).collect();
    all.sort_by_key(|prefix| (prefix.code != "es", fold(prefix.name)));
    all
}

fn prefix_of(line: &'static str, language: Language) -> Option<PhonePrefix> {
    let mut columns = line.split('\t');
    let (code, prefix) = (columns.next()?, columns.next()?);
    let name = columns.nth(Language::ALL.into_iter().position(|of| of == language)?)?;
    Some(PhonePrefix { code, name, prefix, flag_url: format!("/flags/{code}.svg") })
}

/// Folds accented letters, so that they sort beside the plain ones.
fn fold(name: &str) -> String {
    name.to_lowercase()
        .chars()
        .map(|c| match c {
            'á' | 'à' | 'â' | 'å' | 'ã' | 'ä' => 'a',
            'é' | 'è' | 'ê' | 'ë' => 'e',
            'í' | 'ì' | 'î' | 'ï' => 'i',
            'ó' | 'ò' | 'ô' | 'õ' | 'ö' => 'o',
            'ú' | 'ù' | 'û' | 'ü' => 'u',
            'ç' => 'c',
            other => other,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    // LANG-1
    #[test]
    fn every_language_has_every_key_and_placeholder() {
        let of = |code: &str| -> BTreeMap<String, BTreeSet<String>> {
            let files = FILES.iter().filter(|(language, ..)| *language == code);
            files
                .flat_map(|(_, name, json)| parse(json).into_iter().map(move |(key, text)| (format!("{name}.{key}"), text)))
                .map(|(key, text)| (key, placeholders(&text)))
                .collect()
        };
        let es = of("es");
        assert!(es.len() > 100, "the bundles are there");
        for language in Language::ALL {
            let other = of(language.code());
            let differ: Vec<_> = es.iter().filter(|(key, holes)| other.get(*key) != Some(holes)).map(|(key, _)| key).collect();
            let extra: Vec<_> = other.keys().filter(|key| !es.contains_key(*key)).collect();
            assert!(differ.is_empty() && extra.is_empty(), "{language:?}: differ: {differ:?}, only there: {extra:?}");
        }
    }

    fn placeholders(text: &str) -> BTreeSet<String> {
        text.split('{').skip(1).filter_map(|rest| Some(rest.split_once('}')?.0.trim().to_owned())).collect()
    }

    // LANG-3
    #[test]
    fn bundles_carry_the_web_s_namespaces_only() {
        let spanish = bundle(Language::Es);
        assert_eq!(spanish.language_code, "es");
        assert_eq!(spanish.namespace["common"]["accept"], "Aceptar");
        assert_eq!(bundle(Language::En).namespace["common"]["accept"], "Accept");
        assert!(!spanish.namespace.contains_key("messages"));
    }

    // LANG-4
    #[test]
    fn prefixes_are_complete_and_well_formed() {
        let spanish = phone_prefixes(Language::Es);
        assert!(spanish.len() > 200);
        assert_eq!((spanish[0].code, spanish[0].prefix, spanish[0].name), ("es", "+34", "España"));
        let codes: BTreeSet<_> = spanish.iter().map(|p| p.code).collect();
        assert_eq!(codes.len(), spanish.len(), "a country is listed once");
        for prefix in &spanish {
            let digits = prefix.prefix.strip_prefix('+').expect("a plus sign");
            assert!((1..=4).contains(&digits.len()) && digits.chars().all(|c| c.is_ascii_digit()), "{prefix:?}");
            assert!(prefix.code.len() == 2 && prefix.code.chars().all(|c| c.is_ascii_lowercase()), "{prefix:?}");
        }
        assert_eq!(phone_prefixes(Language::En).iter().find(|p| p.code == "de").unwrap().name, "Germany");
    }

    // LANG-4
    #[test]
    fn every_flag_is_a_local_file() {
        let public = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/public");
        let urls = available().into_iter().map(|l| l.flag_url.to_owned());
        let urls = urls.chain(phone_prefixes(Language::Es).into_iter().map(|p| p.flag_url));
        let missing: Vec<_> = urls.filter(|url| !public.join(url.trim_start_matches('/')).is_file()).collect();
        assert!(missing.is_empty(), "{missing:?}");
    }
}
