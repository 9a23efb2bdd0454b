//! Languages the product speaks. Spanish is the default and the authority.

use serde::{Deserialize, Serialize};

/// A language with a complete bundle in `locales/`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Language {
    #[default]
    Es,
    Ca,
    Eu,
    Gl,
    En,
    Fr,
    Pt,
}

impl Language {
    /// In the order in which they are offered.
    pub const ALL: [Language; 7] =
        [Language::Es, Language::Ca, Language::Eu, Language::Gl, Language::En, Language::Fr, Language::Pt];

    /// ISO 639-1 code, as in the language cookie and `html lang`.
    pub fn code(self) -> &'static str {
        match self {
            Language::Es => "es",
            Language::Ca => "ca",
            Language::Eu => "eu",
            Language::Gl => "gl",
            Language::En => "en",
            Language::Fr => "fr",
            Language::Pt => "pt",
        }
    }

    /// Parses a code or a tag such as `en-GB`; `None` for a language without a bundle.
    pub fn parse(tag: &str) -> Option<Self> {
        let primary = tag.trim().split(['-', '_']).next()?.to_ascii_lowercase();
        Self::ALL.into_iter().find(|l| l.code() == primary)
    }

    /// The first supported language of an `Accept-Language` header, in order of its q-values.
    pub fn from_accept(header: &str) -> Option<Self> {
        let mut wanted: Vec<(f32, Language)> = header
            .split(',')
            .filter_map(|part| {
                let mut pieces = part.split(';');
                let language = Self::parse(pieces.next()?)?;
                let q = pieces.find_map(|p| p.trim().strip_prefix("q=")?.parse().ok()).unwrap_or(1.0);
                (q > 0.0).then_some((q, language))
            })
            .collect();
        wanted.sort_by(|a, b| b.0.total_cmp(&a.0));
        wanted.first().map(|(_, language)| *language)
    }
}

/// A language of the end client's pages and messages: whoever had the damage may read none of the platform's (LANG-7).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ClientLanguage {
    #[default]
    Es,
    Ca,
    Eu,
    Gl,
    En,
    Fr,
    Pt,
    De,
    It,
    Ro,
    Ar,
}

impl ClientLanguage {
    /// In the order in which they are offered.
    pub const ALL: [ClientLanguage; 11] =
        [Self::Es, Self::Ca, Self::Eu, Self::Gl, Self::En, Self::Fr, Self::Pt, Self::De, Self::It, Self::Ro, Self::Ar];

    /// ISO 639-1 code.
    pub fn code(self) -> &'static str {
        match self {
            Self::De => "de",
            Self::It => "it",
            Self::Ro => "ro",
            Self::Ar => "ar",
            other => other.platform().unwrap_or_default().code(),
        }
    }

    /// Parses a code or a tag such as `de-AT`.
    pub fn parse(tag: &str) -> Option<Self> {
        let primary = tag.trim().split(['-', '_']).next()?.to_ascii_lowercase();
        Self::ALL.into_iter().find(|language| language.code() == primary)
    }

    /// The same language of the platform; `None` for those of the client alone.
    pub fn platform(self) -> Option<Language> {
        match self {
            Self::Es => Some(Language::Es),
            Self::Ca => Some(Language::Ca),
            Self::Eu => Some(Language::Eu),
            Self::Gl => Some(Language::Gl),
            Self::En => Some(Language::En),
            Self::Fr => Some(Language::Fr),
            Self::Pt => Some(Language::Pt),
            Self::De | Self::It | Self::Ro | Self::Ar => None,
        }
    }
}

impl From<Language> for ClientLanguage {
    fn from(language: Language) -> Self {
        Self::ALL.into_iter().find(|one| one.platform() == Some(language)).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accept_language_follows_the_weights() {
        assert_eq!(Language::from_accept("de;q=1, en-GB;q=0.8, es;q=0.9"), Some(Language::Es));
        assert_eq!(Language::from_accept("en-US,en;q=0.9"), Some(Language::En));
        assert_eq!(Language::from_accept("de, it"), None);
        assert_eq!(Language::from_accept("es;q=0"), None);
    }

    // LANG-7
    #[test]
    fn a_client_has_the_platforms_languages_and_four_more() {
        for language in Language::ALL {
            assert_eq!(ClientLanguage::from(language).code(), language.code());
        }
        for code in ["de", "it", "ro", "ar"] {
            assert_eq!(ClientLanguage::parse(code).map(ClientLanguage::code), Some(code));
            assert_eq!(ClientLanguage::parse(code).and_then(ClientLanguage::platform), None);
        }
        assert_eq!(ClientLanguage::parse("ar-MA"), Some(ClientLanguage::Ar));
        assert_eq!(ClientLanguage::parse("nl"), None);
    }
}
