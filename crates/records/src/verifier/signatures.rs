//! The installation's signatures, and what its public page says.

use super::trust::{Keys, Worth};
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
    /// Keys, the seal's signature, the certificate's. The seal's alone vouches for the archive.
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
            let issued = self.issued(&certificate["number"]).map(|(_, data)| data).unwrap_or_default();
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
        if of["key"].is_null() && of["signature"].is_null() {
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
        if named == Some(false) || of_page == Some(false) {
            return self.miss(&format!("{what}_FOREIGN_KEY"), which);
        }
        if !of_seal {
            return;
        }
        let notes = &mut self.report.notes;
        if let Some(day) = stolen_on {
            // Whoever has a stolen key can give what he signs any date.
            return notes.push(format!("the seal's key was stolen on {day}: it vouches for nothing by itself"));
        }
        notes.extend(until.map(|until| format!("the seal's key was retired at {until}: what it signed stays valid")));
        match (named, of_page) {
            (None, None) => notes.push(format!("the seal is signed: name the key {name} to rely on it")),
            _ => {
                let page = self.trust.page.as_ref().filter(|_| of_page.is_some()).map(|page| format!("page {}", page.url));
                self.report.anchors.extend(named.map(|_| format!("key {name}")).into_iter().chain(page));
            }
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
        let anchor = format!("page {url}");
        if self.files_after(seq) > 0 {
            self.report.notes.push(format!("the page knows the archive up to event {seq} only"));
        } else if !self.report.anchors.contains(&anchor) {
            self.report.anchors.push(anchor);
        }
    }
}
