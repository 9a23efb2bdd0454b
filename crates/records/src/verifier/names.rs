//! What a file is called in an archive.

/// Longer names are cut for the archive.
const NAME_MAX_BYTES: usize = 150;

/// Whether a path in the archive is that of a file with this name: the same letters and digits, whatever was replaced for some
/// system's sake or numbered because another has the name. Otherwise two files could be packed under each other's names.
pub(super) fn bears(path: &str, name: &str) -> bool {
    let letters = |text: &str| text.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_lowercase();
    let name = letters(name);
    path.len() > NAME_MAX_BYTES || name.is_empty() || letters(path) == name || letters(&unnumbered(path)) == name
}

/// Without the ` (2)` before the extension.
fn unnumbered(path: &str) -> String {
    let dot = path.rfind('.').filter(|dot| !path[*dot..].contains('/')).unwrap_or(path.len());
    let (stem, extension) = path.split_at(dot);
    let number = stem.strip_suffix(')').and_then(|rest| rest.rsplit_once(" ("));
    match number {
        Some((stem, number)) if !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()) => format!("{stem}{extension}"),
        _ => path.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // CERT-20
    #[test]
    fn a_file_bears_its_own_name() {
        for (path, name) in [
            ("foto-001.png", "foto-001.png"),
            ("foto-001 (2).png", "foto-001.png"),
            ("a (2).jpg", "a (2).jpg"),
            ("C__informe_.pdf", "C:\\informe?.pdf"),
            ("LEEME (12)", "LEEME"),
            ("file", "…"),
        ] {
            assert!(bears(path, name), "{path} {name}");
        }
        for (path, name) in
            [("foto-002.png", "foto-001.png"), ("foto-001 (x).png", "foto-001.png"), ("foto-001.png", "foto-001 (2).png")]
        {
            assert!(!bears(path, name), "{path} {name}");
        }
    }
}
