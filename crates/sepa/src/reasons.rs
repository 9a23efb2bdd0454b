//! What a bank's reason code means for the invoice, the mandate and the next attempt (SEPA-11).

/// Effect on the invoice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InvoiceEffect {
    Returned,
    /// As before the file: nothing is wrong between the customer and us.
    BackToSent,
    /// A person decides; nothing changes automatically.
    Review,
}

/// Effect on the mandate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MandateEffect {
    None,
    /// No debit until it is resumed; the customer is asked for another account.
    SuspendAndAsk,
    Suspend,
    Cancel,
    /// The account is a consumer's: from now on under the CORE scheme, whose own text has to be signed.
    ToCore,
}

/// Whether and when the debit is tried again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Retry {
    No,
    /// Once, automatically, so many days after the return.
    Once {
        days: u32,
    },
    /// When an administrator confirms that the data are right.
    AfterCorrection,
}

/// A row of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Action {
    pub invoice: InvoiceEffect,
    pub mandate: MandateEffect,
    pub retry: Retry,
    /// Our own data are wrong.
    pub alert: bool,
    /// Two in a row make the invoice unpaid (refunds that the debtor asks for).
    pub twice_unpaid: bool,
    /// The debtor's BIC is no longer in use.
    pub forget_bic: bool,
}

const RETURNED: Action = Action {
    invoice: InvoiceEffect::Returned,
    mandate: MandateEffect::None,
    retry: Retry::No,
    alert: false,
    twice_unpaid: false,
    forget_bic: false,
};

/// The effects of a code; unknown codes are returns that a person checks.
pub fn action(code: &str) -> Action {
    let row = RETURNED;
    match code {
        "AC01" | "AC04" => Action { mandate: MandateEffect::SuspendAndAsk, ..row },
        "AC06" | "AG01" | "MD07" => Action { mandate: MandateEffect::Suspend, ..row },
        "AC13" => Action { mandate: MandateEffect::ToCore, retry: Retry::Once { days: 0 }, ..row },
        "AG02" | "MD02" | "RR01" | "RR02" | "RR03" | "RR04" => Action { retry: Retry::AfterCorrection, ..row },
        "RC01" => Action { retry: Retry::AfterCorrection, forget_bic: true, ..row },
        "AM04" => Action { retry: Retry::Once { days: 10 }, ..row },
        "MS03" => Action { retry: Retry::Once { days: 0 }, ..row },
        "AM05" => Action { invoice: InvoiceEffect::Review, alert: true, ..row },
        "BE05" => Action { retry: Retry::AfterCorrection, alert: true, ..row },
        "FF01" | "FF05" => Action { invoice: InvoiceEffect::BackToSent, retry: Retry::AfterCorrection, alert: true, ..row },
        "MD01" => Action { mandate: MandateEffect::Cancel, ..row },
        "MD06" => Action { twice_unpaid: true, ..row },
        "MS02" | "SL01" | "CNOR" | "DNOR" => row,
        _ => Action { alert: true, ..row },
    }
}

/// The customer's next step after a return, if any; e-mails have a sentence for each.
///
/// `new-iban`, `other-account`, `funds`, `sign`, `authorise`, `ours` (we correct it) or `talk`.
pub fn advice(code: &str) -> Option<&'static str> {
    match code {
        "AC01" | "AC04" => Some("new-iban"),
        "AC06" | "AG01" | "CNOR" | "DNOR" | "MD07" => Some("other-account"),
        "AM04" => Some("funds"),
        "MD01" | "AC13" => Some("sign"),
        "SL01" => Some("authorise"),
        "AG02" | "BE05" | "MD02" | "RC01" | "RR01" | "RR02" | "RR03" | "RR04" => Some("ours"),
        "MD06" | "MS02" => Some("talk"),
        _ => None,
    }
}

const CODES: &[&str] = &[
    "AC01", "AC04", "AC06", "AC13", "AG01", "AG02", "AM04", "AM05", "BE05", "CNOR", "DNOR", "FF01", "FF05", "MD01", "MD02",
    "MD06", "MD07", "MS02", "MS03", "RC01", "RR01", "RR02", "RR03", "RR04", "SL01",
];

/// Every code of the table.
pub fn codes() -> impl Iterator<Item = &'static str> {
    CODES.iter().copied()
}
