//! Where ids stand in the requests of every operation, read from the API description.
//!
//! A schema's type and format decide; where a field is a plain text, its name does. A text whose name is in no table here
//! fails the test: whoever adds a field says whether it is an id.

use serde_json::Value;
use std::collections::BTreeSet;

/// Where a value stands.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// The nth segment of the path.
    Path(usize),
    Query,
    /// The way into the body; `0` is the first of a list.
    Body(Vec<String>),
}

/// What a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// Names something of somebody.
    Id,
    /// Looks for it by a text.
    Search,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Field {
    pub place: Place,
    pub name: String,
    pub class: Class,
}

/// Texts that are ids though their names do not say so.
const IDS: &[&str] = &[
    "activeVideoCallRequest",
    "company",
    "customer",
    "expedientNumber",
    "filename",
    "from",
    "identity",
    "insuranceCompanies",
    "insurers",
    "remove",
    "to",
    "user",
    "worker",
];

/// Names that look for something.
const SEARCHES: &[&str] = &["search", "q", "expedient"];

/// Whoever has one of these may do what it opens: a foreign one is no id but a stolen key.
const SECRETS: &[&str] =
    &["activationToken", "code", "credential", "hash", "marketingToken", "oldPassword", "password", "secret", "token"];

/// Texts that name nothing of anybody.
const TEXTS: &[&str] = &[
    "",
    "accounting",
    "managing",
    "processing",
    "regime",
    "since",
    "action",
    "address",
    "all",
    "allow",
    "answer",
    "appType",
    "audience",
    "bankAccount",
    "before",
    "begin",
    "bic",
    "body",
    "browser",
    "callbackAt",
    "channel",
    "cif",
    "city",
    "date",
    "effects",
    "kind",
    "measures",
    "nature",
    "cityRegion",
    "comments",
    "contactPerson",
    "contactText",
    "country",
    "creditorSuffix",
    "cursor",
    "data",
    "description",
    "detail",
    "device",
    "deviceKey",
    "discounts",
    "email",
    "emailOPhone",
    "emailTitle",
    "end",
    "events",
    "evidenceAt",
    "expiresAt",
    "externalId",
    "format",
    "fullAddress",
    "hint",
    "html",
    "idempotencyKey",
    "inForceFrom",
    "key",
    "label",
    "lang",
    "language",
    "languageCode",
    "line",
    "login",
    "meta",
    "mobile",
    "month",
    "name",
    "network",
    "note",
    "pageShowText",
    "pay_startAt",
    "period",
    "phone",
    "phoneNumber",
    "phrase",
    "plate",
    "postalCode",
    "provider",
    "reason",
    "recipientName",
    "reference",
    "region",
    "registryData",
    "scheme",
    "shot",
    "sms",
    "smsText",
    "sort",
    "src",
    "startAt",
    "starterPhone",
    "state",
    "status",
    "subject",
    "surname",
    "test",
    "text",
    "title",
    "trackSid",
    "type",
    "url",
    "userName",
    "validFrom",
];

fn is_named_id(name: &str) -> bool {
    !TEXTS.contains(&name)
        && (IDS.contains(&name) || ["id", "_id", "ids"].contains(&name) || name.ends_with("Id") || name.ends_with("Ids"))
}

/// The fields of the description, as they are read.
pub struct Reader<'a> {
    document: &'a Value,
    /// Names of texts that no table here knows.
    pub unknown: BTreeSet<String>,
    /// Names of texts that some table decided.
    pub known: BTreeSet<String>,
}

impl<'a> Reader<'a> {
    pub fn new(document: &'a Value) -> Self {
        Self { document, unknown: BTreeSet::new(), known: BTreeSet::new() }
    }

    /// Everything in a request of this operation (`METHOD /path`) that names or looks for something.
    pub fn fields(&mut self, operation: &str) -> Vec<Field> {
        let (method, path) = operation.split_once(' ').expect("a method and a path");
        let described = &self.document["paths"][path][method.to_lowercase()];
        let mut found = BTreeSet::new();
        for parameter in described["parameters"].as_array().into_iter().flatten() {
            let name = parameter["name"].as_str().expect("a name");
            let place = match parameter["in"].as_str() {
                Some("path") => {
                    let part = format!("{{{name}}}");
                    Place::Path(path.split('/').position(|segment| segment == part).expect("in the path"))
                }
                Some("query") => Place::Query,
                _ => continue,
            };
            self.read(&parameter["schema"], place, name, &mut Vec::new(), &mut found);
        }
        for body in described["requestBody"]["content"].as_object().into_iter().flat_map(|all| all.values()) {
            self.read(&body["schema"], Place::Body(Vec::new()), "", &mut Vec::new(), &mut found);
        }
        found.into_iter().collect()
    }

    fn read(&mut self, schema: &Value, place: Place, name: &str, seen: &mut Vec<String>, found: &mut BTreeSet<Field>) {
        if let Some(reference) = schema["$ref"].as_str() {
            let target = reference.rsplit('/').next().expect("a name").to_owned();
            if seen.contains(&target) {
                return;
            }
            let schema = self.document["components"]["schemas"][&target].clone();
            seen.push(target);
            self.read(&schema, place, name, seen, found);
            seen.pop();
            return;
        }
        for kind in ["oneOf", "anyOf", "allOf"] {
            for part in schema[kind].as_array().into_iter().flatten() {
                self.read(part, place.clone(), name, seen, found);
            }
        }
        let step = |place: &Place, step: &str| match place {
            Place::Body(way) => Place::Body(way.iter().cloned().chain([step.to_owned()]).collect()),
            other => other.clone(),
        };
        if let Some(items) = schema.get("items") {
            self.read(items, step(&place, "0"), name, seen, found);
        }
        if let Some(properties) = schema["properties"].as_object() {
            for (name, field) in properties {
                self.read(field, step(&place, name), name, seen, found);
            }
            return;
        }
        if is_text_or_anything(schema) {
            self.decide(schema, place, name, found);
        }
    }

    fn decide(&mut self, schema: &Value, place: Place, name: &str, found: &mut BTreeSet<Field>) {
        let format = schema["format"].as_str();
        if schema.get("enum").is_some() || matches!(format, Some("date" | "date-time" | "binary")) {
            return;
        }
        let class = if format == Some("uuid") || is_named_id(name) {
            Some(Class::Id)
        } else if SEARCHES.contains(&name) {
            (place == Place::Query || name == "search").then_some(Class::Search)
        } else if SECRETS.contains(&name) || TEXTS.contains(&name) {
            None
        } else {
            self.unknown.insert(name.to_owned());
            None
        };
        self.known.insert(name.to_owned());
        found.extend(class.map(|class| Field { place, name: name.to_owned(), class }));
    }
}

/// A text, or an object or value of which nothing is described.
fn is_text_or_anything(schema: &Value) -> bool {
    let is =
        |kind: &str| schema["type"] == kind || schema["type"].as_array().is_some_and(|all| all.iter().any(|one| one == kind));
    is("string")
        || is("object")
        || (schema.get("type").is_none() && !["oneOf", "anyOf", "allOf"].iter().any(|kind| schema.get(*kind).is_some()))
}

// ACCESS-5
#[test]
fn every_text_of_every_request_is_known_as_an_id_or_as_none() {
    let document: Value = serde_json::from_str(&atalaya_server::app::openapi_json()).expect("JSON");
    let mut reader = Reader::new(&document);
    let mut ids = 0;
    for (path, item) in document["paths"].as_object().expect("paths") {
        for method in item.as_object().expect("a path item").keys() {
            ids += reader.fields(&format!("{} {path}", method.to_uppercase())).len();
        }
    }
    assert!(ids > 200, "the search finds the ids: {ids}");
    assert!(reader.unknown.is_empty(), "say in this file whether these are ids: {:?}", reader.unknown);
    let tables = [IDS, SEARCHES, SECRETS, TEXTS];
    let stale: Vec<_> = tables.iter().flat_map(|all| all.iter()).filter(|name| !reader.known.contains(**name)).collect();
    assert!(stale.is_empty(), "no request has these any more: {stale:?}");
}
