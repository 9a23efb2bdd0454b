//! What banks send: the samples, older editions, and files that nobody should be able to hurt us with.

use atalaya_sepa::reasons::{self, InvoiceEffect, MandateEffect, Retry};
use atalaya_sepa::{BankFile, Kind, Level, ReadError, read};
use proptest::prelude::*;
use std::io::{Cursor, Write as _};
use zip::write::SimpleFileOptions;

const BATCH: &str = include_str!("../../../vectors/xml/camt053_v08_batch_and_return.xml");
const REFUND: &str = include_str!("../../../vectors/xml/camt054_v08_refund_MD06.xml");
const RETURN: &str = include_str!("../../../vectors/xml/camt054_v08_return_AM04.xml");
const GROUP: &str = include_str!("../../../vectors/xml/pain002_v10_group_reject_FF01.xml");
const REJECT: &str = include_str!("../../../vectors/xml/pain002_v10_tx_reject_AC04.xml");

fn one(text: &str) -> BankFile {
    let mut files = read(text.as_bytes()).unwrap();
    assert_eq!(files.len(), 1);
    files.remove(0)
}

// SEPA-7
#[test]
fn the_samples_say_what_they_say() {
    let batch = one(BATCH);
    assert_eq!(
        (batch.message.as_str(), batch.accounts.as_slice()),
        ("camt.053.001.08", ["ES9121000418450200051332".to_owned()].as_slice())
    );
    let [confirmed, returned] = batch.reports.as_slice() else { panic!("two reports") };
    assert_eq!((confirmed.kind, confirmed.level, confirmed.amount), (Kind::Confirmation, Level::Block, Some(7381)));
    assert_eq!((confirmed.block.as_deref(), confirmed.count), (Some("VP-20261105-0001-RCUR"), Some(2)));
    assert_eq!(confirmed.booked, Some("2026-11-12".parse().unwrap()));
    assert_eq!((returned.kind, returned.reason.as_deref(), returned.amount), (Kind::Return, Some("MS02"), Some(3532)));
    assert_eq!((returned.end_to_end.as_deref(), returned.umr.as_deref()), (Some("A2026-000009"), Some("VP-000040-01")));

    let refund = &one(REFUND).reports[0];
    assert_eq!((refund.kind, refund.reason.as_deref(), refund.charges), (Kind::Refund, Some("MD06"), 0));
    let returned = &one(RETURN).reports[0];
    assert_eq!((returned.kind, returned.reason.as_deref(), returned.charges), (Kind::Return, Some("AM04"), 300));
    assert!(!returned.inconsistent);

    let group = one(GROUP);
    assert_eq!(group.reports.len(), 1);
    let whole = &group.reports[0];
    assert_eq!(
        (whole.level, whole.file.as_deref(), whole.reason.as_deref()),
        (Level::File, Some("VP-20261105-0001"), Some("FF01"))
    );

    let reject = one(REJECT);
    assert_eq!(reject.reports.len(), 1, "PART is no rejection of the rest");
    let row = &reject.reports[0];
    assert_eq!((row.kind, row.level, row.amount), (Kind::Reject, Level::Debit, Some(3751)));
    assert_eq!(
        (row.end_to_end.as_deref(), row.reason.as_deref(), row.umr.as_deref()),
        (Some("A2026-000002"), Some("AC04"), Some("VP-000023-01"))
    );
}

/// The crate's own readers find the same.
#[test]
fn another_reader_agrees() {
    let theirs = sepa::parse_camt053(BATCH).unwrap();
    let entries = &theirs.statements[0].entries;
    assert_eq!(entries[0].batch.as_ref().unwrap().payment_info_id.as_deref(), one(BATCH).reports[0].block.as_deref());
    assert_eq!(entries[1].return_reason_code(), one(BATCH).reports[1].reason.as_deref());
    let theirs = sepa::parse_pain002(REJECT).unwrap();
    assert_eq!(theirs.original_msg_id, one(REJECT).reports[0].file.clone().unwrap());
}

// SEPA-7
#[test]
fn older_editions_and_other_spellings_are_read() {
    let older = BATCH
        .replace("camt.053.001.08", "camt.053.001.02")
        .replace("<Sts>\n          <Cd>BOOK</Cd>\n        </Sts>", "<Sts>BOOK</Sts>");
    assert!(older.contains("<Sts>BOOK</Sts>"));
    assert_eq!(one(&older).reports, one(BATCH).reports);
    let older = RETURN
        .replace("camt.054.001.08", "camt.054.001.02")
        .replace("<Rcrd>", "")
        .replace("</Rcrd>", "")
        .replace("<ChrgInclInd>false</ChrgInclInd>", "");
    assert_eq!(one(&older).reports, one(RETURN).reports);
    assert_eq!(one(&REJECT.replace("pain.002.001.10", "pain.002.001.03")).reports, one(REJECT).reports);
    let latin: Vec<u8> = GROUP
        .replace("UTF-8", "ISO-8859-1")
        .replace("no valido", "no v\u{e1}lido")
        .chars()
        .map(|c| u8::try_from(u32::from(c)).unwrap())
        .collect();
    assert_eq!(read(&latin).unwrap()[0].reports, one(GROUP).reports);
    let prefixed = GROUP.replace("<Document xmlns=", "<b:Document xmlns:b=").replace("</Document>", "</b:Document>");
    assert_eq!(
        one(&prefixed.replace("<CstmrPmtStsRpt>", "<b:CstmrPmtStsRpt>").replace("</CstmrPmtStsRpt>", "</b:CstmrPmtStsRpt>"))
            .reports,
        one(GROUP).reports
    );
    let marked = format!("\u{feff}{GROUP}");
    assert_eq!(one(&marked).reports, one(GROUP).reports);
}

// SEPA-9
#[test]
fn pending_entries_and_acceptances_are_no_money() {
    assert_eq!(one(&BATCH.replace("BOOK", "PDNG")).reports, []);
    assert_eq!(one(&REJECT.replace("RJCT", "ACSP")).reports, []);
}

// SEPA-10
#[test]
fn amounts_that_do_not_add_up_are_marked() {
    let wrong = BATCH.replacen("37.51", "30.51", 1);
    assert!(one(&wrong).reports[0].inconsistent);
    let with_charges = RETURN.replacen("36.30", "39.30", 1);
    assert!(!one(&with_charges).reports[0].inconsistent, "the entry holds the charges");
    let dollars = RETURN.replace("Ccy=\"EUR\"", "Ccy=\"USD\"");
    assert_eq!(one(&dollars).reports[0].amount, None);
}

// SEPA-10
#[test]
fn an_amount_that_cannot_be_used_is_not_an_amount_that_is_not_said() {
    let told = |text: &str| {
        let report = one(text).reports.remove(0);
        (report.amount, report.unusable)
    };
    assert_eq!((told(BATCH), told(RETURN), told(REJECT)), ((Some(7381), false), (Some(3630), false), (Some(3751), false)));
    let dollars = |text: &str| text.replace("Ccy=\"EUR\"", "Ccy=\"USD\"");
    for text in [BATCH, RETURN, REJECT] {
        assert_eq!(told(&dollars(text)), (None, true));
    }
    assert_eq!(told(&BATCH.replacen(">73.81<", ">73,81<", 1)), (None, true), "cannot be read");
    let row = RETURN.rsplit_once("<Amt Ccy=\"EUR\">36.30</Amt>").unwrap();
    assert_eq!(told(&format!("{}{}", row.0, row.1)), (None, true), "statements have to say it");
    let (head, rest) = REJECT.split_once("<Amt>").unwrap();
    let (_, tail) = rest.split_once("</Amt>").unwrap();
    assert_eq!(told(&format!("{head}{tail}")), (None, false), "a rejection need not");
}

// SEPA-9, SEPA-13
#[test]
fn every_booked_entry_is_reported() {
    let kinds = |text: &str| one(text).reports.iter().map(|report| (report.kind, report.amount)).collect::<Vec<_>>();
    // An entry without details, and one whose details are empty
    let (head, rest) = RETURN.split_once("<NtryDtls>").unwrap();
    let (_, tail) = rest.split_once("</NtryDtls>").unwrap();
    assert_eq!(kinds(&format!("{head}{tail}")), [(Kind::Return, Some(3630))]);
    assert_eq!(kinds(&format!("{head}<NtryDtls></NtryDtls>{tail}")), [(Kind::Return, Some(3630))]);
    let bare = format!("{head}<AddtlNtryInf>Comisión</AddtlNtryInf>{tail}").replace("IDDT", "OTHR");
    assert_eq!(kinds(&bare), [(Kind::Outgoing, Some(3630))]);
    assert_eq!(one(&bare).reports[0].text.as_deref(), Some("Comisión"));
    let credit = bare.replacen("DBIT", "CRDT", 1).replace("OTHR", "RCDT");
    assert_eq!(kinds(&credit), [(Kind::Incoming, Some(3630))]);
    assert_eq!(kinds(&credit.replace("BOOK", "PDNG")), []);
    // A row that is neither ours nor returned
    assert_eq!(kinds(&RETURN.replace("RtrInf", "Nothing")), [(Kind::Outgoing, Some(3630))]);
    let transfer = RETURN.replace("RtrInf", "Nothing").replace("DBIT", "CRDT").replace("IDDT", "RCDT");
    assert_eq!(kinds(&transfer), [(Kind::Incoming, Some(3630))]);
}

// SEPA-13
#[test]
fn lines_say_whose_account_they_are_of() {
    let second = BATCH
        .replace("<Stmt>", "<Other>")
        .replace("</Stmt>", "</Other>")
        .replace("ES9121000418450200051332", "ES7921000813610123456789");
    let (_, rest) = second.split_once("<Other>").unwrap();
    let (other, _) = rest.split_once("</Other>").unwrap();
    let both = BATCH.replace("</Stmt>", &format!("</Stmt><Stmt>{other}</Stmt>"));
    let file = one(&both);
    assert_eq!(file.accounts, ["ES9121000418450200051332", "ES7921000813610123456789"]);
    let of: Vec<_> = file.reports.iter().map(|report| report.account.as_deref().unwrap()).collect();
    assert_eq!(
        of,
        ["ES9121000418450200051332", "ES9121000418450200051332", "ES7921000813610123456789", "ES7921000813610123456789"]
    );
}

#[test]
fn a_rejected_block_speaks_after_its_rows() {
    let block = REJECT
        .replace("<PmtInfSts>PART</PmtInfSts>", "<PmtInfSts>RJCT</PmtInfSts><StsRsnInf><Rsn><Cd>RC01</Cd></Rsn></StsRsnInf>");
    let reports = one(&block).reports;
    assert_eq!(
        reports.iter().map(|r| (r.level, r.reason.as_deref())).collect::<Vec<_>>(),
        [(Level::Debit, Some("AC04")), (Level::Block, Some("RC01"))]
    );
}

fn refused(bytes: &[u8]) -> &'static str {
    match read(bytes) {
        Ok(_) => "read",
        Err(ReadError::TooLarge) => "large",
        Err(ReadError::Malformed(_)) => "malformed",
        Err(ReadError::NotSupported(_)) => "not supported",
    }
}

// SEPA-8
#[test]
fn hostile_files_are_refused() {
    let bomb = "<!DOCTYPE x [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;\">]><Document>&b;</Document>";
    let external = "<!DOCTYPE x SYSTEM \"file:///etc/passwd\"><Document/>";
    assert_eq!((refused(bomb.as_bytes()), refused(external.as_bytes())), ("malformed", "malformed"));
    assert_eq!(refused(b"<Document>&unknown;</Document>"), "malformed");
    assert_eq!(refused(&BATCH.as_bytes()[..BATCH.len() / 2]), "malformed");
    assert_eq!(refused(&BATCH.as_bytes()[..BATCH.len() - 12]), "malformed");
    assert_eq!(refused("<a>".repeat(100_000).as_bytes()), "large");
    assert_eq!(refused(format!("<Document>{}</Document>", "<a/>".repeat(1_100_000)).as_bytes()), "large");
    assert_eq!(refused(&vec![b' '; 10 * 1024 * 1024 + 1]), "large");
    assert_eq!(refused(b""), "not supported");
    assert_eq!(refused(b"51800123456789 Cuaderno 43"), "not supported");
    assert_eq!(refused(b"<html/>"), "not supported");
    assert_eq!(refused(BATCH.replace("camt.053.001.08", "camt.052.001.08").as_bytes()), "not supported");
    assert_eq!(refused(include_bytes!("../../../vectors/xml/pain008_v08_ok.xml")), "not supported");
    assert_eq!(refused(&[0xff, 0xfe, b'<', 0]), "malformed");
}

fn packed(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in entries {
        zip.start_file(*name, SimpleFileOptions::default()).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

// SEPA-7
#[test]
fn archives_are_opened_with_limits() {
    let both = packed(&[("a.xml", BATCH.as_bytes()), ("b/c.xml", RETURN.as_bytes())]);
    let files = read(&both).unwrap();
    assert_eq!(files.iter().map(|file| file.reports.len()).collect::<Vec<_>>(), [2, 1]);
    assert_eq!(refused(&both[..both.len() / 2]), "malformed");
    assert_eq!(refused(&packed(&[("x.zip", &both)])), "malformed", "no archive in the archive");
    assert_eq!(refused(&packed(&[])), "not supported");
    let names: Vec<String> = (0..51).map(|i| format!("{i}.xml")).collect();
    let many: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), GROUP.as_bytes())).collect();
    assert_eq!(refused(&packed(&many)), "large");
    let zeros = vec![b' '; 51 * 1024 * 1024];
    let bomb = packed(&[("a.xml", &zeros)]);
    assert!(bomb.len() < 200_000);
    assert_eq!(refused(&bomb), "large");
}

// SEPA-11
#[test]
fn every_code_of_the_table_has_its_action() {
    let row = |code| {
        let action = reasons::action(code);
        (action.invoice, action.mandate, action.retry)
    };
    use {InvoiceEffect as I, MandateEffect as M};
    assert_eq!(row("AC01"), (I::Returned, M::SuspendAndAsk, Retry::No));
    assert_eq!(row("AC06"), (I::Returned, M::Suspend, Retry::No));
    assert_eq!(row("AC13"), (I::Returned, M::ToCore, Retry::Once { days: 0 }));
    assert_eq!(row("AM04"), (I::Returned, M::None, Retry::Once { days: 10 }));
    assert_eq!(row("AM05"), (I::Review, M::None, Retry::No));
    assert_eq!(row("FF01"), (I::BackToSent, M::None, Retry::AfterCorrection));
    assert_eq!(row("MD01"), (I::Returned, M::Cancel, Retry::No));
    assert_eq!(row("ZZ99"), (I::Returned, M::None, Retry::No));
    assert!(reasons::action("MD06").twice_unpaid && reasons::action("BE05").alert && reasons::action("ZZ99").alert);
    assert_eq!(reasons::codes().count(), 25);
    assert_eq!((reasons::advice("AC13"), reasons::advice("BE05")), (Some("sign"), Some("ours")), "CORE is signed anew");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Whatever is changed, cut or glued: an answer, never a panic.
    // SEPA-8
    #[test]
    fn damaged_files_never_panic(which in 0usize..5, cut in any::<prop::sample::Index>(), at in any::<prop::sample::Index>(), bytes in prop::collection::vec(any::<u8>(), 0..12)) {
        let mut file = [BATCH, REFUND, RETURN, GROUP, REJECT][which].as_bytes().to_vec();
        let place = at.index(file.len());
        file.splice(place..place, bytes);
        let end = cut.index(file.len());
        let _ = read(&file);
        let _ = read(&file[..end]);
        let zipped = packed(&[("a.xml", &file)]);
        let _ = read(&zipped[..cut.index(zipped.len())]);
    }

    #[test]
    fn any_bytes_are_answered(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let _ = read(&bytes);
        let mut named = b"PK\x03\x04".to_vec();
        named.extend(&bytes);
        let _ = read(&named);
    }

    // SEPA-2
    #[test]
    fn any_text_becomes_letters_that_banks_take(text in "\\PC{0,80}", max in 1usize..80) {
        let latin = atalaya_sepa::text::latin(&text, max);
        prop_assert!(latin.chars().all(sepa::charset::is_sepa_char) && latin.chars().count() <= max);
        prop_assert!(!latin.contains("  ") && latin.trim() == latin);
    }
}
