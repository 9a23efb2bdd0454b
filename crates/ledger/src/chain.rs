//! The chain of hashes over the log: pure functions over values (AUDIT-7, AUDIT-8; RFC 8785).

use atalaya_kernel::jcs::canonical;
use aws_lc_rs::digest::{SHA256, digest};
use chrono::{DateTime, SecondsFormat, Utc};
use serde_json::{Value, json};
use uuid::Uuid;

/// What comes before the first entry: 64 zeros.
pub const GENESIS: &str = "0000000000000000000000000000000000000000000000000000000000000000";

fn sha256_hex(bytes: &[u8]) -> String {
    hex::encode(digest(&SHA256, bytes))
}

/// An entry as the chain holds it: names and addresses as commitments only.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Link {
    pub seq: i64,
    pub id: Uuid,
    pub at: DateTime<Utc>,
    pub action: String,
    pub actor: Option<Uuid>,
    pub role: Option<i16>,
    pub name: String,
    pub company: Uuid,
    pub user: Option<Uuid>,
    pub address: Option<String>,
    pub detail: Value,
}

impl Link {
    /// `SHA-256("VAAL1\n" + prev + "\n" + JCS(entry))`, lower-case hex.
    pub fn hash(&self, prev: &str) -> String {
        let entry = json!({
            "action": self.action,
            "actor": self.actor,
            "address": self.address,
            "at": self.at.to_rfc3339_opts(SecondsFormat::Millis, true),
            "company": self.company,
            "detail": self.detail,
            "id": self.id,
            "name": self.name,
            "role": self.role,
            "seq": self.seq,
            "user": self.user,
        });
        sha256_hex(format!("VAAL1\n{prev}\n{}", canonical(&entry)).as_bytes())
    }
}

/// `SHA-256(salt ‖ value)` with a salt in hex: stands in the chain for a value that may be erased.
pub(crate) fn commitment(salt: &str, value: &str) -> String {
    sha256_hex(&[&hex::decode(salt).unwrap_or_default(), value.as_bytes()].concat())
}

/// A value that was committed to, while it is there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Opened {
    pub value: Option<String>,
    pub salt: Option<String>,
}

impl Opened {
    /// Whether it is what the chain holds; an erased one cannot contradict it.
    fn fits(&self, commitment: Option<&str>) -> bool {
        match (&self.value, &self.salt, commitment) {
            (Some(value), Some(salt), Some(known)) => self::commitment(salt, value) == known,
            (None, None, _) => true,
            _ => false,
        }
    }
}

/// A stored entry of the chain.
#[derive(Clone, Debug)]
pub(crate) struct Stored {
    pub link: Link,
    pub hash: String,
    pub name: Opened,
    pub address: Opened,
}

/// Why the chain does not hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// The entry is not what was written.
    Changed,
    /// The entry is gone.
    Missing,
    /// The entry was put in past the chain.
    Outside,
}

impl Flaw {
    pub fn name(self) -> &'static str {
        match self {
            Flaw::Changed => "changed",
            Flaw::Missing => "missing",
            Flaw::Outside => "outside",
        }
    }
}

/// Where the chain breaks first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Break {
    /// Place in the chain; none for an entry outside of it.
    pub seq: Option<i64>,
    /// None when the entry is gone.
    pub id: Option<Uuid>,
    pub flaw: Flaw,
}

/// Follows the chain entry by entry.
#[derive(Debug)]
pub(crate) struct Walk {
    pub seq: i64,
    pub hash: String,
}

impl Walk {
    pub fn new() -> Self {
        Self { seq: 0, hash: GENESIS.to_owned() }
    }

    /// Takes the next entry.
    pub fn step(&mut self, next: &Stored) -> Result<(), Break> {
        let expected = self.seq + 1;
        if next.link.seq != expected {
            return Err(Break { seq: Some(expected), id: None, flaw: Flaw::Missing });
        }
        let personal = next.name.fits(Some(&next.link.name)) && next.address.fits(next.link.address.as_deref());
        if !personal || next.link.hash(&self.hash) != next.hash {
            return Err(Break { seq: Some(expected), id: Some(next.link.id), flaw: Flaw::Changed });
        }
        (self.seq, self.hash) = (expected, next.hash.clone());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stored(seq: i64, prev: &str) -> Stored {
        let salt = "00112233445566778899aabbccddeeff";
        let link = Link {
            seq,
            id: Uuid::from_u128(seq as u128),
            at: DateTime::from_timestamp_millis(1_700_000_000_000 + seq).unwrap(),
            action: "USER_CHANGED".into(),
            actor: Some(Uuid::from_u128(7)),
            role: Some(1),
            name: commitment(salt, "Eva"),
            company: Uuid::from_u128(8),
            user: None,
            address: Some(commitment(salt, "203.0.113.9")),
            detail: json!({"fields": ["name"]}),
        };
        let opened = |value: &str| Opened { value: Some(value.into()), salt: Some(salt.into()) };
        Stored { hash: link.hash(prev), link, name: opened("Eva"), address: opened("203.0.113.9") }
    }

    fn chain() -> Vec<Stored> {
        let mut prev = GENESIS.to_owned();
        let next = |seq| {
            let one = stored(seq, &prev);
            prev.clone_from(&one.hash);
            one
        };
        (1..=4).map(next).collect()
    }

    fn walked(chain: &[Stored]) -> Result<i64, Break> {
        let mut walk = Walk::new();
        chain.iter().try_for_each(|one| walk.step(one))?;
        Ok(walk.seq)
    }

    // AUDIT-7
    #[test]
    fn whoever_changes_an_entry_breaks_the_chain_there() {
        assert_eq!(walked(&chain()), Ok(4));
        let spoil: [fn(&mut Stored); 11] = [
            |s| s.link.id = Uuid::from_u128(99),
            |s| s.link.at += chrono::TimeDelta::milliseconds(1),
            |s| s.link.action = "USER_CREATED".into(),
            |s| s.link.actor = None,
            |s| s.link.role = Some(2),
            |s| s.link.company = Uuid::from_u128(9),
            |s| s.link.user = Some(Uuid::from_u128(9)),
            |s| s.link.detail = json!({"fields": ["phone"]}),
            |s| s.name.value = Some("Ana".into()),
            |s| s.address.value = Some("203.0.113.10".into()),
            |s| s.hash = GENESIS.into(),
        ];
        for (at, spoil) in spoil.into_iter().enumerate() {
            let mut chain = chain();
            spoil(&mut chain[2]);
            let broken = walked(&chain).unwrap_err();
            assert_eq!((broken.seq, broken.flaw), (Some(3), Flaw::Changed), "{at}");
        }
    }

    // AUDIT-7
    #[test]
    fn an_entry_that_is_gone_or_moved_is_found() {
        let mut gone = chain();
        gone.remove(1);
        assert_eq!(walked(&gone), Err(Break { seq: Some(2), id: None, flaw: Flaw::Missing }));
        let mut moved = chain();
        moved.swap(1, 2);
        assert_eq!(walked(&moved).unwrap_err().seq, Some(2));
        // Hashes made anew from the change on do not fit what follows.
        let mut rewritten = chain();
        rewritten[1].link.action = "X".into();
        rewritten[1].hash = rewritten[1].link.hash(&rewritten[0].hash);
        assert_eq!(walked(&rewritten).unwrap_err().seq, Some(3));
    }

    // AUDIT-8
    #[test]
    fn an_erased_address_breaks_nothing_and_half_of_one_does() {
        let mut erased = chain();
        erased[1].address = Opened::default();
        assert_eq!(walked(&erased), Ok(4));
        erased[1].address.salt = Some("00".into());
        assert_eq!(walked(&erased).unwrap_err().seq, Some(2));
    }
}
