//! What passes, in both directions.

use crate::client::{ENGINE, ENGINE_V6, Person, address, channel_data, indication, world};
use atalaya_turn::{Client, Output};
use stun_types::AddressFamily;
use stun_types::message::Message;
use turn_types::attribute::{Data, RequestedAddressFamily, RequestedTransport, XorPeerAddress};
use turn_types::message as method;

// TURN-2
#[test]
fn indications_and_channels_reach_the_engine_and_its_packets_come_back() {
    let mut world = world();
    let mut alice = Person::new("PA_alice", "198.51.100.9:40000");
    let relayed = alice.allocate(&mut world).relayed.expect("a relayed address");
    let now = world.at().now;
    assert_eq!(world.receive(alice.client, &indication(ENGINE, b"early")), None, "not permitted yet");
    assert_eq!(world.server.send_to_client(now, relayed, address(ENGINE), b"early"), None, "not permitted yet");

    alice.permit(&mut world, ENGINE).ok();
    let got = world.receive(alice.client, &indication(ENGINE, b"hello"));
    assert_eq!(got, Some((relayed, address(ENGINE), b"hello".to_vec())));
    let (client, bytes) = world.server.send_to_client(now, relayed, address(ENGINE), b"hi").expect("permitted");
    assert_eq!(client, alice.client);
    let message = Message::from_bytes(&bytes).expect("a message");
    assert!(message.has_method(method::DATA));
    assert_eq!(message.attribute::<Data<'_>>().expect("data").data(), b"hi");
    assert_eq!(message.attribute::<XorPeerAddress>().expect("a peer").addr(message.transaction_id()), address(ENGINE));

    alice.bind(&mut world, 0x4001, ENGINE).ok();
    let got = world.receive(alice.client, &channel_data(0x4001, b"media"));
    assert_eq!(got, Some((relayed, address(ENGINE), b"media".to_vec())));
    let padded = [channel_data(0x4001, b"media"), vec![0; 3]].concat();
    assert_eq!(world.receive(alice.client, &padded).expect("relayed").2, b"media", "padding is no data");
    let (_, bytes) = world.server.send_to_client(now, relayed, address(ENGINE), b"media").expect("permitted");
    assert_eq!(bytes, channel_data(0x4001, b"media"));
    assert_eq!((world.server.stats().bytes_up, world.server.stats().bytes_down), (15, 7));
}

// TURN-8
#[test]
fn on_a_stream_channel_data_is_padded() {
    let mut world = world();
    let mut alice = Person::new("PA_alice", "198.51.100.9:40000").by_tcp(7);
    let now = world.at().now;
    world.server.opened(now, alice.client);
    let relayed = alice.allocate(&mut world).relayed.expect("a relayed address");
    alice.bind(&mut world, 0x4001, ENGINE).ok();
    let (_, bytes) = world.server.send_to_client(now, relayed, address(ENGINE), b"media").expect("permitted");
    assert_eq!(bytes, [channel_data(0x4001, b"media"), vec![0; 3]].concat());
    world.server.closed(alice.client);
    assert_eq!((world.server.allocations(), world.server.owns(relayed)), (0, false), "ends with its connection");
}

// TURN-2
#[test]
fn what_is_for_nobody_of_ours_is_dropped() {
    let mut world = world();
    let mut alice = Person::new("PA_alice", "198.51.100.9:40000");
    let relayed = alice.allocate(&mut world).relayed.expect("a relayed address");
    alice.bind(&mut world, 0x4001, ENGINE).ok();
    let stranger = Client { address: address("198.51.100.9:40001"), ..alice.client };
    for (client, bytes, what) in [
        (alice.client, indication("203.0.113.5:22", b"x"), "another port of the engine's machine"),
        (alice.client, indication("127.0.0.1:7882", b"x"), "the loopback"),
        (alice.client, indication("10.0.0.1:7882", b"x"), "the network"),
        (alice.client, indication(&relayed.to_string(), b"x"), "a relayed address"),
        (alice.client, channel_data(0x4002, b"x"), "another channel"),
        (alice.client, vec![0x40, 0x01, 0, 9, 1], "less than it says"),
        (stranger, channel_data(0x4001, b"x"), "somebody else's channel"),
        (stranger, indication(ENGINE, b"x"), "no allocation"),
    ] {
        assert_eq!(world.receive(client, &bytes), None, "{what}");
        assert_eq!(world.server.poll(), None, "{what}: no answer");
    }
    let now = world.at().now;
    assert_eq!(world.server.send_to_client(now, address("203.0.113.5:9"), address(ENGINE), b"x"), None);
}

// TURN-7
#[test]
fn permissions_and_channels_end_unless_renewed() {
    let mut world = world();
    let mut alice = Person::new("PA_alice", "198.51.100.9:40000");
    let relayed = alice.allocate(&mut world).relayed.expect("a relayed address");
    alice.refresh(&mut world, 3_600).ok();
    alice.bind(&mut world, 0x4001, ENGINE).ok();
    world.wait(301);
    let now = world.at().now;
    assert_eq!(world.server.send_to_client(now, relayed, address(ENGINE), b"x"), None, "the permission is over");
    assert!(world.receive(alice.client, &channel_data(0x4001, b"x")).is_some(), "the channel is not");
    alice.permit(&mut world, ENGINE).ok();
    assert!(world.server.send_to_client(now, relayed, address(ENGINE), b"x").is_some());
    world.wait(300);
    assert_eq!(world.receive(alice.client, &channel_data(0x4001, b"x")), None, "the channel is over");
}

// TURN-7
#[test]
fn a_client_by_ipv6_is_relayed_in_either_family() {
    let mut world = world();
    for (family, engine, port) in [(AddressFamily::IPV4, ENGINE, 40_000), (AddressFamily::IPV6, ENGINE_V6, 40_001)] {
        let mut alice = Person::new("PA_alice", &format!("[2001:db8:1::9]:{port}"));
        alice.meet(&mut world);
        let (udp, family) = (RequestedTransport::new(RequestedTransport::UDP), RequestedAddressFamily::new(family));
        let answer = alice.ask(&mut world, method::ALLOCATE, &[&udp, &family]);
        assert_eq!(answer.ok().mapped, Some(alice.client.address));
        let relayed = answer.relayed.expect("a relayed address");
        assert_eq!(relayed.ip(), address(engine).ip());
        alice.bind(&mut world, 0x4001, engine).ok();
        assert_eq!(world.receive(alice.client, &channel_data(0x4001, b"x")).expect("relayed").1, address(engine));
        let now = world.at().now;
        assert!(world.server.send_to_client(now, relayed, address(engine), b"x").is_some());
    }
}

// TURN-8
#[test]
fn a_connection_without_an_allocation_is_closed() {
    let mut world = world();
    let mut alice = Person::new("PA_alice", "198.51.100.9:40000").by_tcp(1);
    let bob = Person::new("PA_bob", "198.51.100.9:40001").by_tcp(2);
    let now = world.at().now;
    world.server.opened(now, alice.client);
    world.server.opened(now, bob.client);
    alice.allocate(&mut world).ok();
    world.wait(9);
    assert_eq!(world.server.poll(), None);
    world.wait(2);
    assert_eq!(world.server.poll(), Some(Output::Close { client: bob.client }));
    world.wait(600);
    world.wait(11);
    assert_eq!(world.server.poll(), Some(Output::Close { client: alice.client }), "when its allocation has ended");
    assert_eq!(world.server.poll(), None);
}
