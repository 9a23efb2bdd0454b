//! Floods, amplification, hostile bytes.

use crate::client::{ENGINE, Person, World, address, channel_data, with, world};
use atalaya_turn::{Client, Limits, Output, Via, is_for_relay};
use proptest::prelude::*;
use stun_types::attribute::{Nonce, Realm, Username};
use stun_types::message::{BINDING, Message, MessageWriteVec, TransactionId};
use stun_types::prelude::*;
use turn_types::attribute::RequestedTransport;
use turn_types::message as method;

fn udp() -> RequestedTransport {
    RequestedTransport::new(RequestedTransport::UDP)
}

// TURN-4
#[test]
fn before_the_credentials_an_answer_is_small() {
    let mut world = world();
    let mut alice = Person::new("PA_alice", "[2001:db8:ffff:ffff:ffff:ffff:ffff:ffff]:65535");
    let bare = alice.ask(&mut world, method::ALLOCATE, &[&udp()]);
    let made_up = Person { nonce: Some("0".into()), ..alice.clone() };
    let stale = made_up.ask(&mut world, method::ALLOCATE, &[&udp()]);
    alice.meet(&mut world);
    let wrong = Person { password: "wrong".into(), ..alice.clone() }.ask(&mut world, method::REFRESH, &[]);
    let binding = Message::builder_request(BINDING, MessageWriteVec::new()).finish();
    let binding = world.ask(alice.client, &binding, None).expect("an answer");
    let mut other = Message::builder_request(stun_types::message::Method::new(0x00b), MessageWriteVec::new());
    other.add_fingerprint().expect("fits");
    let other = world.ask(alice.client, &other.finish(), None).expect("an answer");
    for (answer, code) in [(bare, Some(401)), (stale, Some(438)), (wrong, Some(401)), (binding, None), (other, Some(400))] {
        assert_eq!(answer.code, code);
        assert!(answer.size <= 128 && !answer.has_integrity, "{answer:?}");
    }
}

// TURN-4
#[test]
fn a_source_gets_so_many_answers_and_others_get_theirs() {
    let limits = Limits { answers_per_second: 2, answers_burst: 5, ..Limits::default() };
    let mut world = with(limits, &[ENGINE]);
    let flood = |world: &mut World, from: &str| {
        let person = Person::new("PA_alice", from);
        let request = person.signed(method::ALLOCATE, TransactionId::generate(), &[&udp()]);
        world.ask(person.client, &request, None).is_some()
    };
    let answered = (0..100).filter(|port| flood(&mut world, &format!("198.51.100.9:{}", 40_000 + port))).count();
    assert_eq!(answered, 5, "whatever the port");
    assert_eq!(world.server.stats().unanswered, 95);
    assert!(flood(&mut world, "198.51.100.10:40000"), "another source");
    world.wait(1);
    assert!(flood(&mut world, "198.51.100.9:40000"), "a second later");
}

// TURN-4
#[test]
fn a_client_with_credentials_is_not_held_up_by_the_limit() {
    let limits = Limits { answers_per_second: 1, answers_burst: 1, ..Limits::default() };
    let mut world = with(limits, &[ENGINE]);
    let mut alice = Person::new("PA_alice", "198.51.100.9:40000");
    alice.allocate(&mut world).ok();
    for _ in 0..50 {
        alice.permit(&mut world, ENGINE).ok();
    }
}

// TURN-8
#[test]
fn an_address_has_few_connections_that_have_proved_nothing() {
    let mut world = world();
    let now = world.at().now;
    let connection = |from: &str, id: u64| Person::new("PA_alice", from).by_tcp(id).client;
    for id in 0..64 {
        world.server.opened(now, connection("198.51.100.9:40000", id));
    }
    assert_eq!(world.server.poll(), None);
    let one_more = connection("198.51.100.9:40001", 64);
    world.server.opened(now, one_more);
    assert_eq!(world.server.poll(), Some(Output::Close { client: one_more }));
    world.server.opened(now, connection("198.51.100.10:40000", 65));
    assert_eq!(world.server.poll(), None, "another address");
}

// TURN-5
#[test]
fn allocations_are_counted_by_participant_by_address_and_together() {
    let limits = || Limits { allocations: 6, allocations_of_subject: 2, allocations_of_address: 4, ..Limits::default() };
    let mut world = with(limits(), &[ENGINE]);
    let ask = |world: &mut World, who: &str, from: &str| Person::new(who, from).allocate(world).code;
    assert_eq!(ask(&mut world, "PA_alice", "198.51.100.9:1001"), None);
    assert_eq!(ask(&mut world, "PA_alice", "198.51.100.9:1002"), None);
    assert_eq!(ask(&mut world, "PA_alice", "198.51.100.7:1003"), Some(486), "the participant has two");
    assert_eq!(ask(&mut world, "PA_bob", "198.51.100.9:1004"), None);
    assert_eq!(ask(&mut world, "PA_bob", "198.51.100.9:1005"), None);
    world.live.extend(["PA_c", "PA_d", "PA_e"]);
    assert_eq!(ask(&mut world, "PA_c", "198.51.100.9:1006"), Some(486), "the address has four");
    assert_eq!(ask(&mut world, "PA_c", "198.51.100.8:1006"), None);
    assert_eq!(ask(&mut world, "PA_d", "198.51.100.8:1007"), None);
    assert_eq!(ask(&mut world, "PA_e", "198.51.100.6:1008"), Some(508), "there are six");
    assert_eq!(world.server.stats().refused_quota, 3);
    world.wait(601);
    assert_eq!(ask(&mut world, "PA_e", "198.51.100.6:1008"), None, "the others are over");
}

// TURN-5
#[test]
fn an_allocation_has_so_much_bandwidth_each_way() {
    let limits = Limits { bytes_per_second: 10_000, ..Limits::default() };
    let mut world = with(limits, &[ENGINE]);
    let mut alice = Person::new("PA_alice", "198.51.100.9:40000");
    let relayed = alice.allocate(&mut world).relayed.expect("a relayed address");
    alice.bind(&mut world, 0x4001, ENGINE).ok();
    let packet = channel_data(0x4001, &[1; 1_000]);
    let up = (0..30).filter(|_| world.receive(alice.client, &packet).is_some()).count();
    let now = world.at().now;
    let down = (0..30).filter(|_| world.server.send_to_client(now, relayed, address(ENGINE), &[1; 1_000]).is_some()).count();
    assert_eq!((up, down), (10, 10));
    assert_eq!(world.server.stats().dropped, 40);
    world.wait(1);
    assert!(world.receive(alice.client, &packet).is_some());
}

fn attribute_soup() -> impl Strategy<Value = Vec<u8>> {
    let kinds = prop::sample::select(vec![
        0x0006u16, 0x0008, 0x0009, 0x000a, 0x000c, 0x000d, 0x0012, 0x0013, 0x0014, 0x0015, 0x0016, 0x0017, 0x0018, 0x0019,
        0x001a, 0x001c, 0x0020, 0x0022, 0x8028, 0x8022, 0x7fff, 0xffff,
    ]);
    let attribute =
        (kinds, prop::collection::vec(any::<u8>(), 0..40), prop::option::of(any::<u16>())).prop_map(|(kind, value, lie)| {
            let length = lie.unwrap_or(u16::try_from(value.len()).unwrap_or(0));
            let mut bytes = [&kind.to_be_bytes()[..], &length.to_be_bytes(), &value].concat();
            bytes.resize(bytes.len().next_multiple_of(4), 0);
            bytes
        });
    let header = (
        prop::sample::select(vec![0x001u16, 0x003, 0x004, 0x008, 0x009, 0x016, 0x017, 0x103, 0x113]),
        prop::option::of(any::<u16>()),
    );
    (header, prop::collection::vec(attribute, 0..8)).prop_map(|((kind, lie), attributes)| {
        let body = attributes.concat();
        let length = lie.unwrap_or(u16::try_from(body.len()).unwrap_or(0));
        [&kind.to_be_bytes()[..], &length.to_be_bytes(), &[0x21, 0x12, 0xa4, 0x42], &[5; 12], &body].concat()
    })
}

/// Whatever they are, the bytes get at most one small answer, make no allocation and reach nobody.
fn harmless(bytes: &[u8], via: Via) -> Result<(), TestCaseError> {
    let mut world = world();
    let client = Client { via, address: address("198.51.100.9:40000") };
    let _ = is_for_relay(bytes);
    prop_assert!(world.receive(client, bytes).is_none());
    if let Some(answer) = world.sent(client) {
        prop_assert!(answer.len() <= 128, "{} bytes", answer.len());
    }
    prop_assert!(world.server.poll().is_none() && world.server.allocations() == 0);
    Ok(())
}

proptest! {
    // TURN-9
    #[test]
    fn any_bytes_are_harmless(bytes in prop::collection::vec(any::<u8>(), 0..600)) {
        harmless(&bytes, Via::Udp(address(ENGINE)))?;
    }

    // TURN-9
    #[test]
    fn any_attributes_are_harmless(bytes in attribute_soup()) {
        harmless(&bytes, Via::Tcp(1))?;
    }

    // TURN-9
    #[test]
    fn a_message_that_is_bent_anywhere_is_harmless(at in any::<prop::sample::Index>(), to in any::<u8>(), cut in any::<prop::sample::Index>()) {
        let mut world = world();
        let mut alice = Person::new("PA_alice", "198.51.100.9:40000");
        alice.meet(&mut world);
        let mut bytes = alice.signed(method::ALLOCATE, TransactionId::generate(), &[&udp()]);
        let whole = bytes.clone();
        let index = at.index(bytes.len());
        bytes[index] = to;
        // The length is not covered: integrity is computed with one of its own (RFC 8489 section 14.5), so that a message
        // that only lost what follows its integrity is still its sender's.
        if bytes != whole && !(2..4).contains(&index) {
            let _ = world.receive(alice.client, &bytes);
            prop_assert_eq!(world.server.allocations(), 0, "byte {} is not covered", index);
        }
        let _ = world.receive(alice.client, &whole[..cut.index(whole.len())]);
        prop_assert_eq!(world.server.allocations(), 0);
    }

    // TURN-9
    #[test]
    fn an_authenticated_client_can_do_no_more(soup in prop::collection::vec(attribute_soup(), 1..6)) {
        let mut world = world();
        let mut alice = Person::new("PA_alice", "198.51.100.9:40000");
        alice.allocate(&mut world).ok();
        for bytes in soup {
            prop_assert!(world.receive(alice.client, &bytes).is_none(), "something was relayed without a permission");
        }
    }
}

// TURN-9
#[test]
fn attributes_of_the_wrong_length_are_no_credentials() {
    let mut world = world();
    let mut alice = Person::new("PA_alice", "198.51.100.9:40000");
    alice.meet(&mut world);
    for kind in [Username::TYPE, Realm::TYPE, Nonce::TYPE] {
        let bytes = [
            &[0, 3, 0, 28, 0x21, 0x12, 0xa4, 0x42][..],
            &[5; 12],
            &kind.value().to_be_bytes(),
            &[0, 0],
            &[0, 8, 0, 20],
            &[0; 20],
        ]
        .concat();
        let answer = world.ask(alice.client, &bytes, None).expect("an answer");
        assert_eq!(answer.code, Some(400), "{kind:?}");
    }
}
