//! The countries of the IBAN registry (SWIFT, release 102): their BBAN in runs of `n` digits, `a` capitals, `c` either.

/// One country: its code, whether SEPA direct debits reach it, its BBAN.
pub(super) type Country = (&'static str, bool, &'static str);

/// Sorted by code.
#[rustfmt::skip]
pub(super) const COUNTRIES: &[Country] = &[
    ("AD", true, "8n 12c"), ("AE", false, "19n"), ("AL", true, "8n 16c"),
    ("AT", true, "16n"), ("AZ", false, "4a 20c"), ("BA", false, "16n"),
    ("BE", true, "12n"), ("BG", true, "4a 6n 8c"), ("BH", false, "4a 14c"),
    ("BI", false, "23n"), ("BR", false, "23n 1a 1c"), ("BY", false, "4c 4n 16c"),
    ("CH", true, "5n 12c"), ("CR", false, "18n"), ("CY", true, "8n 16c"),
    ("CZ", true, "20n"), ("DE", true, "18n"), ("DJ", false, "23n"),
    ("DK", true, "14n"), ("DO", false, "4c 20n"), ("EE", true, "16n"),
    ("EG", false, "25n"), ("ES", true, "20n"), ("FI", true, "14n"),
    ("FK", false, "2a 12n"), ("FO", false, "14n"), ("FR", true, "10n 11c 2n"),
    ("GB", true, "4a 14n"), ("GE", false, "2a 16n"), ("GI", true, "4a 15c"),
    ("GL", false, "14n"), ("GR", true, "7n 16c"), ("GT", false, "24c"),
    ("HN", false, "4a 20n"), ("HR", true, "17n"), ("HU", true, "24n"),
    ("IE", true, "4a 14n"), ("IL", false, "19n"), ("IQ", false, "4a 15n"),
    ("IS", true, "22n"), ("IT", true, "1a 10n 12c"), ("JO", false, "4a 4n 18c"),
    ("KW", false, "4a 22c"), ("KZ", false, "3n 13c"), ("LB", false, "4n 20c"),
    ("LC", false, "4a 24c"), ("LI", true, "5n 12c"), ("LT", true, "16n"),
    ("LU", true, "3n 13c"), ("LV", true, "4a 13c"), ("LY", false, "21n"),
    ("MC", true, "10n 11c 2n"), ("MD", true, "20c"), ("ME", true, "18n"),
    ("MK", true, "3n 10c 2n"), ("MN", false, "16n"), ("MR", false, "23n"),
    ("MT", true, "4a 5n 18c"), ("MU", false, "4a 19n 3a"), ("NI", false, "4a 20n"),
    ("NL", true, "4a 10n"), ("NO", true, "11n"), ("OM", false, "3n 16c"),
    ("PK", false, "4a 16c"), ("PL", true, "24n"), ("PS", false, "4a 21c"),
    ("PT", true, "21n"), ("QA", false, "4a 21c"), ("RO", true, "4a 16c"),
    ("RS", true, "18n"), ("RU", false, "14n 15c"), ("SA", false, "2n 18c"),
    ("SC", false, "4a 20n 3a"), ("SD", false, "14n"), ("SE", true, "20n"),
    ("SI", true, "15n"), ("SK", true, "20n"), ("SM", true, "1a 10n 12c"),
    ("SO", false, "19n"), ("ST", false, "21n"), ("SV", false, "4a 20n"),
    ("TL", false, "19n"), ("TN", false, "20n"), ("TR", false, "6n 16c"),
    ("UA", false, "6n 19c"), ("VA", true, "18n"), ("VG", false, "4a 16n"),
    ("XK", false, "16n"), ("YE", false, "4a 4n 18c"),
];
