//! Lines of comma-separated values as Spanish programs read them: semicolons, decimal commas, CR LF. Pure.

use atalaya_tariff::{Cents, Percent};
use chrono::NaiveDate;

/// Without it, spreadsheets take UTF-8 for Windows' characters.
pub(super) const MARK: &str = "\u{feff}";

/// One line.
pub(super) fn row<T: AsRef<str>>(cells: &[T]) -> String {
    let cells: Vec<String> = cells.iter().map(|cell| quoted(cell.as_ref())).collect();
    format!("{}\r\n", cells.join(";"))
}

fn quoted(cell: &str) -> String {
    match cell.contains([';', '"', '\r', '\n']) {
        true => format!("\"{}\"", cell.replace('"', "\"\"")),
        false => cell.to_owned(),
    }
}

/// What somebody typed: on one line, and never a formula of the spreadsheet that opens the file.
pub(super) fn typed(text: &str) -> String {
    let text: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let text = text.trim();
    if text.starts_with(['=', '+', '-', '@']) { format!("'{text}") } else { text.to_owned() }
}

/// `-1234,50`.
pub(super) fn amount(cents: Cents) -> String {
    cents.to_string().replace('.', ",")
}

/// `21,00`.
pub(super) fn rate(percent: Percent) -> String {
    amount(Cents(percent.0.into()))
}

/// `31/10/2026`.
pub(super) fn day(date: NaiveDate) -> String {
    date.format("%d/%m/%Y").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    // BOOKS-5
    #[test]
    fn what_people_typed_is_no_formula_and_breaks_no_line() {
        assert_eq!(row(&["a;b", "c\"d", "e"]), "\"a;b\";\"c\"\"d\";e\r\n");
        assert_eq!(typed("=HYPERLINK(\"x\")"), "'=HYPERLINK(\"x\")");
        assert_eq!(typed(" a\r\nb\t"), "a  b");
        assert_eq!([typed("+1"), typed("-1"), typed("@a"), typed("Núñez, S.L.")], ["'+1", "'-1", "'@a", "Núñez, S.L."]);
        assert_eq!(
            (amount(Cents(-123_450)), amount(Cents(7)), rate(Percent(2100))),
            ("-1234,50".into(), "0,07".into(), "21,00".into())
        );
        assert_eq!(day("2026-10-31".parse().unwrap()), "31/10/2026");
    }
}
