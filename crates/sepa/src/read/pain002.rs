//! pain.002: refusals before any money moved. Acceptances move no money and are ignored.

use super::tree::Node;
use super::{BankFile, Kind, Level, ReadError, Report, amount};
use chrono::NaiveDate;

const REJECTED: &str = "RJCT";

pub(super) fn read(message: String, body: &Node) -> Result<BankFile, ReadError> {
    let missing = |what: &str| ReadError::Malformed(format!("{what} is missing"));
    let message_id = body.text_at(&["GrpHdr", "MsgId"]).ok_or_else(|| missing("MsgId"))?.to_owned();
    let made = body.text_at(&["GrpHdr", "CreDtTm"]).and_then(|text| text.get(..10)?.parse::<NaiveDate>().ok());
    let group = body.child("OrgnlGrpInfAndSts").ok_or_else(|| missing("OrgnlGrpInfAndSts"))?;
    let file = group.text_at(&["OrgnlMsgId"]).map(str::to_owned);
    let blank = Report { file, booked: made, ..Report::blank(Kind::Reject, Level::File) };
    let mut reports = Vec::new();
    let mut creditors = Vec::new();
    for part in body.all("OrgnlPmtInfAndSts") {
        let block = part.text_at(&["OrgnlPmtInfId"]).map(str::to_owned);
        for row in part.all("TxInfAndSts") {
            creditors.extend(row.text_at(&["OrgnlTxRef", "CdtrSchmeId", "Id", "PrvtId", "Othr", "Id"]).map(str::to_owned));
            let status = row.text_at(&["TxSts"]).or_else(|| part.text_at(&["PmtInfSts"]));
            if status == Some(REJECTED) {
                reports.push(debit(row, &blank, block.clone(), reason(row).or_else(|| reason(part)).or_else(|| reason(group))));
            }
        }
        // Rows come before their block, because their own reason is more precise.
        if part.text_at(&["PmtInfSts"]) == Some(REJECTED) && block.is_some() {
            let reason = reason(part).or_else(|| reason(group));
            reports.push(Report { level: Level::Block, block, reason, ..blank.clone() });
        }
    }
    if group.text_at(&["GrpSts"]) == Some(REJECTED) {
        reports.push(Report { reason: reason(group), ..blank });
    }
    Ok(BankFile { message, message_id, accounts: Vec::new(), creditors, reports })
}

fn debit(row: &Node, blank: &Report, block: Option<String>, reason: Option<String>) -> Report {
    let original = row.child("OrgnlTxRef");
    let said = original.and_then(|of| of.child("Amt"));
    let cents = said.and_then(|of| amount(of, "InstdAmt"));
    Report {
        level: Level::Debit,
        end_to_end: row.text_at(&["OrgnlEndToEndId"]).map(str::to_owned),
        block,
        umr: original.and_then(|of| of.text_at(&["MndtRltdInf", "MndtId"])).map(str::to_owned),
        amount: cents,
        unusable: said.is_some() && cents.is_none(),
        reason,
        ..blank.clone()
    }
}

fn reason(of: &Node) -> Option<String> {
    of.all("StsRsnInf")
        .find_map(|info| info.text_at(&["Rsn", "Cd"]).or_else(|| info.text_at(&["Rsn", "Prtry"])))
        .map(str::to_owned)
}
