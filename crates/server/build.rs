//! Embeds the built web app (`web/dist`) into the release binary.
//!
//! Writes `$OUT_DIR/web.rs`, a table of every file with its bytes, its brotli twin when the web build made one, and an
//! ETag. Debug builds get an empty table and read the folder when they start, so that neither a missing web build nor
//! a new one costs a compilation. Without `web/dist` a release build still succeeds: it serves a page that says so.

use std::collections::hash_map::DefaultHasher;
use std::fmt::Write as _;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    println!("cargo:rerun-if-changed=build.rs");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it")).join("web.rs");
    let mut table = String::from("/// Every file of the web build.\npub static EMBEDDED: &[EmbeddedFile] = &[\n");
    if env::var("PROFILE").as_deref() == Ok("release") {
        let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it")).join("../../web/dist");
        match root.canonicalize() {
            Ok(root) => {
                println!("cargo:rerun-if-changed={}", root.display());
                embed(&root, &root, &mut table)?;
            }
            Err(_) => println!("cargo:warning=web/dist is not built: the binary has no web app (make build makes both)"),
        }
    }
    table.push_str("];\n");
    fs::write(out, table)
}

fn embed(root: &Path, folder: &Path, table: &mut String) -> io::Result<()> {
    let mut entries: Vec<PathBuf> = fs::read_dir(folder)?.map(|e| e.map(|e| e.path())).collect::<io::Result<_>>()?;
    entries.sort();
    for path in entries {
        if path.is_dir() {
            embed(root, &path, table)?;
            continue;
        }
        let name = path.strip_prefix(root).expect("found below the root").to_str().expect("names are ASCII").to_owned();
        if name.ends_with(".br") || name.ends_with(".map") {
            continue;
        }
        let bytes = fs::read(&path)?;
        let mut hasher = DefaultHasher::new();
        bytes.hash(&mut hasher);
        let brotli = PathBuf::from(format!("{}.br", path.display()));
        let brotli = match brotli.exists() {
            true => format!("Some(include_bytes!({brotli:?}))"),
            false => "None".to_owned(),
        };
        writeln!(
            table,
            "    EmbeddedFile {{ name: {name:?}, bytes: include_bytes!({path:?}), brotli: {brotli}, etag: \"\\\"{:016x}\\\"\" }},",
            hasher.finish()
        )
        .expect("a string grows");
    }
    Ok(())
}
