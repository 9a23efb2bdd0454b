//! Whom somebody who checks an archive trusts, and what that says about a signature (EVID-46, EVID-47).

use atalaya_cases::evidence_keys::{PublicKey, Statement, key_blocks, pem_blocks};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// What was named beside the archive.
#[derive(Clone, Debug, Default)]
pub struct Trust {
    /// Keys of installations, with the day of a theft, by fingerprint.
    keys: BTreeMap<String, Option<String>>,
    /// Certificates of time stamp authorities (DER).
    pub authorities: Vec<Vec<u8>>,
    /// Roots of days, lower-case hex, as they were published or sent to a webhook.
    pub roots: BTreeSet<String>,
    pub page: Option<Page>,
}

/// What the public page of an installation answered.
#[derive(Clone, Debug, Default)]
pub struct Page {
    /// As it was named.
    pub url: String,
    /// PEM of its keys.
    pub keys: String,
    /// What it says of the archive's certificate; `null` when it knows none.
    pub certificate: Value,
}

impl Trust {
    /// Adds the keys of a PEM file. Answers how many they are.
    pub fn add_keys(&mut self, pem: &str) -> usize {
        let found = key_blocks(pem);
        let count = found.len();
        add(&mut self.keys, found);
        count
    }

    /// Adds the certificates of a PEM file. Answers how many they are.
    pub fn add_authorities(&mut self, pem: &str) -> usize {
        let found = pem_blocks(pem, "CERTIFICATE");
        let count = found.len();
        self.authorities.extend(found.into_iter().map(|(_, der)| der));
        count
    }

    /// Adds the root of a day, in hex. Answers whether it is one.
    pub fn add_root(&mut self, root: &str) -> bool {
        let root = root.trim().to_ascii_lowercase();
        let is_hash = hex::decode(&root).is_ok_and(|bytes| bytes.len() == 32);
        if is_hash {
            self.roots.insert(root);
        }
        is_hash
    }

    pub(super) fn names_keys(&self) -> bool {
        !self.keys.is_empty()
    }
}

fn add(keys: &mut BTreeMap<String, Option<String>>, found: Vec<(PublicKey, Option<String>)>) {
    for (key, stolen) in found {
        let known = keys.entry(key.fingerprint()).or_default();
        *known = earlier(known.take(), stolen);
    }
}

fn earlier(one: Option<String>, other: Option<String>) -> Option<String> {
    [one, other].into_iter().flatten().min()
}

/// A key as the manifest lists it, its own hash checked.
struct Listed {
    key: PublicKey,
    since: String,
    until: Option<String>,
    stolen_on: Option<String>,
    /// The key that endorses it, when that signature holds.
    endorsed_by: Option<String>,
}

/// Every key that a manifest lists, beside those that were named.
pub(super) struct Keys<'a> {
    listed: BTreeMap<String, Listed>,
    trust: &'a Trust,
    page: BTreeMap<String, Option<String>>,
}

/// Whether a key is one of those that were named, or follows one of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Lead {
    Yes,
    /// Only over a key that was stolen on this day: whoever has that one can endorse what he likes, with any date.
    OverStolen(String),
    No,
}

/// What a signature is worth.
pub(super) enum Worth {
    /// The text was not signed by this key.
    Forged,
    /// It was signed after the day of the theft.
    Stolen,
    /// A genuine signature.
    Genuine {
        /// By a named key, or one that a named key leads to; `None` when no key was named.
        named: Option<Lead>,
        /// The same for the keys of the page.
        of_page: Option<Lead>,
        stolen_on: Option<String>,
        until: Option<String>,
    },
}

impl<'a> Keys<'a> {
    /// Reads the keys of a manifest. Answers the names of those that are not what they claim to be as well.
    pub fn read(list: &[Value], trust: &'a Trust) -> (Self, Vec<String>) {
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let (mut listed, mut wrong) = (BTreeMap::new(), Vec::new());
        for item in list {
            let name = super::named(&item["key"]);
            let key = item["publicKey"].as_str().and_then(PublicKey::of_base64).filter(|key| key.fingerprint() == name);
            let dated = is_like(&item["since"], MOMENT)
                && (item["until"].is_null() || is_like(&item["until"], MOMENT))
                && (item["stolenOn"].is_null() || is_like(&item["stolenOn"], DAY));
            let Some(key) = key.filter(|_| dated) else {
                wrong.push(name);
                continue;
            };
            let since = text(&item["since"]).unwrap_or_default();
            let (until, stolen_on) = (text(&item["until"]), text(&item["stolenOn"]));
            listed.insert(name, Listed { key, since, until, stolen_on, endorsed_by: None });
        }
        for item in list {
            let (name, Some(previous)) = (super::named(&item["key"]), item["previous"].as_str()) else { continue };
            let Some(since) = listed.get(&name).map(|key| key.since.clone()) else { continue };
            let statement = Statement::Key([previous, &name, &since]).text(previous);
            let signature = item["endorsement"].as_str().unwrap_or_default();
            if listed.get(previous).is_some_and(|earlier| earlier.key.signed(&statement, signature)) {
                if let Some(key) = listed.get_mut(&name) {
                    key.endorsed_by = Some(previous.to_owned());
                }
            } else {
                wrong.push(name);
            }
        }
        let mut page = BTreeMap::new();
        add(&mut page, trust.page.as_ref().map(|page| key_blocks(&page.keys)).unwrap_or_default());
        (Self { listed, trust, page }, wrong)
    }

    /// The day from which on a key may be somebody else's, by whoever says the earliest.
    fn stolen_on(&self, name: &str) -> Option<String> {
        let told = |keys: &BTreeMap<String, Option<String>>| keys.get(name).cloned().flatten();
        let listed = self.listed.get(name).and_then(|key| key.stolen_on.clone());
        earlier(listed, earlier(told(&self.trust.keys), told(&self.page)))
    }

    /// Whether a key is one of these, or was endorsed by one of them before that was stolen.
    fn lead(&self, name: &str, keys: &BTreeMap<String, Option<String>>) -> Lead {
        let (mut name, mut stolen) = (name.to_owned(), None);
        for _ in 0..=self.listed.len() {
            if keys.contains_key(&name) {
                return stolen.map_or(Lead::Yes, Lead::OverStolen);
            }
            let Some(key) = self.listed.get(&name) else { return Lead::No };
            let Some(previous) = &key.endorsed_by else { return Lead::No };
            let day = self.stolen_on(previous);
            if day.as_ref().is_some_and(|day| is_after(&key.since, day)) {
                return Lead::No;
            }
            stolen = earlier(stolen, day);
            name = previous.clone();
        }
        Lead::No
    }

    /// Examines a signature of this time under a statement.
    pub fn worth(&self, name: &str, at: &str, statement: Statement<'_>, signature: &str) -> Worth {
        let Some(key) = self.listed.get(name).filter(|key| key.key.signed(&statement.text(name), signature)) else {
            return Worth::Forged;
        };
        let stolen_on = self.stolen_on(name);
        if stolen_on.as_ref().is_some_and(|day| is_after(at, day)) {
            return Worth::Stolen;
        }
        Worth::Genuine {
            named: self.trust.names_keys().then(|| self.lead(name, &self.trust.keys)),
            of_page: self.trust.page.is_some().then(|| self.lead(name, &self.page)),
            until: key.until.clone(),
            stolen_on,
        }
    }
}

/// UTC with milliseconds, and a day; `0` stands for any digit.
const MOMENT: &str = "0000-00-00T00:00:00.000Z";
const DAY: &str = "0000-00-00";

/// Whether a value is text of this form, so that it can be compared and printed.
fn is_like(value: &Value, form: &str) -> bool {
    let fits = |(one, like): (u8, u8)| if like == b'0' { one.is_ascii_digit() } else { one == like };
    value.as_str().is_some_and(|text| text.len() == form.len() && text.bytes().zip(form.bytes()).all(fits))
}

/// Whether a moment lies after a day, both in UTC.
fn is_after(moment: &str, day: &str) -> bool {
    moment.get(..10).unwrap_or_default() > day
}
