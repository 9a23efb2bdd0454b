//! Cents and percentages, both whole numbers (TARIFF-11: three roundings, half away from zero, no floats).

use crate::TariffError;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// An amount in euro cents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Cents(pub i64);

impl Cents {
    /// Errors: [`TariffError::TooMuch`].
    pub fn plus(self, other: Self) -> Result<Self, TariffError> {
        self.0.checked_add(other.0).map(Self).ok_or(TariffError::TooMuch)
    }

    pub fn minus(self, other: Self) -> Result<Self, TariffError> {
        self.0.checked_sub(other.0).map(Self).ok_or(TariffError::TooMuch)
    }

    pub fn times(self, quantity: i64) -> Result<Self, TariffError> {
        self.0.checked_mul(quantity).map(Self).ok_or(TariffError::TooMuch)
    }

    /// This amount times `numerator / denominator`, rounded half away from zero. `denominator` > 0.
    pub fn share(self, numerator: i64, denominator: i64) -> Result<Self, TariffError> {
        let (product, denominator) = (i128::from(self.0) * i128::from(numerator), i128::from(denominator));
        let rounded = (2 * product.abs() + denominator) / (2 * denominator) * product.signum();
        i64::try_from(rounded).map(Self).map_err(|_| TariffError::TooMuch)
    }

    /// So many percent of it, rounded half away from zero.
    pub fn percent(self, percent: Percent) -> Result<Self, TariffError> {
        self.share(percent.0.into(), 10_000)
    }
}

/// A percentage in hundredths: 12.5 % is 1250. On the wire a number with at most two decimals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Percent(pub u32);

impl Serialize for Percent {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 % 100 {
            0 => serializer.serialize_u32(self.0 / 100),
            _ => serializer.serialize_f64(f64::from(self.0) / 100.0),
        }
    }
}

impl<'de> Deserialize<'de> for Percent {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let hundredths = f64::deserialize(deserializer)? * 100.0;
        let whole = hundredths.round();
        if !(0.0..=10_000.0).contains(&whole) || (hundredths - whole).abs() > 1e-6 {
            return Err(D::Error::custom("a percentage is between 0 and 100, with at most two decimals"));
        }
        // In range, checked above.
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        Ok(Self(whole as u32))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // TARIFF-11
    #[test]
    fn halves_are_rounded_away_from_zero() {
        for (amount, percent, expected) in
            [(50, 100, 1), (49, 100, 0), (-50, 100, -1), (54_540, 2100, 11_453), (128_010, 2100, 26_882), (255_510, 2100, 53_657)]
        {
            assert_eq!(Cents(amount).percent(Percent(percent)), Ok(Cents(expected)), "{amount} × {percent}");
        }
        assert_eq!(Cents(3000).share(16, 31), Ok(Cents(1548)));
        assert_eq!(Cents(i64::MAX).times(2), Err(TariffError::TooMuch));
    }

    #[test]
    fn percentages_have_two_decimals_at_most() {
        let read = |text: &str| serde_json::from_str::<Percent>(text).ok().map(|percent| percent.0);
        assert_eq!((read("5"), read("12.5"), read("0.07"), read("100")), (Some(500), Some(1250), Some(7), Some(10_000)));
        assert_eq!((read("12.345"), read("-1"), read("100.01"), read("\"5\"")), (None, None, None, None));
        let text = |hundredths| serde_json::to_string(&Percent(hundredths)).unwrap();
        assert_eq!((text(1500), text(1250)), ("15".into(), "12.5".into()));
    }
}
