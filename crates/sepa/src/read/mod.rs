//! The answers of banks: pain.002, camt.053 and camt.054, alone or in a ZIP (SEPA-7 to SEPA-10).
//!
//! Nothing here trusts its input: sizes, entries, depth and nodes are limited, and a document type is refused.

mod camt;
mod pain002;
mod quoted;
mod tree;
mod unpack;

pub use quoted::invoice_numbers;
pub use tree::{Node, parse as parse_xml};

use chrono::NaiveDate;
use serde::{Deserialize, Serialize};

/// Bytes of an uploaded file.
pub const MAX_FILE: usize = 10 * 1024 * 1024;
/// Bytes of a ZIP's documents together.
pub const MAX_UNPACKED: u64 = 50 * 1024 * 1024;
/// Documents in a ZIP.
pub const MAX_ENTRIES: usize = 50;

/// Why a file cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    #[error("larger than allowed")]
    TooLarge,
    /// Cut, not XML, or a document type or entity in it.
    #[error("cannot be read: {0}")]
    Malformed(String),
    /// XML or text, but none of the messages that are understood.
    #[error("not a message that is understood: {0}")]
    NotSupported(String),
}

/// The event that an item reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Before settlement (pain.002).
    Reject,
    /// The money was credited and returned (camt).
    Return,
    /// As return, because the debtor asked for it.
    Refund,
    /// The money is credited.
    Confirmation,
    /// The creditor gave it back.
    Reversal,
    /// Money that came otherwise, as by a transfer; it settles no debit.
    Incoming,
    /// Money that went: no debit of ours.
    Outgoing,
}

impl Kind {
    pub fn word(self) -> &'static str {
        match self {
            Kind::Reject => "reject",
            Kind::Return => "return",
            Kind::Refund => "refund",
            Kind::Confirmation => "confirmation",
            Kind::Reversal => "reversal",
            Kind::Incoming => "incoming",
            Kind::Outgoing => "outgoing",
        }
    }
}

/// How many debits an item concerns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// All of a file (`file`).
    File,
    /// All of a block (`block`).
    Block,
    Debit,
}

/// One report of a bank.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    pub kind: Kind,
    pub level: Level,
    pub end_to_end: Option<String>,
    /// `PmtInfId` of our file.
    pub block: Option<String>,
    /// `MsgId` of our file.
    pub file: Option<String>,
    pub umr: Option<String>,
    /// In cents; `None` where the message does not say, or [`Report::unusable`].
    pub amount: Option<i64>,
    /// Its amount is in another currency, cannot be read, or is missing where one has to be (camt): it matches nothing.
    pub unusable: bool,
    pub reason: Option<String>,
    /// When the bank booked it (camt), else when the message was made.
    pub booked: Option<NaiveDate>,
    /// What the bank charges for it, in cents.
    pub charges: i64,
    /// Debits in a confirmed batch, where the bank counts them.
    pub count: Option<u64>,
    /// The details of its entry do not sum to the entry: for a person to look at.
    pub inconsistent: bool,
    /// The account that its statement is about (camt).
    pub account: Option<String>,
    /// The creditor identifier that it names (camt).
    pub creditor: Option<String>,
    /// Whoever paid (camt).
    pub payer: Option<String>,
    /// What was written along with the money (camt).
    pub text: Option<String>,
    /// The bank's own reference of the entry (camt).
    pub bank_ref: Option<String>,
}

impl Report {
    /// Whether the money may have come by a transfer: some banks do not say what kind of credit it is.
    pub fn may_be_transfer(&self) -> bool {
        let plain = self.kind == Kind::Confirmation && self.umr.is_none() && self.block.is_none();
        self.kind == Kind::Incoming || (plain && self.level == Level::Debit)
    }

    /// Nothing but its kind.
    pub fn blank(kind: Kind, level: Level) -> Self {
        Self {
            kind,
            level,
            end_to_end: None,
            block: None,
            file: None,
            umr: None,
            amount: None,
            unusable: false,
            reason: None,
            booked: None,
            charges: 0,
            count: None,
            inconsistent: false,
            account: None,
            creditor: None,
            payer: None,
            text: None,
            bank_ref: None,
        }
    }
}

/// A message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BankFile {
    /// `pain.002.001.10`, …
    pub message: String,
    pub message_id: String,
    /// The accounts of the message's statements, as IBANs, or as they are named otherwise (camt).
    pub accounts: Vec<String>,
    /// The creditor identifiers in the message (pain.002); those of a statement stand at its lines.
    pub creditors: Vec<String>,
    pub reports: Vec<Report>,
}

/// Reads an uploaded file: an XML document, or a ZIP of them.
///
/// Errors: [`ReadError`].
pub fn read(bytes: &[u8]) -> Result<Vec<BankFile>, ReadError> {
    if bytes.len() > MAX_FILE {
        return Err(ReadError::TooLarge);
    }
    if bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"PK\x05\x06") {
        return unpack::each(bytes, document);
    }
    document(bytes).map(|file| vec![file])
}

fn document(bytes: &[u8]) -> Result<BankFile, ReadError> {
    let text = tree::decode(bytes)?;
    if !text.trim_start().starts_with('<') {
        return Err(ReadError::NotSupported("text".into()));
    }
    let root = tree::parse(&text)?;
    let space = root.attribute("xmlns").unwrap_or_default();
    let message = space.strip_prefix("urn:iso:std:iso:20022:tech:xsd:").unwrap_or(space).to_owned();
    let body = (root.name == "Document").then(|| root.children.first()).flatten();
    let wrong = |name: &str| ReadError::NotSupported(name.chars().take(80).collect());
    let Some(body) = body else { return Err(wrong(&root.name)) };
    match (message.as_str(), body.name.as_str()) {
        ("pain.002.001.03" | "pain.002.001.10", "CstmrPmtStsRpt") => pain002::read(message, body),
        ("camt.053.001.02" | "camt.053.001.08", "BkToCstmrStmt") => camt::read(message, body, "Stmt"),
        ("camt.054.001.02" | "camt.054.001.08", "BkToCstmrDbtCdtNtfctn") => camt::read(message, body, "Ntfctn"),
        _ => Err(wrong(&message)),
    }
}

/// `12.30` in cents; `None` for anything but digits with at most two decimals that matter.
pub(crate) fn cents(text: &str) -> Option<i64> {
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    let digits = |s: &str| s.bytes().all(|b| b.is_ascii_digit());
    let (significant, rest) = part.split_at_checked(2).unwrap_or((part, ""));
    if whole.is_empty() || whole.len() > 12 || !digits(whole) || !digits(part) || rest.bytes().any(|b| b != b'0') {
        return None;
    }
    let fraction: i64 = format!("{significant:0<2}").parse().ok()?;
    whole.parse::<i64>().ok()?.checked_mul(100)?.checked_add(fraction)
}

/// The amount in `node`'s element of that name, euros only; `None` also where there is no such element.
fn amount(node: &Node, name: &str) -> Option<i64> {
    let found = node.child(name)?;
    if found.attribute("Ccy").is_some_and(|currency| currency != "EUR") {
        return None;
    }
    cents(found.text.trim())
}

/// A day, or the day of an instant as written.
fn day(node: &Node, name: &str) -> Option<NaiveDate> {
    let found = node.child(name)?;
    let text = found.text_at(&["Dt"]).or_else(|| found.text_at(&["DtTm"])).unwrap_or_else(|| found.text.trim());
    text.get(..10)?.parse().ok()
}
