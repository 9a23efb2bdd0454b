//! The differences between two versions of a text: block by block, and inside a changed block word by word (LEGAL-8). Pure.

use serde::Serialize;

/// What became of a piece of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Change {
    Same,
    Added,
    Removed,
    /// Of blocks only: some of its words.
    Changed,
}

/// Words of a changed block.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[schema(as = LegalDiffPart)]
pub struct Part {
    pub kind: Change,
    pub text: String,
}

/// A heading, a paragraph or an item of a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[schema(as = LegalDiffBlock)]
pub struct DiffBlock {
    pub kind: Change,
    /// As it is now; of a removed one as it was.
    pub text: String,
    /// The words of a changed block, else empty.
    pub parts: Vec<Part>,
}

/// Above this number of comparisons, two texts are compared as a whole.
const MOST_COMPARISONS: usize = 4_000_000;
/// Above this number of pairs of blocks at one place, similar blocks are not matched.
const MOST_PAIRS: usize = 2_500;
/// Two blocks count as one changed block when they share at least this percentage of words.
const ALIKE: usize = 40;

/// The blocks of both, in order, removals before additions.
pub fn diff(from: &[String], to: &[String]) -> Vec<DiffBlock> {
    let mut out = Vec::new();
    let (mut removed, mut added) = (Vec::new(), Vec::new());
    for (kind, text) in edits(from, to) {
        match kind {
            Change::Removed => removed.push(text),
            Change::Added => added.push(text),
            _ => {
                replaced(&mut out, &mut removed, &mut added);
                out.push(whole(Change::Same, text));
            }
        }
    }
    replaced(&mut out, &mut removed, &mut added);
    out
}

fn whole(kind: Change, text: &str) -> DiffBlock {
    DiffBlock { kind, text: text.to_owned(), parts: Vec::new() }
}

/// Matches removed and added blocks at one place: similar pairs become one changed block, in order.
fn replaced(out: &mut Vec<DiffBlock>, removed: &mut Vec<&String>, added: &mut Vec<&String>) {
    let pairs = removed.len() * added.len() <= MOST_PAIRS;
    let (mut at, mut fresh) = (0, Vec::new());
    for new in added.drain(..) {
        let mut left = removed[at..].iter().enumerate().filter(|_| pairs);
        let pair = left.find_map(|(n, before)| Some(words(before, new)).filter(|parts| alike(parts)).map(|parts| (n, parts)));
        let Some((n, parts)) = pair else {
            fresh.push(whole(Change::Added, new));
            continue;
        };
        out.extend(removed[at..at + n].iter().map(|before| whole(Change::Removed, before)));
        out.append(&mut fresh);
        out.push(DiffBlock { kind: Change::Changed, text: new.clone(), parts });
        at += n + 1;
    }
    out.extend(removed.drain(..).skip(at).map(|before| whole(Change::Removed, before)));
    out.append(&mut fresh);
}

fn words(from: &str, to: &str) -> Vec<Part> {
    let split = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
    let (from, to) = (split(from), split(to));
    let mut parts: Vec<Part> = Vec::new();
    for (kind, word) in edits(&from, &to) {
        match parts.last_mut() {
            Some(last) if last.kind == kind => {
                last.text.push(' ');
                last.text.push_str(word);
            }
            _ => parts.push(Part { kind, text: word.clone() }),
        }
    }
    let last = parts.len().saturating_sub(1);
    // Parts are shown one after the other; the space between them belongs to the one before.
    parts.iter_mut().take(last).for_each(|part| part.text.push(' '));
    parts
}

fn alike(parts: &[Part]) -> bool {
    let count = |kinds: &[Change]| -> usize {
        parts.iter().filter(|part| kinds.contains(&part.kind)).map(|part| part.text.split_whitespace().count()).sum()
    };
    let same = count(&[Change::Same]);
    same > 0 && same * 100 >= ALIKE * (same + count(&[Change::Added]).max(count(&[Change::Removed])))
}

/// The shortest edit from one list to the other, by the longest common subsequence; removals before additions.
fn edits<'a>(from: &'a [String], to: &'a [String]) -> Vec<(Change, &'a String)> {
    let head = from.iter().zip(to).take_while(|(a, b)| a == b).count();
    let (old, new) = (&from[head..], &to[head..]);
    let tail = old.iter().rev().zip(new.iter().rev()).take_while(|(a, b)| a == b).count();
    let (old, new) = (&old[..old.len() - tail], &new[..new.len() - tail]);
    let mut out: Vec<(Change, &String)> = from[..head].iter().map(|text| (Change::Same, text)).collect();
    if old.len().saturating_mul(new.len()) > MOST_COMPARISONS {
        out.extend(old.iter().map(|text| (Change::Removed, text)));
        out.extend(new.iter().map(|text| (Change::Added, text)));
    } else {
        walk(old, new, &mut out);
    }
    out.extend(to[to.len() - tail..].iter().map(|text| (Change::Same, text)));
    out
}

fn walk<'a>(old: &'a [String], new: &'a [String], out: &mut Vec<(Change, &'a String)>) {
    // common[i][j]: length of the longest common subsequence of old[i..] and new[j..].
    let mut common = vec![vec![0_u32; new.len() + 1]; old.len() + 1];
    for (i, a) in old.iter().enumerate().rev() {
        for (j, b) in new.iter().enumerate().rev() {
            common[i][j] = if a == b { common[i + 1][j + 1] + 1 } else { common[i + 1][j].max(common[i][j + 1]) };
        }
    }
    let (mut i, mut j) = (0, 0);
    while i < old.len() || j < new.len() {
        if i < old.len() && j < new.len() && old[i] == new[j] {
            out.push((Change::Same, &new[j]));
            (i, j) = (i + 1, j + 1);
        } else if i < old.len() && (j == new.len() || common[i + 1][j] >= common[i][j + 1]) {
            out.push((Change::Removed, &old[i]));
            i += 1;
        } else {
            out.push((Change::Added, &new[j]));
            j += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(from: &[&str], to: &[&str]) -> Vec<(Change, String)> {
        let owned = |list: &[&str]| list.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
        diff(&owned(from), &owned(to)).into_iter().map(|block| (block.kind, block.text)).collect()
    }

    // LEGAL-8
    #[test]
    fn blocks_that_stay_go_and_come() {
        use Change::*;
        let expect = |list: &[(Change, &str)]| list.iter().map(|(kind, text)| (*kind, (*text).to_owned())).collect::<Vec<_>>();
        assert_eq!(of(&["a", "b"], &["a", "b"]), expect(&[(Same, "a"), (Same, "b")]));
        assert_eq!(of(&[], &["a"]), expect(&[(Added, "a")]));
        assert_eq!(of(&["a", "b", "c"], &["a", "c"]), expect(&[(Same, "a"), (Removed, "b"), (Same, "c")]));
        assert_eq!(of(&["a"], &["x", "y"]), expect(&[(Removed, "a"), (Added, "x"), (Added, "y")]));
        let (old, new) = ("El plazo es de 30 días desde la fecha", "El plazo es de 60 días desde la fecha");
        assert_eq!(of(&["t", "fuera", old], &["t", new]), expect(&[(Same, "t"), (Removed, "fuera"), (Changed, new)]));
    }

    // LEGAL-8
    #[test]
    fn a_changed_block_tells_its_words() {
        let blocks = diff(&["El plazo es de 30 días".into()], &["El nuevo plazo es de 60 días".into()]);
        let parts: Vec<_> = blocks[0].parts.iter().map(|part| (part.kind, part.text.as_str())).collect();
        use Change::*;
        let expected =
            [(Same, "El "), (Added, "nuevo "), (Same, "plazo es de "), (Removed, "30 "), (Added, "60 "), (Same, "días")];
        assert_eq!(parts, expected);
    }

    // LEGAL-8
    #[test]
    fn texts_beyond_measure_are_compared_as_a_whole() {
        let of = |word: &str| (0..3000).map(|n| format!("{word}{n}")).collect::<Vec<_>>();
        assert_eq!(edits(&of("a"), &of("b")).len(), 6000);
    }
}
