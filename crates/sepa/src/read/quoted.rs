//! Numbers of invoices in what people write along with a transfer.

/// Digits of a number at least; people leave zeros out.
const DIGITS: usize = 6;
/// Far more than one transfer pays.
const MOST: usize = 50;

/// The numbers of invoices (`A2026-000001`, `R2026-000007`) that a text quotes, each once, in their order.
///
/// Banks and people change case, dash and zeros: `fra a2026/1`, `A2026 000001` and `A2026000001` are read alike. Whether there
/// is such an invoice is for whoever asks.
pub fn invoice_numbers(text: &str) -> Vec<String> {
    let letters: Vec<char> = text.chars().collect();
    let mut found: Vec<String> = Vec::new();
    let mut at = 0;
    while at < letters.len() && found.len() < MOST {
        let inside = at > 0 && letters[at - 1].is_alphanumeric();
        match number_at(&letters[at..]).filter(|_| !inside) {
            Some((number, length)) => {
                if !found.contains(&number) {
                    found.push(number);
                }
                at += length;
            }
            None => at += 1,
        }
    }
    found
}

/// The number with which these letters begin, and how many of them it takes.
fn number_at(letters: &[char]) -> Option<(String, usize)> {
    let series = letters.first()?.to_ascii_uppercase();
    let digits = |from: usize| letters.iter().skip(from).take_while(|letter| letter.is_ascii_digit()).count();
    let run = digits(1);
    if !matches!(series, 'A' | 'R') || run < 4 || letters.get(1) != Some(&'2') {
        return None;
    }
    let text = |from: usize, length: usize| letters[from..from + length].iter().collect::<String>();
    let (from, length) = if run == 4 {
        let gap = letters.iter().skip(5).take(3).take_while(|letter| matches!(letter, '-' | '/' | '.' | '_' | ' ')).count();
        (5 + gap, if gap == 0 { 0 } else { digits(5 + gap) })
    } else {
        // Written together: nothing may be left out.
        (5, if run - 4 >= DIGITS { run - 4 } else { 0 })
    };
    if length == 0 || length > 12 || letters.get(from + length).is_some_and(|next| next.is_alphanumeric()) {
        return None;
    }
    let number: u64 = text(from, length).parse().ok()?;
    (number > 0).then(|| (format!("{series}{}-{number:06}", text(1, 4)), from + length))
}

#[cfg(test)]
mod tests {
    use super::*;

    // SEPA-12
    #[test]
    fn numbers_are_read_as_people_write_them() {
        for (text, numbers) in [
            ("A2026-000001", &["A2026-000001"][..]),
            ("Pago fra. a2026/1 de octubre", &["A2026-000001"]),
            ("FACTURA A2026 000001", &["A2026-000001"]),
            ("A2026000001", &["A2026-000001"]),
            ("A2026-000001 y A2026-000002, menos R2026-000003.", &["A2026-000001", "A2026-000002", "R2026-000003"]),
            ("A2026-000001 A2026-000001", &["A2026-000001"]),
            ("A2026-1234567", &["A2026-1234567"]),
            ("", &[]),
            ("factura 2026-000001", &[]),
            ("B2026-000001", &[]),
            ("XA2026-000001", &[]),
            ("A2026", &[]),
            ("A2026-", &[]),
            ("A20260001", &[]),
            ("A2026-000000", &[]),
            ("A2026-000001X", &[]),
            ("A2026-9999999999999999999999", &[]),
            ("ñA2026-000001", &[]),
        ] {
            assert_eq!(invoice_numbers(text), numbers, "{text}");
        }
        assert_eq!(invoice_numbers(&"A2026-000001 ".repeat(9)).len(), 1);
    }
}
