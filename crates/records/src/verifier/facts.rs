//! What the events of an archive say of the case, in the clear or by commitment.

use super::{Examination, list, named, text};
use atalaya_cases::evidence::chain::commitment;
use serde_json::{Map, Value};
use std::io::{Read, Seek};

/// The length of every salt (EVID-6).
const SALT_BYTES: usize = 16;

impl<R: Read + Seek> Examination<'_, R> {
    /// A fact of an event: plain as in chains of earlier versions, or by its commitment, whose value is in the list of values
    /// until it is erased (EVID-55).
    pub(super) fn known(&self, seq: &Value, data: &Map<String, Value>, key: &str) -> Value {
        if let Some(plain) = data.get(key) {
            return plain.clone();
        }
        if !data.contains_key(&format!("{key}C")) {
            return Value::Null;
        }
        let found = list(&self.manifest, "values").iter().find(|item| item["seq"] == *seq && text(item, "field") == key);
        found.map_or(Value::Null, |item| item["value"].clone())
    }

    pub(super) fn conference(&mut self) {
        let (told, created) = (&self.manifest["conference"], self.data(&Value::from(1)));
        let fits = ["conferenceId", "expedientNumber", "type"]
            .iter()
            .all(|key| told[*key] == self.known(&Value::from(1), &created, key));
        if !fits {
            self.miss("CONFERENCE", "conference");
        }
    }

    pub(super) fn values(&mut self) {
        for item in list(&self.manifest, "values").to_vec() {
            let salt = hex::decode(text(&item, "salt")).unwrap_or_default();
            let computed = Value::from(commitment(&salt, text(&item, "value")));
            let told = self.data(&item["seq"]).get(&format!("{}C", text(&item, "field"))).cloned();
            // Of another length, it could take the first letters of the value, or give it some.
            if salt.len() != SALT_BYTES || item["commitment"] != computed || told.as_ref() != Some(&computed) {
                self.miss("VALUE", format!("{}.{}", named(&item["seq"]), named(&item["field"])));
            }
        }
    }
}
