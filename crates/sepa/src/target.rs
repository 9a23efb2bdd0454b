//! TARGET days: those on which euro payments move, and when a debit may be asked for (SEPA-3).

use chrono::{Datelike, Days, NaiveDate, Weekday};

/// Whether TARGET, the euro's payment system, is open that day.
pub fn is_open(day: NaiveDate) -> bool {
    let fixed = matches!((day.month(), day.day()), (1, 1) | (5, 1) | (12, 25 | 26));
    let easter = easter(day.year());
    let moving = day + Days::new(2) == easter || Some(day) == easter.checked_add_days(Days::new(1));
    !(matches!(day.weekday(), Weekday::Sat | Weekday::Sun) || fixed || moving)
}

/// The day itself, or the next open one.
pub fn on_or_after(mut day: NaiveDate) -> NaiveDate {
    while !is_open(day) {
        day = day + Days::new(1);
    }
    day
}

/// So many open days later.
pub fn plus(mut day: NaiveDate, open_days: u32) -> NaiveDate {
    for _ in 0..open_days {
        day = on_or_after(day + Days::new(1));
    }
    day
}

/// The earliest day to ask for: `notice_days` after `issued`, an open one, and at least `lead_days` open days away.
pub fn collection(issued: NaiveDate, notice_days: u32, lead_days: u32) -> NaiveDate {
    on_or_after(issued + Days::new(notice_days.into())).max(plus(issued, lead_days))
}

/// Easter Sunday of the Gregorian calendar: the full moon of the church's tables (lunar cycle of nineteen years), then
/// the Sunday after it.
fn easter(year: i32) -> NaiveDate {
    let golden = year % 19;
    let century = year / 100;
    let (leap_skipped, moon_shift) = (century - century / 4, (8 * century + 13) / 25);
    let mut moon = (19 * golden + leap_skipped - moon_shift + 15).rem_euclid(30);
    // The tables leave two dates out.
    if moon == 29 || (moon == 28 && golden > 10) {
        moon -= 1;
    }
    let full = NaiveDate::from_ymd_opt(year, 3, 21).expect("a day of March") + Days::new(moon.unsigned_abs().into());
    full + Days::new(u64::from(7 - full.weekday().num_days_from_sunday()))
}
