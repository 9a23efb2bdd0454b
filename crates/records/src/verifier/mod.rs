//! Checking the ZIP of a case without database and keys: files, events, seal and time stamp against its manifest.
//!
//! The same rules as `scripts/verify.py` and `verificador.html`, written independently; a test keeps them in agreement
//! (CERT-20).

mod archive;
mod days;
mod devices;
mod drawings;
mod facts;
mod names;
pub mod online;
mod signatures;
mod trust;
mod words;

pub use trust::{Page, Trust};

use crate::certificates::manifest::{FORMAT, MANIFEST, VERIFIER};
use crate::timestamps::{self, authority};
use archive::{Archive, ArchiveError};
use atalaya_cases::evidence::chain::{GENESIS, sha256_hex};
use atalaya_cases::evidence::merkle;
use aws_lc_rs::digest::{Context, SHA256};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use chrono::{DateTime, Utc};
use serde_json::{Map, Value};
use std::collections::BTreeSet;
use std::fmt::{self, Display};
use std::io::{Read, Seek};

/// The result of an examination.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// `WRONG <what> <which>`, or `UNCOVERED AFTER_SEAL <how many> …` for files that arrived or expired after the seal, in
    /// the words of the other verifiers.
    pub wrong: Vec<String>,
    /// What was named and vouches for the archive.
    pub anchors: Vec<String>,
    /// What was not examined or has to be compared elsewhere, in the words of the other verifiers.
    pub notes: Vec<String>,
    /// Events after the seal, issues of certificates apart: what vouches for the seal does not vouch for them.
    pub loose: usize,
    pub events: usize,
    pub files: usize,
}

/// What an archive is worth, with the exit code of a verifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Whole, and something that was named vouches for it.
    Anchored = 0,
    Wrong = 1,
    /// It fits together, which an archive made anew does too; or what was named vouches for a part of it only.
    Consistent = 3,
}

impl Report {
    pub fn verdict(&self) -> Verdict {
        if !self.wrong.is_empty() {
            return Verdict::Wrong;
        }
        if self.is_partly_anchored() || self.anchors.is_empty() { Verdict::Consistent } else { Verdict::Anchored }
    }

    /// Whether what was named vouches for the seal, and events follow it.
    pub fn is_partly_anchored(&self) -> bool {
        !self.anchors.is_empty() && self.loose > 0
    }
}

impl Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for line in &self.wrong {
            writeln!(f, "{}", printable(line))?;
        }
        let verdict = self.verdict();
        if verdict != Verdict::Wrong {
            let word = if verdict == Verdict::Anchored { "OK" } else { "CONSISTENT" };
            writeln!(f, "{word} {} events, {} files", self.events, self.files)?;
            for line in &self.anchors {
                writeln!(f, "ANCHOR {}", printable(line))?;
            }
            for line in &self.notes {
                writeln!(f, "NOTE {}", printable(line))?;
            }
        }
        let [es, en] = words::words(self);
        writeln!(f, "\n{es}\n{en}")
    }
}

/// A line of its own, whatever names an archive holds.
fn printable(line: &str) -> String {
    line.chars().map(|c| if c.is_control() { '\u{FFFD}' } else { c }).collect()
}

/// Examines an archive. Errors: [`ArchiveError`] when the file is not an archive.
pub fn verify(file: impl Read + Seek, trust: &Trust) -> Result<Report, ArchiveError> {
    let archive = Archive::open(file)?;
    let report = Report::default();
    let mut examination =
        Examination { archive, trust, manifest: Value::Null, events: Vec::new(), document_vouched: false, report };
    examination.run()?;
    let Examination { manifest, events, report, .. } = examination;
    Ok(Report { files: list(&manifest, "media").len(), events: events.len(), ..report })
}

struct Examination<'a, R> {
    archive: Archive<R>,
    trust: &'a Trust,
    manifest: Value,
    /// The parsed events; an empty one for what cannot be read.
    events: Vec<Value>,
    /// Whether something that was named vouches for the certificate's document.
    document_vouched: bool,
    report: Report,
}

const MEDIA: &[&str] = &["MEDIA_CAPTURED", "FILE_UPLOADED"];

fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value[key].as_array().map_or(&[], Vec::as_slice)
}

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap_or_default()
}

fn hash(value: &Value, key: &str) -> merkle::Hash {
    merkle::parse(text(value, key)).unwrap_or_default()
}

/// A number or text as a finding prints it.
fn named(value: &Value) -> String {
    value.as_str().map_or_else(|| if value.is_null() { "None".into() } else { value.to_string() }, str::to_owned)
}

impl<R: Read + Seek> Examination<'_, R> {
    fn miss(&mut self, what: &str, which: impl Display) {
        self.report.wrong.push(format!("WRONG {what} {which}"));
    }

    fn run(&mut self) -> Result<(), ArchiveError> {
        let mut bytes = Vec::new();
        self.archive.read(MANIFEST, |piece| bytes.extend_from_slice(piece))?;
        self.manifest = serde_json::from_slice(&bytes).unwrap_or_default();
        if text(&self.manifest, "format") != FORMAT {
            self.miss("MANIFEST", MANIFEST);
            return Ok(());
        }
        self.events();
        self.conference();
        self.values();
        self.media()?;
        self.seal();
        self.timestamp();
        self.day();
        self.certificate()?;
        self.signatures();
        self.page();
        self.document();
        self.drawings()?;
        self.devices();
        self.names();
        Ok(())
    }

    fn events(&mut self) {
        let links = list(&self.manifest, "events").to_vec();
        let mut prev = GENESIS.to_owned();
        for (link, seq) in links.iter().zip(1_u64..) {
            let canonical = text(link, "canonical");
            let event: Value = serde_json::from_str(canonical).unwrap_or_default();
            let hashed = sha256_hex(format!("VAEV1\n{prev}\n{canonical}").as_bytes());
            if event["seq"].as_u64() != Some(seq) || text(link, "prev") != prev || text(link, "hash") != hashed {
                self.miss("EVENT", seq);
            }
            self.events.push(event);
            prev = text(link, "hash").to_owned();
        }
        if links.is_empty() {
            self.miss("EVENT", 1);
        }
    }

    fn data(&self, seq: &Value) -> Map<String, Value> {
        let index = seq.as_u64().and_then(|seq| usize::try_from(seq).ok()).and_then(|seq| seq.checked_sub(1));
        let event = index.and_then(|index| self.events.get(index));
        event.and_then(|event| event["data"].as_object()).cloned().unwrap_or_default()
    }

    /// Events of these types with their place in the chain.
    fn of_type(&self, types: &[&str]) -> Vec<(u64, Value)> {
        let numbered = self.events.iter().zip(1_u64..);
        numbered
            .filter(|(event, _)| types.contains(&text(event, "type")))
            .map(|(event, seq)| (seq, event["data"].clone()))
            .collect()
    }

    fn media(&mut self) -> Result<(), ArchiveError> {
        let (listed, entered) = (list(&self.manifest, "media").to_vec(), self.of_type(MEDIA));
        let expiries = self.of_type(&["MEDIA_EXPIRED"]);
        for n in 0..listed.len().max(entered.len()) {
            let (Some(item), Some((seq, data))) = (listed.get(n), entered.get(n)) else {
                self.miss("MEDIA", n + 1);
                continue;
            };
            let name = data.as_object().map_or(Value::Null, |data| self.known(&Value::from(*seq), data, "name"));
            let fits = item["name"] == name
                && ["type", "sha256", "bytes", "deviceKey", "deviceSignature"].iter().all(|key| item[*key] == data[*key]);
            let called = item["path"].as_str().is_none_or(|path| name.as_str().is_some_and(|name| names::bears(path, name)));
            if !fits || !called || item["seq"].as_u64() != Some(*seq) {
                self.miss("MEDIA", n + 1);
            }
            match item["path"].as_str() {
                // A file may be missing only when its expiry is in the chain.
                None => {
                    if !expiries.iter().any(|(expired, _)| expired > seq) {
                        self.miss("FILE", named(&name));
                    }
                }
                Some(path) => {
                    if !self.fits(path, &data["sha256"], data["bytes"].as_u64())? {
                        self.miss("FILE", path);
                    }
                }
            }
        }
        Ok(())
    }

    /// Whether a file is present with this hash and, if given, this length.
    fn fits(&mut self, name: &str, sha256: &Value, size_bytes: Option<u64>) -> Result<bool, ArchiveError> {
        let (mut context, mut count) = (Context::new(&SHA256), 0_u64);
        let whole = self.archive.read(name, |piece| {
            context.update(piece);
            count += piece.len() as u64;
        })?;
        let found = hex::encode(context.finish());
        Ok(whole && sha256.as_str() == Some(&found) && size_bytes.is_none_or(|size| size == count))
    }

    fn seal(&mut self) {
        let seal = self.manifest["seal"].clone();
        if seal.is_null() {
            if !self.of_type(&["CONFERENCE_CLOSED"]).is_empty() {
                self.miss("ROOT", "seal");
            }
            let head = list(&self.manifest, "events").last().map_or("", |link| text(link, "hash")).to_owned();
            self.report.notes.push(format!("not sealed: nothing outside this archive vouches for it: head {head}"));
            return;
        }
        let seq = seal["seq"].as_u64().unwrap_or(0);
        let link = usize::try_from(seq).ok().and_then(|seq| list(&self.manifest, "events").get(seq.checked_sub(1)?));
        let known = link.is_some();
        if link.is_none_or(|link| link["hash"] != seal["head"]) {
            self.miss("HEAD", "seal");
        }
        if hex::encode(self.root_at(seq, hash(&seal, "head"))) != text(&seal, "root") {
            self.miss("ROOT", "seal");
        }
        if known {
            self.after_seal(seq);
        }
    }

    /// RFC 6962 root of [head, hashes of the media up to an event].
    fn root_at(&self, seq: u64, head: merkle::Hash) -> merkle::Hash {
        let mut leaves = vec![head];
        leaves.extend(self.of_type(MEDIA).iter().filter(|(at, _)| *at <= seq).map(|(_, data)| hash(data, "sha256")));
        merkle::root(&leaves)
    }

    /// Anybody who repacks an archive can append events with correct hashes; only those up to the seal are guaranteed (CERT-21).
    fn after_seal(&mut self, seq: u64) {
        let later = self.events.iter().zip(1_u64..).filter(|(_, at)| *at > seq).count();
        let files = self.files_after(seq);
        if files > 0 {
            self.report.wrong.push(format!("UNCOVERED AFTER_SEAL {files} media or expiry events after the seal: not guaranteed"));
        }
        if later > files {
            self.report.notes.push(format!("{} events after the seal, which it does not cover", later - files));
        }
        let issues = self.of_type(&["CERTIFICATE_ISSUED"]).iter().filter(|(at, _)| *at > seq).count();
        self.report.loose = later - files - issues;
    }

    /// Events after another one by which files came or went.
    fn files_after(&self, seq: u64) -> usize {
        self.of_type(&[MEDIA, &["MEDIA_EXPIRED"]].concat()).iter().filter(|(at, _)| *at > seq).count()
    }

    fn timestamp(&mut self) {
        let stamp = self.manifest["timestamp"].clone();
        if stamp.is_null() {
            let seal = &self.manifest["seal"];
            if !seal.is_null() {
                let (head, root) = (text(seal, "head"), text(seal, "root"));
                let note = format!("no outside time stamp: compare with the public verification page: head {head} root {root}");
                self.report.notes.push(note);
            }
            return;
        }
        let place = |key: &str| stamp[key].as_u64().and_then(|n| usize::try_from(n).ok()).unwrap_or(0);
        let path: Vec<merkle::Hash> =
            list(&stamp, "path").iter().map(|step| step.as_str().and_then(merkle::parse).unwrap_or_default()).collect();
        let top = merkle::climb(&hash(&self.manifest["seal"], "root"), place("index"), place("size"), &path);
        if top.map(hex::encode).as_deref() != stamp["root"].as_str() {
            self.miss("STAMP_PATH", "timestamp");
        }
        let token = STANDARD.decode(text(&stamp, "token")).unwrap_or_default();
        let stamped = authority::stamped(&token);
        match stamped {
            Some((imprint, at)) if stamp["root"].as_str() == Some(&hex::encode(imprint)) => self.token(&token, at),
            _ => self.miss("STAMP_TOKEN", "timestamp"),
        }
    }

    /// The token's signature, its certificate and that one's purpose; then whether a named authority stands behind it.
    fn token(&mut self, token: &[u8], at: DateTime<Utc>) {
        let Ok(certificates) = timestamps::check(token, at) else { return self.miss("STAMP_SIGNATURE", "timestamp") };
        let time = at.format("%Y-%m-%d %H:%M:%S UTC");
        if self.trust.authorities.is_empty() {
            let note = format!("time stamp of {time}: signature, certificate and purpose hold; name its authority to rely on it");
            self.report.notes.push(note);
        } else if timestamps::leads_to(&certificates, &self.trust.authorities, at) {
            self.report.anchors.push(format!("authority {time}"));
        } else {
            self.miss("FOREIGN_AUTHORITY", "timestamp");
        }
    }

    fn certificate(&mut self) -> Result<(), ArchiveError> {
        let certificate = self.manifest["certificate"].clone();
        if certificate.is_null() {
            return Ok(());
        }
        let issued = self.issued(&certificate["number"]);
        if issued.is_none_or(|(at, data)| !self.issued_fits(at, &data, &certificate["sha256"])) {
            self.miss("CERTIFICATE", named(&certificate["number"]));
        }
        if !self.fits(text(&certificate, "path"), &certificate["sha256"], None)? {
            self.miss("FILE", named(&certificate["path"]));
        }
        Ok(())
    }

    /// Whether the event of an issue matches the chain at that time and the document's hash (CERT-9).
    fn issued_fits(&mut self, at: u64, issued: &Value, sha256: &Value) -> bool {
        let seq = issued["seq"].as_u64().filter(|seq| (1..at).contains(seq)).unwrap_or(0);
        let link = usize::try_from(seq).ok().and_then(|seq| list(&self.manifest, "events").get(seq.checked_sub(1)?));
        let of_chain = link.is_some_and(|link| link["hash"] == issued["head"])
            && hex::encode(self.root_at(seq, hash(issued, "head"))) == text(issued, "root");
        if issued["pdfSha256"].is_null() {
            self.report.notes.push("the event of the certificate does not tell its document's hash".into());
        }
        of_chain && (issued["pdfSha256"].is_null() || issued["pdfSha256"] == *sha256)
    }

    fn names(&mut self) {
        let listed = ["media", "drawings"].iter().flat_map(|key| list(&self.manifest, key));
        let mut told: BTreeSet<&str> = listed.map(|item| text(item, "path")).collect();
        told.extend([MANIFEST, VERIFIER, text(&self.manifest["certificate"], "path")]);
        let unknown: Vec<String> = self.archive.names().filter(|name| !told.contains(name)).map(str::to_owned).collect();
        let repeated = self.archive.repeated().to_vec();
        for name in unknown.into_iter().chain(repeated) {
            self.miss("UNKNOWN", name);
        }
    }
}
