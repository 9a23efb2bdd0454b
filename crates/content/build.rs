//! Lists the language bundles of `locales/`, which are embedded in the binary.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    let root = Path::new(&env::var("CARGO_MANIFEST_DIR").expect("cargo sets it")).join("../../locales");
    let root = root.canonicalize().expect("locales/ lies beside crates/");
    println!("cargo:rerun-if-changed={}", root.display());
    let mut table = String::from("pub(crate) static FILES: &[(&str, &str, &str)] = &[\n");
    for language in sorted(&root).into_iter().filter(|path| path.is_dir()) {
        println!("cargo:rerun-if-changed={}", language.display());
        for file in sorted(&language).into_iter().filter(|path| path.extension().is_some_and(|ext| ext == "json")) {
            println!("cargo:rerun-if-changed={}", file.display());
            let stem = |path: &Path| path.file_stem().expect("it has a name").to_string_lossy().into_owned();
            writeln!(table, "({:?}, {:?}, include_str!({:?})),", stem(&language), stem(&file), file).expect("a string grows");
        }
    }
    table.push_str("];\n");
    let out = PathBuf::from(env::var("OUT_DIR").expect("cargo sets it")).join("bundles.rs");
    fs::write(out, table).expect("the build folder is writable");
}

fn sorted(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> =
        fs::read_dir(folder).expect("the folder is readable").filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    paths
}
