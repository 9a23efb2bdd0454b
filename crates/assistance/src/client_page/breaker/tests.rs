//! The breaker of dictated codes, in invented time.

use super::*;
use std::net::Ipv4Addr;

fn start() -> DateTime<Utc> {
    DateTime::from_timestamp(1_800_000_000, 0).expect("valid")
}

fn ip(text: &str) -> IpAddr {
    network_of(text.parse().expect("an address"))
}

/// A guess that is checked at its turn and is wrong. Answers whether it was checked, and after how long.
fn wrong(counts: &mut Counts, network: IpAddr, now: DateTime<Utc>) -> Option<TimeDelta> {
    let turn = counts.ask(network, now).ok()?;
    counts.was_wrong(turn);
    counts.networks.get_mut(&network).expect("it asked").waits = false;
    Some(turn - now)
}

// CLIENT-44
#[test]
fn a_site_is_one_network() {
    assert_eq!(ip("2001:db8:1:2::1"), ip("2001:db8:1:ffff:9::9"));
    assert_ne!(ip("2001:db8:1::1"), ip("2001:db8:2::1"));
    assert_ne!(ip("192.0.2.1"), ip("192.0.2.2"));
}

// CLIENT-44
#[test]
fn five_tries_are_free_and_the_next_ones_wait_their_turn() {
    let (mut counts, network) = (Counts::default(), ip("192.0.2.1"));
    for _ in 0..limits::DICTATED_CODE_TRIES {
        assert_eq!(wrong(&mut counts, network, start()), Some(TimeDelta::zero()));
    }
    assert_eq!(counts.ask(network, start()), Ok(start() + PACE));
    assert_eq!(counts.ask(network, start()), Err(Refused { retry_after_s: 10 }), "one waits at a time");
    assert_eq!(counts.ask(ip("192.0.2.2"), start()), Ok(start()), "others are not concerned");
    counts.networks.get_mut(&network).expect("known").waits = false;
    assert_eq!(counts.ask(network, start() + MEMORY + PACE), Ok(start() + MEMORY + PACE), "and it is forgotten");
}

// CLIENT-44
#[test]
fn a_flood_from_four_thousand_networks_is_slowed_and_right_codes_are_not() {
    let mut counts = Counts::default();
    let mut checked = 0;
    // What came through within 15 s before there was a breaker, kept up for ten minutes.
    let guesses: u32 = 20_000 * 40;
    for n in 0..guesses {
        let now = start() + TimeDelta::microseconds(i64::from(n) * 750);
        let network = IpAddr::V4(Ipv4Addr::from(0x0a00_0000 + n % 4_000));
        checked += u64::from(wrong(&mut counts, network, now).is_some_and(|waited| waited <= PACE));
        if n % 5_000 == 4_999 {
            let newcomer = IpAddr::V4(Ipv4Addr::from(0xc000_0000 + n));
            assert_eq!(counts.ask(newcomer, now), Ok(now), "a right code from elsewhere is checked at once");
            let mistyped = IpAddr::V4(Ipv4Addr::from(0xd000_0000 + n));
            assert_eq!(wrong(&mut counts, mistyped, now), Some(TimeDelta::zero()));
            assert_eq!(counts.ask(mistyped, now), Ok(now + PACE), "after an error it waits ten seconds at most");
        }
    }
    let a_day = checked * 24 * 6;
    assert!(checked < 23_000, "{checked} of {guesses} were checked");
    // Twenty codes alive, the whole year round.
    #[allow(clippy::cast_precision_loss)]
    let hits_a_year = 20.0 / 1e12 * a_day as f64 * 365.0;
    assert!(hits_a_year < 0.025, "{hits_a_year}");
    assert_eq!(10_u64.pow(12), 10_u64.pow(u32::try_from(limits::DICTATED_CODE_DIGITS).expect("small")));
    let hits_of_a_million_a_day = 20.0 / 1e12 * 1e6 * 365.0;
    assert!(hits_of_a_million_a_day < 0.01, "{hits_of_a_million_a_day}");
}

// CLIENT-44
#[test]
fn the_alarm_ends_a_minute_after_the_flood() {
    let mut counts = Counts::default();
    for n in 0..60 {
        wrong(&mut counts, IpAddr::V4(Ipv4Addr::from(0x0a00_0000 + n)), start());
    }
    assert!(counts.is_open(start()));
    assert!(!counts.is_open(start() + ALARM_WINDOW));
}
