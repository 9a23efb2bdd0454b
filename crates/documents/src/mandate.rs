//! The mandate as a form to sign, in the scheme's standard words: CORE and B2B differ in the debtor's right to a refund.

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
    /// Days between the notice of a debit and the debit.
    pub notice_days: u32,
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
    let notice = t("mandate_notice").replace("{days}", &facts.notice_days.to_string());
    let mut notes = vec![notice, t("mandate_complete")];
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

#[cfg(test)]
mod tests {
    use super::*;

    fn facts(language: Language, b2b: bool) -> MandateFacts {
        MandateFacts {
            umr: "VP-000001-01".into(),
            creditor_id: "ES77000B85626240".into(),
            creditor: MandateParty { name: "Atalaya Remota, S.L.".into(), ..MandateParty::default() },
            debtor: MandateParty::default(),
            iban: String::new(),
            bic: None,
            place: None,
            b2b,
            one_off: false,
            notice_days: 14,
            language,
            created_at: DateTime::UNIX_EPOCH,
            signed: None,
            evidence: None,
        }
    }

    // MAND-7, MAND-13
    #[test]
    fn each_scheme_has_its_standard_text_in_each_language() {
        for (language, refund, between) in [
            (Language::Es, "ocho semanas", "exclusivamente entre empresas"),
            (Language::En, "within 8 weeks", "business-to-business"),
            (Language::Fr, "8 semaines", "interentreprises"),
            (Language::Ca, "vuit setmanes", "exclusivament entre empreses"),
            (Language::Eu, "zortzi asteetan", "enpresen eta/edo autonomoen"),
            (Language::Gl, "oito semanas", "exclusivamente entre empresas"),
            (Language::Pt, "oito semanas", "business-to-business"),
        ] {
            let (core, b2b) = (sheet(&facts(language, false)), sheet(&facts(language, true)));
            let texts = [core.authorisation.join(" "), b2b.authorisation.join(" ")];
            assert!(texts[0].contains(refund) && !texts[0].contains(between), "{}", texts[0]);
            assert!(texts[1].contains(between) && !texts[1].contains(refund), "{}", texts[1]);
            for (text, sheet) in texts.iter().zip([&core, &b2b]) {
                assert!(text.contains("(A)") && text.contains("(B)") && text.contains("Atalaya Remota, S.L."), "{text}");
                assert!(sheet.notes[0].contains("14"), "{:?}", sheet.notes);
            }
        }
    }
}
