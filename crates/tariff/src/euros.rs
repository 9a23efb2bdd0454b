//! Amounts as the API writes them: euros with at most two decimals (TARIFF-13), cents inside.

use crate::Cents;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// The largest amount whose cents a double represents exactly, with a margin.
const MAX_CENTS: i64 = 1_000_000_000_000;

/// An amount on the wire: the number `36.3` is 3630 cents. More than two decimals are refused, never rounded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, utoipa::ToSchema)]
#[schema(value_type = f64)]
pub struct Euros(pub Cents);

impl Serialize for Euros {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let cents = self.0.0;
        match cents % 100 {
            0 => serializer.serialize_i64(cents / 100),
            // Amounts of invoices are far below 2^53, where the quotient prints with its two decimals.
            #[expect(clippy::cast_precision_loss)]
            _ => serializer.serialize_f64(cents as f64 / 100.0),
        }
    }
}

impl<'de> Deserialize<'de> for Euros {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let cents = f64::deserialize(deserializer)? * 100.0;
        let whole = cents.round();
        #[expect(clippy::cast_precision_loss)]
        let most = MAX_CENTS as f64;
        if !whole.is_finite() || whole.abs() > most || (cents - whole).abs() > 1e-4 {
            return Err(D::Error::custom("an amount in euros has at most two decimals"));
        }
        // In range, checked above.
        #[expect(clippy::cast_possible_truncation)]
        Ok(Self(Cents(whole as i64)))
    }
}

impl From<Cents> for Euros {
    fn from(cents: Cents) -> Self {
        Self(cents)
    }
}

/// `-1234.50`: a point and two decimals, as XML files and their hashes want it.
impl fmt::Display for Cents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (sign, cents) = (if self.0 < 0 { "-" } else { "" }, self.0.unsigned_abs());
        write!(f, "{sign}{}.{:02}", cents / 100, cents % 100)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // TARIFF-13
    #[test]
    fn amounts_travel_without_a_cent_lost() {
        for cents in [0, 1, 10, 99, 100, 3630, -6000, 155_489, 99_999_999_999] {
            let text = serde_json::to_string(&Euros(Cents(cents))).unwrap();
            assert_eq!(serde_json::from_str::<Euros>(&text).unwrap().0, Cents(cents), "{text}");
        }
        assert_eq!(serde_json::to_string(&Euros(Cents(3630))).unwrap(), "36.3");
        for wrong in ["0.001", "1e300", "\"3\""] {
            assert!(serde_json::from_str::<Euros>(wrong).is_err(), "{wrong}");
        }
    }

    // TARIFF-13
    #[test]
    fn texts_have_two_decimals() {
        assert_eq!([0, 5, -5, 123_450].map(|cents| Cents(cents).to_string()), ["0.00", "0.05", "-0.05", "1234.50"]);
    }
}
