//! The papers as documents, from what is configured.

use super::breaches;
use super::entity::security_breach::Model as Breach;
use super::store;
use crate::Privacy;
use crate::erasures::{PrivacyError, totals};
use atalaya_cases::evidence::chain::sha256_hex;
use atalaya_content::languages::text;
use atalaya_content::legal::plain::{BlockKind, blocks};
use atalaya_db::Engine;
use atalaya_identity::companies::service as companies;
use atalaya_kernel::keeping::{DataClass, Service};
use atalaya_kernel::{Language, calendar, limits};
use atalaya_pdf::{Block, Cell, Document, Fact, Section, Words};
use atalaya_rest::page::Slice;
use chrono::{DateTime, Utc};

/// Which paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paper {
    /// Record of processing activities.
    Activities,
    /// Impact assessment.
    Impact,
    /// Register of breaches.
    Breaches,
}

impl Paper {
    pub fn parse(name: &str) -> Option<Self> {
        match name {
            "activities" => Some(Self::Activities),
            "impact" => Some(Self::Impact),
            "breaches" => Some(Self::Breaches),
            _ => None,
        }
    }

    /// The name of its file.
    pub fn file(self) -> &'static str {
        match self {
            Self::Activities => "registro-de-actividades.pdf",
            Self::Impact => "evaluacion-de-impacto.pdf",
            Self::Breaches => "registro-de-brechas.pdf",
        }
    }

    fn title(self, spanish: bool) -> &'static str {
        match (self, spanish) {
            (Self::Activities, true) => "Registro de actividades de tratamiento",
            (Self::Activities, false) => "Record of processing activities",
            (Self::Impact, true) => "Evaluación de impacto",
            (Self::Impact, false) => "Data protection impact assessment",
            (Self::Breaches, true) => "Registro de brechas de seguridad",
            (Self::Breaches, false) => "Register of security breaches",
        }
    }

    fn template(self, spanish: bool) -> &'static str {
        match (self, spanish) {
            (Self::Activities, true) => include_str!("record_es.html"),
            (Self::Activities, false) => include_str!("record_en.html"),
            (Self::Impact, true) => include_str!("impact_es.html"),
            (Self::Impact, false) => include_str!("impact_en.html"),
            (Self::Breaches, _) => "",
        }
    }
}

/// An authority in Spain reads the languages of Spain's administration; everybody else English.
fn is_spanish(language: Language) -> bool {
    matches!(language, Language::Es | Language::Ca | Language::Gl | Language::Eu)
}

/// What the templates are filled with.
struct Facts {
    spanish: bool,
    company: String,
    values: Vec<(&'static str, String)>,
}

impl Facts {
    fn pick(&self, spanish: &'static str, english: &'static str) -> &'static str {
        if self.spanish { spanish } else { english }
    }
}

/// Text that must not become markup.
fn plain(text: &str) -> String {
    text.replace(['<', '>'], " ")
}

async fn gather(deps: &Privacy, language: Language) -> Result<Facts, PrivacyError> {
    let spanish = is_spanish(language);
    let pick = |es: &'static str, en: &'static str| if spanish { es } else { en };
    let settings = &deps.identity.settings;
    let words = if spanish { Language::Es } else { Language::En };
    let platform = companies::platform(&deps.identity).await?;
    let (company, cif, address) = match &platform {
        Some(company) => {
            let parts = [&company.address, &company.postal_code, &company.city];
            let address = parts.into_iter().flatten().map(String::as_str).collect::<Vec<_>>().join(", ");
            (company.name.clone(), company.cif.clone().unwrap_or_default(), address)
        }
        None => (String::new(), String::new(), String::new()),
    };
    let missing = pick("[sin indicar en la configuración]", "[not configured]");
    let or_missing = |text: String| if text.trim().is_empty() { missing.to_owned() } else { plain(&text) };
    let days = pick("días", "days");
    let term = |class: DataClass| format!("<li>{}: {} {days}.</li>", term_name(words, class), settings.keeping.days(class));
    let terms: String = DataClass::ALL.into_iter().map(term).collect();
    let named = settings.processors.iter();
    let mut processors: String =
        named.map(|one| format!("<li>{}: {}.</li>", service_name(words, one.service), plain(&one.name))).collect();
    if processors.is_empty() {
        processors = format!("<li>{}</li>", text(words, "contract", "noProcessors"));
    }
    let storage = settings.processors.iter().find(|one| one.service == Service::Storage);
    let storage = storage.map_or_else(|| pick("el propio servidor", "the server itself").to_owned(), |one| plain(&one.name));
    let backups = match settings.backup_keep_days {
        Some(days) if spanish => format!("se borran a los {days} días"),
        Some(days) => format!("deleted after {days} days"),
        None => pick("sin plazo escrito (backup_keep_days)", "no written term (backup_keep_days)").to_owned(),
    };
    let engine = match deps.db.engine() {
        Engine::Sqlite => pick("SQLite en el propio servidor", "SQLite on the server itself"),
        Engine::Postgres => "PostgreSQL",
    };
    let (erasures, requests) = totals(deps).await?;
    let values = vec![
        ("{company}", or_missing(company.clone())),
        ("{cif}", or_missing(cif)),
        ("{address}", or_missing(address)),
        ("{officer}", or_missing(settings.privacy_officer.clone().unwrap_or_default())),
        ("{url}", plain(&settings.public_url)),
        ("{media}", limits::MEDIA_EXPIRED_DAYS.to_string()),
        ("{terms}", terms),
        ("{blocked}", settings.keeping.blocked_days.to_string()),
        ("{processors}", processors),
        ("{storage}", storage),
        ("{backups}", backups),
        ("{engine}", engine.to_owned()),
        ("{erasures}", erasures.to_string()),
        ("{requests}", requests.to_string()),
    ];
    Ok(Facts { spanish, company, values })
}

fn term_name(language: Language, class: DataClass) -> &'static str {
    text(language, "contract", class.key())
}

fn service_name(language: Language, service: Service) -> &'static str {
    text(language, "contract", service.key())
}

/// The sections of a filled template: one for each heading.
fn sections(html: &str) -> Vec<Section> {
    let mut all: Vec<Section> = Vec::new();
    for block in blocks(html) {
        let text = match block.kind {
            BlockKind::Heading => {
                all.push(Section { title: block.text, blocks: Vec::new() });
                continue;
            }
            BlockKind::Item => format!("•  {}", block.text),
            BlockKind::Paragraph | BlockKind::Row => block.text,
        };
        if let Some(section) = all.last_mut() {
            section.blocks.push(Block::Text { text, strong: false });
        }
    }
    all
}

fn fill(template: &str, values: &[(&'static str, String)]) -> String {
    // What a value says is never filled again: the markup of lists comes first, and nobody writes braces in it.
    values.iter().fold(template.to_owned(), |text, (hole, value)| text.replace(hole, &value.replace(['{', '}'], "")))
}

fn moment(at: DateTime<Utc>) -> String {
    calendar::local(at).format("%d/%m/%Y %H:%M").to_string()
}

fn breach(facts: &Facts, row: &Breach, followed: Option<usize>) -> Section {
    let fact = |label: &str, value: String| Fact { label: label.to_owned(), value: Cell::new(value) };
    let none = || "–".to_owned();
    let when = |at: Option<DateTime<Utc>>| at.map_or_else(none, moment);
    let or_none = |text: &str| if text.is_empty() { none() } else { text.to_owned() };
    let mut lines = vec![
        fact(facts.pick("Ocurrió", "Happened"), when(row.happened_at)),
        fact(facts.pick("Se conoció", "Became known"), moment(row.known_at)),
        fact(facts.pick("Plazo de notificación (72 h)", "To be told until (72 h)"), moment(breaches::due(row))),
        fact(facts.pick("Notificada a la autoridad", "Authority told"), when(row.authority_at)),
        fact(facts.pick("Comunicada a las personas", "People told"), when(row.people_at)),
        fact(facts.pick("Personas afectadas", "People concerned"), row.people.map_or_else(none, |people| people.to_string())),
        fact(facts.pick("Qué ocurrió", "What happened"), row.nature.clone()),
        fact(facts.pick("Efectos", "Effects"), or_none(&row.effects)),
        fact(facts.pick("Medidas", "Measures"), or_none(&row.measures)),
        fact(facts.pick("Anotada por", "Entered by"), format!("{}, {}", row.by_name, moment(row.at))),
    ];
    if let Some(first) = followed {
        lines.insert(0, fact(facts.pick("Continúa la anotación", "Continues entry"), first.to_string()));
    }
    Section { title: row.title.clone(), blocks: vec![Block::Facts { heading: None, facts: lines }] }
}

/// Every entry of the register, the oldest first.
async fn register(deps: &Privacy, facts: &Facts) -> Result<Vec<Section>, PrivacyError> {
    let (mut rows, _) = store::list(deps.db.read(), Slice::WORKBOOK).await?;
    rows.reverse();
    if rows.is_empty() {
        let text = facts.pick("No consta ninguna brecha hasta la fecha.", "No breach is known to this day.").to_owned();
        let title = Paper::Breaches.title(facts.spanish).to_owned();
        return Ok(vec![Section { title, blocks: vec![Block::Text { text, strong: false }] }]);
    }
    // The sections of a document are numbered in this order.
    let place = |id| rows.iter().position(|row| row.id == id).map(|at| at + 1);
    Ok(rows.iter().map(|row| breach(facts, row, row.follows.and_then(place))).collect())
}

/// A paper as of now.
pub async fn set(deps: &Privacy, paper: Paper, language: Language) -> Result<Document, PrivacyError> {
    let facts = gather(deps, language).await?;
    let now = deps.sources.now();
    let sections = match paper {
        Paper::Breaches => register(deps, &facts).await?,
        Paper::Activities | Paper::Impact => sections(&fill(paper.template(facts.spanish), &facts.values)),
    };
    let digest = sha256_hex(serde_json::to_string(&sections).expect("sections are plain data").as_bytes()).to_uppercase();
    Ok(Document {
        language: facts.pick("es", "en").to_owned(),
        title: paper.title(facts.spanish).to_owned(),
        subtitle: facts.company.clone(),
        number: calendar::day(now).to_string(),
        issued_at: now,
        code: [&digest[..4], &digest[4..8], &digest[8..12], &digest[12..16]].join("-"),
        url: format!("{}/", deps.identity.settings.public_url),
        words: Words {
            page: facts.pick("Página {n} de {m}", "Page {n} of {m}").to_owned(),
            code: facts.pick("Huella de este documento", "Fingerprint of this document").to_owned(),
            qr: facts.pick("Código QR que lleva a la plataforma", "QR code that leads to the platform").to_owned(),
        },
        sections,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    // RETAIN-31
    #[test]
    fn no_hole_is_left_in_a_paper() {
        let values: Vec<(&str, String)> = [
            "{company}",
            "{cif}",
            "{address}",
            "{officer}",
            "{url}",
            "{media}",
            "{terms}",
            "{blocked}",
            "{processors}",
            "{storage}",
            "{backups}",
            "{engine}",
            "{erasures}",
            "{requests}",
        ]
        .map(|hole| (hole, format!("<li>{}</li>", hole.trim_matches(['{', '}']))))
        .into();
        for paper in [Paper::Activities, Paper::Impact] {
            for spanish in [true, false] {
                let html = fill(paper.template(spanish), &values);
                assert!(!html.contains(['{', '}']), "{html}");
                let found = sections(&html);
                assert!(found.len() >= 4 && found.iter().all(|section| !section.blocks.is_empty()), "{found:?}");
            }
        }
    }
}
