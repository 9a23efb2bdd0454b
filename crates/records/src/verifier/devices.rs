//! Signatures that clients' devices made over their pictures before these left them (EVID-62).

use super::{Examination, MEDIA, text};
use atalaya_cases::evidence_keys::{PublicKey, Statement};
use serde_json::Value;
use std::io::{Read, Seek};

impl<R: Read + Seek> Examination<'_, R> {
    /// Each signature that an event holds is of that picture, of this conference, and by a key that came with an acceptance of
    /// the notice before.
    pub(super) fn devices(&mut self) {
        let created = self.data(&Value::from(1));
        let conference = created.get("conferenceId").and_then(Value::as_str).unwrap_or_default().to_owned();
        let keys: Vec<(u64, PublicKey)> = self
            .of_type(&["LEGAL_ACCEPTED"])
            .iter()
            .filter_map(|(at, data)| Some((*at, PublicKey::of_base64(text(data, "devicePublicKey"))?)))
            .collect();
        let (mut taken, mut chosen, mut others) = (0, 0, 0);
        for ((seq, data), n) in self.of_type(MEDIA).iter().zip(1_u64..) {
            let check = text(data, "deviceCheck");
            if data["deviceSignature"].is_null() && check != "valid" {
                others += u64::from(!check.is_empty());
                continue;
            }
            let (name, method) = (text(data, "deviceKey"), text(data, "method"));
            let statement =
                Statement::Still([&conference, text(data, "captureId"), method, text(data, "signedAt"), text(data, "sha256")]);
            let statement = statement.text(name);
            let key = keys.iter().find(|(at, key)| at < seq && key.fingerprint() == name);
            if !key.is_some_and(|(_, key)| key.signed(&statement, text(data, "deviceSignature"))) {
                self.miss("DEVICE_SIGNATURE", n);
            } else if method == "file" {
                chosen += 1;
            } else {
                taken += 1;
            }
        }
        let notes = [
            (taken, "unchanged since capture on the client's device"),
            (chosen, "unchanged since they were chosen on the client's device"),
            (others, "without a signature of the client's device that fits"),
        ];
        let notes = notes.iter().filter(|(count, _)| *count > 0).map(|(count, note)| format!("{note}: {count} pictures"));
        self.report.notes.extend(notes);
    }
}
