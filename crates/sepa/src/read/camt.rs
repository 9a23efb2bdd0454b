//! camt.053 and camt.054: what was booked on our account. Only booked entries count.

use super::tree::Node;
use super::{BankFile, Kind, Level, ReadError, Report, amount, day};
use chrono::NaiveDate;

pub(super) fn read(message: String, body: &Node, part: &str) -> Result<BankFile, ReadError> {
    let message_id = body.text_at(&["GrpHdr", "MsgId"]);
    let message_id = message_id.ok_or_else(|| ReadError::Malformed("MsgId is missing".into()))?.to_owned();
    let mut file = BankFile { message, message_id, accounts: Vec::new(), creditors: Vec::new(), reports: Vec::new() };
    for account in body.all(part) {
        file.accounts.extend(account.text_at(&["Acct", "Id", "IBAN"]).map(str::to_owned));
        for entry in account.all("Ntry") {
            // .08 wraps the code, .02 writes it plainly.
            let status = entry.text_at(&["Sts", "Cd"]).or_else(|| entry.text_at(&["Sts"]));
            if status == Some("BOOK") {
                read_entry(entry, &mut file);
            }
        }
    }
    Ok(file)
}

fn read_entry(entry: &Node, file: &mut BankFile) {
    let credit = entry.text_at(&["CdtDbtInd"]) == Some("CRDT");
    let reversal = entry.text_at(&["RvslInd"]).is_some_and(|flag| matches!(flag, "true" | "1"));
    let booked = day(entry, "BookgDt").or_else(|| day(entry, "ValDt"));
    let asked_back = entry.text_at(&["BkTxCd", "Domn", "Fmly", "SubFmlyCd"]) == Some("PRDD");
    for details in entry.all("NtryDtls") {
        let block = details.text_at(&["Btch", "PmtInfId"]).map(str::to_owned);
        let sent_in = details.text_at(&["Btch", "MsgId"]).map(str::to_owned);
        let rows: Vec<&Node> = details.all("TxDtls").collect();
        let inconsistent = !adds_up(entry, &rows);
        file.creditors.extend(
            rows.iter().filter_map(|row| row.text_at(&["RltdPties", "Cdtr", "Id", "PrvtId", "Othr", "Id"])).map(str::to_owned),
        );
        let returned = |row: &Node| row.child("RtrInf").is_some();
        let kind_of = |row: &Node| match (returned(row), credit, reversal) {
            (true, _, _) if asked_back || reason(row).as_deref() == Some("MD06") => Some(Kind::Refund),
            (true, _, _) => Some(Kind::Return),
            (false, true, false) => Some(Kind::Confirmation),
            (false, _, true) => Some(Kind::Reversal),
            (false, false, false) => None,
        };
        if credit
            && !reversal
            && let Some(block) = &block
            && !rows.iter().any(|row| returned(row))
        {
            file.reports.push(batch(entry, details, block, booked, inconsistent));
            continue;
        }
        for row in rows {
            let Some(kind) = kind_of(row) else { continue };
            let amount = row_amount(row);
            file.reports.push(Report {
                kind,
                level: Level::Debit,
                end_to_end: row.text_at(&["Refs", "EndToEndId"]).filter(|id| *id != "NOTPROVIDED").map(str::to_owned),
                block: row.text_at(&["Refs", "PmtInfId"]).map(str::to_owned).or_else(|| block.clone()),
                file: row.text_at(&["Refs", "MsgId"]).map(str::to_owned).or_else(|| sent_in.clone()),
                umr: row.text_at(&["Refs", "MndtId"]).map(str::to_owned),
                amount,
                unusable: amount.is_none(),
                reason: reason(row),
                booked,
                charges: charges(row),
                count: None,
                inconsistent,
            });
        }
    }
}

/// A whole block of ours in one credit.
fn batch(entry: &Node, details: &Node, block: &str, booked: Option<NaiveDate>, inconsistent: bool) -> Report {
    let amount = amount(entry, "Amt");
    Report {
        kind: Kind::Confirmation,
        level: Level::Block,
        end_to_end: None,
        block: Some(block.to_owned()),
        file: details.text_at(&["Btch", "MsgId"]).map(str::to_owned),
        umr: None,
        amount,
        unusable: amount.is_none(),
        reason: None,
        booked,
        charges: 0,
        count: details.text_at(&["Btch", "NbOfTxs"]).and_then(|text| text.parse().ok()),
        inconsistent,
    }
}

fn reason(row: &Node) -> Option<String> {
    row.text_at(&["RtrInf", "Rsn", "Cd"]).or_else(|| row.text_at(&["RtrInf", "Rsn", "Prtry"])).map(str::to_owned)
}

/// `Amt` in .08; in .02 inside `AmtDtls`. The amount of the debit itself goes before what moved with charges.
fn row_amount(row: &Node) -> Option<i64> {
    let detail = |kind: &str| row.at(&["AmtDtls", kind]).and_then(|of| amount(of, "Amt"));
    detail("InstdAmt").or_else(|| amount(row, "Amt")).or_else(|| detail("TxAmt"))
}

/// Records in .08, the charge itself in .02.
fn charges(row: &Node) -> i64 {
    let records = row.all("Chrgs").flat_map(|of| match of.child("Rcrd") {
        Some(_) => of.all("Rcrd").filter_map(|record| amount(record, "Amt")).collect::<Vec<_>>(),
        None => amount(of, "Amt").or_else(|| amount(of, "TtlChrgsAndTaxAmt")).into_iter().collect(),
    });
    records.fold(0, i64::saturating_add)
}

/// Whether the rows sum to their entry, with or without the charges. Entries without rows, or with rows of another
/// currency or without amount, say nothing about it.
fn adds_up(entry: &Node, rows: &[&Node]) -> bool {
    let several = entry.all("NtryDtls").count() > 1;
    let Some(whole) = amount(entry, "Amt") else { return rows.is_empty() };
    let sums = |of: fn(&Node) -> Option<i64>| rows.iter().try_fold(0i64, |sum, row| sum.checked_add(of(row)?));
    let (Some(moved), Some(instructed)) = (sums(|row| amount(row, "Amt").or_else(|| row_amount(row))), sums(row_amount)) else {
        return true;
    };
    let charged = rows.iter().fold(0i64, |sum, row| sum.saturating_add(charges(row)));
    let fits = |sum: i64| sum == whole || sum.saturating_add(charged) == whole || sum.saturating_sub(charged) == whole;
    several || rows.is_empty() || fits(moved) || fits(instructed)
}
