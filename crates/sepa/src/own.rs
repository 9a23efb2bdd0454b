//! Whether a bank's file is about us: our account, and our creditor identifier.

/// Who we are to a bank. What is unknown of it refuses nothing.
#[derive(Clone, Debug, Default)]
pub struct Own {
    /// The IBAN, without spaces.
    pub account: Option<String>,
    pub creditor: Option<String>,
}

impl Own {
    /// Banks name an account by its IBAN, or by the number inside it.
    pub fn is_other_account(&self, named: &str) -> bool {
        let named = named.replace([' ', '-'], "");
        self.account.as_ref().is_some_and(|own| *own != named && own.get(4..) != Some(named.as_str()))
    }

    /// The suffix may be another of ours: country and tax id decide.
    pub fn is_other_creditor(&self, named: &str) -> bool {
        let same = |a: &str, b: &str| a.get(..2) == b.get(..2) && a.get(7..) == b.get(7..);
        self.creditor.as_ref().is_some_and(|id| !same(id, named))
    }
}

/// `ES91 … 1332`: an account of somebody else, to be named.
pub fn masked(account: &str) -> String {
    let letters: Vec<char> = account.chars().filter(char::is_ascii_alphanumeric).collect();
    let part = |letters: &[char]| letters.iter().collect::<String>();
    format!("{} … {}", part(&letters[..letters.len().min(4)]), part(&letters[letters.len().saturating_sub(4)..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    // BANK-9
    #[test]
    fn an_account_has_two_names_and_a_creditor_several_suffixes() {
        let own = Own { account: Some("ES7921000813610123456789".into()), creditor: Some("ES77000B85626240".into()) };
        assert!(!own.is_other_account("ES79 2100 0813 6101 2345 6789") && !own.is_other_account("21000813610123456789"));
        assert!(own.is_other_account("ES9121000418450200051332") && own.is_other_account(""));
        assert!(!own.is_other_creditor("ES77003B85626240") && own.is_other_creditor("ES11000B12345674"));
        assert!(!Own::default().is_other_account("x") && !Own::default().is_other_creditor("x"), "unknown refuses nothing");
        assert_eq!((masked("ES91 2100 0418 4502 0005 1332").as_str(), masked("12").as_str()), ("ES91 … 1332", "12 … 12"));
    }
}
