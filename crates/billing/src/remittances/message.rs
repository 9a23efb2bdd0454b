//! The message to the bank (pain.008): blocks of debits, written as XML and counted again from what was written.

use super::model::{Attempt, AttemptState, BlockFacts};
use super::selection::{Chosen, block_key};
use crate::{Billing, BillingError, BillingResult};
use atalaya_kernel::calendar;
use atalaya_sepa::debits::block_id;
use atalaya_sepa::{Block, Creditor, Debit, Message, Scheme, Sequence};
use atalaya_tariff::{Cents, Euros};
use chrono::{NaiveDate, Timelike};
use std::collections::BTreeMap;
use uuid::Uuid;

/// The file and its rows, a block for each scheme, sequence and day.
pub(super) fn compose(
    d: &Billing,
    id: Uuid,
    msg_id: String,
    creditor: Creditor,
    taken: Vec<(Chosen, Debit)>,
) -> (Message, Vec<Attempt>) {
    let now = d.sources.now();
    let mut groups: BTreeMap<(Scheme, Sequence, NaiveDate), Vec<(Chosen, Debit)>> = BTreeMap::new();
    for one in taken {
        groups.entry(block_key(&one.0)).or_default().push(one);
    }
    let (mut blocks, mut attempts) = (Vec::new(), Vec::new());
    let mut named: BTreeMap<String, u32> = BTreeMap::new();
    for ((scheme, sequence, collection), rows) in groups {
        let block = block_id(&msg_id, scheme, sequence, &mut named);
        let mut debits = Vec::with_capacity(rows.len());
        for (chosen, debit) in rows {
            attempts.push(Attempt {
                id: d.sources.uuid(),
                remittance: id,
                invoice: chosen.due.invoice.id,
                company: chosen.due.invoice.customer,
                mandate: chosen.mandate.id,
                end_to_end: debit.end_to_end.clone(),
                number: chosen.due.invoice.number.clone(),
                block: block.clone(),
                umr: debit.umr.clone(),
                scheme,
                sequence,
                collection,
                state: AttemptState::Open,
                reason: None,
                booked: None,
                settled: None,
                retry: None,
                retry_at: None,
                attempt: chosen.attempt,
                amount: debit.amount,
                charges: 0,
                created_at: now,
                changed_at: now,
            });
            debits.push(debit);
        }
        blocks.push(Block { id: block, scheme, sequence, collection, debits });
    }
    let created = calendar::local(now).with_nanosecond(0).expect("zero is a nanosecond");
    (Message { id: msg_id, created, version: d.settings.sepa.version, creditor, blocks }, attempts)
}

/// The XML, with its sums counted again from what is written.
pub(super) async fn write(message: Message) -> BillingResult<(Message, String)> {
    let written = tokio::task::spawn_blocking(move || {
        let xml = message.to_xml()?;
        Ok::<_, atalaya_sepa::DebitsError>((message, xml))
    });
    written.await.map_err(BillingError::internal)?.map_err(BillingError::internal)
}

pub(super) fn facts(message: &Message) -> Vec<BlockFacts> {
    let block = |block: &Block| BlockFacts {
        pmt_inf_id: block.id.clone(),
        scheme: block.scheme,
        sequence: block.sequence,
        collection_date: block.collection,
        nb_of_txs: block.debits.len(),
        ctrl_sum: Euros(Cents(block.debits.iter().map(|debit| debit.amount).sum())),
    };
    message.blocks.iter().map(block).collect()
}
