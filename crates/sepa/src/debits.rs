//! pain.008: the file with which the bank is asked to collect (SEPA-4 to SEPA-6).
//!
//! The crate `sepa` writes and checks it; here are the particulars of Spanish banks that it leaves out.

use crate::amendment::Amendment;
use crate::creditor::CreditorId;
use crate::read::{Node, cents, parse_xml};
use crate::text::{CONCEPT, NAME, is_identifier, latin};
use chrono::{Datelike, NaiveDate, NaiveDateTime, Timelike};
use sepa::pain008::{DirectDebitSchema, DirectDebitScheme};
use sepa::validate::CharsetPolicy;
use sepa::{DirectDebitEntry, DirectDebitGroup, IsoDate, Pain008Builder, PostalAddress, SequenceType};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Which edition of the message.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Version {
    /// pain.008.001.08, the rulebook's.
    #[default]
    #[serde(rename = "pain.008.001.08")]
    V08,
    /// pain.008.001.02, for banks that have not moved.
    #[serde(rename = "pain.008.001.02")]
    V02,
}

impl std::str::FromStr for Version {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "pain.008.001.08" => Ok(Self::V08),
            "pain.008.001.02" => Ok(Self::V02),
            other => Err(format!("unknown message {other}: pain.008.001.08 or pain.008.001.02")),
        }
    }
}

/// Whom a debit may be drawn on: anyone, or companies only.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Scheme {
    #[default]
    Core,
    B2b,
}

/// Which debit of a mandate it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Sequence {
    Frst,
    #[default]
    Rcur,
    Ooff,
}

impl Scheme {
    pub const ALL: [Self; 2] = [Self::Core, Self::B2b];

    pub fn name(self) -> &'static str {
        match self {
            Self::Core => "CORE",
            Self::B2b => "B2B",
        }
    }

    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|scheme| scheme.name() == name)
    }
}

impl Sequence {
    pub const ALL: [Self; 3] = [Self::Frst, Self::Rcur, Self::Ooff];

    pub fn name(self) -> &'static str {
        match self {
            Self::Frst => "FRST",
            Self::Rcur => "RCUR",
            Self::Ooff => "OOFF",
        }
    }

    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|sequence| sequence.name() == name)
    }
}

/// A postal address in parts; the free line is the street of a hybrid one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Address {
    pub street: String,
    pub post_code: String,
    pub town: String,
    pub province: String,
    /// ISO 3166, two capitals.
    pub country: String,
}

/// The creditor, and the account that is credited.
#[derive(Clone, Debug)]
pub struct Creditor {
    pub name: String,
    pub id: CreditorId,
    pub iban: String,
    pub bic: Option<String>,
    pub address: Option<Address>,
}

/// One debit.
#[derive(Clone, Debug)]
pub struct Debit {
    pub end_to_end: String,
    /// In cents, above zero.
    pub amount: i64,
    /// Of the mandate.
    pub umr: String,
    pub signed: NaiveDate,
    pub debtor: String,
    pub iban: String,
    /// Needed outside the European Economic Area only.
    pub bic: Option<String>,
    pub address: Option<Address>,
    /// The text that the debtor reads.
    pub concept: String,
    /// What changed since the debtor's bank last heard of the mandate.
    pub amendment: Option<Amendment>,
}

/// Debits that share scheme, sequence and day.
#[derive(Clone, Debug)]
pub struct Block {
    pub id: String,
    pub scheme: Scheme,
    pub sequence: Sequence,
    pub collection: NaiveDate,
    pub debits: Vec<Debit>,
}

/// A whole file.
#[derive(Clone, Debug)]
pub struct Message {
    pub id: String,
    /// On Madrid's clock.
    pub created: NaiveDateTime,
    pub version: Version,
    pub creditor: Creditor,
    pub blocks: Vec<Block>,
}

/// Why the file cannot be written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DebitsError {
    #[error("an identifier no bank takes: {0}")]
    Identifier(String),
    #[error("no debit")]
    Empty,
    #[error("{0}: not an account of the SEPA area")]
    Iban(String),
    #[error("{0}: no name is left in the letters banks exchange")]
    Name(String),
    #[error("{0}: outside the European Economic Area a BIC and an address are needed")]
    Abroad(String),
    #[error("the rules of the scheme: {0}")]
    Rules(String),
}

/// `{MsgId}-RCUR`, `-FRST`, `-B2B`; a further day of the same kind counts on.
pub fn block_id(msg_id: &str, scheme: Scheme, sequence: Sequence, named: &mut BTreeMap<String, u32>) -> String {
    let word = match (scheme, sequence) {
        (Scheme::B2b, Sequence::Rcur) => "B2B",
        (Scheme::B2b, Sequence::Frst) => "B2B-FRST",
        (Scheme::B2b, Sequence::Ooff) => "B2B-OOFF",
        (Scheme::Core, Sequence::Rcur) => "RCUR",
        (Scheme::Core, Sequence::Frst) => "FRST",
        (Scheme::Core, Sequence::Ooff) => "OOFF",
    };
    let id = format!("{msg_id}-{word}");
    let count = named.entry(id.clone()).or_default();
    *count += 1;
    if *count == 1 { id } else { format!("{id}-{count}") }
}

/// Whether an account outside the European Economic Area is debited: its bank needs a BIC, its holder an address.
pub fn is_abroad(iban: &str) -> bool {
    matches!(
        iban.get(..2),
        Some("GB" | "CH" | "MC" | "SM" | "AD" | "VA" | "GI" | "JE" | "GG" | "IM" | "AL" | "ME" | "MD" | "MK" | "RS")
    )
}

impl Message {
    /// Sum of all debits, in cents.
    pub fn total(&self) -> i64 {
        self.blocks.iter().flat_map(|block| &block.debits).map(|debit| debit.amount).sum()
    }

    pub fn count(&self) -> usize {
        self.blocks.iter().map(|block| block.debits.len()).sum()
    }

    /// The file as XML, after the checks of the scheme. Names are written in SEPA letters; identifiers must be right.
    ///
    /// Errors: [`DebitsError`], which names the debit at fault.
    pub fn to_xml(&self) -> Result<String, DebitsError> {
        identifier(&self.id)?;
        if self.blocks.is_empty() {
            return Err(DebitsError::Empty);
        }
        let name = latin(&self.creditor.name, NAME);
        let created = sepa::IsoDateTime::new(
            iso(self.created.date())?,
            narrow(self.created.hour()),
            narrow(self.created.minute()),
            narrow(self.created.second()),
        )
        .map_err(|e| DebitsError::Rules(e.to_string()))?;
        let mut builder = Pain008Builder::new(name.clone(), self.id.clone())
            .created_at(created)
            .schema(match self.version {
                Version::V08 => DirectDebitSchema::IsoV8,
                Version::V02 => DirectDebitSchema::IsoV2,
            })
            .charset(CharsetPolicy::Strict);
        for block in &self.blocks {
            builder = builder.add_group(self.group(&name, block)?);
        }
        let xml = builder.build().map_err(|e| DebitsError::Rules(e.to_string()))?;
        let xml = spanish(&xml, self.creditor.id.as_str());
        self.recount(&xml)?;
        Ok(xml)
    }

    /// Counts the file again from what was written.
    fn recount(&self, xml: &str) -> Result<(), DebitsError> {
        let wrong = || DebitsError::Rules(format!("{} does not add up", self.id));
        let root = parse_xml(xml).map_err(|_| wrong())?;
        let mut amounts = Vec::new();
        instructed(&root, &mut amounts);
        let told = root.at(&["CstmrDrctDbtInitn", "GrpHdr"]).and_then(|head| head.text_at(&["CtrlSum"])).and_then(cents);
        let sum = amounts.iter().try_fold(0i64, |sum, amount| sum.checked_add((*amount)?));
        let fits = sum == Some(self.total()) && amounts.len() == self.count() && told == sum;
        if fits { Ok(()) } else { Err(wrong()) }
    }

    fn group(&self, name: &str, block: &Block) -> Result<DirectDebitGroup, DebitsError> {
        identifier(&block.id)?;
        let account = iban(&self.id, &self.creditor.iban)?;
        let mut group = DirectDebitGroup::new(name, &account, &self.creditor.id.0, iso(block.collection)?)
            .payment_info_id(block.id.clone())
            .batch_booking(true)
            .scheme(match block.scheme {
                Scheme::Core => DirectDebitScheme::Core,
                Scheme::B2b => DirectDebitScheme::B2b,
            })
            .sequence_type(match block.sequence {
                Sequence::Frst => SequenceType::Frst,
                Sequence::Rcur => SequenceType::Rcur,
                Sequence::Ooff => SequenceType::Ooff,
            });
        if let Some(code) = &self.creditor.bic {
            group = group.creditor_bic(bic(code)?);
        }
        if let Some(of) = &self.creditor.address {
            group = group.creditor_address(structured(of)?);
        }
        let entries = block.debits.iter().map(entry).collect::<Result<Vec<_>, _>>()?;
        Ok(group.add_entries(entries))
    }
}

/// Checks one debit as the file would, so that it can be left out beforehand.
///
/// Errors: [`DebitsError`].
pub fn check(debit: &Debit) -> Result<(), DebitsError> {
    if debit.amount <= 0 || debit.amount > 99_999_999_999 {
        return Err(DebitsError::Rules(format!("{}: amount", debit.end_to_end)));
    }
    entry(debit).map(|_| ())
}

fn entry(debit: &Debit) -> Result<DirectDebitEntry, DebitsError> {
    identifier(&debit.end_to_end)?;
    identifier(&debit.umr)?;
    let account = iban(&debit.end_to_end, &debit.iban)?;
    let name = latin(&debit.debtor, NAME);
    if !name.chars().any(char::is_alphanumeric) {
        return Err(DebitsError::Name(debit.end_to_end.clone()));
    }
    let mut entry =
        DirectDebitEntry::new(debit.umr.clone(), iso(debit.signed)?, name, account, debit.amount, debit.end_to_end.clone())
            .with_description(latin(&debit.concept, CONCEPT));
    if let Some(amendment) = &debit.amendment {
        entry = entry.with_amendment(amendment.written(&debit.end_to_end)?);
    }
    if is_abroad(&debit.iban) {
        let (Some(code), Some(address)) = (&debit.bic, &debit.address) else {
            return Err(DebitsError::Abroad(debit.end_to_end.clone()));
        };
        entry = entry.with_bic(bic(code)?).with_debtor_address(hybrid(address)?);
    }
    Ok(entry)
}

/// Spanish banks refuse files whose initiating party does not carry the creditor identifier, and expect the statement that
/// a mandate is not amended.
fn spanish(xml: &str, creditor_id: &str) -> String {
    let party = format!(
        "</Nm><Id><OrgId><Othr><Id>{creditor_id}</Id><SchmeNm><Prtry>SEPA</Prtry></SchmeNm></Othr></OrgId></Id></InitgPty>"
    );
    let with_party = xml.replacen("</Nm></InitgPty>", &party, 1);
    with_party.replace("</DtOfSgntr>\n        </MndtRltdInf>", "</DtOfSgntr><AmdmntInd>false</AmdmntInd></MndtRltdInf>")
}

fn instructed(node: &Node, amounts: &mut Vec<Option<i64>>) {
    if node.name == "InstdAmt" {
        amounts.push(cents(node.text.trim()));
    }
    node.children.iter().for_each(|child| instructed(child, amounts));
}

pub(crate) fn identifier(id: &str) -> Result<(), DebitsError> {
    if is_identifier(id) { Ok(()) } else { Err(DebitsError::Identifier(id.to_owned())) }
}

pub(crate) fn iban(of: &str, text: &str) -> Result<sepa::Iban, DebitsError> {
    // Ours is stricter (check digits, the Spanish control digits); the crate's type is what its writer takes.
    let checked = atalaya_checks::iban::Iban::parse(text).ok().filter(atalaya_checks::iban::Iban::is_sepa);
    let account = checked.and_then(|iban| sepa::validate_iban(iban.as_str()).ok());
    account.ok_or_else(|| DebitsError::Iban(of.to_owned()))
}

fn bic(code: &str) -> Result<sepa::Bic, DebitsError> {
    code.parse().map_err(|_| DebitsError::Rules(format!("BIC {code}")))
}

fn iso(day: NaiveDate) -> Result<IsoDate, DebitsError> {
    let year = u16::try_from(day.year()).map_err(|_| DebitsError::Rules("year".into()))?;
    IsoDate::new(year, narrow(day.month()), narrow(day.day())).map_err(|e| DebitsError::Rules(e.to_string()))
}

fn narrow(part: u32) -> u8 {
    u8::try_from(part).expect("months, days, hours, minutes and seconds are small")
}

/// Post code, town and country in their elements; the street in up to two free lines.
fn hybrid(of: &Address) -> Result<PostalAddress, DebitsError> {
    let mut address = head(of)?;
    let street = latin(&of.street, 140);
    let (first, second) = (street.chars().take(70).collect::<String>(), street.chars().skip(70).collect::<String>());
    for line in [first, second] {
        if !line.trim().is_empty() {
            address = address.line(line.trim());
        }
    }
    Ok(address)
}

/// Street and number in their own elements where the number is at the end; else hybrid.
fn structured(of: &Address) -> Result<PostalAddress, DebitsError> {
    let street = latin(&of.street, 70);
    match street.rsplit_once([' ', ',']) {
        Some((name, number))
            if number.starts_with(|c: char| c.is_ascii_digit())
                && number.len() <= 16
                && !name.trim_matches([' ', ',']).is_empty() =>
        {
            Ok(head(of)?.street(name.trim_matches([' ', ','])).building_number(number))
        }
        _ => hybrid(of),
    }
}

fn head(of: &Address) -> Result<PostalAddress, DebitsError> {
    let mut address =
        PostalAddress::new(latin(&of.town, 35), &of.country).map_err(|e| DebitsError::Rules(format!("address: {e}")))?;
    let post_code = latin(&of.post_code, 16);
    if !post_code.is_empty() {
        address = address.post_code(post_code);
    }
    let province = latin(&of.province, 35);
    if !province.is_empty() {
        address = address.country_subdivision(province);
    }
    Ok(address)
}
