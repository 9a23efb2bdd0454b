//! What a mandate was before it changed, as banks are told (SEPA-14).

use crate::creditor::CreditorId;
use crate::debits::{DebitsError, iban, identifier};
use crate::text::{NAME, latin};
use sepa::pain008::MandateAmendment;

/// What a mandate was before it changed; each is none where it did not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Amendment {
    /// Its reference.
    pub umr: Option<String>,
    /// The debtor's account, where it is known and may be told.
    pub iban: Option<String>,
    /// The debtor has another account: without `iban` the scheme's mark `SMNDA` says so.
    pub account: bool,
    pub creditor_name: Option<String>,
    pub creditor_id: Option<String>,
}

impl Amendment {
    /// What of the creditor differs, as banks compare it: names in their letters, identifiers without the suffix.
    pub fn of_creditor(before: (&str, &str), now: (&str, &str)) -> Self {
        let bare = |id: &str| (id.get(..2).map(str::to_owned), id.get(7..).map(str::to_owned));
        let is_other_name = latin(before.0, NAME) != latin(now.0, NAME);
        Self {
            creditor_name: is_other_name.then(|| before.0.to_owned()),
            creditor_id: (bare(before.1) != bare(now.1)).then(|| before.1.to_owned()),
            ..Self::default()
        }
    }

    /// `None`: nothing changed.
    pub fn some(self) -> Option<Self> {
        (self != Self::default()).then_some(self)
    }

    /// As the file holds it; `of` names the debit in errors.
    pub(crate) fn written(&self, of: &str) -> Result<MandateAmendment, DebitsError> {
        let mut written = MandateAmendment::default();
        if let Some(umr) = &self.umr {
            identifier(umr)?;
            written.original_mandate_id = Some(umr.clone());
        }
        written.original_debtor_iban = self.iban.as_deref().map(|text| iban(of, text)).transpose()?;
        written.same_mandate_new_account = self.account && self.iban.is_none();
        written.original_creditor_name = self.creditor_name.as_deref().map(|name| latin(name, NAME));
        if let Some(id) = &self.creditor_id {
            let known = CreditorId::parse(id).ok_or_else(|| DebitsError::Identifier(id.clone()))?;
            written.original_creditor_id = Some(known.0);
        }
        Ok(written)
    }
}
