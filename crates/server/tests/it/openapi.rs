//! The API description is written down, complete and unambiguous.

use std::collections::BTreeSet;
use std::path::Path;

#[test]
fn the_committed_description_is_what_the_program_prints() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference/openapi.json");
    let committed = std::fs::read_to_string(&file).expect("docs/reference/openapi.json is there: run `make gen`");
    let now = atalaya_server::app::openapi_json();
    assert!(committed == now, "docs/reference/openapi.json is out of date: run `make gen` and commit it");
}

#[test]
fn every_operation_has_a_name_a_tag_and_a_description() {
    let document: serde_json::Value = serde_json::from_str(&atalaya_server::app::openapi_json()).expect("JSON");
    let mut names = BTreeSet::new();
    for (path, item) in document["paths"].as_object().expect("paths") {
        for (method, operation) in item.as_object().expect("a path item") {
            let name = operation["operationId"].as_str().unwrap_or_default();
            assert!(!name.is_empty() && names.insert(name.to_owned()), "{method} {path}: `{name}` is empty or taken");
            assert!(operation["tags"][0].is_string(), "{method} {path} has no tag");
            assert!(operation["summary"].is_string(), "{method} {path} has no description");
        }
    }
}
