//! Packets between publisher and subscriber: as they come, as they were cut, repaired on both legs.

use crate::world::{World, claims, picture, world};
use atalaya_sfu::proto::TrackSource;
use atalaya_sfu::{RecordOp, RecordTrack};
use std::time::Duration;
use str0m::format::Codec;
use str0m::media::{MediaKind, Mid};

/// Alice films, Bob watches, and the picture flows.
fn watched() -> (World, usize, usize, Mid) {
    let mut w = world();
    let alice = w.connect(claims("r", "alice"), 1, 1);
    let (cam, _) = w.publish(alice, MediaKind::Video, TrackSource::Camera);
    let bob = w.connect(claims("r", "bob"), 1, 1);
    w.stream(alice, None, Some(cam), 3, 0);
    (w, alice, bob, cam)
}

// ENGINE-34
#[test]
fn packets_are_forwarded_as_they_were_cut() {
    let (mut w, alice, bob, cam) = watched();
    let count = |w: &World| (w.published[&(alice, 96)], w.sent[&(bob, 96)]);
    let before = count(&w);
    for frame in 0..20 {
        w.write(alice, cam, Codec::Vp8, (3_000 + frame * 40) * 90, picture(false, 9_000), false);
        w.run(Duration::from_millis(40));
    }
    w.run(Duration::from_millis(200));
    let after = count(&w);
    assert!(after.0 - before.0 >= 20 * 8, "several packets a frame: {before:?} {after:?}");
    assert_eq!(after.0 - before.0, after.1 - before.1, "as many as came");
}

// ENGINE-34
#[test]
fn a_packet_does_not_wait_for_the_rest_of_its_frame_and_what_was_lost_comes_late() {
    let (mut w, alice, bob, cam) = watched();
    let (sent, frames) = (w.sent[&(bob, 96)], w.clients[bob].video_frames());
    w.lose_ends = 1;
    w.write(alice, cam, Codec::Vp8, 3_000 * 90, picture(false, 9_000), false);
    w.run(Duration::from_millis(15));
    assert!(w.sent[&(bob, 96)] >= sent + 7, "all but the last have left");
    // The next frames show that one is missing; it is sent again, by Alice to the engine and then to Bob.
    w.stream_ms(alice, None, Some(cam), 1_000, 3_040, false);
    assert!(w.clients[bob].video_frames() >= frames + 24, "{} {frames}", w.clients[bob].video_frames());
    assert!(w.clients[bob].frames.iter().skip(1).all(|f| f.contiguous));
}

// ENGINE-33
#[test]
fn a_recording_under_loss_has_only_frames_that_can_be_shown() {
    let mut w = world();
    let alice = w.connect(claims("r", "alice"), 1, 1);
    let (cam, _) = w.publish(alice, MediaKind::Video, TrackSource::Camera);
    w.stream(alice, None, Some(cam), 1, 0);
    w.hub.start_recording(w.now, "r", "rec").expect("started");
    w.loss = 10;
    w.stream(alice, None, Some(cam), 10, 1_000);
    w.loss = 0;
    w.hub.stop_recording(w.now, "r").expect("stopped");
    w.carry();
    let lengths: Vec<usize> = w
        .recorded
        .iter()
        .filter_map(|op| match op {
            RecordOp::Frame { track: RecordTrack::Video, data, .. } => Some(data.len()),
            _ => None,
        })
        .collect();
    assert!(lengths.len() > 200, "{} of 250: repaired", lengths.len());
    assert!(lengths.iter().all(|l| *l == 2_000), "whole: {lengths:?}");
}
