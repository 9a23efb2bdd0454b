//! The records of a period as an inspection asks for them: the documents in which they are sent to the tax office, in the order of
//! the chain.

use super::model::Chain;
use super::service::issuer_of;
use super::{VerifactuError, store};
use crate::{Billing, BillingError, BillingResult};
use atalaya_einvoice::verifactu::{Inquiry, MOST_PER_CALL, Remittance, document};
use atalaya_kernel::calendar;
use chrono::{DateTime, NaiveDate, Utc};
use std::io::{Cursor, Write as _};
use uuid::Uuid;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// Days in Madrid, the last one included, in which records were made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Period {
    pub from: NaiveDate,
    pub to: NaiveDate,
}

impl Period {
    fn times(self) -> (DateTime<Utc>, DateTime<Utc>) {
        (calendar::start_of(self.from), calendar::start_of(self.to.succ_opt().unwrap_or(self.to)))
    }
}

/// What is handed over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exported {
    /// Of the file.
    pub name: String,
    pub bytes: Vec<u8>,
    /// An archive of several documents; else the one document.
    pub several: bool,
}

/// The records of a period. `reference` is that of the inspection's request.
///
/// Errors: [`VerifactuError::RecordNotFound`] when none was made in it.
pub async fn export(d: &Billing, period: Period, reference: Option<&str>) -> BillingResult<Exported> {
    let mut parts = Parts { d, period, reference, made: None, zip: None };
    for chain in store::list_chains(d.db.read()).await? {
        parts.add_chain(&chain).await?;
    }
    parts.finish().await
}

/// The documents that are made, one after another: of each only the last is held until it is known whether another follows.
struct Parts<'a> {
    d: &'a Billing,
    period: Period,
    reference: Option<&'a str>,
    /// The records of the last one, with their chain.
    made: Option<(Chain, Vec<String>)>,
    zip: Option<(ZipWriter<Cursor<Vec<u8>>>, usize)>,
}

impl Parts<'_> {
    async fn add_chain(&mut self, chain: &Chain) -> BillingResult<()> {
        // Below every record there is.
        let mut after = i64::MIN;
        loop {
            let rows = self.rows(chain.id, after).await?;
            let Some((last, _)) = rows.last() else { return Ok(()) };
            after = *last;
            if let Some(before) = self.made.take() {
                self.put(before, false).await?;
            }
            self.made = Some((chain.clone(), rows.into_iter().map(|(_, xml)| xml).collect()));
        }
    }

    async fn rows(&self, chain: Uuid, after: i64) -> BillingResult<Vec<(i64, String)>> {
        let (db, period) = (self.d.db.read(), self.period.times());
        Ok(store::list_between(db, chain, period, after, MOST_PER_CALL as u64).await?)
    }

    async fn xml(&self, (chain, fragments): &(Chain, Vec<String>), last: bool) -> BillingResult<String> {
        let issuer = issuer_of(self.d, chain, fragments).await?;
        let inquiry = self.reference.map(|reference| Inquiry { reference, last });
        Ok(document(&Remittance { issuer: &issuer, incident: false, inquiry, fragments }))
    }

    /// Puts a document into the archive.
    async fn put(&mut self, part: (Chain, Vec<String>), last: bool) -> BillingResult<()> {
        let xml = self.xml(&part, last).await?;
        let (mut zip, number) = self.zip.take().unwrap_or_else(|| (ZipWriter::new(Cursor::new(Vec::new())), 0));
        let name = format!("{}-{}-{:04}.xml", self.name(), part.0.issuer, number + 1);
        let written = tokio::task::spawn_blocking(move || {
            zip.start_file(name, SimpleFileOptions::default())?;
            zip.write_all(xml.as_bytes())?;
            Ok::<_, zip::result::ZipError>(zip)
        });
        self.zip = Some((written.await.map_err(BillingError::internal)?.map_err(BillingError::internal)?, number + 1));
        Ok(())
    }

    /// `registros-2026-10-01-2026-12-31`.
    fn name(&self) -> String {
        format!("registros-{}-{}", self.period.from, self.period.to)
    }

    async fn finish(mut self) -> BillingResult<Exported> {
        let last = self.made.take().ok_or(VerifactuError::RecordNotFound)?;
        if self.zip.is_none() {
            let bytes = self.xml(&last, true).await?.into_bytes();
            return Ok(Exported { name: format!("{}-{}.xml", self.name(), last.0.issuer), bytes, several: false });
        }
        self.put(last, true).await?;
        let (zip, _) = self.zip.take().ok_or_else(|| BillingError::internal("an archive that was just written"))?;
        let bytes = zip.finish().map_err(BillingError::internal)?.into_inner();
        Ok(Exported { name: format!("{}.zip", self.name()), bytes, several: true })
    }
}
