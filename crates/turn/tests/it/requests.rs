//! Credentials, and the requests one by one.

use crate::client::{ENGINE, ENGINE_V6, Person, address, secret, with, world};
use atalaya_turn::{Limits, SharedSecret};
use stun_types::AddressFamily;
use stun_types::attribute::AttributeType;
use stun_types::message::{BINDING, Message, MessageWriteVec, TransactionId};
use stun_types::prelude::*;
use turn_types::attribute::{EvenPort, Lifetime, RequestedAddressFamily, RequestedTransport, ReservationToken};
use turn_types::message as method;

const UDP: u8 = RequestedTransport::UDP;

// TURN-3
#[test]
fn a_participant_of_a_call_gets_an_allocation() {
    let mut world = world();
    let mut alice = Person::new("PA_alice", "198.51.100.9:40000");
    let answer = alice.allocate(&mut world);
    answer.ok();
    assert!(answer.has_integrity, "the relay proves itself as well");
    assert_eq!(answer.mapped, Some(alice.client.address));
    let relayed = answer.relayed.expect("a relayed address");
    assert_eq!(relayed.ip(), address(ENGINE).ip());
    assert!(world.server.owns(relayed) && world.server.allocations() == 1);
    assert_eq!(answer.lifetime_s, Some(600));
}

/// What is wrong with somebody's credentials.
type Change = (&'static str, fn(&mut Person));

// TURN-3
#[test]
fn credentials_that_are_foreign_expired_or_nobodys_are_refused() {
    let change: [Change; 7] = [
        ("another secret", |p| p.password = SharedSecret::new(b"other").issue("PA_alice", 1_800_000_000, 3_600).password),
        ("another name than the one signed", |p| p.username = p.username.replace("alice", "bob")),
        ("a later expiry than the one signed", |p| p.username = p.username.replace("18000036", "18000099")),
        ("expired", |p| {
            let issued = secret().issue("PA_alice", 1_799_990_000, 3_600);
            (p.username, p.password) = (issued.username, issued.password);
        }),
        ("somebody who is in no call", |p| {
            let issued = secret().issue("PA_gone", 1_800_000_000, 3_600);
            (p.username, p.password) = (issued.username, issued.password);
        }),
        ("another realm", |p| p.realm = "elsewhere".into()),
        ("no expiry", |p| p.username = "PA_alice".into()),
    ];
    for (what, change) in change {
        let mut world = world();
        let mut person = Person::new("PA_alice", "198.51.100.9:40000");
        person.meet(&mut world);
        change(&mut person);
        let answer = person.ask(&mut world, method::ALLOCATE, &[&RequestedTransport::new(UDP)]);
        assert_eq!((answer.code, answer.has_integrity), (Some(401), false), "{what}");
        assert_eq!(world.server.allocations(), 0, "{what}");
        assert_eq!(world.server.stats().refused_credentials, 1, "{what}");
    }
}

// TURN-3
#[test]
fn a_nonce_of_another_address_or_time_is_stale() {
    let mut world = world();
    let mut alice = Person::new("PA_alice", "198.51.100.9:40000");
    alice.meet(&mut world);
    let mut elsewhere = Person { client: Person::new("PA_alice", "198.51.100.10:40000").client, ..alice.clone() };
    let answer = elsewhere.ask(&mut world, method::ALLOCATE, &[&RequestedTransport::new(UDP)]);
    assert_eq!(answer.code, Some(438));
    elsewhere.nonce = answer.nonce;
    elsewhere.ask(&mut world, method::ALLOCATE, &[&RequestedTransport::new(UDP)]).ok();
}

// TURN-3
#[test]
fn an_allocation_goes_on_beyond_the_credentials_while_its_participant_is_there() {
    let mut world = world();
    let mut alice = Person::new("PA_alice", "198.51.100.9:40000");
    alice.allocate(&mut world).ok();
    assert_eq!(alice.refresh(&mut world, 3_600).ok().lifetime_s, Some(3_600));
    world.wait(3_599);
    alice.refresh(&mut world, 3_600).ok();
    world.wait(300);
    let answer = alice.refresh(&mut world, 3_600);
    assert_eq!(answer.code, Some(438), "a new nonce is needed, though");
    alice.nonce = answer.nonce;
    alice.refresh(&mut world, 3_600).ok();
    let mut again = Person { client: Person::new("PA_alice", "198.51.100.9:40001").client, ..alice.clone() };
    assert_eq!(again.allocate(&mut world).code, Some(401), "but nothing new begins");
    world.live.clear();
    assert_eq!(alice.refresh(&mut world, 3_600).code, Some(401), "nor goes anything on without the participant");
}

// TURN-3
#[test]
fn an_allocation_belongs_to_the_credentials_that_made_it() {
    let mut world = world();
    let mut alice = Person::new("PA_alice", "198.51.100.9:40000");
    alice.allocate(&mut world).ok();
    let bob = Person { client: alice.client, nonce: alice.nonce.clone(), ..Person::new("PA_bob", "198.51.100.9:40000") };
    assert_eq!(bob.permit(&mut world, ENGINE).code, Some(441));
    assert_eq!(bob.refresh(&mut world, 0).code, Some(441));
    assert_eq!(bob.ask(&mut world, method::ALLOCATE, &[&RequestedTransport::new(UDP)]).code, Some(437));
}

// TURN-7
#[test]
fn allocations_are_asked_for_as_the_standard_says() {
    let udp = RequestedTransport::new(UDP);
    let (tcp, even, pair) = (RequestedTransport::new(RequestedTransport::TCP), EvenPort::new(false), EvenPort::new(true));
    let (token, v4, v6) = (
        ReservationToken::new(7),
        RequestedAddressFamily::new(AddressFamily::IPV4),
        RequestedAddressFamily::new(AddressFamily::IPV6),
    );
    let cases: [(&str, Vec<&dyn AttributeWrite>, Option<u16>); 8] = [
        ("no transport", vec![], Some(400)),
        ("relaying by TCP", vec![&tcp], Some(442)),
        ("an even port", vec![&udp, &even], None),
        ("two ports", vec![&udp, &pair], Some(508)),
        ("a reserved port", vec![&udp, &token], Some(508)),
        ("a reserved and an even port", vec![&udp, &token, &even], Some(400)),
        ("IPv4", vec![&udp, &v4], None),
        ("IPv6", vec![&udp, &v6], None),
    ];
    for (what, attributes, code) in cases {
        let mut world = world();
        let mut alice = Person::new("PA_alice", "198.51.100.9:40000");
        alice.meet(&mut world);
        assert_eq!(alice.ask(&mut world, method::ALLOCATE, &attributes).code, code, "{what}");
    }
    let mut v4_only = with(Limits::default(), &[ENGINE]);
    let mut alice = Person::new("PA_alice", "198.51.100.9:40000");
    alice.meet(&mut v4_only);
    assert_eq!(alice.ask(&mut v4_only, method::ALLOCATE, &[&udp, &v6]).code, Some(440));
}

// TURN-7
#[test]
fn a_repeated_request_gets_the_same_answer_and_a_second_one_is_refused() {
    let mut world = world();
    let mut alice = Person::new("PA_alice", "198.51.100.9:40000");
    alice.meet(&mut world);
    let request = alice.signed(method::ALLOCATE, TransactionId::generate(), &[&RequestedTransport::new(UDP)]);
    let first = world.ask(alice.client, &request, None).expect("an answer");
    let second = world.ask(alice.client, &request, None).expect("an answer");
    assert_eq!((first.code, first.relayed), (second.code, second.relayed));
    assert_eq!(alice.ask(&mut world, method::ALLOCATE, &[&RequestedTransport::new(UDP)]).code, Some(437));
}

// TURN-7
#[test]
fn unknown_attributes_that_must_be_understood_are_named() {
    struct Odd;
    impl std::fmt::Debug for Odd {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("Odd")
        }
    }
    impl Attribute for Odd {
        fn get_type(&self) -> AttributeType {
            AttributeType::new(0x0099)
        }
        fn length(&self) -> u16 {
            0
        }
    }
    impl AttributeWrite for Odd {
        fn write_into_unchecked(&self, dest: &mut [u8]) {
            dest[..4].copy_from_slice(&[0, 0x99, 0, 0]);
        }
        fn to_raw(&self) -> stun_types::attribute::RawAttribute<'_> {
            stun_types::attribute::RawAttribute::new(AttributeType::new(0x0099), &[])
        }
    }
    let mut world = world();
    let mut alice = Person::new("PA_alice", "198.51.100.9:40000");
    alice.meet(&mut world);
    assert_eq!(alice.ask(&mut world, method::ALLOCATE, &[&RequestedTransport::new(UDP), &Odd]).code, Some(420));
}

// TURN-6
#[test]
fn an_allocation_ends_by_itself_by_wish_and_with_its_participant() {
    let mut world = world();
    let mut alice = Person::new("PA_alice", "198.51.100.9:40000");
    alice.allocate(&mut world).ok();
    world.wait(601);
    assert_eq!(world.server.allocations(), 0, "not refreshed");
    let relayed = alice.allocate(&mut world).relayed.expect("a relayed address");
    assert_eq!(alice.refresh(&mut world, 0).ok().lifetime_s, Some(0));
    assert!(!world.server.owns(relayed), "given back");
    alice.allocate(&mut world).ok();
    let mut bob = Person::new("PA_bob", "198.51.100.9:40001");
    bob.allocate(&mut world).ok();
    let now = world.at().now;
    world.server.end_subject(now, "PA_alice");
    assert_eq!(world.server.allocations(), 1, "only the one who left");
    assert_eq!(alice.refresh(&mut world, 600).code, Some(437));
    bob.refresh(&mut world, 600).ok();
}

// TURN-2
#[test]
fn nothing_but_the_engine_is_permitted() {
    let mut world = world();
    let mut alice = Person::new("PA_alice", "198.51.100.9:40000");
    alice.allocate(&mut world).ok();
    for peer in [
        "203.0.113.5:22",
        "203.0.113.5:5432",
        "203.0.113.6:7882",
        "127.0.0.1:7882",
        "10.0.0.1:80",
        "169.254.169.254:80",
        "[::1]:7882",
        "[::ffff:127.0.0.1]:7882",
        "[fd00::1]:443",
        "0.0.0.0:7882",
        "255.255.255.255:7882",
        "198.51.100.9:40000",
    ] {
        assert_eq!(alice.permit(&mut world, peer).code, Some(403), "{peer}");
        assert_eq!(alice.bind(&mut world, 0x4000, peer).code, Some(403), "{peer}");
    }
    assert_eq!(world.server.stats().refused_peers, 24);
    alice.permit(&mut world, ENGINE).ok();
    assert_eq!(alice.permit(&mut world, ENGINE_V6).code, Some(443), "the other family");
}

// TURN-7
#[test]
fn channels_are_bound_one_to_one() {
    let mut world = with(Limits::default(), &[ENGINE, "203.0.113.5:7900"]);
    let mut alice = Person::new("PA_alice", "198.51.100.9:40000");
    alice.allocate(&mut world).ok();
    alice.bind(&mut world, 0x4000, ENGINE).ok();
    alice.bind(&mut world, 0x4000, ENGINE).ok();
    assert_eq!(alice.bind(&mut world, 0x4001, ENGINE).code, Some(400), "the peer has a channel");
    assert_eq!(alice.bind(&mut world, 0x4000, "203.0.113.5:7900").code, Some(400), "the channel has a peer");
    assert_eq!(alice.bind(&mut world, 0x5000, "203.0.113.5:7900").code, Some(400), "no number of a channel");
    assert_eq!(alice.bind(&mut world, 0x3fff, "203.0.113.5:7900").code, Some(400), "no number of a channel");
    alice.bind(&mut world, 0x4fff, "203.0.113.5:7900").ok();
    assert_eq!(alice.ask(&mut world, method::CREATE_PERMISSION, &[]).code, Some(400), "no peer");
    assert_eq!(alice.ask(&mut world, method::CHANNEL_BIND, &[]).code, Some(400), "no peer");
}

// TURN-7
#[test]
fn a_client_without_credentials_learns_its_address() {
    let mut world = world();
    let client = Person::new("PA_alice", "[::ffff:198.51.100.9]:40000").client;
    let request = Message::builder_request(BINDING, MessageWriteVec::new()).finish();
    let answer = world.ask(client, &request, None).expect("an answer");
    assert_eq!(answer.ok().mapped, Some(address("198.51.100.9:40000")));
}

// TURN-7
#[test]
fn the_lifetime_has_two_ends() {
    for (asked, granted) in [(1, 600), (600, 600), (777, 777), (3_600, 3_600), (u32::MAX, 3_600)] {
        let mut world = world();
        let mut alice = Person::new("PA_alice", "198.51.100.9:40000");
        alice.meet(&mut world);
        let answer = alice.ask(&mut world, method::ALLOCATE, &[&RequestedTransport::new(UDP), &Lifetime::new(asked)]);
        assert_eq!(answer.ok().lifetime_s, Some(granted));
    }
}
