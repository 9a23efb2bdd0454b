//! The mandate as a paper to read, sign and keep; `documents` knows how it looks.

use super::model::{Mandate, Method};
use crate::{BillingResult, documents};
use atalaya_content::languages;
use atalaya_documents::{MandateFacts, MandateParty, mandate_pdf};
use atalaya_identity::companies::accounts::Party;
use atalaya_kernel::{Language, calendar};
use atalaya_sepa::{Scheme, Sequence};

/// What a form to be signed on paper shows in addition to the screen.
pub(super) struct Form {
    /// In groups of four; empty: to be written in.
    pub iban: String,
    pub bic: Option<String>,
    pub place: Option<String>,
}

/// The mandate as PDF, in the debtor's language. The same mandate gives the same bytes.
pub(super) async fn pdf(
    mandate: &Mandate,
    creditor: &Party,
    debtor: &Party,
    (creditor_id, notice_days, form): (&str, u32, Option<Form>),
) -> BillingResult<Vec<u8>> {
    let language = debtor.company.language;
    let signature = mandate.signature.as_ref().filter(|_| mandate.signed_at.is_some());
    let place = signature.and_then(|signature| signature.place.clone());
    let on_screen = signature.filter(|signature| signature.method == Method::Acceptance);
    let facts = MandateFacts {
        umr: mandate.umr.clone(),
        creditor_id: creditor_id.to_owned(),
        creditor: MandateParty { name: creditor.company.name.clone(), ..address(creditor, language) },
        debtor: MandateParty { name: mandate.debtor_name.clone(), ..address(debtor, language) },
        iban: form.as_ref().map_or_else(|| mandate.masked_iban.clone(), |form| form.iban.clone()),
        bic: form.as_ref().and_then(|form| form.bic.clone()),
        place: form.and_then(|form| form.place),
        b2b: mandate.scheme == Scheme::B2b,
        one_off: mandate.sequence == Sequence::Ooff,
        notice_days,
        language,
        created_at: mandate.created_at,
        signed: mandate.signed_at.map(|at| (place.unwrap_or_default(), calendar::day(at))),
        // Who and with what stands in the record; the paper names the hash that ties both together.
        evidence: on_screen.map(|signature| format!("SHA-256 {}", signature.pdf_sha256)),
    };
    documents::set(move || mandate_pdf(&facts)).await
}

fn address(of: &Party, language: Language) -> MandateParty {
    let company = &of.company;
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    MandateParty {
        name: String::new(),
        nif: text(&company.cif),
        address: text(&company.address),
        postal_code: text(&company.postal_code),
        city: text(&company.city),
        region: text(&company.region),
        country: languages::text(language, "documents", "country_spain").to_owned(),
    }
}
