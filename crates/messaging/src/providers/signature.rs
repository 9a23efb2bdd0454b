//! Signatures of receipts.

use crate::receipts::{ReceiptCall, ReceiptError, TOLERANCE_S};
use aws_lc_rs::hmac;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// The value of `X-Signature` for a body: `t=<unix seconds>,v1=<hex of HMAC-SHA256 over "t.body">`.
pub fn sign(secret: &str, at: i64, body: &[u8]) -> String {
    format!("t={at},v1={}", hex::encode(hmac::sign(&key(secret), &signed(at, body))))
}

fn key(secret: &str) -> hmac::Key {
    hmac::Key::new(hmac::HMAC_SHA256, secret.as_bytes())
}

fn signed(at: i64, body: &[u8]) -> Vec<u8> {
    [at.to_string().as_bytes(), b".", body].concat()
}

/// Errors: [`ReceiptError::Signature`] unless [`sign`] made the signature in the last minutes (MSG-12).
pub(super) fn check(secret: &str, call: &ReceiptCall<'_>) -> Result<(), ReceiptError> {
    let parts = || {
        let text = call.headers.get("x-signature")?.to_str().ok()?;
        let value = |name: &str| text.split(',').find_map(|part| part.trim().strip_prefix(name)?.strip_prefix('='));
        Some((value("t")?.parse::<i64>().ok()?, hex::decode(value("v1")?).ok()?))
    };
    let (at, tag) = parts().ok_or(ReceiptError::Signature)?;
    if call.now.timestamp().saturating_sub(at).saturating_abs() > TOLERANCE_S {
        return Err(ReceiptError::Signature);
    }
    hmac::verify(&key(secret), &signed(at, call.body), &tag).map_err(|_| ReceiptError::Signature)
}

/// Twilio's: base64 of HMAC-SHA1 over the address and every parameter, name and value, in the order of their names.
pub(super) fn check_twilio(token: &str, url: &str, call: &ReceiptCall<'_>) -> Result<Vec<(String, String)>, ReceiptError> {
    let mut parameters: Vec<(String, String)> = url::form_urlencoded::parse(call.body).into_owned().collect();
    parameters.sort();
    let mut text = url.to_owned();
    for (name, value) in &parameters {
        text.push_str(name);
        text.push_str(value);
    }
    let given = call.headers.get("x-twilio-signature").and_then(|value| STANDARD.decode(value.as_bytes()).ok());
    let key = hmac::Key::new(hmac::HMAC_SHA1_FOR_LEGACY_USE_ONLY, token.as_bytes());
    hmac::verify(&key, text.as_bytes(), &given.ok_or(ReceiptError::Signature)?).map_err(|_| ReceiptError::Signature)?;
    Ok(parameters)
}

/// WAHA's: `X-Webhook-Hmac`, hex of HMAC-SHA512 over the body.
pub(super) fn check_waha(secret: &str, call: &ReceiptCall<'_>) -> Result<(), ReceiptError> {
    let given = call.headers.get("x-webhook-hmac").and_then(|value| hex::decode(value.as_bytes()).ok());
    let key = hmac::Key::new(hmac::HMAC_SHA512, secret.as_bytes());
    hmac::verify(&key, call.body, &given.ok_or(ReceiptError::Signature)?).map_err(|_| ReceiptError::Signature)
}

#[cfg(test)]
mod tests {
    use super::*;
    use chrono::DateTime;
    use reqwest::header::{HeaderMap, HeaderName, HeaderValue};

    fn with(name: &'static str, value: &str) -> HeaderMap {
        [(HeaderName::from_static(name), HeaderValue::from_str(value).unwrap())].into_iter().collect()
    }

    fn call<'a>(headers: &'a HeaderMap, body: &'a [u8], at: i64) -> ReceiptCall<'a> {
        ReceiptCall { target: "/", headers, body, now: DateTime::from_timestamp(at, 0).unwrap() }
    }

    /// The example in Twilio's documentation of signatures (MSG-12).
    #[test]
    fn twilio_s_own_example_fits() {
        let body = b"To=%2B18005551212&From=%2B12349013030&Digits=1234&Caller=%2B12349013030&CallSid=CA1234567890ABCDE";
        let url = "https://mycompany.com/myapp.php?foo=1&bar=2";
        let good = with("x-twilio-signature", "0/KCTR6DLpKmkAf8muzZqo1nDgQ=");
        assert_eq!(check_twilio("12345", url, &call(&good, body, 0)).map(|all| all.len()), Ok(5));
        assert!(check_twilio("12346", url, &call(&good, body, 0)).is_err());
        assert!(check_twilio("12345", "https://mycompany.com/myapp.php", &call(&good, body, 0)).is_err());
        for bad in ["", "x", "AAAA"] {
            assert!(check_twilio("12345", url, &call(&with("x-twilio-signature", bad), body, 0)).is_err());
        }
        assert!(check_twilio("12345", url, &call(&HeaderMap::new(), body, 0)).is_err());
    }

    // MSG-12
    #[test]
    fn ours_is_good_for_five_minutes_and_one_body() {
        let at = 1_800_000_000;
        let headers = with("x-signature", &sign("secret", at, b"{}"));
        for (now, body, good) in [(0, "{}", true), (300, "{}", true), (-300, "{}", true), (301, "{}", false), (0, "{ }", false)] {
            assert_eq!(check("secret", &call(&headers, body.as_bytes(), at + now)).is_ok(), good, "{now} {body}");
        }
        assert!(check("other", &call(&headers, b"{}", at)).is_err());
        for bad in ["", "t=1", "t=x,v1=00", "v1=00,t=1800000000", "t=1800000000,v1=zz"] {
            assert!(check("secret", &call(&with("x-signature", bad), b"{}", at)).is_err(), "{bad}");
        }
    }
}
