//! Characters that our fonts have. PDF/A forbids any other, and people type names with whatever their phone offers.

use crate::render::{MONO, REGULAR};
use std::sync::LazyLock;
use typst::text::{Coverage, FontInfo};

static SANS: LazyLock<Coverage> = LazyLock::new(|| coverage(REGULAR));
static FIXED: LazyLock<Coverage> = LazyLock::new(|| coverage(MONO));

fn coverage(font: &[u8]) -> Coverage {
    FontInfo::new(font, 0).expect("a font of ours can be read").coverage
}

/// Characters without a shape: joiners, direction marks, variation selectors.
fn is_shapeless(letter: char) -> bool {
    matches!(u32::from(letter), 0xAD | 0x200B..=0x200F | 0x202A..=0x202E | 0x2060..=0x206F | 0xFE00..=0xFE0F | 0xFEFF | 0xE0000..=0xE0FFF)
}

/// The text with `□` (`?` in codes) for every character that cannot be shown. Line ends stay, other control characters are
/// removed (DOC-3).
pub(crate) fn printable(text: &str, mono: bool) -> String {
    let (known, instead) = if mono { (&*FIXED, '?') } else { (&*SANS, '□') };
    let letter = |letter: char| match letter {
        '\n' => Some('\n'),
        '\t' => Some(' '),
        _ if letter.is_control() || is_shapeless(letter) => None,
        _ if known.contains(u32::from(letter)) => Some(letter),
        _ if letter.is_whitespace() => Some(' '),
        _ => Some(instead),
    };
    text.chars().filter_map(letter).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    // DOC-3
    #[test]
    fn what_cannot_be_shown_is_told_as_such() {
        for (text, shown) in [
            ("María Núñez · L·l, ŵ Ωμ Жук – 12 €", "María Núñez · L·l, ŵ Ωμ Жук – 12 €"),
            ("mi 🚗 nuevo", "mi □ nuevo"),
            ("👨‍👩‍👧", "□□□"),
            ("a\u{0}b\u{7}\r\nc\td\u{202E}e\u{2003}f", "ab\nc de f"),
            ("", ""),
        ] {
            assert_eq!(printable(text, false), shown);
        }
        assert_eq!(printable("CE-ñ\u{0}", true), "CE-?");
    }
}
