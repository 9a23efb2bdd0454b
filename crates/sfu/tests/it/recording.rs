use crate::world::{claims, world};
use atalaya_sfu::proto::TrackSource;
use atalaya_sfu::{RecordOp, RecordTrack, RecordingSource};
use std::time::Duration;
use str0m::media::MediaKind;

// CALL-5, ENGINE-24
#[test]
fn a_recording_has_one_file_per_participant_and_screen_begins_with_keyframes_and_cuts_the_pause_out() {
    let mut w = world();
    let alice = w.connect(claims("r", "alice"), 1, 1);
    let (mic, _) = w.publish(alice, MediaKind::Audio, TrackSource::Microphone);
    let (cam, _) = w.publish(alice, MediaKind::Video, TrackSource::Camera);
    w.stream(alice, Some(mic), Some(cam), 1, 0);
    w.hub.start_recording(w.now, "r", "rec-1").expect("started");
    assert!(w.hub.start_recording(w.now, "r", "rec-2").is_err(), "one at a time");
    w.stream(alice, Some(mic), Some(cam), 3, 1_000);
    let (screen, _) = w.publish(alice, MediaKind::Video, TrackSource::ScreenShare);
    w.stream(alice, Some(mic), Some(screen), 2, 4_300);
    w.hub.pause_recording(w.now, "r").expect("paused");
    w.carry();
    let before = w.recorded.len();
    w.stream(alice, Some(mic), Some(cam), 3, 6_300);
    assert_eq!(w.recorded.len(), before, "nothing is handed over while paused");
    w.hub.resume_recording(w.now, "r").expect("resumed");
    w.stream(alice, Some(mic), Some(cam), 2, 9_300);
    w.hub.stop_recording(w.now, "r").expect("stopped");
    w.carry();
    let opened: Vec<(u64, RecordingSource, u16, u16)> = w
        .recorded
        .iter()
        .filter_map(|op| match op {
            RecordOp::Open { file, info, width, height } => Some((*file, info.source, *width, *height)),
            _ => None,
        })
        .collect();
    assert_eq!(opened.len(), 2, "{opened:?}");
    assert!(opened.iter().all(|o| (o.2, o.3) == (640, 360)), "{opened:?}");
    let closed = w.recorded.iter().filter(|op| matches!(op, RecordOp::Close { .. })).count();
    assert_eq!(closed, 2);
    let file = opened.iter().find(|o| o.1 == RecordingSource::Participant).expect("a participant's file").0;
    let frames = |track: RecordTrack| -> Vec<(u64, bool)> {
        w.recorded
            .iter()
            .filter_map(|op| match op {
                RecordOp::Frame { file: f, track: t, timestamp_ms, keyframe, .. } if *f == file && *t == track => {
                    Some((*timestamp_ms, *keyframe))
                }
                _ => None,
            })
            .collect()
    };
    let (video, audio) = (frames(RecordTrack::Video), frames(RecordTrack::Audio));
    assert!(video[0].1, "the picture begins with a keyframe");
    assert!(video.windows(2).all(|p| p[0].0 < p[1].0) && audio.windows(2).all(|p| p[0].0 < p[1].0), "time rises");
    let last = audio.last().expect("audio").0;
    assert!((7_000..7_700).contains(&last), "about 7.3 s without the pause of 3 s: {last}");
    let resumed = video.iter().find(|f| f.0 > 4_500).expect("video after the pause");
    assert!(resumed.1, "it resumes with a keyframe: {resumed:?}");
    let both = video.iter().zip(&audio).next().expect("both");
    assert!(both.0.0.abs_diff(both.1.0) < 150, "picture and sound start together: {both:?}");
}

// ENGINE-24
#[test]
fn a_camera_that_comes_later_gets_into_the_same_file() {
    let mut w = world();
    let alice = w.connect(claims("r", "alice"), 1, 1);
    let (mic, _) = w.publish(alice, MediaKind::Audio, TrackSource::Microphone);
    w.stream(alice, Some(mic), None, 1, 0);
    w.hub.start_recording(w.now, "r", "rec").expect("started");
    w.stream(alice, Some(mic), None, 2, 1_000);
    let (cam, _) = w.publish(alice, MediaKind::Video, TrackSource::Camera);
    w.stream(alice, Some(mic), Some(cam), 2, 3_300);
    w.hub.delete_room(w.now, "r").expect("deleted");
    w.carry();
    w.run(Duration::from_millis(10));
    let opened = w.recorded.iter().filter(|op| matches!(op, RecordOp::Open { .. })).count();
    let closed = w.recorded.iter().filter(|op| matches!(op, RecordOp::Close { .. })).count();
    assert_eq!((opened, closed), (1, 1), "deleting the room ends the recording");
    let first_video = w.recorded.iter().find_map(|op| match op {
        RecordOp::Frame { track: RecordTrack::Video, timestamp_ms, .. } => Some(*timestamp_ms),
        _ => None,
    });
    assert!(first_video.is_some_and(|ms| (2_000..2_700).contains(&ms)), "{first_video:?}");
}
