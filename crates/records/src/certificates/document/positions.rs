//! Positions as a certificate writes them, with what they say about the insured place (PLACE-6).

use super::Case;
use super::sections::text;
use super::words::Words;
use atalaya_assistance::places::Verdict;
use atalaya_cases::evidence::Track;
use atalaya_checks::place;
use atalaya_pdf::Cell;
use serde_json::Value;

/// The latitude and longitude of a track, as the chain holds them.
fn degrees<'a>(track: &'a Track, field: &str) -> Option<(&'a str, &'a str)> {
    text(track, field)?.split_once(',')
}

/// A track's position as it is written (PLACE-6), or why there is none.
fn written(words: &Words, track: &Track, field: &str) -> String {
    let written = degrees(track, field).and_then(|(latitude, longitude)| place::coordinates(latitude, longitude));
    written.unwrap_or_else(|| words.personal(track, field))
}

fn coordinates(words: &Words, track: &Track) -> Cell {
    let position = written(words, track, "position");
    let accuracy = track.data.get("accuracyM").and_then(Value::as_i64);
    let detail = accuracy.filter(|_| position != "–").map(|metres| format!("± {metres} m"));
    Cell { lines: vec![position], detail, ..Cell::default() }
}

/// A position with what it says about the insured place.
pub(super) fn with_place(case: &Case, words: &Words, track: &Track) -> Cell {
    let mut cell = coordinates(words, track);
    let view = degrees(track, "position").and_then(|(lat, lon)| case.known.view_of(Some(lat), Some(lon)));
    let Some(view) = view else { return cell };
    cell.lines.extend(view.address.clone());
    let province = view.province.unwrap_or(words.of("placeNoProvince"));
    let insured = view.insured_province.unwrap_or_default();
    let said = view.verdict.map(|verdict| match verdict {
        Verdict::Near | Verdict::Far => {
            words.of("placeDistance").replace("{{metres}}", &view.distance_m.unwrap_or_default().to_string())
        }
        Verdict::SameProvince => words.of("placeSameProvince").replace("{{province}}", province),
        Verdict::OtherProvince => {
            words.of("placeOtherProvince").replace("{{province}}", province).replace("{{insured}}", insured)
        }
    });
    let details: Vec<String> = cell.detail.take().into_iter().chain(said).collect();
    cell.detail = Some(details.join(" · ")).filter(|text| !text.is_empty());
    cell.marked = matches!(view.verdict, Some(Verdict::Far | Verdict::OtherProvince));
    cell
}

/// Where a file was taken: as it was measured, else as its own data claim.
pub(super) fn taken_at(words: &Words, track: &Track) -> Cell {
    let measured = coordinates(words, track);
    if measured.lines != ["–"] || !(track.data.contains_key("claimedPosition") || track.data.contains_key("claimedPositionC")) {
        return measured;
    }
    Cell::with_detail(written(words, track, "claimedPosition"), words.of("placeClaimed"))
}
