//! The installation's signatures, and what its public page says.

use super::trust::{Keys, Lead, Worth};
use super::{Examination, hash, list, named, text};
use atalaya_cases::evidence_keys::Statement;
use serde_json::Value;
use std::io::{Read, Seek};

/// Something that is signed: its name in findings, who signed it and when.
struct Signature<'a> {
    what: &'a str,
    which: String,
    of: &'a Value,
    at: &'a str,
}

impl<R: Read + Seek> Examination<'_, R> {
    /// Keys, the seal's signature, the certificate's. The seal's vouches for the archive, the certificate's for its document.
    pub(super) fn signatures(&mut self) {
        let manifest = self.manifest.clone();
        let (keys, wrong) = Keys::read(list(&manifest, "keys"), self.trust);
        wrong.into_iter().for_each(|name| self.miss("KEY", name));
        let conference = named(self.data(&Value::from(1)).get("conferenceId").unwrap_or(&Value::Null));
        let (seal, certificate) = (&manifest["seal"], &manifest["certificate"]);
        if !seal.is_null() {
            let (seq, at) = (named(&seal["seq"]), text(seal, "at"));
            let statement = Statement::Seal([&conference, &seq, text(seal, "head"), text(seal, "root"), at]);
            self.signature(&keys, &Signature { what: "SEAL", which: "seal".into(), of: seal, at }, statement);
        }
        if !certificate.is_null() {
            let number = named(&certificate["number"]);
            let (place, issued) = self.issued(&certificate["number"]).unwrap_or_default();
            let under_seal = place <= seal["seq"].as_u64().unwrap_or(0);
            self.document_vouched = under_seal && !issued["pdfSha256"].is_null();
            // Whoever signs seals signs certificates: one without, issued after a signed seal, lost its signature.
            if is_unsigned(certificate) && !under_seal && !seal.is_null() && !is_unsigned(seal) {
                return self.miss("CERTIFICATE_SIGNATURE", number);
            }
            let (seq, at) = (named(&issued["seq"]), text(certificate, "issuedAt"));
            let (head, root, sha256) = (text(&issued, "head"), text(&issued, "root"), text(certificate, "sha256"));
            let statement = Statement::Certificate([&conference, &number, &seq, head, root, sha256, at]);
            let signature = Signature { what: "CERTIFICATE", which: number.clone(), of: certificate, at };
            self.signature(&keys, &signature, statement);
        }
    }

    fn signature(&mut self, keys: &Keys<'_>, signature: &Signature<'_>, statement: Statement<'_>) {
        let Signature { what, which, of, at } = signature;
        let of_seal = *what == "SEAL";
        if is_unsigned(of) {
            if of_seal {
                self.report.notes.push(
                    "the seal is not signed, like those made before the installation had a key: no key vouches for it".into(),
                );
            }
            return;
        }
        let name = text(of, "key");
        let worth = keys.worth(name, at, statement, text(of, "signature"));
        let Worth::Genuine { named, of_page, stolen_on, until } = worth else {
            let kind = if matches!(worth, Worth::Stolen) { "STOLEN_KEY" } else { "SIGNATURE" };
            return self.miss(&format!("{what}_{kind}"), which);
        };
        let leads = [&named, &of_page].map(Option::as_ref);
        if leads.contains(&Some(&Lead::No)) {
            return self.miss(&format!("{what}_FOREIGN_KEY"), which);
        }
        if !of_seal {
            self.document_vouched |= stolen_on.is_none() && leads.contains(&Some(&Lead::Yes));
            return;
        }
        let notes = &mut self.report.notes;
        if let Some(day) = stolen_on {
            // Whoever has a stolen key can give what he signs any date.
            return notes.push(format!("the seal's key was stolen on {day}: it vouches for nothing by itself"));
        }
        notes.extend(until.map(|until| format!("the seal's key was retired at {until}: what it signed stays valid")));
        if leads == [None, None] {
            notes.push(format!("the seal is signed: name the key {name} to rely on it"));
        }
        let over_stolen = leads.iter().flatten().find_map(|lead| match lead {
            Lead::OverStolen(day) => Some(day),
            Lead::Yes | Lead::No => None,
        });
        if let Some(day) = over_stolen {
            notes.push(format!("the seal's key follows one that was stolen on {day}: it vouches for nothing by itself"));
        }
        if named == Some(Lead::Yes) {
            self.report.anchors.push(format!("key {name}"));
        }
        if let (Some(page), Some(Lead::Yes)) = (&self.trust.page, of_page) {
            self.report.anchors.push(format!("page {}", page.url));
        }
    }

    /// The event of a certificate's issue.
    pub(super) fn issued(&self, number: &Value) -> Option<(u64, Value)> {
        self.of_type(&["CERTIFICATE_ISSUED"]).into_iter().find(|(_, data)| data["number"] == *number)
    }

    /// What the page says of the certificate must be what the archive holds, and no file may have come or gone after that.
    pub(super) fn page(&mut self) {
        let Some(page) = &self.trust.page else { return };
        let (told, url) = (page.certificate.clone(), page.url.clone());
        if told.is_null() {
            return;
        }
        let state = text(&told, "state");
        if state == "void" || state == "broken" {
            return self.miss("PAGE", state);
        }
        let seq = told["events"].as_u64().unwrap_or(0);
        let place = usize::try_from(seq).ok().and_then(|seq| seq.checked_sub(1));
        let link = place.and_then(|place| list(&self.manifest, "events").get(place));
        let same_head = link.is_some_and(|link| link["hash"] == told["head"]);
        if !same_head || hex::encode(self.root_at(seq, hash(&told, "head"))) != text(&told, "root") {
            return self.miss("PAGE", "certificate");
        }
        let (certificate, sha256) = (&self.manifest["certificate"], &told["sha256"]);
        if told["number"] == certificate["number"] && !sha256.is_null() {
            if *sha256 != certificate["sha256"] {
                return self.miss("PAGE", "document");
            }
            self.document_vouched = true;
        }
        let anchor = format!("page {url}");
        let sealed = self.manifest["seal"]["seq"].as_u64();
        if self.files_after(seq) > 0 || sealed.is_none_or(|sealed| sealed > seq) {
            self.report.notes.push(format!("the page knows the archive up to event {seq} only"));
        } else if !self.report.anchors.contains(&anchor) {
            self.report.anchors.push(anchor);
        }
    }

    /// A certificate is issued after the seal, so that neither the seal nor its time stamp covers the document.
    pub(super) fn document(&mut self) {
        let certificate = &self.manifest["certificate"];
        if certificate.is_null() || self.document_vouched || self.report.anchors.is_empty() {
            return;
        }
        let number = named(&certificate["number"]);
        self.report
            .notes
            .push(format!("the document of certificate {number} is vouched for by the installation's key or page alone"));
    }
}

/// Whether something is from before there was a key.
fn is_unsigned(of: &Value) -> bool {
    of["key"].is_null() && of["signature"].is_null()
}
