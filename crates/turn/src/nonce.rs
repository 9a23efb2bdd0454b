//! Nonces without memory (RFC 8489, section 9.2): time and a code over it and the client's address.

use aws_lc_rs::{constant_time, hmac};
use std::net::IpAddr;

/// Seconds for which a nonce is good.
const VALID_S: i64 = 3_600;
/// Bytes of the code that are sent.
const CODE: usize = 8;

pub(crate) struct Nonces(hmac::Key);

impl Nonces {
    pub fn new(key: &[u8; 32]) -> Self {
        Self(hmac::Key::new(hmac::HMAC_SHA256, key))
    }

    pub fn make(&self, address: IpAddr, now_s: i64) -> String {
        let code = self.code(address, now_s);
        format!("{:08x}{}", now_s & 0xffff_ffff, hex(&code[..CODE]))
    }

    /// Whether we gave this nonce to this address, not too long ago.
    pub fn is_good(&self, nonce: &str, address: IpAddr, now_s: i64) -> bool {
        let Some((time, code)) = nonce.split_at_checked(8) else {
            return false;
        };
        let Ok(made_s) = u32::from_str_radix(time, 16).map(i64::from) else {
            return false;
        };
        let fresh = (0..=VALID_S).contains(&((now_s & 0xffff_ffff) - made_s));
        fresh
            && constant_time::verify_slices_are_equal(hex(&self.code(address, made_s)[..CODE]).as_bytes(), code.as_bytes())
                .is_ok()
    }

    fn code(&self, address: IpAddr, now_s: i64) -> [u8; 32] {
        let mut context = hmac::Context::with_key(&self.0);
        context.update(&(now_s & 0xffff_ffff).to_be_bytes());
        match address {
            IpAddr::V4(v4) => context.update(&v4.octets()),
            IpAddr::V6(v6) => context.update(&v6.octets()),
        }
        let mut code = [0; 32];
        code.copy_from_slice(context.sign().as_ref());
        code
    }
}

fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    // TURN-3
    #[test]
    fn a_nonce_is_good_for_its_address_and_for_an_hour() {
        let nonces = Nonces::new(&[1; 32]);
        let (here, there): (IpAddr, IpAddr) =
            ("192.0.2.1".parse().expect("an address"), "192.0.2.2".parse().expect("an address"));
        let nonce = nonces.make(here, 1_000_000);
        assert_eq!(nonce.len(), 24);
        assert!(nonces.is_good(&nonce, here, 1_000_000) && nonces.is_good(&nonce, here, 1_000_000 + VALID_S));
        assert!(!nonces.is_good(&nonce, here, 1_000_001 + VALID_S), "too old");
        assert!(!nonces.is_good(&nonce, here, 999_999), "of the future");
        assert!(!nonces.is_good(&nonce, there, 1_000_000), "of another address");
        assert!(!Nonces::new(&[2; 32]).is_good(&nonce, here, 1_000_000), "of another server");
        for made_up in ["", "0", "zzzzzzzz0000000000000000", "000f42400000000000000000", "é00000000000000000000000"] {
            assert!(!nonces.is_good(made_up, here, 1_000_000), "{made_up}");
        }
    }
}
