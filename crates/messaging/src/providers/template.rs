//! Templates with `{{to}}`, `{{text}}`, `{{sender}}` and `{{id}}`, each value escaped for its place (MSG-11).

/// How a value is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Escape {
    /// Inside the quotes of a JSON string.
    Json,
    /// Inside a form or an address.
    Form,
}

impl Escape {
    fn write(self, value: &str) -> String {
        match self {
            Self::Json => {
                let quoted = serde_json::to_string(value).expect("a text is JSON");
                quoted[1..quoted.len() - 1].to_owned()
            }
            Self::Form => url::form_urlencoded::byte_serialize(value.as_bytes()).collect(),
        }
    }
}

/// A message's values.
pub(super) struct Values<'a> {
    pub to: &'a str,
    pub text: &'a str,
    pub sender: &'a str,
    pub id: &'a str,
}

impl Values<'_> {
    fn get(&self, name: &str) -> Option<&str> {
        match name {
            "to" => Some(self.to),
            "text" => Some(self.text),
            "sender" => Some(self.sender),
            "id" => Some(self.id),
            _ => None,
        }
    }
}

/// Fills a template in one pass, so that a value is never read as a template. Errors: the unknown name.
pub(super) fn fill(template: &str, values: &Values<'_>, escape: Escape) -> Result<String, String> {
    let mut out = String::with_capacity(template.len());
    let mut rest = template;
    while let Some((before, after)) = rest.split_once("{{") {
        let (name, behind) = after.split_once("}}").ok_or_else(|| "{{ without }}".to_owned())?;
        let value = values.get(name.trim()).ok_or_else(|| format!("there is no {{{{{}}}}}", name.trim()))?;
        out.push_str(before);
        out.push_str(&escape.write(value));
        rest = behind;
    }
    out.push_str(rest);
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    // MSG-11
    #[test]
    fn values_stay_values() {
        let values = Values { to: "+34600111222", text: "a\"b\\c\n{{sender}} ñ&=%", sender: "S & Co", id: "7" };
        let json = fill(r#"{"to":"{{to}}","t":"{{ text }}"}"#, &values, Escape::Json).unwrap();
        let parsed: serde_json::Value = serde_json::from_str(&json).unwrap();
        assert_eq!((parsed["to"].as_str(), parsed["t"].as_str()), (Some("+34600111222"), Some(values.text)));
        let form = fill("to={{to}}&text={{text}}&from={{sender}}", &values, Escape::Form).unwrap();
        let parsed: Vec<(String, String)> = url::form_urlencoded::parse(form.as_bytes()).into_owned().collect();
        assert_eq!(parsed[1], ("text".to_owned(), values.text.to_owned()));
        assert_eq!((parsed.len(), parsed[2].1.as_str()), (3, "S & Co"));
        assert!(fill("{{secret}}", &values, Escape::Form).is_err() && fill("{{to", &values, Escape::Form).is_err());
    }
}
