//! Legal texts, and filling their placeholders.

use atalaya_kernel::ClientLanguage;
use atalaya_kernel::keeping::Terms;
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
    pub language: ClientLanguage,
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
    pub language: ClientLanguage,
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
    /// How long the other data are kept; said after the stored text.
    pub terms: Terms,
}

/// A notice as one client sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// The stored text's id.
    pub document_id: Uuid,
    pub version: i32,
    pub language: ClientLanguage,
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
    pub language: ClientLanguage,
    pub title: &'static str,
    pub html: &'static str,
}

use ClientLanguage::{Ar, Ca, De, En, Es, Eu, Fr, Gl, It, Pt, Ro};
use LegalKind::{ClientNotice, GeneralConditions, ParticularConditions};

/// The texts of this release. A new wording is added as a new version.
pub const SEEDS: &[Seed] = &[
    seed(ClientNotice, 1, Es, "Antes de empezar", include_str!("notice_v1_es.html")),
    seed(ClientNotice, 1, En, "Before we start", include_str!("notice_v1_en.html")),
    seed(ClientNotice, 2, Es, "Antes de empezar", include_str!("notice_v2_es.html")),
    seed(ClientNotice, 2, Ca, "Abans de començar", include_str!("notice_v2_ca.html")),
    seed(ClientNotice, 2, Eu, "Hasi aurretik", include_str!("notice_v2_eu.html")),
    seed(ClientNotice, 2, Gl, "Antes de comezar", include_str!("notice_v2_gl.html")),
    seed(ClientNotice, 2, En, "Before we start", include_str!("notice_v2_en.html")),
    seed(ClientNotice, 2, Fr, "Avant de commencer", include_str!("notice_v2_fr.html")),
    seed(ClientNotice, 2, Pt, "Antes de começar", include_str!("notice_v2_pt.html")),
    seed(ClientNotice, 2, De, "Bevor es losgeht", include_str!("notice_v2_de.html")),
    seed(ClientNotice, 2, It, "Prima di iniziare", include_str!("notice_v2_it.html")),
    seed(ClientNotice, 2, Ro, "Înainte de a începe", include_str!("notice_v2_ro.html")),
    seed(ClientNotice, 2, Ar, "قبل البدء", include_str!("notice_v2_ar.html")),
    seed(GeneralConditions, 1, Es, "Condiciones generales", include_str!("general_v1_es.html")),
    seed(GeneralConditions, 1, En, "General terms", include_str!("general_v1_en.html")),
    seed(ParticularConditions, 1, Es, "Condiciones particulares", include_str!("particular_v1_es.html")),
    seed(ParticularConditions, 1, En, "Particular terms", include_str!("particular_v1_en.html")),
];

const fn seed(kind: LegalKind, version: i32, language: ClientLanguage, title: &'static str, html: &'static str) -> Seed {
    Seed { kind, version, language, title, html }
}

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
            terms: Terms::default(),
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
        let languages = |kind, version| {
            let of_kind = SEEDS.iter().filter(|seed| seed.kind == kind && seed.version == version);
            of_kind.map(|seed| seed.language).collect::<Vec<_>>()
        };
        assert_eq!(languages(ClientNotice, 2), ClientLanguage::ALL);
        for kind in LegalKind::CONDITIONS {
            // Administrators add other languages once a lawyer has approved them; until then Spanish is shown.
            assert_eq!(languages(kind, 1), [Es, En], "{kind:?}");
        }
    }

    // LEGAL-9
    #[test]
    fn the_first_layer_is_short_points_and_the_rest_is_behind_a_link() {
        for seed in SEEDS.iter().filter(|seed| seed.kind == ClientNotice && seed.version == 2) {
            let (first, second) = seed.html.split_once("<details>").unwrap_or_else(|| panic!("{:?}", seed.language));
            assert_eq!(first.matches("<li>").count(), 7, "{:?}", seed.language);
            assert!(first.starts_with("<ul>") && !first.contains("<p>"), "{:?}", seed.language);
            assert!(second.contains("<summary>") && second.matches("<p>").count() == 4, "{:?}", seed.language);
        }
    }
}
