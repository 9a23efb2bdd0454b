//! Trees of hashes and proofs that a leaf is in one: RFC 6962 §2.1, over raw 32-byte hashes.

use aws_lc_rs::digest::{SHA256, digest};

/// A hash in a tree.
pub type Hash = [u8; 32];

/// The 32 bytes of a lower-case hex hash.
pub fn parse(hex_text: &str) -> Option<Hash> {
    hex::decode(hex_text).ok()?.try_into().ok()
}

fn hash(parts: &[&[u8]]) -> Hash {
    digest(&SHA256, &parts.concat()).as_ref().try_into().expect("SHA-256 gives 32 bytes")
}

/// The root over these leaves.
pub fn root(leaves: &[Hash]) -> Hash {
    match leaves {
        [] => hash(&[]),
        [leaf] => hash(&[&[0], leaf]),
        _ => {
            let (left, right) = leaves.split_at(split(leaves.len()));
            hash(&[&[1], &root(left), &root(right)])
        }
    }
}

/// The largest power of two below `n`.
fn split(n: usize) -> usize {
    n.next_power_of_two() / 2
}

/// The siblings on the way from leaf `index` up to the root, lowest first (RFC 6962 §2.1.1).
pub fn path(leaves: &[Hash], index: usize) -> Vec<Hash> {
    if leaves.len() < 2 {
        return Vec::new();
    }
    let (left, right) = leaves.split_at(split(leaves.len()));
    let (mut steps, sibling) =
        if index < left.len() { (path(left, index), root(right)) } else { (path(right, index - left.len()), root(left)) };
    steps.push(sibling);
    steps
}

/// The root that a leaf and its path lead to; `None` when the path's length does not match `size` (EVID-15).
pub fn climb(leaf: &Hash, index: usize, size: usize, steps: &[Hash]) -> Option<Hash> {
    if index >= size {
        return None;
    }
    if size == 1 {
        return steps.is_empty().then(|| hash(&[&[0], leaf]));
    }
    let (sibling, below) = steps.split_last()?;
    let left = split(size);
    if index < left {
        Some(hash(&[&[1], &climb(leaf, index, left, below)?, sibling]))
    } else {
        Some(hash(&[&[1], sibling, &climb(leaf, index - left, size - left, below)?]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    fn vectors() -> Value {
        serde_json::from_str(include_str!("../../tests/vectors/evidence.json")).expect("the vectors are JSON")
    }

    fn hashes(list: &Value) -> Vec<Hash> {
        let texts = list.as_array().expect("a list").iter().map(|text| text.as_str().expect("hex"));
        texts.map(|text| parse(text).expect("32 bytes")).collect()
    }

    // EVID-15
    #[test]
    fn proofs_of_the_vectors() {
        let merkle = &vectors()["merkle"];
        let leaves = hashes(&merkle["leaves"]);
        let proofs = merkle["proofs"].as_array().expect("proofs");
        assert!(!proofs.is_empty());
        for proof in proofs {
            let index = usize::try_from(proof["index"].as_u64().expect("index")).expect("small");
            let size = usize::try_from(proof["size"].as_u64().expect("size")).expect("small");
            let expected: Vec<&str> =
                proof["path"].as_array().expect("path").iter().map(|step| step["hash"].as_str().expect("hash")).collect();
            let steps = path(&leaves[..size], index);
            assert_eq!(steps.iter().map(hex::encode).collect::<Vec<_>>(), expected);
            assert_eq!(climb(&leaves[index], index, size, &steps), Some(root(&leaves[..size])));
        }
    }

    // EVID-15
    #[test]
    fn every_leaf_of_every_size_is_proved_and_no_other() {
        let leaves: Vec<Hash> = (0..33_u8).map(|n| [n; 32]).collect();
        for size in 1..=leaves.len() {
            let top = root(&leaves[..size]);
            for index in 0..size {
                let steps = path(&leaves[..size], index);
                assert_eq!(climb(&leaves[index], index, size, &steps), Some(top), "{index} of {size}");
                assert_ne!(climb(&[99; 32], index, size, &steps), Some(top));
                assert_eq!(climb(&leaves[index], size, size, &steps), None);
                if let Some((_, shorter)) = steps.split_last() {
                    assert_eq!(climb(&leaves[index], index, size, shorter), None, "{index} of {size}");
                }
            }
        }
    }
}
