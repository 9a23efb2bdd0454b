//! Legal texts, and filling their placeholders.

use atalaya_kernel::Language;
use chrono::{DateTime, Utc};
use uuid::Uuid;

/// Kind of a legal text (LEGAL-1); 1 and 2 are wire values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i16)]
pub enum LegalKind {
    GeneralConditions = 1,
    ParticularConditions = 2,
    ClientNotice = 3,
}

impl LegalKind {
    /// The conditions a company accepts, in the order shown.
    pub const CONDITIONS: [LegalKind; 2] = [LegalKind::GeneralConditions, LegalKind::ParticularConditions];

    pub fn parse(number: i16) -> Option<Self> {
        [Self::GeneralConditions, Self::ParticularConditions, Self::ClientNotice].into_iter().find(|kind| *kind as i16 == number)
    }

    /// Whether it is part of the contract with a company.
    pub fn is_condition(self) -> bool {
        Self::CONDITIONS.contains(&self)
    }
}

/// A text as stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LegalText {
    pub id: Uuid,
    pub kind: LegalKind,
    pub version: i32,
    pub language: Language,
    pub title: String,
    pub html: String,
    /// Of `html`, lower-case hex.
    pub sha256: String,
    pub in_force_from: DateTime<Utc>,
}

/// A text to be added.
#[derive(Clone, Debug)]
pub struct NewLegal {
    pub kind: LegalKind,
    /// An existing version, to which this text adds a language; without one the text begins a new version.
    pub version: Option<i32>,
    pub language: Language,
    pub title: String,
    /// Sanitised.
    pub html: String,
    /// Ignored for an added language, which is in force with its version.
    pub in_force_from: DateTime<Utc>,
}

/// The values of a notice (LEGAL-3).
#[derive(Clone, Debug)]
pub struct NoticeParams {
    /// The controller: the company that calls.
    pub company: String,
    pub expedient: String,
    /// Days the media are kept.
    pub retention_days: i64,
    /// Where people exercise their rights: the company's e-mail or phone; its name when it has neither.
    pub contact: String,
}

/// A notice as one client sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// The stored text's id.
    pub document_id: Uuid,
    pub version: i32,
    pub language: Language,
    pub title: String,
    /// With the values filled in and escaped.
    pub html: String,
    /// SHA-256 of the UTF-8 bytes of `html`, lower-case hex (LEGAL-4).
    pub sha256: String,
}

/// A text that ships with the program.
pub struct Seed {
    pub kind: LegalKind,
    pub version: i32,
    pub language: Language,
    pub title: &'static str,
    pub html: &'static str,
}

/// The texts of this release. A new wording is added as a new version.
pub const SEEDS: &[Seed] = &[
    Seed {
        kind: LegalKind::ClientNotice,
        version: 1,
        language: Language::Es,
        title: "Antes de empezar",
        html: include_str!("notice_v1_es.html"),
    },
    Seed {
        kind: LegalKind::ClientNotice,
        version: 1,
        language: Language::En,
        title: "Before we start",
        html: include_str!("notice_v1_en.html"),
    },
    Seed {
        kind: LegalKind::GeneralConditions,
        version: 1,
        language: Language::Es,
        title: "Condiciones generales",
        html: include_str!("general_v1_es.html"),
    },
    Seed {
        kind: LegalKind::GeneralConditions,
        version: 1,
        language: Language::En,
        title: "General terms",
        html: include_str!("general_v1_en.html"),
    },
    Seed {
        kind: LegalKind::ParticularConditions,
        version: 1,
        language: Language::Es,
        title: "Condiciones particulares",
        html: include_str!("particular_v1_es.html"),
    },
    Seed {
        kind: LegalKind::ParticularConditions,
        version: 1,
        language: Language::En,
        title: "Particular terms",
        html: include_str!("particular_v1_en.html"),
    },
];

/// Fills the placeholders with escaped values.
pub fn render(template: &str, params: &NoticeParams) -> String {
    let values = [
        ("{company}", escape(&params.company)),
        ("{expedient}", escape(&params.expedient)),
        ("{retention}", params.retention_days.to_string()),
        ("{contact}", escape(&params.contact)),
    ];
    // One pass over the template, so that a value that looks like a placeholder is left alone.
    let mut html = String::with_capacity(template.len());
    let mut rest = template;
    while let Some(open) = rest.find('{') {
        html.push_str(&rest[..open]);
        rest = &rest[open..];
        match values.iter().find(|(name, _)| rest.starts_with(name)) {
            Some((name, value)) => {
                html.push_str(value);
                rest = &rest[name.len()..];
            }
            None => {
                html.push('{');
                rest = &rest[1..];
            }
        }
    }
    html.push_str(rest);
    html
}

fn escape(text: &str) -> String {
    text.chars().fold(String::with_capacity(text.len()), |mut safe, c| {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            c => safe.push(c),
        }
        safe
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn params() -> NoticeParams {
        NoticeParams {
            company: "Peritos & <b>Hijos</b>".into(),
            expedient: "{company}".into(),
            retention_days: 31,
            contact: "rgpd@ejemplo.es".into(),
        }
    }

    // LEGAL-3
    #[test]
    fn what_is_filled_in_is_escaped_and_not_filled_again() {
        let html = render("<p>{company} {expedient} {retention} {contact} {other}</p>", &params());
        assert_eq!(html, "<p>Peritos &amp; &lt;b&gt;Hijos&lt;/b&gt; {company} 31 rgpd@ejemplo.es {other}</p>");
    }

    // LEGAL-2, LEGAL-3
    #[test]
    fn every_seed_names_what_the_law_asks_for() {
        for seed in SEEDS.iter().filter(|seed| seed.kind == LegalKind::ClientNotice) {
            for hole in ["{company}", "{expedient}", "{retention}", "{contact}"] {
                assert!(seed.html.contains(hole), "{hole} in {:?}", seed.language);
            }
            assert!(!render(seed.html, &NoticeParams { expedient: "E-1".into(), ..params() }).contains('{'));
        }
        for kind in [LegalKind::GeneralConditions, LegalKind::ParticularConditions, LegalKind::ClientNotice] {
            // Administrators add other languages once a lawyer has approved them; until then Spanish is shown.
            let of_kind = SEEDS.iter().filter(|seed| seed.kind == kind && seed.version == 1).map(|seed| seed.language);
            assert_eq!(of_kind.collect::<Vec<_>>(), [Language::Es, Language::En], "{kind:?}");
        }
    }
}
