use super::*;
use serde_json::Value;

const FRAME: Frame = Frame { width: 1_280, height: 720 };

fn shape(kind: ShapeKind, points: &[f64]) -> ShapeInput {
    ShapeInput { id: "shape0001".into(), kind, points: points.to_vec() }
}

fn plane(id: &str, shapes: Vec<ShapeInput>) -> PlaneInput {
    let corners = vec![0.3, 0.4, 0.7, 0.4, 0.7, 0.55, 0.3, 0.55];
    PlaneInput { id: id.into(), reference: Reference::Plate, corners, found: false, shapes }
}

fn adding(add: Vec<PlaneInput>) -> MeasureChange {
    MeasureChange { add, remove: Vec::new() }
}

fn fields(result: Result<Vec<MeasuredPlane>, Vec<Wrong>>) -> Vec<(String, &'static str)> {
    result.expect_err("something is wrong").into_iter().map(|wrong| (wrong.field, wrong.code)).collect()
}

// MEASURE-2, MEASURE-3, MEASURE-5
#[test]
fn values_are_those_that_the_screens_compute() {
    let cases: Vec<Value> = serde_json::from_str(include_str!("../../../../../vectors/measures.json")).expect("a list");
    assert!(cases.len() >= 8);
    for case in cases {
        let side = |key: &str| u32::try_from(case[key].as_u64().expect("pixels")).expect("small");
        let frame = Frame { width: side("width"), height: side("height") };
        let plane: PlaneInput = serde_json::from_value(case["plane"].clone()).expect("a plane");
        let found = check_plane(plane, frame).expect("it can be measured");
        assert_eq!(found.wide, case["wide"], "{}", case["name"]);
        let expected = case["values"].as_array().expect("values");
        assert_eq!(found.shapes.len(), expected.len());
        for (shape, expected) in found.shapes.iter().zip(expected) {
            let near = |value: f64, key: &str| (value - expected[key].as_f64().expect("a number")).abs() <= 0.15;
            assert!(near(shape.value, "value") && near(shape.error, "error"), "{}: {shape:?} {expected}", case["name"]);
        }
    }
}

// MEASURE-4
#[test]
fn every_wrong_field_of_a_change_is_named() {
    let bad = PlaneInput {
        id: "no id".into(),
        corners: vec![0.3, 0.4, f64::NAN, 0.4, 0.7, 0.55, 0.3, 0.55],
        ..plane("x", vec![shape(ShapeKind::Area, &[0.1; 82]), shape(ShapeKind::Length, &[0.1, 0.1])])
    };
    let crossed = PlaneInput { corners: vec![0.1, 0.1, 0.9, 0.9, 0.9, 0.1, 0.1, 0.9], ..plane("plane00b", vec![]) };
    let shapes =
        vec![shape(ShapeKind::Area, &[0.1, 0.1, 0.9, 0.9, 0.9, 0.1, 0.1, 0.9]), shape(ShapeKind::Length, &[0.1, 0.1, 0.2, 1.5])];
    let change = MeasureChange { add: vec![bad, crossed, plane("plane00c", shapes)], remove: vec!["<svg>".into()] };
    assert_eq!(
        fields(apply(&[], change, FRAME)),
        [
            ("add.0.id".into(), "INVALID"),
            ("add.0.corners.2".into(), "INVALID"),
            ("add.0.shapes.0.points".into(), "TOO_MANY"),
            ("add.0.shapes.1.points".into(), "INVALID"),
            ("add.1.corners".into(), "NOT_A_RECTANGLE"),
            ("add.2.shapes.0.points".into(), "CROSSED"),
            ("add.2.shapes.1.points.3".into(), "INVALID"),
            ("remove.0".into(), "INVALID"),
        ]
    );
}

// MEASURE-4
#[test]
fn what_lies_beyond_the_horizon_is_refused() {
    let steep = PlaneInput {
        corners: vec![0.45, 0.4, 0.55, 0.4, 0.7, 0.7, 0.3, 0.7],
        ..plane("plane00a", vec![shape(ShapeKind::Length, &[0.5, 0.5, 0.5, 0.1])])
    };
    assert_eq!(fields(apply(&[], adding(vec![steep]), FRAME)), [("add.0.shapes.0.points".into(), "BEYOND_HORIZON")]);
}

// MEASURE-4
#[test]
fn a_picture_has_its_limits() {
    let id = |n: usize| format!("plane{n:04}");
    let some = |n: usize, shapes: usize| {
        (0..n).map(|n| plane(&id(n), vec![shape(ShapeKind::Length, &[0.3, 0.4, 0.7, 0.4]); shapes])).collect::<Vec<_>>()
    };
    let eight = apply(&[], adding(some(8, 1)), FRAME).expect("valid");
    assert_eq!(eight.len(), 8);
    assert_eq!(fields(apply(&[], adding(some(9, 0)), FRAME)), [("add".into(), "TOO_MANY")]);
    assert_eq!(fields(apply(&eight, adding(vec![plane("another0", vec![])]), FRAME)), [("add".into(), "TOO_MANY")]);
    assert_eq!(fields(apply(&[], adding(some(1, 61)), FRAME)), [("add.0.shapes".into(), "TOO_MANY")]);
    assert_eq!(fields(apply(&[], adding(some(2, 31)), FRAME)), [("add".into(), "TOO_MANY")]);
}

// MEASURE-6
#[test]
fn a_change_may_be_repeated() {
    let change = || MeasureChange { add: vec![plane("aaaaaaaa", vec![])], remove: vec!["cccccccc".into()] };
    let once = apply(&[], change(), FRAME).expect("valid");
    assert_eq!(apply(&once, change(), FRAME), Ok(once.clone()));
    let other = PlaneInput { reference: Reference::A4, ..plane("aaaaaaaa", vec![]) };
    let replaced = apply(&once, adding(vec![other]), FRAME).expect("valid");
    assert_eq!((replaced.len(), replaced[0].reference), (1, Reference::A4));
}

// MEASURE-3
#[test]
fn a_value_is_shown_with_its_band() {
    let of = |kind, value, error| shown(&MeasuredShape { id: "aaaaaaaa".into(), kind, points: Vec::new(), value, error });
    assert_eq!(of(ShapeKind::Length, 432.4, 8.1), "432 mm ± 9 mm");
    assert_eq!(of(ShapeKind::Length, 12.0, 0.2), "12 mm ± 1 mm");
    assert_eq!(of(ShapeKind::Area, 123_449.0, 2_950.0), "1234 cm² ± 30 cm²");
}

// MEASURE-5
#[test]
fn a_camera_may_call_itself_wide() {
    for (name, expected) in [
        ("Trasera 1×", false),
        ("environment", false),
        ("Trasera 0,5×", true),
        ("Back Ultra Wide Camera", true),
        ("Cámara gran angular", true),
    ] {
        assert_eq!(is_wide_name(name), expected, "{name}");
    }
}
