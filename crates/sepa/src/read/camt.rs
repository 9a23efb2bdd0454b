//! camt.053 and camt.054: what was booked on our account. Only booked entries count.

use super::tree::Node;
use super::{BankFile, Kind, Level, ReadError, Report, amount, day};
use chrono::NaiveDate;

/// Characters of what was written along with the money.
const TEXT: usize = 500;

pub(super) fn read(message: String, body: &Node, part: &str) -> Result<BankFile, ReadError> {
    let message_id = body.text_at(&["GrpHdr", "MsgId"]);
    let message_id = message_id.ok_or_else(|| ReadError::Malformed("MsgId is missing".into()))?.to_owned();
    let mut file = BankFile { message, message_id, accounts: Vec::new(), creditors: Vec::new(), reports: Vec::new() };
    for statement in body.all(part) {
        let account = statement.text_at(&["Acct", "Id", "IBAN"]).or_else(|| statement.text_at(&["Acct", "Id", "Othr", "Id"]));
        file.accounts.extend(account.map(str::to_owned));
        for entry in statement.all("Ntry") {
            // .08 wraps the code, .02 writes it plainly.
            let status = entry.text_at(&["Sts", "Cd"]).or_else(|| entry.text_at(&["Sts"]));
            if status == Some("BOOK") {
                Entry::of(entry, account).read(&mut file.reports);
            }
        }
    }
    Ok(file)
}

/// A booked entry: each ends in at least one report.
struct Entry<'a> {
    node: &'a Node,
    account: Option<&'a str>,
    credit: bool,
    reversal: bool,
    booked: Option<NaiveDate>,
    /// `IDDT` for debits of ours, `RCDT` for transfers that came.
    family: Option<&'a str>,
    sub_family: Option<&'a str>,
}

impl<'a> Entry<'a> {
    fn of(node: &'a Node, account: Option<&'a str>) -> Self {
        Self {
            node,
            account,
            credit: node.text_at(&["CdtDbtInd"]) == Some("CRDT"),
            reversal: node.text_at(&["RvslInd"]).is_some_and(|flag| matches!(flag, "true" | "1")),
            booked: day(node, "BookgDt").or_else(|| day(node, "ValDt")),
            family: node.text_at(&["BkTxCd", "Domn", "Fmly", "Cd"]),
            sub_family: node.text_at(&["BkTxCd", "Domn", "Fmly", "SubFmlyCd"]),
        }
    }

    fn read(&self, reports: &mut Vec<Report>) {
        let before = reports.len();
        for details in self.node.all("NtryDtls") {
            self.details(details, reports);
        }
        // Without details, or with none that say anything: the entry itself.
        if reports.len() == before {
            reports.push(self.whole());
        }
    }

    fn details(&self, details: &Node, reports: &mut Vec<Report>) {
        let block = details.text_at(&["Btch", "PmtInfId"]);
        let sent_in = details.text_at(&["Btch", "MsgId"]);
        let rows: Vec<&Node> = details.all("TxDtls").collect();
        let inconsistent = !adds_up(self.node, &rows);
        if self.credit
            && !self.reversal
            && self.family != Some("RCDT")
            && let Some(block) = block
            && !rows.iter().any(|row| is_returned(row))
        {
            reports.push(self.batch(details, block, inconsistent, &rows));
            return;
        }
        for row in rows {
            let amount = row_amount(row);
            reports.push(Report {
                end_to_end: row.text_at(&["Refs", "EndToEndId"]).filter(|id| *id != "NOTPROVIDED").map(str::to_owned),
                block: row.text_at(&["Refs", "PmtInfId"]).or(block).map(str::to_owned),
                file: row.text_at(&["Refs", "MsgId"]).or(sent_in).map(str::to_owned),
                umr: row.text_at(&["Refs", "MndtId"]).map(str::to_owned),
                amount,
                unusable: amount.is_none(),
                reason: reason(row),
                charges: charges(row),
                inconsistent,
                creditor: creditor(row),
                payer: payer(row),
                text: written(&[row, self.node]),
                bank_ref: row.text_at(&["Refs", "AcctSvcrRef"]).map(str::to_owned).or_else(|| self.reference()),
                ..self.report(self.kind_of(row), Level::Debit)
            });
        }
    }

    fn kind_of(&self, row: &Node) -> Kind {
        let asked_back = self.sub_family == Some("PRDD") || reason(row).as_deref() == Some("MD06");
        match (is_returned(row), self.credit, self.reversal) {
            (true, _, _) if self.family == Some("RCDT") || self.family == Some("ICDT") => self.other(),
            (true, _, _) if asked_back => Kind::Refund,
            (true, _, _) => Kind::Return,
            (false, _, true) => Kind::Reversal,
            (false, true, false) if self.family == Some("RCDT") => Kind::Incoming,
            (false, true, false) => Kind::Confirmation,
            (false, false, false) => Kind::Outgoing,
        }
    }

    /// Money that moved without a debit of ours.
    fn other(&self) -> Kind {
        if self.credit { Kind::Incoming } else { Kind::Outgoing }
    }

    fn report(&self, kind: Kind, level: Level) -> Report {
        Report { booked: self.booked, account: self.account.map(str::to_owned), ..Report::blank(kind, level) }
    }

    fn reference(&self) -> Option<String> {
        self.node.text_at(&["AcctSvcrRef"]).or_else(|| self.node.text_at(&["NtryRef"])).map(str::to_owned)
    }

    /// An entry of which the bank says no more than that it was booked.
    fn whole(&self) -> Report {
        let debit = self.family == Some("IDDT");
        let kind = match (self.credit, self.reversal, self.sub_family) {
            (_, true, _) => Kind::Reversal,
            (false, _, Some("PRDD")) if debit => Kind::Refund,
            (false, _, Some("UPDD")) if debit => Kind::Return,
            (true, _, _) if debit => Kind::Confirmation,
            _ => self.other(),
        };
        let amount = amount(self.node, "Amt");
        Report {
            amount,
            unusable: amount.is_none(),
            text: written(&[self.node]),
            bank_ref: self.reference(),
            ..self.report(kind, Level::Debit)
        }
    }

    /// A whole block of ours in one credit.
    fn batch(&self, details: &Node, block: &str, inconsistent: bool, rows: &[&Node]) -> Report {
        let amount = amount(self.node, "Amt");
        Report {
            block: Some(block.to_owned()),
            file: details.text_at(&["Btch", "MsgId"]).map(str::to_owned),
            amount,
            unusable: amount.is_none(),
            count: details.text_at(&["Btch", "NbOfTxs"]).and_then(|text| text.parse().ok()),
            inconsistent,
            creditor: rows.iter().find_map(|row| creditor(row)),
            bank_ref: self.reference(),
            ..self.report(Kind::Confirmation, Level::Block)
        }
    }
}

fn is_returned(row: &Node) -> bool {
    row.child("RtrInf").is_some()
}

fn creditor(row: &Node) -> Option<String> {
    row.text_at(&["RltdPties", "Cdtr", "Id", "PrvtId", "Othr", "Id"])
        .or_else(|| row.text_at(&["RltdPties", "Cdtr", "Pty", "Id", "PrvtId", "Othr", "Id"]))
        .map(str::to_owned)
}

/// .08 wraps the party.
fn payer(row: &Node) -> Option<String> {
    let name = row.text_at(&["RltdPties", "Dbtr", "Pty", "Nm"]).or_else(|| row.text_at(&["RltdPties", "Dbtr", "Nm"]))?;
    Some(name.chars().take(140).collect())
}

/// Everything that was written along with the money, in the order in which banks place it.
fn written(nodes: &[&Node]) -> Option<String> {
    let mut words: Vec<&str> = Vec::new();
    for node in nodes {
        for info in node.all("RmtInf") {
            words.extend(info.all("Ustrd").map(|text| text.text.trim()));
            for structured in info.all("Strd") {
                words.extend(structured.text_at(&["CdtrRefInf", "Ref"]));
                words.extend(structured.all("RfrdDocInf").filter_map(|document| document.text_at(&["Nb"])));
            }
        }
        words.extend(node.text_at(&["Refs", "EndToEndId"]).filter(|id| *id != "NOTPROVIDED"));
        words.extend(node.text_at(&["AddtlTxInf"]));
        words.extend(node.text_at(&["AddtlNtryInf"]));
    }
    let text = words.into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" · ");
    Some(text.chars().take(TEXT).collect::<String>()).filter(|text| !text.is_empty())
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
