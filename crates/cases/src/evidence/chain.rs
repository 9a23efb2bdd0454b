//! The hash chain of a conference's events: pure functions over values (EVID-1, EVID-6, EVID-13; RFC 8785, RFC 6962).

pub use atalaya_kernel::jcs::{canonical, only_integers};
use aws_lc_rs::digest::{SHA256, digest};
use chrono::{DateTime, SecondsFormat, Utc};
use serde_json::{Map, Value};

/// `prev` of the first event: 64 zeros.
pub const GENESIS: &str = "0000000000000000000000000000000000000000000000000000000000000000";

/// Lower-case hex of SHA-256.
pub fn sha256_hex(bytes: &[u8]) -> String {
    hex::encode(digest(&SHA256, bytes))
}

/// The event in the shape that is hashed: `{actor, at, data, seq, type}`.
pub fn event_value(seq: i32, at: DateTime<Utc>, event_type: &str, actor: &str, data: &Map<String, Value>) -> Value {
    serde_json::json!({
        "seq": seq,
        "at": at.to_rfc3339_opts(SecondsFormat::Millis, true),
        "type": event_type,
        "actor": actor,
        "data": data,
    })
}

/// `SHA-256("VAEV1\n" + prev + "\n" + JCS(event))`, lower-case hex.
pub fn event_hash(prev: &str, event: &Value) -> String {
    sha256_hex(format!("VAEV1\n{prev}\n{}", canonical(event)).as_bytes())
}

/// `SHA-256(salt ‖ value)`: stands in the chain for a value that a person may ask to erase.
pub fn commitment(salt: &[u8], value: &str) -> String {
    sha256_hex(&[salt, value.as_bytes()].concat())
}

/// RFC 6962 §2.1 root over raw 32-byte hashes, lower-case hex.
pub fn merkle_root(leaves: &[[u8; 32]]) -> String {
    hex::encode(super::merkle::root(leaves))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vectors() -> Value {
        serde_json::from_str(include_str!("../../tests/vectors/evidence.json")).expect("the vectors are JSON")
    }

    // EVID-1
    #[test]
    fn chain_vectors() {
        let vectors = vectors();
        let mut prev = GENESIS.to_string();
        let chain = vectors["chain"].as_array().expect("a chain");
        assert!(chain.len() >= 5);
        for link in chain {
            let event = &link["event"];
            assert_eq!(canonical(event), link["canonical"].as_str().expect("canonical"));
            assert_eq!(prev, link["prev"].as_str().expect("prev"));
            prev = event_hash(&prev, event);
            assert_eq!(prev, link["hash"].as_str().expect("hash"));
            let data = event["data"].as_object().expect("data");
            let at = event["at"].as_str().expect("at").parse().expect("a time");
            let rebuilt = event_value(
                event["seq"].as_i64().expect("seq") as i32,
                at,
                event["type"].as_str().expect("type"),
                event["actor"].as_str().expect("actor"),
                data,
            );
            assert_eq!(&rebuilt, event);
        }
    }

    // EVID-6
    #[test]
    fn commitment_vectors() {
        for c in vectors()["commitments"].as_array().expect("commitments") {
            let salt = hex::decode(c["salt"].as_str().expect("salt")).expect("hex");
            assert_eq!(commitment(&salt, c["value"].as_str().expect("value")), c["commitment"].as_str().expect("commitment"));
        }
    }

    // EVID-13
    #[test]
    fn media_vectors() {
        for m in vectors()["media"].as_array().expect("media") {
            let bytes = hex::decode(m["hex"].as_str().expect("hex")).expect("hex");
            assert_eq!(sha256_hex(&bytes), m["sha256"].as_str().expect("sha256"));
        }
    }

    // EVID-5
    #[test]
    fn one_flipped_byte_is_found() {
        let vectors = vectors();
        let link = &vectors["chain"][2];
        let mut event = link["event"].clone();
        event["actor"] = Value::String("clienu".into());
        assert_ne!(event_hash(link["prev"].as_str().expect("prev"), &event), link["hash"].as_str().expect("hash"));
    }

    // EVID-13
    #[test]
    fn merkle_vectors() {
        let merkle = &vectors()["merkle"];
        let leaves: Vec<[u8; 32]> = merkle["leaves"]
            .as_array()
            .expect("leaves")
            .iter()
            .map(|l| hex::decode(l.as_str().expect("hex")).expect("hex").try_into().expect("32 bytes"))
            .collect();
        for n in 0..=leaves.len() {
            assert_eq!(merkle_root(&leaves[..n]), merkle["roots"][n.to_string()].as_str().expect("root"));
        }
    }
}
