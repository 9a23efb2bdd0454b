//! What a client's device signs before a picture leaves it, checked when it arrives (EVID-60, EVID-61). Pure.

use super::service::CaptureMeta;
use crate::media_items::DeviceCheck;
use atalaya_cases::evidence_keys::{PublicKey, Statement, der_of_raw, service::moment};
use atalaya_kernel::ConferenceId;
use serde_json::{Map, Value};

/// Longer ones are none, and are not kept.
const SIGNATURE_MAX: usize = 128;

/// What came of a picture's signature: for its row, and for its event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeviceSignature {
    pub check: DeviceCheck,
    /// As the device sent them.
    pub key: Option<String>,
    pub signature: Option<String>,
    /// The signature that fits, as base64 of DER, with the name and time of the capture that it covers.
    proof: Option<[String; 3]>,
}

impl DeviceSignature {
    /// Checks the signature of a picture by one of the public keys (base64) of its conference's devices.
    pub fn of(conference: ConferenceId, keys: &[String], meta: &CaptureMeta, sha256: &str) -> Self {
        let kept = |text: &Option<String>| text.clone().filter(|text| text.len() <= SIGNATURE_MAX);
        let (key, signature) = (kept(&meta.device_key), kept(&meta.device_signature));
        let proof = prove(conference, keys, meta, sha256);
        let check = match (&proof, &meta.device_signature) {
            (Some(_), _) => DeviceCheck::Valid,
            (None, Some(_)) => DeviceCheck::Invalid,
            (None, None) => DeviceCheck::Unsigned,
        };
        Self { check, key, signature, proof }
    }

    /// Adds to the picture's event what proves it. A signature that does not fit is named and proves nothing, so that an
    /// archive with it is whole.
    pub fn onto(&self, data: &mut Map<String, Value>) {
        data.insert("deviceCheck".into(), self.check.wire().into());
        if let Some([signature, capture, at]) = &self.proof {
            let facts = [("deviceSignature", signature), ("captureId", capture), ("signedAt", at)];
            data.extend(facts.map(|(key, value)| (key.to_owned(), Value::from(value.as_str()))));
            data.insert("deviceKey".into(), self.key.clone().into());
        }
    }
}

/// The signature with name and time of the capture, where one of these keys made it over this picture of this conference.
fn prove(conference: ConferenceId, keys: &[String], meta: &CaptureMeta, sha256: &str) -> Option<[String; 3]> {
    let name = meta.device_key.as_deref()?;
    let key = keys.iter().filter_map(|key| PublicKey::of_base64(key)).find(|key| key.fingerprint() == name)?;
    let (capture, method, at) = (meta.name_of_capture()?, meta.name_of_method()?, moment(meta.captured_at?));
    let signature = der_of_raw(meta.device_signature.as_deref()?)?;
    let text = Statement::Still([&conference.to_string(), &capture, &method, &at, sha256]).text(name);
    key.signed(&text, &signature).then_some([signature, capture, at])
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// Made by Node's WebCrypto, as a phone makes it.
    fn phone() -> Value {
        serde_json::from_str(include_str!("../../tests/vectors/device-signature.json")).expect("the vectors are JSON")
    }

    fn meta(change: impl FnOnce(&mut Value)) -> CaptureMeta {
        let mut meta = phone()["meta"].clone();
        change(&mut meta);
        serde_json::from_value(meta).expect("what a phone says")
    }

    // EVID-60, EVID-61
    #[test]
    fn a_signature_is_of_one_picture_of_one_conference() {
        let phone = phone();
        let text = |key: &str| phone[key].as_str().expect("text").to_owned();
        let conference: ConferenceId = text("conference").parse().expect("an id");
        let (keys, sha256) = (vec![text("publicKey")], text("sha256"));
        let check = |meta: &CaptureMeta| DeviceSignature::of(conference, &keys, meta, &sha256).check;
        let right = meta(|_| ());
        let signed = DeviceSignature::of(conference, &keys, &right, &sha256);
        assert_eq!(signed.check, DeviceCheck::Valid);
        let mut data = Map::new();
        signed.onto(&mut data);
        let told = ["deviceCheck", "captureId", "signedAt", "deviceKey"].map(|key| data[key].clone());
        let of = &phone["meta"];
        assert_eq!(told, [json!("valid"), of["captureId"].clone(), of["capturedAt"].clone(), of["deviceKey"].clone()]);

        let stranger = uuid::Uuid::from_u128(7).into();
        assert_eq!(DeviceSignature::of(stranger, &keys, &right, &sha256).check, DeviceCheck::Invalid, "another conference");
        assert_eq!(DeviceSignature::of(conference, &[], &right, &sha256).check, DeviceCheck::Invalid, "no such device");
        let other = "ab".repeat(32);
        assert_eq!(DeviceSignature::of(conference, &keys, &right, &other).check, DeviceCheck::Invalid, "another picture");
        for (key, value) in [
            ("captureId", json!("other")),
            ("method", json!("file")),
            ("capturedAt", json!("2026-11-20T09:00:00.000Z")),
            ("deviceKey", json!("ab".repeat(32))),
            ("deviceSignature", json!("AAAA")),
        ] {
            assert_eq!(check(&meta(|m| m[key] = value)), DeviceCheck::Invalid, "{key}");
        }
        let none = meta(|m| m["deviceSignature"] = Value::Null);
        let mut data = Map::new();
        DeviceSignature::of(conference, &keys, &none, &sha256).onto(&mut data);
        assert_eq!(Value::from(data), json!({"deviceCheck": "unsigned"}));
        let huge = meta(|m| m["deviceSignature"] = json!("x".repeat(200)));
        let huge = DeviceSignature::of(conference, &keys, &huge, &sha256);
        assert_eq!((huge.check, huge.signature), (DeviceCheck::Invalid, None));
    }
}
