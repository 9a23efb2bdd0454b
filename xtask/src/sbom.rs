//! The bill of materials (CycloneDX 1.6, JSON): what the binary and the web app inside it are made of. From `cargo metadata`,
//! `Cargo.lock` and `web/package-lock.json`, without dates or random numbers, so that one commit has one document.

use crate::tree;
use anyhow::{Context, Result, bail};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::process::Command;

/// The package whose binary is shipped.
const ROOT: &str = "atalaya-server";

/// Prints the document.
pub fn run() -> Result<()> {
    let metadata = metadata()?;
    let package_lock = serde_json::from_str(&tree::read("web/package-lock.json")?).context("web/package-lock.json")?;
    let document = document(&metadata, &tree::read("Cargo.lock")?, &package_lock)?;
    println!("{}", serde_json::to_string_pretty(&document)?);
    Ok(())
}

fn metadata() -> Result<Value> {
    let version = output("rustc", &["-vV"])?;
    let host = version.lines().find_map(|line| line.strip_prefix("host: ")).context("rustc names its host")?;
    let text = output("cargo", &["metadata", "--format-version", "1", "--locked", "--filter-platform", host])?;
    Ok(serde_json::from_str(&text)?)
}

fn output(program: &str, arguments: &[&str]) -> Result<String> {
    let out = Command::new(program).args(arguments).output().with_context(|| format!("running {program}"))?;
    if !out.status.success() {
        bail!("{program} {}: {}", arguments.join(" "), String::from_utf8_lossy(&out.stderr));
    }
    Ok(String::from_utf8(out.stdout)?)
}

/// A component and what it depends on, by their references.
type Parts = BTreeMap<String, (Value, BTreeSet<String>)>;

/// The document of these three.
pub fn document(metadata: &Value, cargo_lock: &str, package_lock: &Value) -> Result<Value> {
    let mut parts = Parts::new();
    let (root, version) = rust(metadata, &checksums(cargo_lock), &mut parts)?;
    let web = web(package_lock, &mut parts)?;
    let (_, on) = parts.get_mut(&root).context("the root is a part")?;
    on.insert(web);
    let dependencies: Vec<Value> = parts.iter().map(|(name, (_, on))| json!({"ref": name, "dependsOn": on})).collect();
    let (root, _) = parts.remove(&root).context("the root is a part")?;
    let mut product = root;
    product["type"] = json!("application");
    product["name"] = json!("atalaya");
    product["version"] = json!(version);
    let components: Vec<Value> = parts.into_values().map(|(component, _)| component).collect();
    Ok(json!({
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": product},
        "components": components,
        "dependencies": dependencies,
    }))
}

/// What the binary is linked from and built with; tests' dependencies are none of it. Answers the root's reference and version.
fn rust(metadata: &Value, checksums: &HashMap<(String, String), String>, parts: &mut Parts) -> Result<(String, String)> {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let packages: HashMap<String, Value> =
        list(&metadata["packages"]).into_iter().map(|package| (text(&package["id"]), package)).collect();
    let nodes: HashMap<String, Value> =
        list(&metadata["resolve"]["nodes"]).into_iter().map(|node| (text(&node["id"]), node)).collect();
    let root = packages.values().find(|package| package["name"] == ROOT).context("the server is in the workspace")?;
    let mut waiting = vec![text(&root["id"])];
    let mut seen: BTreeSet<String> = waiting.iter().cloned().collect();
    while let Some(id) = waiting.pop() {
        let package = packages.get(&id).with_context(|| format!("{id} is a package"))?;
        let mut on = BTreeSet::new();
        for dependency in list(&nodes.get(&id).unwrap_or(&Value::Null)["deps"]) {
            let is_shipped = list(&dependency["dep_kinds"]).iter().any(|kind| kind["kind"] != "dev");
            if !is_shipped {
                continue;
            }
            let next = text(&dependency["pkg"]);
            on.insert(cargo_ref(packages.get(&next).with_context(|| format!("{next} is a package"))?));
            if seen.insert(next.clone()) {
                waiting.push(next);
            }
        }
        parts.insert(cargo_ref(package), (crate_component(package, checksums), on));
    }
    Ok((cargo_ref(root), text(&root["version"])))
}

fn cargo_ref(package: &Value) -> String {
    format!("pkg:cargo/{}@{}", text(&package["name"]), text(&package["version"]))
}

fn crate_component(package: &Value, checksums: &HashMap<(String, String), String>) -> Value {
    let (name, version) = (text(&package["name"]), text(&package["version"]));
    let own = package["source"].is_null();
    let checksum = checksums.get(&(name.clone(), version.clone())).map(|hash| ("SHA-256", hash.clone()));
    // Ours are in no registry, so they have no address in one.
    let address = (!own).then(|| cargo_ref(package));
    component(cargo_ref(package), &name, &version, address, package["license"].as_str(), checksum)
}

/// `name`, `version` and `checksum` of each package of `Cargo.lock`.
fn checksums(lock: &str) -> HashMap<(String, String), String> {
    let field = |block: &str, name: &str| {
        let line = block.lines().find_map(|line| line.strip_prefix(name)?.trim().strip_prefix('='))?;
        Some(line.trim().trim_matches('"').to_owned())
    };
    let blocks = lock.split("[[package]]").skip(1);
    blocks.filter_map(|block| Some(((field(block, "name")?, field(block, "version")?), field(block, "checksum")?))).collect()
}

/// What the web app is bundled from; answers its own reference.
fn web(lock: &Value, parts: &mut Parts) -> Result<String> {
    let packages = lock["packages"].as_object().context("package-lock.json has packages")?;
    let own = &packages.get("").context("package-lock.json has a root")?;
    let root = npm_ref(&text(&own["name"]), &text(&own["version"]));
    let mut all = BTreeSet::new();
    for (place, package) in packages.iter().filter(|(place, _)| !place.is_empty()) {
        let skipped = ["dev", "devOptional", "link"].iter().any(|kind| package[kind] == true);
        let Some((_, name)) = place.rsplit_once("node_modules/").filter(|_| !skipped) else { continue };
        let version = text(&package["version"]);
        let reference = npm_ref(name, &version);
        let hash = package["integrity"].as_str().and_then(|text| text.strip_prefix("sha512-")).and_then(hex_of_base64);
        let part = component(
            reference.clone(),
            name,
            &version,
            Some(reference.clone()),
            package["license"].as_str(),
            hash.map(|hash| ("SHA-512", hash)),
        );
        let on = needs(packages, place, package);
        parts.entry(reference.clone()).or_insert((part, BTreeSet::new())).1.extend(on);
        all.insert((place.clone(), reference));
    }
    let direct = needs(packages, "", own);
    let license = own["license"].as_str();
    parts.insert(
        root.clone(),
        (component(root.clone(), &text(&own["name"]), &text(&own["version"]), None, license, None), direct),
    );
    // A peer that is not installed is nobody's part.
    let known: BTreeSet<String> = parts.keys().cloned().collect();
    for (_, on) in parts.values_mut() {
        on.retain(|reference| known.contains(reference));
    }
    Ok(root)
}

/// What a package finds when it asks for its dependencies: in its own folder first, then outwards.
fn needs(packages: &Map<String, Value>, place: &str, package: &Value) -> BTreeSet<String> {
    let names = ["dependencies", "optionalDependencies", "peerDependencies"];
    let names = names.iter().filter_map(|kind| package[kind].as_object()).flat_map(Map::keys);
    names.filter_map(|name| find(packages, place, name).map(|version| npm_ref(name, &version))).collect()
}

fn find(packages: &Map<String, Value>, place: &str, name: &str) -> Option<String> {
    let mut from = place;
    loop {
        let inside = if from.is_empty() { format!("node_modules/{name}") } else { format!("{from}/node_modules/{name}") };
        if let Some(found) = packages.get(&inside) {
            return Some(text(&found["version"]));
        }
        if from.is_empty() {
            return None;
        }
        from = from.rsplit_once("node_modules/").map_or("", |(outer, _)| outer.trim_end_matches('/'));
    }
}

fn npm_ref(name: &str, version: &str) -> String {
    format!("pkg:npm/{}@{version}", name.replacen('@', "%40", 1))
}

fn component(
    reference: String,
    name: &str,
    version: &str,
    address: Option<String>,
    license: Option<&str>,
    hash: Option<(&str, String)>,
) -> Value {
    let mut part = json!({"type": "library", "bom-ref": reference, "name": name, "version": version});
    if let Some(address) = address {
        part["purl"] = json!(address);
    }
    // `MIT/Apache-2.0` is how expressions were written once.
    if let Some(license) = license {
        part["licenses"] = json!([{"expression": license.replace('/', " OR ")}]);
    }
    if let Some((algorithm, content)) = hash {
        part["hashes"] = json!([{"alg": algorithm, "content": content}]);
    }
    part
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn hex_of_base64(text: &str) -> Option<String> {
    const LETTERS: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let (mut bits, mut count, mut hex) = (0_u32, 0, String::new());
    for letter in text.trim_end_matches('=').chars() {
        bits = (bits << 6) | u32::try_from(LETTERS.find(letter)?).ok()?;
        count += 6;
        if count >= 8 {
            count -= 8;
            hex.push_str(&format!("{:02x}", (bits >> count) & 0xff));
            bits &= (1 << count) - 1;
        }
    }
    Some(hex)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn small() -> Value {
        let package = |name: &str, source: Value| json!({"id": format!("{name} 1"), "name": name, "version": "1.0.0", "license": "MIT/Apache-2.0", "source": source});
        let deps = |names: &[(&str, Value)]| -> Vec<Value> {
            names.iter().map(|(name, kind)| json!({"pkg": format!("{name} 1"), "dep_kinds": [{"kind": kind}]})).collect()
        };
        let registry = json!("registry+https://github.com/rust-lang/crates.io-index");
        let metadata = json!({
            "packages": [package(ROOT, Value::Null), package("used", registry.clone()), package("built", registry.clone()),
                package("tested", registry)],
            "resolve": {"nodes": [
                {"id": format!("{ROOT} 1"), "deps": deps(&[("used", Value::Null), ("tested", json!("dev"))])},
                {"id": "used 1", "deps": deps(&[("built", json!("build"))])},
                {"id": "built 1", "deps": []},
            ]},
        });
        let lock =
            format!("version = 4\n\n[[package]]\nname = \"used\"\nversion = \"1.0.0\"\nchecksum = \"{}\"\n", "ab".repeat(32));
        let npm = json!({"packages": {
            "": {"name": "app", "version": "1.0.0", "license": "Apache-2.0", "dependencies": {"@a/b": "^2"}, "devDependencies": {"t": "1"}},
            "node_modules/@a/b": {"version": "2.1.0", "license": "MIT", "integrity": "sha512-AQID", "dependencies": {"c": "1"},
                "peerDependencies": {"absent": "1"}},
            "node_modules/@a/b/node_modules/c": {"version": "1.5.0", "license": "MIT"},
            "node_modules/c": {"version": "9.0.0", "license": "MIT"},
            "node_modules/t": {"version": "1.0.0", "dev": true},
        }});
        document(&metadata, &lock, &npm).unwrap()
    }

    #[test]
    fn the_document_names_what_is_shipped_and_nothing_of_the_tests() {
        let bom = small();
        assert_eq!((&bom["bomFormat"], &bom["specVersion"], &bom["version"]), (&json!("CycloneDX"), &json!("1.6"), &json!(1)));
        assert_eq!(bom["metadata"]["component"]["type"], "application");
        let components = bom["components"].as_array().unwrap();
        let refs: Vec<&str> = components.iter().map(|one| one["bom-ref"].as_str().unwrap()).collect();
        let expected = [
            "pkg:cargo/built@1.0.0",
            "pkg:cargo/used@1.0.0",
            "pkg:npm/%40a/b@2.1.0",
            "pkg:npm/app@1.0.0",
            "pkg:npm/c@1.5.0",
            "pkg:npm/c@9.0.0",
        ];
        assert_eq!(refs, expected);
        let used = &components[1];
        assert_eq!(used["licenses"][0]["expression"], "MIT OR Apache-2.0");
        assert_eq!(used["hashes"][0], json!({"alg": "SHA-256", "content": "ab".repeat(32)}));
        assert_eq!(components[2]["hashes"][0], json!({"alg": "SHA-512", "content": "010203"}));
    }

    #[test]
    fn every_dependency_is_a_part_and_every_part_has_its_dependencies() {
        let bom = small();
        let root = bom["metadata"]["component"]["bom-ref"].as_str().unwrap();
        let mut known: BTreeSet<&str> =
            bom["components"].as_array().unwrap().iter().map(|one| one["bom-ref"].as_str().unwrap()).collect();
        known.insert(root);
        let mut told = BTreeSet::new();
        for one in bom["dependencies"].as_array().unwrap() {
            assert!(told.insert(one["ref"].as_str().unwrap()), "{one}");
            let on: Vec<&str> = one["dependsOn"].as_array().unwrap().iter().map(|on| on.as_str().unwrap()).collect();
            assert!(on.iter().all(|on| known.contains(on)), "{one}");
            match one["ref"].as_str().unwrap() {
                name if name == root => assert_eq!(on, ["pkg:cargo/used@1.0.0", "pkg:npm/app@1.0.0"]),
                "pkg:npm/%40a/b@2.1.0" => assert_eq!(on, ["pkg:npm/c@1.5.0"], "the nearest one is found"),
                _ => {}
            }
        }
        assert_eq!(told, known);
    }
}
