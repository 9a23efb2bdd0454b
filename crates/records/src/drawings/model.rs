//! What a drawing may contain, and how a change is applied. Pure. The web app checks the same
//! (`web/src/rtc/drawing/marks.ts`, `vectors/drawings.json`).

use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use utoipa::ToSchema;

/// Marks of one drawing at most.
pub const MARKS_MAX: usize = 200;
/// Points of one line at most.
pub const LINE_POINTS_MAX: usize = 500;
/// Points of one drawing at most.
pub const POINTS_MAX: usize = 8_000;
/// Characters of a text at most.
pub const TEXT_MAX: usize = 80;
pub const NUMBER_MAX: u8 = 99;
/// Letters and digits of a mark's id.
const ID_LENGTH: std::ops::RangeInclusive<usize> = 8..=24;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum MarkKind {
    /// A line of the hand.
    Pen,
    Arrow,
    Ellipse,
    Text,
    Number,
}

impl MarkKind {
    /// Least and most points.
    fn points(self) -> (usize, usize) {
        match self {
            MarkKind::Pen => (2, LINE_POINTS_MAX),
            MarkKind::Arrow | MarkKind::Ellipse => (2, 2),
            MarkKind::Text | MarkKind::Number => (1, 1),
        }
    }
}

/// A mark on a picture.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct DrawnMark {
    /// 8 to 24 letters and digits, made by whoever draws; a mark with a known id replaces it.
    pub id: String,
    pub kind: MarkKind,
    /// 1 yellow, 2 red, 3 white.
    pub tone: u8,
    /// `x, y, x, y, …`, each from 0 (left, top) to 1 of the upright picture: the line of a pen (2 to 500 points), tail and
    /// head of an arrow, two corners about an ellipse, one place otherwise.
    pub points: Vec<f64>,
    /// Of a text: 1 to 80 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Of a number: 1 to 99.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<u8>,
}

/// A field that is wrong, below the mark: `points.7`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrong {
    pub field: String,
    pub code: &'static str,
    pub max: Option<usize>,
}

impl Wrong {
    fn new(field: impl Into<String>, code: &'static str) -> Self {
        Self { field: field.into(), code, max: None }
    }

    fn over(field: impl Into<String>, code: &'static str, max: usize) -> Self {
        Self { field: field.into(), code, max: Some(max) }
    }
}

pub fn is_id(text: &str) -> bool {
    ID_LENGTH.contains(&text.len()) && text.bytes().all(|b| b.is_ascii_alphanumeric())
}

impl DrawnMark {
    /// The mark as it is stored: coordinates in ten-thousandths, nothing that its kind has not.
    fn check(mut self) -> Result<Self, Vec<Wrong>> {
        let mut wrong = Vec::new();
        if !is_id(&self.id) {
            wrong.push(Wrong::new("id", "INVALID"));
        }
        if !(1..=3).contains(&self.tone) {
            wrong.push(Wrong::new("tone", "INVALID"));
        }
        let (least, most) = self.kind.points();
        match self.points.len() {
            n if n > 2 * most => wrong.push(Wrong::over("points", "TOO_MANY", most)),
            n if n < 2 * least || n % 2 == 1 => wrong.push(Wrong::new("points", "INVALID")),
            _ => {}
        }
        // The first wrong one is enough: there may be a thousand.
        if let Some(nth) = self.points.iter().take(2 * most).position(|place| !(0.0..=1.0).contains(place)) {
            wrong.push(Wrong::new(format!("points.{nth}"), "INVALID"));
        }
        self.text = match (self.kind, self.text) {
            (MarkKind::Text, text) => Some(check_text(text.unwrap_or_default(), &mut wrong)),
            _ => None,
        };
        self.number = match (self.kind, self.number) {
            (MarkKind::Number, number) => {
                if !number.is_some_and(|n| (1..=NUMBER_MAX).contains(&n)) {
                    wrong.push(Wrong::new("number", if number.is_none() { "REQUIRED" } else { "INVALID" }));
                }
                number
            }
            _ => None,
        };
        for place in &mut self.points {
            *place = (*place * 1e4).round() / 1e4;
        }
        if wrong.is_empty() { Ok(self) } else { Err(wrong) }
    }

    /// Points of the mark.
    fn size(&self) -> usize {
        self.points.len() / 2
    }
}

fn check_text(text: String, wrong: &mut Vec<Wrong>) -> String {
    match () {
        () if text.trim().is_empty() => wrong.push(Wrong::new("text", "REQUIRED")),
        () if text.chars().count() > TEXT_MAX => wrong.push(Wrong::over("text", "TOO_LONG", TEXT_MAX)),
        () if text.chars().any(char::is_control) => wrong.push(Wrong::new("text", "CHARACTERS_NOT_ALLOWED")),
        () => {}
    }
    text
}

/// A change of a drawing. What is to be removed and is not there is ignored, so that a repeated change is the same.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(default)]
pub struct DrawingChange {
    /// At most 200.
    pub add: Vec<DrawnMark>,
    /// Ids; at most 200.
    pub remove: Vec<String>,
}

/// The drawing after a change; marks keep their order.
///
/// Errors, all of them: `add` and `remove` TOO_MANY; `add.N.id|tone|points|points.K|text|number`, `remove.N` INVALID.
pub fn apply(before: &[DrawnMark], change: DrawingChange) -> Result<Vec<DrawnMark>, Vec<Wrong>> {
    if change.add.len() > MARKS_MAX {
        return Err(vec![Wrong::over("add", "TOO_MANY", MARKS_MAX)]);
    }
    if change.remove.len() > MARKS_MAX {
        return Err(vec![Wrong::over("remove", "TOO_MANY", MARKS_MAX)]);
    }
    let (mut added, mut wrong) = (Vec::with_capacity(change.add.len()), Vec::new());
    for (nth, mark) in change.add.into_iter().enumerate() {
        match mark.check() {
            Ok(mark) => added.push(mark),
            Err(found) => {
                wrong.extend(found.into_iter().map(|one| Wrong { field: format!("add.{nth}.{}", one.field), ..one }));
            }
        }
    }
    let bad = change.remove.iter().enumerate().filter(|(_, id)| !is_id(id));
    wrong.extend(bad.map(|(nth, _)| Wrong::new(format!("remove.{nth}"), "INVALID")));
    if !wrong.is_empty() {
        return Err(wrong);
    }
    let gone: HashSet<&str> = change.remove.iter().map(String::as_str).collect();
    let mut marks: Vec<DrawnMark> = before.iter().filter(|mark| !gone.contains(mark.id.as_str())).cloned().collect();
    for mark in added {
        match marks.iter_mut().find(|known| known.id == mark.id) {
            Some(known) => *known = mark,
            None => marks.push(mark),
        }
    }
    if marks.len() > MARKS_MAX {
        return Err(vec![Wrong::over("add", "TOO_MANY", MARKS_MAX)]);
    }
    if marks.iter().map(DrawnMark::size).sum::<usize>() > POINTS_MAX {
        return Err(vec![Wrong::over("add", "TOO_MANY", POINTS_MAX)]);
    }
    Ok(marks)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn mark(id: &str, points: usize) -> DrawnMark {
        DrawnMark { id: id.into(), kind: MarkKind::Pen, tone: 1, points: vec![0.5; points * 2], text: None, number: None }
    }

    fn id(n: usize) -> String {
        format!("mark{n:06}")
    }

    fn adding(marks: Vec<DrawnMark>) -> DrawingChange {
        DrawingChange { add: marks, remove: Vec::new() }
    }

    fn fields(result: Result<Vec<DrawnMark>, Vec<Wrong>>) -> Vec<(String, &'static str)> {
        result.expect_err("something is wrong").into_iter().map(|wrong| (wrong.field, wrong.code)).collect()
    }

    // DRAW-4
    #[test]
    fn marks_are_what_the_screens_take_for_marks() {
        let cases: Vec<Value> = serde_json::from_str(include_str!("../../../../vectors/drawings.json")).expect("a list");
        assert!(cases.len() > 20);
        for case in cases {
            let read = serde_json::from_value::<DrawnMark>(case["mark"].clone()).ok().and_then(|mark| mark.check().ok());
            assert_eq!(read.is_some(), case["ok"], "{}", case["name"]);
            if let Some(expected) = case.get("as") {
                assert_eq!(&json!(read), expected, "{}", case["name"]);
            }
        }
    }

    // DRAW-4
    #[test]
    fn every_wrong_field_of_a_change_is_named() {
        let text = |text: &str| DrawnMark {
            kind: MarkKind::Text,
            points: vec![0.1, 0.1],
            text: Some(text.into()),
            ..mark("abcdefgh", 1)
        };
        let bad = DrawnMark { id: "no id".into(), tone: 9, points: vec![0.0, 1.0, f64::NAN, 2.0], ..mark("x", 1) };
        let change =
            DrawingChange { add: vec![mark("abcdefgh", 2), bad, text(""), text(&"ñ".repeat(81))], remove: vec!["<svg>".into()] };
        assert_eq!(
            fields(apply(&[], change)),
            [
                ("add.1.id".into(), "INVALID"),
                ("add.1.tone".into(), "INVALID"),
                ("add.1.points.2".into(), "INVALID"),
                ("add.2.text".into(), "REQUIRED"),
                ("add.3.text".into(), "TOO_LONG"),
                ("remove.0".into(), "INVALID"),
            ]
        );
        assert_eq!(fields(apply(&[], adding(vec![mark("abcdefgh", 501)]))), [("add.0.points".into(), "TOO_MANY")]);
    }

    // DRAW-4
    #[test]
    fn a_drawing_has_its_limits() {
        let of = |n: usize, points: usize| (0..n).map(|n| mark(&id(n), points)).collect::<Vec<_>>();
        assert_eq!(apply(&[], adding(of(200, 2))).map(|marks| marks.len()), Ok(200));
        assert_eq!(fields(apply(&[], adding(of(201, 2)))), [("add".into(), "TOO_MANY")]);
        assert_eq!(fields(apply(&of(200, 2), adding(vec![mark("another00", 2)]))), [("add".into(), "TOO_MANY")]);
        assert!(apply(&of(15, 500), adding(vec![mark("another00", 500)])).is_ok(), "8,000 points");
        assert_eq!(fields(apply(&of(16, 500), adding(vec![mark("another00", 2)]))), [("add".into(), "TOO_MANY")]);
    }

    // DRAW-3
    #[test]
    fn a_change_may_be_repeated() {
        let change = || DrawingChange { add: vec![mark("aaaaaaaa", 2), mark("bbbbbbbb", 3)], remove: vec!["cccccccc".into()] };
        let once = apply(&[mark("cccccccc", 2), mark("dddddddd", 2)], change()).expect("valid");
        let ids = |marks: &[DrawnMark]| marks.iter().map(|mark| mark.id.clone()).collect::<Vec<_>>();
        assert_eq!(ids(&once), ["dddddddd", "aaaaaaaa", "bbbbbbbb"]);
        assert_eq!(apply(&once, change()), Ok(once.clone()));
        let thinner = apply(&once, adding(vec![mark("aaaaaaaa", 9)])).expect("valid");
        assert_eq!((ids(&thinner), thinner[1].size()), (ids(&once), 9), "replaced in its place");
    }
}
