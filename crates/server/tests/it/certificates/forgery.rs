//! Whoever makes an archive anew gets no further than "consistent", and not even that beside a key that somebody knows.

use super::archive::{Entries, Given, append, archive, faults, manifest, pack, page_of, said_with, with_manifest};
use super::{lived, overview, print, tool, verification};
use crate::media::storage::unzip;
use crate::support::{png, sha256, text};
use atalaya_cases::conferences;
use atalaya_cases::evidence::{Actor, NewTrack, chain, merkle};
use atalaya_cases::evidence_keys::{KeyPair, Statement};
use atalaya_kernel::ConferenceId;
use atalaya_kernel::events::TrackType;
use atalaya_testkit::{TestApp, both_engines};
use serde_json::{Value, json};

/// The public keys as anybody fetches them.
pub async fn published(app: &TestApp) -> String {
    let answer = app.anonymous().get("/.well-known/atalaya-evidence.pem").await;
    answer.expect(200);
    assert_eq!(answer.header("content-type"), Some("application/x-pem-file"));
    String::from_utf8(answer.body.to_vec()).expect("PEM")
}

fn event(m: &Value, place: usize) -> Value {
    serde_json::from_str(m["events"][place]["canonical"].as_str().expect("text")).expect("an event")
}

/// Root over a head and the files up to an event.
fn root_at(m: &Value, seq: u64, head: &str) -> String {
    let mut leaves = vec![merkle::parse(head).expect("a hash")];
    for place in 0..usize::try_from(seq).expect("small") {
        let event = event(m, place);
        if ["MEDIA_CAPTURED", "FILE_UPLOADED"].contains(&event["type"].as_str().expect("a type")) {
            leaves.push(merkle::parse(event["data"]["sha256"].as_str().expect("a hash")).expect("a hash"));
        }
    }
    hex::encode(merkle::root(&leaves))
}

/// Makes chain, files, seal and certificate anew after `change` saw each event, as a forger who knows every rule.
pub fn rebuild(m: &mut Value, mut change: impl FnMut(&mut Value)) {
    let mut prev = chain::GENESIS.to_owned();
    for place in 0..m["events"].as_array().expect("events").len() {
        let mut event = event(m, place);
        change(&mut event);
        event["seq"] = json!(place + 1);
        if event["type"] == "CERTIFICATE_ISSUED" {
            let seq = event["data"]["seq"].as_u64().expect("seq");
            let head = text(&m["events"][usize::try_from(seq).expect("small") - 1]["hash"]);
            event["data"]["root"] = json!(root_at(m, seq, &head));
            event["data"]["head"] = json!(head);
        }
        let canonical = chain::canonical(&event);
        let hash = sha256(format!("VAEV1\n{prev}\n{canonical}").as_bytes());
        m["events"][place] = json!({"canonical": canonical, "prev": prev, "hash": hash});
        prev = hash;
    }
    let seq = m["seal"]["seq"].as_u64().expect("a seal");
    let head = text(&m["events"][usize::try_from(seq).expect("small") - 1]["hash"]);
    m["seal"]["root"] = json!(root_at(m, seq, &head));
    m["seal"]["head"] = json!(head);
}

/// Signs seal and certificate with a key and lists the keys given.
pub fn sign(m: &mut Value, key: &KeyPair, listed: Vec<Value>) {
    let name = key.public().fingerprint();
    let conference = text(&event(m, 0)["data"]["conferenceId"]);
    let seal = m["seal"].clone();
    let (seq, head, root, at) = (seal["seq"].to_string(), text(&seal["head"]), text(&seal["root"]), text(&seal["at"]));
    let statement = Statement::Seal([&conference, &seq, &head, &root, &at]);
    m["seal"]["signature"] = json!(key.sign(&statement.text(&name)));
    m["seal"]["key"] = json!(name);
    let certificate = m["certificate"].clone();
    let places = 0..m["events"].as_array().expect("events").len();
    let issued = places.map(|place| event(m, place)).find(|event| event["data"]["number"] == certificate["number"]);
    let issued = issued.expect("the event of the issue")["data"].clone();
    let (number, seq) = (text(&certificate["number"]), issued["seq"].to_string());
    let (head, root) = (text(&issued["head"]), text(&issued["root"]));
    let (sha256, at) = (text(&certificate["sha256"]), text(&certificate["issuedAt"]));
    let statement = Statement::Certificate([&conference, &number, &seq, &head, &root, &sha256, &at]);
    m["certificate"]["signature"] = json!(key.sign(&statement.text(&name)));
    m["certificate"]["key"] = json!(name);
    m["keys"] = Value::Array(listed);
}

pub fn listed(key: &KeyPair, more: Value) -> Value {
    let mut item = json!({
        "key": key.public().fingerprint(), "publicKey": key.public().base64(), "since": "2026-11-19T08:00:00.000Z", "until": null,
        "stolenOn": null, "previous": null, "endorsement": null,
    });
    item.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
    item
}

/// What follows a key, endorsed by it.
fn following(old: &KeyPair, new: &KeyPair, since: &str) -> Value {
    let (earlier, later) = (old.public().fingerprint(), new.public().fingerprint());
    let endorsement = old.sign(&Statement::Key([&earlier, &later, since]).text(&earlier));
    listed(new, json!({"since": since, "previous": earlier, "endorsement": endorsement}))
}

/// An archive with another picture, everything else made to fit it.
pub fn with_other_picture(entries: &Entries) -> Entries {
    let other = [&png()[..], b"retouched"].concat();
    let (hash, length) = (sha256(&other), other.len());
    let mut changed = with_manifest(entries, |m| {
        let picture = m["media"][0]["seq"].clone();
        rebuild(m, |event| {
            if event["seq"] == picture {
                event["data"]["sha256"] = json!(hash);
                event["data"]["bytes"] = json!(length);
            }
        });
        m["media"][0]["sha256"] = json!(hash);
        m["media"][0]["bytes"] = json!(length);
    });
    changed.iter_mut().find(|(name, _)| name == "foto-001.png").expect("the picture").1 = other;
    changed
}

/// Every place of some bytes with others of the same length.
fn replaced(mut bytes: Vec<u8>, from: &[u8], to: &[u8]) -> Vec<u8> {
    while let Some(place) = bytes.windows(from.len()).position(|window| window == from) {
        bytes[place..place + from.len()].copy_from_slice(to);
    }
    bytes
}

both_engines! {
    // CERT-20, EVID-40, EVID-43, EVID-46
    async fn a_key_vouches_for_what_it_signed_and_for_nothing_else(app) {
        let case = lived(app).await;
        let printed = print(&case, "").await;
        let zip = archive(&case).await;
        let (entries, keys) = (unzip(&zip), published(app).await);
        let html = page_of(&entries);
        let m = manifest(&entries);
        let name = text(&m["seal"]["key"]);
        assert!(keys.contains(&format!("Key: {name}\n")) && keys.matches("BEGIN PUBLIC KEY").count() == 1, "{keys}");
        let given = Given { keys: Some(keys.clone()), ..Given::default() };
        let (said, code) = said_with(app, &zip, &html, &given);
        assert!(code == 0 && said.contains(&format!("ANCHOR key {name}")), "{said:?}");
        assert_eq!(said_with(app, &zip, &html, &Given::default()).1, 3, "nobody vouches");
        let stranger = KeyPair::generate(&app.sources);
        let other = Given { keys: Some(stranger.public().pem()), ..Given::default() };
        let both = ["WRONG CERTIFICATE_FOREIGN_KEY CE-2026-000001", "WRONG SEAL_FOREIGN_KEY seal"];
        assert_eq!(said_with(app, &zip, &html, &other), (both.map(str::to_owned).to_vec(), 1));

        // The certificate prints the key, and its page says which one it was.
        let said = tool(app, &printed.body, "pdftotext", &["-layout", "PDF", "-"]);
        let pem: String = keys.lines().skip_while(|line| !line.starts_with("-----BEGIN")).skip(1).take(2).collect();
        for part in [&name[..32], &name[32..], &pem[..48], "/.well-known/atalaya-evidence.pem"] {
            assert!(said.contains(part), "{part}: {said}");
        }
        let code = text(&overview(&case).await["certificates"][0]["code"]);
        let seen = verification(app, &code).await.ok()["certificate"].clone();
        assert_eq!((&seen["signature"]["fingerprint"], &seen["signature"]["retiredAt"]), (&json!(name), &Value::Null));
        assert_eq!(seen["events"], m["seal"]["seq"]);
    }

    // CERT-20, EVID-46
    async fn a_forger_who_makes_everything_anew_is_consistent_at_most(app) {
        let case = lived(app).await;
        print(&case, "").await;
        let (entries, keys) = (unzip(&archive(&case).await), published(app).await);
        let html = page_of(&entries);
        let real = manifest(&entries)["keys"].clone();
        let forger = KeyPair::generate(&app.sources);
        let as_forger = |entries: &Entries| with_manifest(entries, |m| sign(m, &forger, vec![listed(&forger, json!({}))]));
        let other_event = with_manifest(&entries, |m| {
            rebuild(m, |event| if event["type"] == "GEO_FIX" { event["data"]["accuracyM"] = json!(3) });
        });
        let other_order = with_manifest(&entries, |m| {
            m["events"].as_array_mut().expect("events").swap(4, 5);
            for value in m["values"].as_array_mut().expect("values") {
                let seq = value["seq"].as_u64().expect("seq");
                value["seq"] = json!(match seq { 5 => 6, 6 => 5, _ => seq });
            }
            for item in m["media"].as_array_mut().expect("media") {
                let seq = item["seq"].as_u64().expect("seq");
                item["seq"] = json!(match seq { 5 => 6, 6 => 5, _ => seq });
            }
            rebuild(m, |_| ());
        });
        let mut other_document = entries.clone();
        let pdf = other_document.iter_mut().find(|(name, _)| name == "certificado.pdf").expect("the certificate");
        pdf.1.extend_from_slice(b"%forged");
        let hash = sha256(&pdf.1);
        let other_document = with_manifest(&other_document, |m| {
            rebuild(m, |event| if event["type"] == "CERTIFICATE_ISSUED" { event["data"]["pdfSha256"] = json!(hash) });
            m["certificate"]["sha256"] = json!(hash);
        });
        let earlier_seal = with_manifest(&entries, |m| {
            let seq = m["seal"]["seq"].as_u64().expect("seq");
            m["seal"]["seq"] = json!(seq - 1);
            rebuild(m, |_| ());
        });
        for (what, forged, unsigned) in [
            ("picture", with_other_picture(&entries), "WRONG SEAL_SIGNATURE seal"),
            ("event", other_event, "WRONG SEAL_SIGNATURE seal"),
            ("order", other_order, "WRONG SEAL_SIGNATURE seal"),
            ("certificate", other_document, "WRONG CERTIFICATE_SIGNATURE CE-2026-000001"),
            ("seal", earlier_seal, "WRONG SEAL_SIGNATURE seal"),
        ] {
            let zip = pack(app, forged.clone()).await;
            let (said, code) = said_with(app, &zip, &html, &Given::default());
            assert!(code == 1 && said.contains(&unsigned.to_owned()), "{what}, the old signatures: {said:?}");
            let zip = pack(app, as_forger(&forged)).await;
            let (said, code) = said_with(app, &zip, &html, &Given::default());
            assert_eq!((faults(said), code), (vec![], 3), "{what}, nobody named");
            let (said, code) = said_with(app, &zip, &html, &Given { keys: Some(keys.clone()), ..Given::default() });
            assert!(code == 1 && said.contains(&"WRONG SEAL_FOREIGN_KEY seal".to_owned()), "{what}: {said:?}");
            // The real keys beside the forger's do not help.
            let beside = with_manifest(&as_forger(&forged), |m| m["keys"].as_array_mut().expect("keys").extend(real.as_array().cloned().expect("keys")));
            let (_, code) = said_with(app, &pack(app, beside).await, &html, &Given { keys: Some(keys.clone()), ..Given::default() });
            assert_eq!(code, 1, "{what}");
        }
        // Another key under the real one's name; no signature at all.
        let renamed = with_manifest(&entries, |m| m["keys"][0]["publicKey"] = json!(forger.public().base64()));
        let (said, code) = said_with(app, &pack(app, renamed).await, &html, &Given::default());
        assert!(code == 1 && said.contains(&format!("WRONG KEY {}", text(&real[0]["key"]))), "{said:?}");
        let stripped = with_manifest(&with_other_picture(&entries), |m| {
            for what in ["seal", "certificate"] {
                m[what]["key"] = Value::Null;
                m[what]["signature"] = Value::Null;
            }
        });
        let (said, code) = said_with(app, &pack(app, stripped).await, &html, &Given { keys: Some(keys), ..Given::default() });
        assert_eq!((faults(said), code), (vec![], 3), "as one of the time before there was a key");
    }

    // CERT-20, EVID-6, EVID-46, EVID-49
    async fn what_no_signature_covers_is_found_as_well(app) {
        let case = lived(app).await;
        print(&case, "").await;
        let zip = archive(&case).await;
        let (entries, keys) = (unzip(&zip), published(app).await);
        let html = page_of(&entries);
        let named = Given { keys: Some(keys), ..Given::default() };
        assert_eq!(said_with(app, &zip, &html, &named).1, 0);

        // A salt that takes the first letter of its value, and one that lends it some.
        let longer = with_manifest(&entries, |m| {
            let values = m["values"].as_array_mut().expect("values");
            let value = values.iter_mut().find(|value| value["field"] == "ip").expect("an address");
            let (salt, told) = (text(&value["salt"]), text(&value["value"]));
            value["salt"] = json!(format!("{salt}{}", hex::encode(&told[..1])));
            value["value"] = json!(told[1..]);
        });
        // Two files under each other's names.
        let swapped = with_manifest(&entries, |m| {
            m["media"][0]["path"] = json!("parte.pdf");
            m["media"][1]["path"] = json!("foto-001.png");
        });
        let swapped: Entries = swapped.into_iter().map(|(name, content)| match name.as_str() {
            "foto-001.png" => ("parte.pdf".to_owned(), content),
            "parte.pdf" => ("foto-001.png".to_owned(), content),
            _ => (name, content),
        }).collect();
        // Another document, with an event of its own and no signature: the seal is before both.
        let mut document = entries.clone();
        let pdf = document.iter_mut().find(|(name, _)| name == "certificado.pdf").expect("the certificate");
        pdf.1.extend_from_slice(b"%forged");
        let hash = sha256(&pdf.1);
        let document = with_manifest(&document, |m| {
            rebuild(m, |event| if event["type"] == "CERTIFICATE_ISSUED" { event["data"]["pdfSha256"] = json!(hash) });
            for (key, value) in [("sha256", json!(hash)), ("key", Value::Null), ("signature", Value::Null)] {
                m["certificate"][key] = value;
            }
        });
        // Times that would be printed as they are.
        let spoken = with_manifest(&entries, |m| m["keys"][0]["until"] = json!("today\nANCHOR key"));
        for (what, forged, fault) in [
            ("salt", longer, "WRONG VALUE 2.ip"),
            ("names", swapped, "WRONG MEDIA "),
            ("document", document, "WRONG CERTIFICATE_SIGNATURE CE-2026-000001"),
            ("until", spoken, "WRONG KEY "),
        ] {
            let (said, code) = said_with(app, &pack(app, forged).await, &html, &named);
            assert!(code == 1 && said.iter().any(|line| line.starts_with(fault)), "{what}: {said:?}");
        }
        // Two entries of one name, the forged one first.
        let other = [&[("foto-00X.png".to_owned(), [&png()[..], b"retouched"].concat())], &entries[..]].concat();
        let renamed = replaced(pack(app, other).await, b"foto-00X.png", b"foto-001.png");
        assert_eq!(said_with(app, &renamed, &html, &named), (vec!["WRONG UNKNOWN foto-001.png".to_owned()], 1));
        // A name in the directory, another one where the file begins.
        let mut hidden = zip.clone();
        let place = hidden.windows(12).position(|window| window == b"foto-001.png").expect("the first entry");
        hidden[place + 7] = b'2';
        assert_eq!(said_with(app, &hidden, &html, &named), (vec!["WRONG FILE foto-001.png".to_owned()], 1));
    }

    // CERT-21, EVID-49
    async fn events_after_the_seal_are_vouched_for_by_nobody(app) {
        let case = lived(app).await;
        let (entries, keys) = (unzip(&archive(&case).await), published(app).await);
        let html = page_of(&entries);
        let named = Given { keys: Some(keys), ..Given::default() };
        assert_eq!(said_with(app, &pack(app, entries.clone()).await, &html, &named).1, 0, "no certificate");
        let more = with_manifest(&entries, |m| _ = append(m, "LEGAL_ACCEPTED", json!({})));
        let (said, code) = said_with(app, &pack(app, more).await, &html, &named);
        assert!(code == 3 && said.iter().any(|line| line.starts_with("ANCHOR key ")), "{said:?}");
        assert!(said.contains(&"NOTE 1 events after the seal, which it does not cover".to_owned()), "{said:?}");

        // What really happened after the seal is under another one in the archive.
        let tx = app.db.write().await.unwrap();
        let late = NewTrack::new(TrackType::Disconnected, Actor::System, json!({}));
        conferences::append(&tx, &app.records, ConferenceId(case.id.parse().unwrap()), late).await.unwrap();
        tx.commit().await.unwrap();
        let zip = archive(&case).await;
        let m = manifest(&unzip(&zip));
        assert_eq!((&m["seal"]["seq"], m["events"].as_array().map(Vec::len)), (&json!(13), Some(13)));
        assert_eq!(said_with(app, &zip, &html, &named).1, 0);
    }

    // EVID-42, EVID-44, EVID-45
    async fn keys_follow_each_other_until_one_is_stolen(app) {
        let case = lived(app).await;
        print(&case, "").await;
        let entries = unzip(&archive(&case).await);
        let html = page_of(&entries);
        let [old, new] = [(); 2].map(|()| KeyPair::generate(&app.sources));
        let of = |key: &KeyPair, before: &str| Given { keys: Some(format!("{before}{}", key.public().pem())), ..Given::default() };
        let since = "2026-11-20T07:00:00.000Z";
        let retired = json!({"until": since});
        let stolen = |day: &str| json!({"until": since, "stolenOn": day});
        let made = |signer: &KeyPair, keys: Vec<Value>| with_manifest(&entries, |m| sign(m, signer, keys));
        // What a retired key signed, and what its successor signed, for somebody who knows the old one.
        let by_old = made(&old, vec![following(&old, &new, since), listed(&old, retired.clone())]);
        let by_new = made(&new, vec![following(&old, &new, since), listed(&old, retired.clone())]);
        let unendorsed = made(&new, vec![listed(&new, json!({"since": since})), listed(&old, retired.clone())]);
        let claimed = json!({"previous": old.public().fingerprint(), "endorsement": new.sign("anything")});
        let claimed = made(&new, vec![listed(&new, claimed), listed(&old, retired)]);
        // Sealed on the 20th.
        let after = made(&old, vec![listed(&old, stolen("2026-11-19"))]);
        let before = made(&old, vec![listed(&old, stolen("2026-11-20"))]);
        let by_heir = made(&new, vec![following(&old, &new, since), listed(&old, stolen("2026-11-19"))]);
        let earlier = "2026-11-18T07:00:00.000Z";
        let by_heir_before = made(&new, vec![following(&old, &new, earlier), listed(&old, stolen("2026-11-19"))]);
        let silent = made(&old, vec![listed(&old, json!({}))]);
        for (what, entries, given, code, line) in [
            ("retired", &by_old, of(&old, ""), 0, "ANCHOR key"),
            ("successor", &by_new, of(&old, ""), 0, "ANCHOR key"),
            ("predecessor", &by_old, of(&new, ""), 1, "WRONG SEAL_FOREIGN_KEY seal"),
            ("not endorsed", &unendorsed, of(&old, ""), 1, "WRONG SEAL_FOREIGN_KEY seal"),
            ("endorsed by itself", &claimed, of(&old, ""), 1, "WRONG KEY"),
            ("after the theft", &after, of(&old, ""), 1, "WRONG SEAL_STOLEN_KEY seal"),
            ("after the theft, nobody named", &after, Given::default(), 1, "WRONG SEAL_STOLEN_KEY seal"),
            ("before the theft", &before, of(&old, ""), 3, "NOTE the seal's key was stolen on 2026-11-20"),
            ("endorsed by the thief", &by_heir, of(&old, ""), 1, "WRONG SEAL_FOREIGN_KEY seal"),
            ("endorsed by the thief, dated back", &by_heir_before, of(&old, ""), 3, "NOTE the seal's key follows one that was stolen on 2026-11-19"),
            ("the heir itself", &by_heir_before, of(&new, ""), 0, "ANCHOR key"),
            ("the archive is silent", &silent, of(&old, "Key: x\nStolen: 2026-11-19\n"), 1, "WRONG SEAL_STOLEN_KEY seal"),
        ] {
            let (said, found) = said_with(app, &pack(app, entries.clone()).await, &html, &given);
            assert!(found == code && said.iter().any(|said| said.starts_with(line)), "{what}: {found} {said:?}");
        }
    }
}
