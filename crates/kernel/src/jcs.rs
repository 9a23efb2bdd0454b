//! One text for one JSON value (RFC 8785), which chains of hashes are made of.

use serde_json::Value;

/// RFC 8785 for the values that chains hold: keys sorted by UTF-16, no white space, integers only (EVID-2).
pub fn canonical(value: &Value) -> String {
    let mut out = String::new();
    write_canonical(value, &mut out);
    out
}

fn write_canonical(value: &Value, out: &mut String) {
    match value {
        Value::Object(map) => {
            let mut keys: Vec<&String> = map.keys().collect();
            keys.sort_by(|a, b| a.encode_utf16().cmp(b.encode_utf16()));
            out.push('{');
            for (i, key) in keys.into_iter().enumerate() {
                if i > 0 {
                    out.push(',');
                }
                out.push_str(&Value::String(key.clone()).to_string());
                out.push(':');
                write_canonical(&map[key], out);
            }
            out.push('}');
        }
        Value::Array(items) => {
            out.push('[');
            for (i, item) in items.iter().enumerate() {
                if i > 0 {
                    out.push(',');
                }
                write_canonical(item, out);
            }
            out.push(']');
        }
        // serde_json escapes strings exactly as RFC 8785 asks; floats never enter the chain (`only_integers`).
        scalar => out.push_str(&scalar.to_string()),
    }
}

/// Whether a value holds no fraction, so that its canonical text cannot be ambiguous.
pub fn only_integers(value: &Value) -> bool {
    match value {
        Value::Number(n) => n.is_i64() || n.is_u64(),
        Value::Array(items) => items.iter().all(only_integers),
        Value::Object(map) => map.values().all(only_integers),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    // EVID-2
    #[test]
    fn fractions_are_seen() {
        assert!(only_integers(&json!({"a": [1, -2, "1.5"]})));
        assert!(!only_integers(&json!({"a": [1.5]})));
    }

    // AUDIT-7
    #[test]
    fn one_value_has_one_text() {
        let text = canonical(&json!({"b": [1, null, "ñ\n"], "a": {"z": true, "y": ""}}));
        assert_eq!(text, r#"{"a":{"y":"","z":true},"b":[1,null,"ñ\n"]}"#);
    }
}
