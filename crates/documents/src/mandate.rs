//! The mandate as a form to sign. The wordings are ours; CORE and B2B differ in the debtor's right to a refund.

use crate::invoice::day;
use atalaya_content::languages::text;
use atalaya_kernel::Language;
use atalaya_pdf::{Labelled, MandateSheet, PdfError, render_mandate};
use chrono::{DateTime, NaiveDate, Utc};

/// Creditor or debtor on the form.
#[derive(Clone, Debug, Default)]
pub struct MandateParty {
    pub name: String,
    pub nif: String,
    pub address: String,
    pub postal_code: String,
    pub city: String,
    pub region: String,
    /// In the form's language.
    pub country: String,
}

/// The content of a mandate.
#[derive(Clone, Debug)]
pub struct MandateFacts {
    pub umr: String,
    pub creditor_id: String,
    pub creditor: MandateParty,
    pub debtor: MandateParty,
    /// Masked, unless the debtors print it for themselves.
    pub iban: String,
    pub bic: Option<String>,
    /// Where it is to be signed, before the date is written in.
    pub place: Option<String>,
    /// Between companies; else CORE.
    pub b2b: bool,
    /// One debit only; else recurrent.
    pub one_off: bool,
    pub language: Language,
    pub created_at: DateTime<Utc>,
    /// When and where it was signed; lines to fill in without.
    pub signed: Option<(String, NaiveDate)>,
    /// How it was signed, when it was on the screen.
    pub evidence: Option<String>,
}

/// The mandate as PDF. Takes computing time: call it where blocking is allowed.
pub fn mandate_pdf(facts: &MandateFacts) -> Result<Vec<u8>, PdfError> {
    render_mandate(&sheet(facts))
}

fn sheet(facts: &MandateFacts) -> MandateSheet {
    let t = |key| text(facts.language, "documents", key).to_owned();
    let signed = facts.signed.as_ref().map(|(place, date)| {
        let date = day(*date);
        if place.is_empty() { date } else { format!("{place}, {date}") }
    });
    let to_sign = facts.place.as_deref().filter(|place| !place.trim().is_empty()).map(|place| format!("{place}, "));
    let signed = signed.or(to_sign);
    let mut notes = vec![t("mandate_complete")];
    notes.extend(facts.evidence.clone());
    let debtor = fields(facts, &facts.debtor, true);
    MandateSheet {
        language: facts.language.code().to_owned(),
        title: t("mandate_title"),
        subtitle: if facts.b2b { t("mandate_scheme_b2b") } else { t("mandate_scheme_core") },
        number: facts.umr.clone(),
        issued_at: facts.created_at,
        reference: vec![
            Labelled::new(t("mandate_reference"), &facts.umr),
            Labelled::new(t("mandate_creditor_id"), &facts.creditor_id),
        ],
        creditor_heading: t("mandate_creditor"),
        creditor: fields(facts, &facts.creditor, false),
        authorisation: authorisation(facts),
        debtor_heading: t("mandate_debtor"),
        debtor,
        kinds_heading: t("mandate_kind"),
        kinds: vec![(t("mandate_recurrent"), !facts.one_off), (t("mandate_one_off"), facts.one_off)],
        signature: vec![Labelled::new(t("mandate_place"), signed.unwrap_or_default()), Labelled::new(t("mandate_signature"), "")],
        notes,
        footer: format!("{} · NIF {}", facts.creditor.name, facts.creditor.nif),
        page: t("mandate_page"),
    }
}

fn fields(facts: &MandateFacts, party: &MandateParty, debtor: bool) -> Vec<Labelled> {
    let t = |key| text(facts.language, "documents", key);
    let region = party.region.trim();
    let town = format!("{} {}", party.postal_code, party.city);
    let town = if region.is_empty() { town } else { format!("{town} ({region})") };
    let mut fields = vec![Labelled::new(t("mandate_name"), &party.name)];
    if debtor {
        fields.push(Labelled::new("NIF", &party.nif));
    }
    fields.extend([
        Labelled::new(t("mandate_address"), &party.address),
        Labelled::new(t("mandate_town"), town.trim()),
        Labelled::new(t("mandate_country"), &party.country),
    ]);
    if debtor {
        fields.push(Labelled::new("SWIFT/BIC", facts.bic.clone().unwrap_or_default()));
        fields.push(Labelled::new(t("mandate_iban"), &facts.iban));
    }
    fields
}

fn authorisation(facts: &MandateFacts) -> Vec<String> {
    let t = |key| text(facts.language, "documents", key);
    let refund = if facts.b2b { "mandate_no_refund" } else { "mandate_refund" };
    vec![t("mandate_authorise").replace("{name}", &facts.creditor.name), t(refund).to_owned()]
}
