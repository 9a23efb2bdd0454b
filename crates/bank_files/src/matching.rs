//! Matches a line of a bank file with debits.

use atalaya_billing::BillingResult;
use atalaya_billing::remittances::service as remittances;
use atalaya_db::Tx;
use atalaya_sepa::ledger::{Attempt, AttemptState};
use atalaya_sepa::read::{Kind, Level, Report};

pub(super) enum Match {
    Attempts(Vec<Attempt>),
    /// The code of why there is none.
    Nothing(&'static str),
}

/// By its reference; else by block, mandate and amount; a file or a block as a whole.
pub(super) async fn find(tx: &Tx, report: &Report) -> BillingResult<Match> {
    if report.inconsistent {
        return Ok(Match::Nothing("AMOUNTS_DO_NOT_ADD_UP"));
    }
    match report.level {
        Level::Debit => debit(tx, report).await,
        Level::Block => {
            let block = report.block.as_deref().unwrap_or_default();
            Ok(batch(report, remittances::list_of_block(tx, block, None).await?))
        }
        Level::File => {
            let found = match report.file.as_deref() {
                Some(msg_id) => remittances::list_of_message(tx, msg_id).await?,
                None => None,
            };
            Ok(found.map_or(Match::Nothing("NOT_FOUND"), Match::Attempts))
        }
    }
}

async fn debit(tx: &Tx, report: &Report) -> BillingResult<Match> {
    if let Some(id) = report.end_to_end.as_deref()
        && let Some(attempt) = remittances::find_by_reference(tx, id).await?
    {
        let same = says(report, &[attempt.amount]);
        return Ok(if same { Match::Attempts(vec![attempt]) } else { Match::Nothing("AMOUNT_DIFFERS") });
    }
    let (Some(block), Some(umr)) = (report.block.as_deref(), report.umr.as_deref()) else {
        return Ok(Match::Nothing("NOT_FOUND"));
    };
    let mut found = remittances::list_of_block(tx, block, Some(umr)).await?;
    if found.is_empty() {
        return Ok(Match::Nothing("NOT_FOUND"));
    }
    found.retain(|attempt| says(report, &[attempt.amount]));
    Ok(match found.len() {
        0 => Match::Nothing("AMOUNT_DIFFERS"),
        1 => Match::Attempts(found),
        _ => Match::Nothing("AMBIGUOUS"),
    })
}

/// Whether the line's amount is one of these. Only a message that names none at all leaves it open.
fn says(report: &Report, amounts: &[i64]) -> bool {
    !report.unusable && report.amount.is_none_or(|amount| amounts.contains(&amount))
}

/// Every debit of a block that was not refused before. The sum must be that of the credit: banks credit what they
/// collected, some of them everything at first.
fn batch(report: &Report, attempts: Vec<Attempt>) -> Match {
    if attempts.is_empty() {
        return Match::Nothing("NOT_FOUND");
    }
    if report.kind != Kind::Confirmation {
        return Match::Attempts(attempts);
    }
    let sum = |of: &dyn Fn(&Attempt) -> bool| attempts.iter().filter(|a| of(a)).map(|a| a.amount).sum::<i64>();
    let collected = sum(&|a| !matches!(a.state, AttemptState::Rejected | AttemptState::Cancelled));
    let sent = sum(&|a| a.state != AttemptState::Cancelled);
    if !says(report, &[collected, sent]) {
        return Match::Nothing("AMOUNT_DIFFERS");
    }
    Match::Attempts(attempts)
}
