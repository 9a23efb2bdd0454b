//! Settings of maps and of privacy; the last of the reference.

use super::{Setting, plain};

/// Two tables as one.
pub(super) const fn joined<const N: usize>(first: &[Setting], second: &[Setting]) -> [Setting; N] {
    let mut all = [first[0]; N];
    let mut nth = 0;
    while nth < N {
        all[nth] = if nth < first.len() { first[nth] } else { second[nth - first.len()] };
        nth += 1;
    }
    all
}

pub(super) const MORE: &[Setting] = &[
    plain(
        "Links",
        "business_url",
        "URL",
        "https://atalaya.example",
        "The platform's own web site, linked from pages and messages.",
    ),
    plain("Links", "search_url", "URL", "https://www.google.com", "Where a person who left a page is sent."),
    plain("Links", "legal_url", "URL", "", "The platform's legal notice, as `get-links` names it; null without it."),
    plain("Links", "privacy_url", "URL", "", "The platform's privacy policy, as `get-links` names it; null without it."),
    plain("Links", "cookies_url", "URL", "", "The platform's cookies policy; the page `/cookies` of the web app without it."),
    plain(
        "Maps",
        "map_tiles_url",
        "URL with {z}, {x}, {y}",
        "",
        "Tiles of maps, for instance `https://tiles.example.org/{z}/{x}/{y}.png`; `{s}` may stand for the first part of the \
         host. Browsers ask that server directly. Without it maps are drawn as outlines, offline.",
    ),
    plain("Maps", "map_attribution", "text", "", "Whose map it is, shown on it as its provider asks."),
    plain(
        "Privacy",
        "keep_days",
        "class=days, separated by commas",
        "phone=1826,plate=1826,address=1826,ip=1826,position=1826,chat=1826,events=1826",
        "Days from the opening of a conference after which each class of its data is blocked: `phone` (with e-mail address and name), \
         `plate`, `address`, `ip` (with the browser), `position`, `chat` and `events`, with which all that is left of the conference is \
         erased. At least 31, and `events` at least as long as the others. Classes that are not named keep their default of five years.",
    ),
    plain(
        "Privacy",
        "blocked_days",
        "days",
        "1096",
        "Days that blocked data are kept, out of everybody's reach but an authority's, before they are deleted: 0 to 3652.",
    ),
    plain(
        "Privacy",
        "backup_keep_days",
        "days",
        "",
        "Days after which every backup is deleted. Backups hold the rows and keys of what is erased later, so this is how long an \
         erasure takes to reach them; `atalaya doctor` notes when it is not written down.",
    ),
    plain(
        "Privacy",
        "backup_dir",
        "folder",
        "",
        "Folder above the folders that `atalaya backup` made; `atalaya doctor` fails while one in it is older than `backup_keep_days`.",
    ),
    plain(
        "Privacy",
        "hosting",
        "text",
        "",
        "Who runs the machines, with the country, as contracts and the record of processing activities name it; empty when the \
         provider itself does.",
    ),
    plain(
        "Privacy",
        "privacy_officer",
        "text",
        "",
        "Data protection officer, or whoever answers about privacy, as the record of processing activities names it.",
    ),
];
