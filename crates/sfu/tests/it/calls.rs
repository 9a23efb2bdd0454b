use crate::world::{claims, description, world};
use atalaya_sfu::hub::JoinInput;
use atalaya_sfu::proto::signal_request::Message as Request;
use atalaya_sfu::proto::signal_response::Message;
use atalaya_sfu::proto::{self, DisconnectReason, JoinRequest, TrackSource, leave_request::Action};
use atalaya_sfu::{EngineEvent, LeaveReason, VideoGrants};
use proptest::prelude::*;
use prost::Message as _;
use std::collections::HashSet;
use std::time::Duration;
use str0m::media::{Direction, MediaKind};
use str0m::net::Protocol;

const SECOND: Duration = Duration::from_secs(1);

fn user_packet(payload: &[u8], to: &[&str]) -> Vec<u8> {
    proto::DataPacket {
        participant_identity: "user:somebody-else".into(),
        destination_identities: to.iter().map(|s| s.to_string()).collect(),
        value: Some(proto::data_packet::Value::User(proto::UserPacket { payload: payload.to_vec(), ..Default::default() })),
        ..Default::default()
    }
    .encode_to_vec()
}

// ENGINE-1
#[test]
fn two_participants_see_and_hear_each_other() {
    let mut w = world();
    let alice = w.connect(claims("r", "alice"), 3, 3);
    let (mic, _) = w.publish(alice, MediaKind::Audio, TrackSource::Microphone);
    let (cam, _) = w.publish(alice, MediaKind::Video, TrackSource::Camera);
    let bob = w.connect(claims("r", "bob"), 3, 3);
    w.stream(alice, Some(mic), Some(cam), 4, 0);
    let b = &w.clients[bob];
    assert!(b.audio_frames() >= 190, "{} of 200 packets", b.audio_frames());
    assert!(b.video_frames() >= 90, "{} of 100 frames", b.video_frames());
    let info = b.known("alice").expect("alice is known");
    assert_eq!((info.tracks.len(), info.state), (2, proto::participant_info::State::Active as i32));
    assert!(b.inbox.iter().any(|m| matches!(m, Message::SpeakersChanged(_))), "alice speaks");
    assert!(b.inbox.iter().any(|m| matches!(m, Message::ConnectionQuality(_))));
    let joined = w.events.iter().filter(|e| matches!(e, EngineEvent::ParticipantJoined { .. })).count();
    let published = w.events.iter().filter(|e| matches!(e, EngineEvent::TrackPublished { .. })).count();
    assert_eq!((joined, published), (2, 2));
}

// ENGINE-15
#[test]
fn five_percent_loss_both_ways_is_repaired() {
    let mut w = world();
    let alice = w.connect(claims("r", "alice"), 3, 3);
    let (mic, _) = w.publish(alice, MediaKind::Audio, TrackSource::Microphone);
    let (cam, _) = w.publish(alice, MediaKind::Video, TrackSource::Camera);
    let bob = w.connect(claims("r", "bob"), 3, 3);
    w.loss = 5;
    w.stream(alice, Some(mic), Some(cam), 10, 0);
    w.loss = 0;
    w.run(SECOND);
    let b = &w.clients[bob];
    assert!(b.video_frames() >= 230, "{} of 250 frames", b.video_frames());
    assert!(b.audio_frames() >= 490, "RED repairs audio: {} of 500 packets", b.audio_frames());
}

// ENGINE-6
#[test]
fn a_section_used_again_was_inactive_between_and_has_a_fresh_source() {
    let mut w = world();
    let bob = w.connect(claims("r", "bob"), 1, 1);
    let first = &w.clients[bob].answers[0].sdp;
    assert_eq!(first.matches("a=inactive").count(), 2, "unused sections are inactive:\n{first}");
    assert!(!first.contains("a=msid:") && !first.contains("a=ssrc"));
    let alice = w.connect(claims("r", "alice"), 1, 1);
    let (cam, sid) = w.publish(alice, MediaKind::Video, TrackSource::Camera);
    w.stream(alice, None, Some(cam), 1, 0);
    let mid = w.clients[bob].receiving[1].to_string();
    let carried = |w: &crate::world::World| w.clients[bob].answers.last().and_then(|a| a.mid_to_track_id.get(&mid).cloned());
    assert_eq!(carried(&w), Some(sid.clone()));
    let before = sources(&w.clients[bob].answers.last().expect("answered").sdp);
    let answers = w.clients[bob].answers.len();
    w.offer(alice, &[(cam, Direction::Inactive)]);
    w.run(SECOND);
    assert_eq!(carried(&w), None, "shown inactive");
    assert!(w.clients[bob].answers.len() > answers);
    let (second, sid) = w.publish(alice, MediaKind::Video, TrackSource::Camera);
    w.run(SECOND);
    assert_eq!(carried(&w), Some(sid), "the same section");
    let after = sources(&w.clients[bob].answers.last().expect("answered").sdp);
    assert!(!before.is_empty() && before.is_disjoint(&after), "{before:?} {after:?}");
    let packets = w.video_sent(bob);
    w.stream(alice, None, Some(second), 1, 50_000);
    assert!(w.video_sent(bob) >= packets + 48, "two packets per frame");
}

// ENGINE-14
#[test]
fn a_newcomer_sees_a_picture_as_soon_as_its_connection_stands() {
    let mut w = world();
    let alice = w.connect(claims("r", "alice"), 1, 1);
    let (cam, _) = w.publish(alice, MediaKind::Video, TrackSource::Camera);
    w.stream(alice, None, Some(cam), 3, 0);
    let bob = w.join(claims("r", "bob"), 1, 1);
    let mut at = 3_000;
    while w.clients[bob].video_frames() == 0 && at < 6_000 {
        w.stream_ms(alice, None, Some(cam), 40, at, false);
        at += 40;
    }
    let connected = w.clients[bob].connected_at.expect("connected");
    let waited = w.now.duration_since(connected);
    assert!(waited <= Duration::from_millis(60), "{waited:?} after the connection stood");
}

fn sources(sdp: &str) -> HashSet<String> {
    sdp.lines().filter_map(|l| l.strip_prefix("a=ssrc:")?.split(' ').next()).map(str::to_string).collect()
}

// ENGINE-7
#[test]
fn nothing_is_required_before_the_first_offer() {
    let mut w = world();
    let alice = w.connect(claims("r", "alice"), 1, 1);
    w.publish(alice, MediaKind::Video, TrackSource::Camera);
    let conn = 900;
    let request = JoinRequest {
        connection_settings: Some(proto::ConnectionSettings { auto_subscribe: true, ..Default::default() }),
        ..Default::default()
    };
    w.clients[alice].conn = 0;
    w.hub.join(w.now, JoinInput { conn, claims: claims("r", "firefox"), request }).expect("joined");
    w.clients[alice].conn = conn;
    w.carry();
    w.run(SECOND * 3);
    let asked = w.clients[alice].inbox.iter().filter(|m| matches!(m, Message::MediaSectionsRequirement(_))).count();
    assert_eq!(asked, 0);
}

// ENGINE-9
#[test]
fn candidates_of_the_client_are_not_needed() {
    let mut w = world();
    let alice = w.join(claims("r", "alice"), 1, 1);
    let init = r#"{"candidate":"candidate:1 1 udp 2113937151 3f5c7a52-aaaa.local 5000 typ host","sdpMid":"0"}"#;
    w.request(alice, Request::Trickle(proto::TrickleRequest { candidate_init: init.into(), ..Default::default() }));
    w.run(SECOND);
    assert!(w.clients[alice].connected, "by the address it calls from");
}

// ENGINE-30
#[test]
fn what_an_offer_names_as_candidates_is_never_called() {
    let mut w = world();
    let began = w.now;
    let inner = "a=candidate:9 1 udp 2130706431 10.0.0.99 22 typ host\r\n";
    let mallory = w.join_as(claims("r", "mallory"), 1, 1, |offer| {
        assert!(offer.contains("a=candidate:"), "an ordinary offer has candidates of its own");
        offer.replacen("a=group:", &format!("{inner}a=group:"), 1).replace("a=mid:", &format!("{inner}a=mid:"))
    });
    w.run(SECOND * 3);
    assert_eq!(w.astray, Vec::<std::net::SocketAddr>::new(), "checks go to whoever called and to nobody else");
    let took = w.clients[mallory].connected_at.expect("by the address it calls from") - began;
    assert!(took < Duration::from_millis(150), "no check is sent before the address is known, and none is lost: {took:?}");
}

// ENGINE-31
#[test]
fn another_certificate_than_the_offer_s_gets_no_media() {
    let mut w = world();
    let alice = w.connect(claims("r", "alice"), 1, 1);
    let (camera, _) = w.publish(alice, MediaKind::Video, TrackSource::Camera);
    let mallory = w.join_as(claims("r", "mallory"), 1, 1, |offer| {
        let (before, after) = offer.split_once("a=fingerprint:sha-256 ").expect("a fingerprint");
        let other = if after.starts_with("00") { "11" } else { "00" };
        format!("{before}a=fingerprint:sha-256 {other}{}", &after[2..])
    });
    w.stream(alice, None, Some(camera), 2, 0);
    assert!(w.sent.keys().all(|(client, _)| *client != mallory), "not a packet: {:?}", w.sent);
    assert!(w.clients[mallory].frames.is_empty());
    let gone = w.clients[alice].known("mallory").expect("a word about mallory");
    assert_eq!(gone.state, proto::participant_info::State::Disconnected as i32, "the connection ends");
    let bob = w.connect(claims("r", "bob"), 1, 1);
    w.stream(alice, None, Some(camera), 1, 2_000);
    assert!(w.clients[bob].video_frames() > 0, "the others notice nothing");
}

// ENGINE-32
#[test]
fn a_hello_from_elsewhere_does_not_overtake_the_caller_s() {
    let mut w = world();
    let alice = w.join(claims("r", "alice"), 1, 1);
    let hello = loop {
        w.step();
        if let Some(hello) = w.dtls_on_the_wire(alice) {
            break hello;
        }
    };
    let strays = w.hub.counters.stray_datagrams;
    let (from, to) = ("10.9.9.9:1".parse().expect("an address"), crate::world::SERVER.parse().expect("an address"));
    w.hub.datagram(w.now, Protocol::Udp, from, to, &hello);
    w.carry();
    assert_eq!(w.hub.counters.stray_datagrams, strays + 1, "no check with the password came from there");
    w.run(SECOND);
    assert!(w.clients[alice].connected && w.astray.is_empty(), "{:?}", w.astray);
}

// ENGINE-7
#[test]
fn when_no_section_is_free_the_missing_number_is_asked_for() {
    let mut w = world();
    let bob = w.connect(claims("r", "bob"), 0, 1);
    let alice = w.connect(claims("r", "alice"), 1, 1);
    w.publish(alice, MediaKind::Video, TrackSource::Camera);
    w.publish(alice, MediaKind::Video, TrackSource::ScreenShare);
    w.publish(alice, MediaKind::Audio, TrackSource::Microphone);
    let asked: Vec<(u32, u32)> = w.clients[bob]
        .inbox
        .iter()
        .filter_map(|m| match m {
            Message::MediaSectionsRequirement(r) => Some((r.num_audios, r.num_videos)),
            _ => None,
        })
        .collect();
    assert!(asked.contains(&(0, 0)) && asked.contains(&(0, 1)), "{asked:?}");
    assert!(asked.iter().any(|a| a.0 == 1), "{asked:?}");
}

// ENGINE-25
#[test]
fn a_client_is_not_told_about_its_own_unpublish() {
    let mut w = world();
    let bob = w.connect(claims("r", "bob"), 1, 1);
    let alice = w.connect(claims("r", "alice"), 1, 1);
    let (cam, _) = w.publish(alice, MediaKind::Video, TrackSource::Camera);
    w.offer(alice, &[(cam, Direction::Inactive)]);
    w.run(SECOND);
    assert!(!w.clients[alice].inbox.iter().any(|m| matches!(m, Message::TrackUnpublished(_))));
    assert!(w.clients[bob].known("alice").expect("known").tracks.is_empty());
    assert!(w.events.iter().any(|e| matches!(e, EngineEvent::TrackUnpublished { .. })));
}

// ENGINE-13
#[test]
fn data_goes_where_it_is_sent_and_bears_the_name_the_server_knows() {
    let mut w = world();
    let alice = w.connect(claims("r", "alice"), 1, 1);
    let bob = w.connect(claims("r", "bob"), 1, 1);
    let carol = w.connect(claims("r", "carol"), 1, 1);
    let stranger = w.connect(claims("other", "stranger"), 1, 1);
    w.send_data(alice, "_reliable", &user_packet(b"all", &[]));
    w.send_data(alice, "_lossy", &user_packet(b"bob", &["bob"]));
    w.run(SECOND);
    let read = |c: usize| -> Vec<proto::DataPacket> {
        w.clients[c].data.iter().map(|(_, b)| proto::DataPacket::decode(&b[..]).expect("a packet")).collect()
    };
    assert_eq!((read(alice).len(), read(bob).len(), read(carol).len(), read(stranger).len()), (0, 2, 1, 0));
    assert!(read(bob).iter().all(|p| p.participant_identity == "alice" && p.participant_sid == w.clients[alice].sid()));
    w.hub.send_data(w.now, "r", b"server".to_vec(), Some("atalaya".into()), &["carol".into()], true).expect("sent");
    w.carry();
    w.run(SECOND);
    let last = proto::DataPacket::decode(&w.clients[carol].data.last().expect("arrived").1[..]).expect("a packet");
    assert_eq!(last.participant_identity, "", "the server has no participant");
}

// ENGINE-4
#[test]
fn rights_are_enforced() {
    let mut w = world();
    let bob = w.connect(claims("r", "bob"), 1, 1);
    let mut mute = claims("r", "mute");
    mute.video =
        VideoGrants { can_publish: Some(false), can_publish_data: Some(false), can_subscribe: Some(false), ..mute.video };
    let quiet = w.connect(mute, 1, 1);
    let (_, sid) = w.publish(quiet, MediaKind::Video, TrackSource::Camera);
    assert_eq!(sid, "", "not published");
    let refused = w.clients[quiet]
        .inbox
        .iter()
        .any(|m| matches!(m, Message::RequestResponse(r) if r.reason == proto::request_response::Reason::NotAllowed as i32));
    assert!(refused);
    w.send_data(quiet, "_reliable", &user_packet(b"x", &[]));
    let (cam, _) = w.publish(bob, MediaKind::Video, TrackSource::Camera);
    w.stream(bob, None, Some(cam), 1, 0);
    assert!(w.clients[bob].data.is_empty());
    assert_eq!(w.clients[quiet].frames.len(), 0);
    assert_eq!((w.hub.counters.refused_data, w.hub.counters.refused_publishing), (1, 1));
}

// ENGINE-12
#[test]
fn the_second_of_one_identity_stays_and_the_first_is_told_why() {
    let mut w = world();
    let first = w.connect(claims("r", "alice"), 1, 1);
    let second = w.connect(claims("r", "alice"), 1, 1);
    assert_eq!(w.clients[first].leave(), Some((DisconnectReason::DuplicateIdentity as i32, Action::Disconnect as i32)));
    assert!(w.clients[first].closed.is_some());
    assert_eq!(w.clients[second].leave(), None);
    assert_eq!(w.hub.list_participants("r").expect("a room").len(), 1);
}

// ENGINE-11
#[test]
fn a_dropped_signal_connection_is_resumed_and_an_unknown_one_starts_anew() {
    let mut w = world();
    let alice = w.connect(claims("r", "alice"), 1, 1);
    let bob = w.connect(claims("r", "bob"), 1, 1);
    let sid = w.clients[bob].sid();
    w.hub.signal_closed(w.now, w.clients[bob].conn);
    w.run(SECOND * 16);
    assert_eq!(w.hub.list_participants("r").expect("a room").len(), 2, "kept for at least 15 s");
    let request = JoinRequest { reconnect: true, participant_sid: sid, ..Default::default() };
    w.clients[bob].conn = 500;
    w.hub.join(w.now, JoinInput { conn: 500, claims: claims("r", "bob"), request }).expect("resumed");
    w.carry();
    assert!(w.clients[bob].inbox.iter().any(|m| matches!(m, Message::Reconnect(_))));
    assert!(w.events.iter().any(|e| matches!(e, EngineEvent::ParticipantReconnected { .. })));
    w.run(SECOND * 30);
    assert!(w.clients[alice].known("bob").is_some_and(|b| b.state != proto::participant_info::State::Disconnected as i32));
    let request = JoinRequest { reconnect: true, participant_sid: "PA_unknown".into(), ..Default::default() };
    w.clients[alice].conn = 501;
    assert!(w.hub.join(w.now, JoinInput { conn: 501, claims: claims("r", "dora"), request }).is_err());
    w.carry();
    assert_eq!(w.clients[alice].leave(), Some((DisconnectReason::StateMismatch as i32, Action::Reconnect as i32)));
}

// ENGINE-11
#[test]
fn a_participant_that_does_not_come_back_leaves_and_the_room_ends() {
    let mut w = world();
    let alice = w.connect(claims("r", "alice"), 1, 1);
    w.hub.signal_closed(w.now, w.clients[alice].conn);
    w.run(SECOND * 35);
    let left = w.events.iter().any(|e| matches!(e, EngineEvent::ParticipantLeft { reason: LeaveReason::ConnectionLost, .. }));
    assert!(left && w.events.iter().any(|e| matches!(e, EngineEvent::RoomFinished { .. })));
    assert!(w.hub.list_rooms(&[]).is_empty());
}

// ENGINE-11
#[test]
fn a_client_that_closed_its_connection_has_left_even_without_saying_so() {
    let mut w = world();
    let alice = w.connect(claims("r", "alice"), 1, 1);
    let bob = w.connect(claims("r", "bob"), 1, 1);
    w.clients[bob].rtc.close().expect("closed");
    w.run(Duration::from_millis(200));
    assert_eq!(w.hub.list_participants("r").expect("a room").len(), 2, "its signalling is still there");
    w.hub.signal_closed(w.now, w.clients[bob].conn);
    w.carry();
    assert_eq!(w.hub.list_participants("r").expect("a room").len(), 1);
    assert!(w.clients[alice].known("bob").is_some_and(|b| b.state == proto::participant_info::State::Disconnected as i32));
}

// ENGINE-22
#[test]
fn removing_muting_and_deleting_are_told() {
    let mut w = world();
    let alice = w.connect(claims("r", "alice"), 1, 1);
    let bob = w.connect(claims("r", "bob"), 1, 1);
    let (mic, sid) = w.publish(alice, MediaKind::Audio, TrackSource::Microphone);
    w.stream(alice, Some(mic), None, 1, 0);
    w.hub.mute_published_track(w.now, "r", "alice", &sid, true).expect("muted");
    w.carry();
    assert!(w.clients[alice].inbox.iter().any(|m| matches!(m, Message::Mute(mute) if mute.sid == sid && mute.muted)));
    assert!(w.clients[bob].known("alice").expect("known").tracks[0].muted);
    w.run(SECOND);
    let heard = w.clients[bob].audio_frames();
    w.stream(alice, Some(mic), None, 1, 10_000);
    assert_eq!(w.clients[bob].audio_frames(), heard, "a client that ignores the mute is not heard");
    assert!(w.hub.mute_published_track(w.now, "r", "alice", &sid, false).is_err());
    w.hub.remove_participant(w.now, "r", "alice").expect("removed");
    w.carry();
    assert_eq!(w.clients[alice].leave(), Some((DisconnectReason::ParticipantRemoved as i32, Action::Disconnect as i32)));
    w.hub.delete_room(w.now, "r").expect("deleted");
    w.carry();
    assert_eq!(w.clients[bob].leave(), Some((DisconnectReason::RoomDeleted as i32, Action::Disconnect as i32)));
}

// ENGINE-10
#[test]
fn a_dead_path_gets_no_video_asks_for_no_keyframe_and_comes_back() {
    let mut w = world();
    let alice = w.connect(claims("r", "alice"), 1, 1);
    let (cam, _) = w.publish(alice, MediaKind::Video, TrackSource::Camera);
    let bob = w.connect(claims("r", "bob"), 1, 1);
    w.stream(alice, None, Some(cam), 3, 0);
    w.clients[bob].cut = true;
    w.stream(alice, None, Some(cam), 2, 3_000);
    let (sent, frames) = (w.video_sent(bob), w.clients[bob].video_frames());
    let mut asked = 0;
    for second in 0..6 {
        w.clients[alice].keyframe_requests.clear();
        for ms in (0..1_000).step_by(40) {
            w.write(
                alice,
                cam,
                str0m::format::Codec::Vp8,
                (5_000 + second * 1_000 + ms) * 90,
                crate::world::picture(false, 2_000),
                false,
            );
            w.run(Duration::from_millis(40));
        }
        asked += w.clients[alice].keyframe_requests.len();
    }
    assert_eq!(asked, 0, "no keyframe for nobody");
    assert_eq!(w.video_sent(bob), sent, "no video into nothing");
    w.clients[bob].cut = false;
    w.stream(alice, None, Some(cam), 4, 11_000);
    assert!(w.clients[bob].video_frames() > frames + 50, "{} {}", w.clients[bob].video_frames(), frames);
}

// ENGINE-5
#[test]
fn a_bad_offer_ends_only_its_sender() {
    let mut w = world();
    let alice = w.connect(claims("r", "alice"), 1, 1);
    let bob = w.connect(claims("r", "bob"), 1, 1);
    w.request(bob, Request::Offer(description("v=0\r\nnonsense".into(), 9)));
    assert!(w.clients[bob].leave().is_some());
    assert_eq!(w.clients[alice].leave(), None);
    assert_eq!(w.hub.counters.bad_offers, 1);
}

// ENGINE-28
#[test]
fn an_offer_of_many_sections_is_not_worked_on() {
    let mut w = world();
    let alice = w.connect(claims("r", "alice"), 1, 1);
    let bob = w.connect(claims("r", "bob"), 1, 60);
    assert_eq!(w.clients[bob].leave(), None, "a large room fits");
    let section = |n| format!("m=video 9 UDP/TLS/RTP/SAVPF 96\r\na=mid:x{n}\r\na=recvonly\r\na=rtpmap:96 VP8/90000\r\n");
    let sdp = format!("v=0\r\no=- 1 2 IN IP4 127.0.0.1\r\ns=-\r\nt=0 0\r\n{}", (0..250).map(section).collect::<String>());
    for _ in 0..200 {
        let started = std::time::Instant::now();
        w.request(bob, Request::Offer(description(sdp.clone(), 9)));
        assert!(started.elapsed() < Duration::from_millis(100));
    }
    assert!(w.clients[bob].leave().is_some());
    assert_eq!(w.clients[alice].leave(), None);
    assert_eq!(w.hub.counters.bad_offers, 1);
}

// ENGINE-28
#[test]
fn three_offers_a_second_are_answered() {
    let mut w = world();
    let calm = w.connect(claims("r", "calm"), 1, 1);
    for n in 0..60 {
        let direction = if n % 2 == 0 { Direction::Inactive } else { Direction::RecvOnly };
        let mid = w.clients[calm].receiving[0];
        w.offer(calm, &[(mid, direction)]);
        w.run(Duration::from_millis(300));
    }
    assert_eq!(w.clients[calm].leave(), None);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    // ENGINE-5
    #[test]
    fn any_datagram_and_any_request_leave_the_others_alone(
        datagrams in proptest::collection::vec(proptest::collection::vec(any::<u8>(), 0..200), 1..20),
        sdp in "(v=0\r\n|m=audio 9 x 0\r\n|a=mid:0\r\n|a=ice-ufrag:abcd\r\n|[ -~]){0,20}",
        sid in "[A-Za-z_]{0,8}",
    ) {
        let mut w = world();
        let alice = w.join(claims("r", "alice"), 1, 1);
        let bob = w.join(claims("r", "bob"), 1, 1);
        for bytes in &datagrams {
            let (from, to) = ("10.9.9.9:1".parse().expect("an address"), crate::world::SERVER.parse().expect("an address"));
            w.hub.datagram(w.now, Protocol::Udp, from, to, bytes);
        }
        w.request(bob, Request::Mute(proto::MuteTrackRequest { sid: sid.clone(), muted: true }));
        w.request(bob, Request::TrackSetting(proto::UpdateTrackSettings { track_sids: vec![sid.clone()], width: u32::MAX, height: 1, quality: -5, ..Default::default() }));
        w.request(bob, Request::Subscription(proto::UpdateSubscription { track_sids: vec![sid], ..Default::default() }));
        w.request(bob, Request::Trickle(proto::TrickleRequest { candidate_init: sdp.clone(), ..Default::default() }));
        w.request(bob, Request::Offer(description(sdp, 7)));
        prop_assert!(w.clients[alice].leave().is_none());
        prop_assert_eq!(w.hub.counters.stray_datagrams, datagrams.len() as u64);
    }
}
