//! Chores of the repository: `cargo xtask arch | check | deny | gen [--check] | i18n [--same] | provenance | rust-tests | sbom`.

mod access;
mod arch;
mod check;
mod cookies;
mod deny;
mod events;
mod gen_files;
mod i18n;
mod paths;
mod provenance;
mod rust_tests;
mod sbom;
mod tree;
mod walls;

use anyhow::{Result, bail};
use std::process::ExitCode;

const HELP: &str = "cargo xtask COMMAND
  arch          layers, forbidden calls, sizes, walls between rooms
  walls --shrink [--moved]   lower what the list of allowed breaches allows; --moved: files have moved, compare sums per rule
  check         what your changes touch: format, arch, types, clippy, tests
  gen           write the generated references and TypeScript
  gen --check   fail when they are not what the code says
  rust-tests [CARGO ARGUMENTS] [-- NAME…]   build and run the Rust tests; tell the slowest
  deny          licences, banned crates and registries, as deny.toml has them
  provenance BINARY   print where a binary comes from (in-toto, SLSA): commit, compiler, locks, hashes
  sbom          print the bill of materials (CycloneDX) of the binary and the web app in it
  i18n          languages have the same keys and placeholders; nothing is unused, untranslated or outside the bundles
  i18n --same   write down which texts are the same as in Spanish, after having looked through them
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match run(&words) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(words: &[&str]) -> Result<()> {
    match words {
        ["check"] => check::run(),
        ["arch"] => arch::run().and(walls::run()),
        ["walls", "--shrink"] => walls::shrink(false),
        ["walls", "--shrink", "--moved"] => walls::shrink(true),
        ["gen"] => gen_files::run(false),
        ["gen", "--check"] => gen_files::run(true),
        ["rust-tests", rest @ ..] => {
            let (selection, filter) =
                rest.iter().position(|word| *word == "--").map_or((rest, &[][..]), |at| (&rest[..at], &rest[at + 1..]));
            rust_tests::run(if selection.is_empty() { &["--workspace"] } else { selection }, filter)
        }
        ["deny"] => deny::run(),
        ["provenance", binary] => provenance::run(binary),
        ["sbom"] => sbom::run(),
        ["i18n"] => i18n::run(),
        ["i18n", "--same"] => i18n::write_same(),
        _ => bail!("{HELP}"),
    }
}
