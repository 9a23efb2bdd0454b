//! What a company accepted, or the terms in force, as a document. Pure.

use atalaya_content::languages::{format, text};
use atalaya_content::legal::LegalText;
use atalaya_content::legal::plain::{BlockKind, blocks};
use atalaya_content::prices::Price;
use atalaya_kernel::keeping::{DataClass, Processor, Terms};
use atalaya_kernel::{CompanyId, Language, calendar};
use atalaya_pdf::{Block, Cell, Column, Document, Fact, PdfError, Section, Words, render};
use atalaya_tariff::{Cents, Percent};
use aws_lc_rs::digest::{SHA256, digest};
use chrono::{DateTime, Utc};
use uuid::Uuid;

/// The content of the document.
#[derive(Clone, Debug)]
pub struct ContractFacts {
    pub language: Language,
    pub texts: Vec<LegalText>,
    pub price: Price,
    pub company: Option<ContractCompany>,
    pub accepted: Option<Acceptance>,
    /// Scheme, host and port under which people reach us, without a slash at the end.
    pub public_url: String,
    /// How long each class of data is kept.
    pub keeping: Terms,
    /// Who else processes data, as configured when the document is set.
    pub processors: Vec<Processor>,
}

/// Whose contract it is.
#[derive(Clone, Debug)]
pub struct ContractCompany {
    pub id: CompanyId,
    pub name: String,
    pub cif: Option<String>,
}

/// When, by whom and from where it was accepted.
#[derive(Clone, Debug)]
pub struct Acceptance {
    pub at: DateTime<Utc>,
    pub by: String,
    pub address: Option<String>,
}

impl ContractFacts {
    fn word(&self, key: &'static str) -> String {
        text(self.language, "contract", key).to_owned()
    }

    fn fact(&self, label: &'static str, value: impl Into<String>) -> Fact {
        Fact { label: self.word(label), value: Cell::new(value) }
    }

    /// The contract as PDF. Takes computing time: call it where blocking is allowed.
    pub fn pdf(&self) -> Result<Vec<u8>, PdfError> {
        render(&self.document())
    }

    /// The key under which an acceptance's document is stored.
    pub fn subject(&self) -> Uuid {
        let mut bytes = [0; 16];
        bytes.copy_from_slice(&self.digest()[..16]);
        uuid::Builder::from_custom_bytes(bytes).into_uuid()
    }

    fn document(&self) -> Document {
        let code = self.code();
        let mut sections = vec![self.parties()];
        sections.extend(self.texts.iter().map(|text| self.text(text)));
        sections.push(self.prices());
        sections.push(self.privacy());
        let since = self.texts.iter().map(|text| text.in_force_from).max().unwrap_or(self.price.valid_from);
        Document {
            language: self.language.code().to_owned(),
            title: self.word("title"),
            subtitle: self.company.as_ref().map_or_else(|| self.word("general"), |company| company.name.clone()),
            number: code[..9].to_owned(),
            issued_at: self.accepted.as_ref().map_or(since.max(self.price.valid_from), |accepted| accepted.at),
            code,
            url: format!("{}/", self.public_url),
            words: Words { page: self.word("page"), code: self.word("code"), qr: self.word("qr") },
            sections,
        }
    }

    /// Distinguishes contracts by company, time, texts and prices.
    fn code(&self) -> String {
        let code = hex::encode_upper(self.digest());
        [&code[..4], &code[4..8], &code[8..12], &code[12..16]].join("-")
    }

    fn digest(&self) -> [u8; 32] {
        let mut facts = self.price.id.to_string();
        for text in &self.texts {
            facts.push_str(&text.sha256);
        }
        if let Some(company) = &self.company {
            facts.push_str(&company.id.to_string());
        }
        if let Some(accepted) = &self.accepted {
            facts.push_str(&accepted.at.timestamp_millis().to_string());
        }
        let mut bytes = [0; 32];
        bytes.copy_from_slice(digest(&SHA256, facts.as_bytes()).as_ref());
        bytes
    }

    fn parties(&self) -> Section {
        let mut facts = Vec::new();
        if let Some(company) = &self.company {
            facts.push(self.fact("company", &company.name));
            facts.push(self.fact("cif", company.cif.as_deref().unwrap_or("–")));
        }
        match &self.accepted {
            Some(accepted) => {
                facts.push(self.fact("acceptedAt", moment(accepted.at)));
                facts.push(self.fact("acceptedBy", &accepted.by));
                if let Some(address) = &accepted.address {
                    facts.push(self.fact("address", address));
                }
            }
            None => facts.push(self.fact("state", self.word("notAccepted"))),
        }
        Section { title: self.word("acceptance"), blocks: vec![Block::Facts { heading: None, facts }] }
    }

    fn text(&self, of: &LegalText) -> Section {
        let facts = vec![
            self.fact("version", of.version.to_string()),
            self.fact("inForceFrom", day(of.in_force_from)),
            Fact { label: self.word("sha256"), value: Cell::hash(&of.sha256) },
        ];
        let mut all = vec![Block::Facts { heading: None, facts }];
        all.extend(blocks(&of.html).into_iter().map(|block| match block.kind {
            BlockKind::Heading => Block::Facts { heading: Some(block.text), facts: Vec::new() },
            BlockKind::Item => Block::Text { text: format!("•  {}", block.text), strong: false },
            BlockKind::Paragraph | BlockKind::Row => Block::Text { text: block.text, strong: false },
        }));
        Section { title: of.title.clone(), blocks: all }
    }

    fn prices(&self) -> Section {
        let table = &self.price.table;
        let limit = table.minute_limit.map_or_else(|| self.word("noLimit"), |minutes| format!("{minutes} min"));
        let facts = vec![
            self.fact("validFrom", day(self.price.valid_from)),
            self.fact("connection", self.euros(table.connection)),
            self.fact("otherConnections", self.euros(table.other_connections)),
            self.fact("minuteLimit", limit),
            self.fact("exceededMinute", self.euros(table.exceeded_minute)),
            self.fact("guestMinute", self.euros(table.guest_minute)),
            self.fact("minPayment", self.euros(table.min_payment)),
        ];
        let mut all = vec![Block::Facts { heading: None, facts }];
        let mut tiers = table.discounts.clone();
        tiers.sort_by_key(|tier| (tier.percent, tier.to));
        if !tiers.is_empty() {
            let column = |key, width_mm| Column { title: self.word(key), width_mm, right: true };
            let row =
                |tier: &atalaya_tariff::Discount| vec![Cell::new(tier.to.to_string()), Cell::new(self.percent(tier.percent))];
            all.push(Block::Facts { heading: Some(self.word("discounts")), facts: Vec::new() });
            let columns = vec![
                column("upTo", Some(60)),
                column("percent", Some(40)),
                Column { title: String::new(), width_mm: None, right: false },
            ];
            let rows = tiers.iter().map(row).map(|mut cells| {
                cells.push(Cell::default());
                cells
            });
            all.push(Block::Table { columns, rows: rows.collect() });
        }
        all.push(Block::Text { text: self.word("withoutVat"), strong: false });
        Section { title: self.word("prices"), blocks: all }
    }

    /// What the texts leave to the installation: terms and processors (RETAIN-25, RETAIN-29).
    fn privacy(&self) -> Section {
        let days = |days: i64| Cell::new(format!("{days} {}", self.word("days")));
        let term = |class: DataClass| {
            let label = text(self.language, "contract", class.key()).to_owned();
            Fact { label, value: days(self.keeping.days(class)) }
        };
        let mut terms: Vec<Fact> = DataClass::ALL.into_iter().map(term).collect();
        terms.push(Fact { label: self.word("termBlocked"), value: days(self.keeping.blocked_days) });
        let named = |processor: &Processor| Fact {
            label: text(self.language, "contract", processor.service.key()).to_owned(),
            value: Cell::new(&processor.name),
        };
        let processors: Vec<Fact> = self.processors.iter().map(named).collect();
        let mut blocks = vec![Block::Facts { heading: Some(self.word("terms")), facts: terms }];
        if processors.is_empty() {
            blocks.push(Block::Text { text: self.word("noProcessors"), strong: false });
        } else {
            blocks.push(Block::Facts { heading: Some(self.word("processors")), facts: processors });
        }
        Section { title: self.word("annex"), blocks }
    }

    fn euros(&self, amount: Cents) -> String {
        format!("{} €", format::decimal(&amount.to_string(), self.language))
    }

    fn percent(&self, of: Percent) -> String {
        let text = Cents(of.0.into()).to_string();
        let text = text.trim_end_matches('0').trim_end_matches('.');
        format!("{} %", format::decimal(text, self.language))
    }
}

fn day(at: DateTime<Utc>) -> String {
    calendar::local(at).format("%d/%m/%Y").to_string()
}

fn moment(at: DateTime<Utc>) -> String {
    calendar::local(at).format("%d/%m/%Y %H:%M:%S").to_string()
}
