//! Making a remittance: `mail-xml-sepa` (DOMAIN §4.8), and taking one back.

use super::choosing::{self, Choice, Chosen, Excluded, block_key};
use super::model::{Attempt, AttemptState, BlockFacts};
use super::{announcing, notices, packing, store};
use crate::invoices::service as invoices;
use crate::mandates::model::Mandate;
use crate::mandates::secret::{self, SecretKey};
use crate::mandates::{service as mandates, store as mandate_store};
use crate::{Billing, BillingError, BillingResult};
use atalaya_db::Tx;
use atalaya_identity::audit::{self, Action, Entry};
use atalaya_identity::auth::service::Origin;
use atalaya_identity::companies::accounts::{self, Party};
use atalaya_kernel::{Status, calendar};
use atalaya_rest::{Caller, Problem};
use atalaya_sepa::debits::Address;
use atalaya_sepa::read::{Node, parse_xml};
use atalaya_sepa::{Block, Creditor, CreditorId, Debit, Message, Scheme, Sequence};
use atalaya_tariff::{Cents, Euros};
use chrono::{NaiveDate, Timelike};
use secrecy::SecretString;
use serde_json::json;
use std::collections::BTreeMap;
use uuid::Uuid;

/// What was made.
pub(crate) struct Made {
    pub msg_id: String,
    pub debits: usize,
    pub total: Cents,
    pub excluded: Vec<Excluded>,
}

/// Debits everything that is due: decrypts the accounts, writes the file, marks the invoices and mails it, all or nothing.
///
/// Errors: 422 `SECRET_MISMATCH` at `secret`, 409 `ISSUER_INCOMPLETE`, 409 `REMITTANCE_EMPTY`.
pub(crate) async fn make(d: &Billing, caller: &Caller, origin: &Origin, secret: &SecretString) -> BillingResult<Made> {
    let (platform, creditor_id) = mandates::issuer(d).await?;
    let key = secret::unlock(d, secret).await?;
    let creditor = creditor(d, &platform, creditor_id)?;
    let Choice { chosen, mut excluded } = choosing::choose(d).await?;
    let tx = d.db.write().await?;
    let now = d.sources.now();
    let taken = take(d, &tx, &key, chosen, &mut excluded).await?;
    if taken.is_empty() {
        return Err(Problem::conflict("REMITTANCE_EMPTY").into());
    }
    let day = calendar::day(now).format("%Y%m%d").to_string();
    let nth = mandate_store::next_number(&tx, &format!("remittance-{day}")).await?;
    let id = d.sources.uuid();
    let (message, attempts) = compose(d, id, format!("VP-{day}-{nth:04}"), creditor, taken);
    let (total, debits) = (message.total(), message.count());
    let (message, xml) = write(message).await?;
    let blocks = facts(&message);
    let first = blocks.iter().map(|block| block.collection_date).min();
    store::insert_remittance(
        &tx,
        store::RemittanceRow {
            id,
            msg_id: message.id.clone(),
            version: serde_json::to_value(message.version).ok().and_then(|v| v.as_str().map(str::to_owned)).unwrap_or_default(),
            state: "live".into(),
            sha256: atalaya_blobs::Digest::of(xml.as_bytes()).sha256_hex(),
            first_collection: first.map(|day| day.to_string()).unwrap_or_default(),
            cancel_reason: None,
            debits: i32::try_from(debits).unwrap_or(i32::MAX),
            total,
            excluded: json!(excluded),
            blocks: json!(blocks),
            created_by: caller.user.0,
            created_at: now,
            ended_at: None,
        },
    )
    .await?;
    store::insert_attempts(&tx, &attempts).await?;
    let used: Vec<Uuid> = attempts.iter().map(|attempt| attempt.mandate).collect();
    mandate_store::mark_used(&tx, &used, now).await?;
    let packed = pack(d, &message.id, xml, secret).await?;
    notices::file(d, &tx, &message.id, debits, total, excluded.len(), packed).await?;
    let detail = json!({"msgId": message.id, "debits": debits, "excluded": excluded.len()});
    let entry = Entry::company(Action::RemittanceMade, caller.company).by(caller).from(origin.address).detail(detail);
    audit::service::record(&d.identity, &tx, entry).await?;
    tx.commit().await?;
    d.outbox.wake();
    tracing::info!(remittance = message.id, debits, "remittance made");
    Ok(Made { msg_id: message.id, debits, total: Cents(total), excluded })
}

/// Opens each account, tells the customer where nobody did before, and marks its invoice; what cannot be debited after all joins the excluded.
async fn take(
    d: &Billing,
    tx: &Tx,
    key: &SecretKey,
    chosen: Vec<Chosen>,
    excluded: &mut Vec<Excluded>,
) -> BillingResult<Vec<(Chosen, Debit)>> {
    let mut taken = Vec::with_capacity(chosen.len());
    for one in chosen {
        if let Some(reason) = changed(d, tx, &one).await? {
            excluded.push(Excluded::new(&one.due, &one.party.company.name, reason));
            continue;
        }
        let opened = choosing::open(d, key, &one.party);
        let debit = opened.and_then(|iban| choosing::debit(&one.due, &one.party, &one.mandate, one.attempt, Some(&iban)));
        let name = &one.party.company.name;
        // Holding the invoice, so that nobody else's file can be quicker than what is told here.
        if debit.is_ok() && !one.notified && !announcing::tell(d, tx, &one).await? {
            excluded.push(Excluded::new(&one.due, name, "NOT_NOTIFIED"));
            continue;
        }
        match debit {
            Err(reason) => excluded.push(Excluded::new(&one.due, name, reason)),
            // Somebody else's remittance was quicker, or the invoice changed since.
            Ok(_) if !invoices::mark_in_remittance(tx, one.due.invoice.id, one.collection).await? => {
                excluded.push(Excluded::new(&one.due, name, "ALREADY_IN_REMITTANCE"));
            }
            Ok(debit) => taken.push((one, debit)),
        }
    }
    Ok(taken)
}

/// Why a chosen invoice is not what was chosen any more; holds the invoice and its mandate, so that it stays so.
///
/// It was chosen without a lock: meanwhile it may have been debited by somebody else or rectified, its mandate may have ended,
/// and its customer may have another account.
async fn changed(d: &Billing, tx: &Tx, one: &Chosen) -> BillingResult<Option<&'static str>> {
    let Some(same_amount) = invoices::is_as_counted(tx, &one.due).await? else { return Ok(Some("ALREADY_IN_REMITTANCE")) };
    let Some(mandate) = mandate_store::lock(tx, one.mandate.id).await? else { return Ok(Some("NO_MANDATE")) };
    let party = accounts::find(&d.identity, one.due.invoice.customer).await?;
    if party.company.status != Status::Active {
        return Ok(Some("CUSTOMER_INACTIVE"));
    }
    let Some(account) = &party.account else { return Ok(Some("IBAN_MISSING")) };
    if let Some(reason) = mandate.refusal(account.id, d.sources.now()) {
        return Ok(Some(reason));
    }
    let of = |mandate: &Mandate| (mandate.scheme, mandate.sequence, mandate.signed_at);
    let same_account = one.party.account.as_ref().is_some_and(|chosen| chosen.id == account.id);
    let same = same_amount && same_account && of(&mandate) == of(&one.mandate);
    Ok((!same).then_some("CHANGED"))
}

fn creditor(d: &Billing, platform: &Party, id: CreditorId) -> BillingResult<Creditor> {
    let iban = accounts::iban(&d.identity, platform);
    let iban = iban.ok_or_else(|| Problem::conflict("ISSUER_INCOMPLETE").field("bankAccount", "IBAN_UNREADABLE"))?;
    let company = &platform.company;
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    Ok(Creditor {
        name: company.name.clone(),
        id,
        iban: iban.as_str().to_owned(),
        bic: platform.bic.clone(),
        address: company.city.as_ref().map(|city| Address {
            street: text(&company.address),
            post_code: text(&company.postal_code),
            town: city.clone(),
            province: text(&company.region),
            country: "ES".into(),
        }),
    })
}

/// The file and its rows, a block for each scheme, sequence and day.
fn compose(d: &Billing, id: Uuid, msg_id: String, creditor: Creditor, taken: Vec<(Chosen, Debit)>) -> (Message, Vec<Attempt>) {
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

/// `{MsgId}-RCUR`, `-FRST`, `-B2B`; a further day of the same kind counts on.
fn block_id(msg_id: &str, scheme: Scheme, sequence: Sequence, named: &mut BTreeMap<String, u32>) -> String {
    let word = match (scheme, sequence) {
        (Scheme::B2b, Sequence::Rcur) => "B2B",
        (Scheme::B2b, Sequence::Frst) => "B2B-FRST",
        (Scheme::B2b, Sequence::Ooff) => "B2B-OOFF",
        (Scheme::Core, Sequence::Rcur) => "RCUR",
        (Scheme::Core, Sequence::Frst) => "FRST",
        (Scheme::Core, Sequence::Ooff) => "OOFF",
    };
    let id = format!("{msg_id}-{word}");
    let count = named.entry(id.clone()).or_default();
    *count += 1;
    if *count == 1 { id } else { format!("{id}-{count}") }
}

/// The XML, with its sums counted again from what is written.
async fn write(message: Message) -> BillingResult<(Message, String)> {
    let written = tokio::task::spawn_blocking(move || {
        let xml = message.to_xml()?;
        Ok::<_, atalaya_sepa::DebitsError>((message, xml))
    });
    let (message, xml) = written.await.map_err(Problem::internal)?.map_err(Problem::internal)?;
    let root = parse_xml(&xml).map_err(Problem::internal)?;
    let (mut sum, mut count) = (0, 0);
    amounts(&root, &mut |cents| {
        sum += cents;
        count += 1;
    });
    let told = root.at(&["CstmrDrctDbtInitn", "GrpHdr"]).and_then(|head| head.text_at(&["CtrlSum"])).and_then(cents);
    if (sum, count) != (message.total(), message.count()) || told != Some(sum) {
        return Err(BillingError::Corrupt(format!("remittance {}: the file does not add up", message.id)));
    }
    Ok((message, xml))
}

fn amounts(node: &Node, each: &mut impl FnMut(i64)) {
    if node.name == "InstdAmt" {
        each(cents(node.text.trim()).unwrap_or(i64::MIN / 4));
    }
    node.children.iter().for_each(|child| amounts(child, each));
}

fn cents(text: &str) -> Option<i64> {
    let (whole, part) = text.split_once('.')?;
    if part.len() == 2 { format!("{whole}{part}").parse().ok() } else { None }
}

fn facts(message: &Message) -> Vec<BlockFacts> {
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

/// What goes with the mail: the file in a ZIP under the secret, or as it is where that is configured.
async fn pack(d: &Billing, msg_id: &str, xml: String, secret: &SecretString) -> BillingResult<atalaya_messaging::Attachment> {
    if d.settings.sepa.plain_mail {
        let name = format!("{msg_id}.xml");
        return Ok(atalaya_messaging::Attachment { name, content_type: "application/xml", bytes: xml.into() });
    }
    let (inner, secret) = (format!("{msg_id}.xml"), secret.clone());
    let packed = tokio::task::spawn_blocking(move || packing::encrypted(&inner, xml.as_bytes(), &secret)).await;
    let bytes = packed.map_err(Problem::internal)??;
    Ok(atalaya_messaging::Attachment { name: format!("{msg_id}.zip"), content_type: "application/zip", bytes: bytes.into() })
}

/// The bank refused the file as a whole, or it was never handed in: its invoices are due again.
///
/// Errors: 404 `REMITTANCE_NOT_FOUND`, 409 `REMITTANCE_ENDED`, 409 `REMITTANCE_ANSWERED`.
pub(crate) async fn cancel(d: &Billing, caller: &Caller, origin: &Origin, id: Uuid, reason: &str) -> BillingResult<()> {
    let tx = d.db.write().await?;
    let row = store::lock_remittance(&tx, id).await?.ok_or_else(|| Problem::not_found("REMITTANCE_NOT_FOUND"))?;
    if row.state != "live" {
        return Err(Problem::conflict("REMITTANCE_ENDED").into());
    }
    let attempts = store::of_remittance(&*tx, id).await?;
    if attempts.iter().any(|attempt| attempt.state != AttemptState::Open) {
        return Err(Problem::conflict("REMITTANCE_ANSWERED").into());
    }
    let now = d.sources.now();
    for mut attempt in attempts {
        invoices::take_back(&tx, attempt.invoice).await?;
        (attempt.state, attempt.changed_at) = (AttemptState::Cancelled, now);
        store::update_attempt(&tx, &attempt).await?;
    }
    store::end_remittance(&tx, id, "cancelled", Some(reason), now).await?;
    let entry = Entry::company(Action::RemittanceCancelled, caller.company).by(caller).from(origin.address);
    audit::service::record(&d.identity, &tx, entry.detail(json!({"msgId": row.msg_id}))).await?;
    tx.commit().await?;
    Ok(())
}
