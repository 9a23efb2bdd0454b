//! The messages the server sends, in one place.

use crate::sections::Requirement;
use livekit_protocol as proto;
use livekit_protocol::signal_response::Message;

/// The version sent to the client, which expects one of LiveKit's and enables features by it.
const SERVER_VERSION: &str = "1.9.0";
/// Signalling protocol we speak.
const PROTOCOL: i32 = 16;

pub(crate) fn server_info() -> proto::ServerInfo {
    proto::ServerInfo { version: SERVER_VERSION.into(), protocol: PROTOCOL, node_id: "ND_atalaya".into(), ..Default::default() }
}

pub(crate) fn codecs() -> Vec<proto::Codec> {
    ["video/VP8", "audio/opus", "audio/red"].map(|mime| proto::Codec { mime: mime.into(), fmtp_line: String::new() }).to_vec()
}

pub(crate) fn ice_servers(servers: &[crate::config::IceServer]) -> Vec<proto::IceServer> {
    let wire = |s: &crate::config::IceServer| proto::IceServer {
        urls: s.urls.clone(),
        username: s.username.clone(),
        credential: s.credential.clone(),
    };
    servers.iter().map(wire).collect()
}

/// `action`: what the client does about it.
pub(crate) fn leave(reason: proto::DisconnectReason, action: proto::leave_request::Action) -> Message {
    Message::Leave(proto::LeaveRequest {
        can_reconnect: action != proto::leave_request::Action::Disconnect,
        reason: reason as i32,
        action: action as i32,
        regions: None,
    })
}

pub(crate) fn update(participants: Vec<proto::ParticipantInfo>) -> Message {
    Message::Update(proto::ParticipantUpdate { participants })
}

pub(crate) fn requirement(needed: Requirement) -> Message {
    Message::MediaSectionsRequirement(proto::MediaSectionsRequirement { num_audios: needed.audios, num_videos: needed.videos })
}

pub(crate) fn stream_state(participant_sid: String, track_sid: String, paused: bool) -> Message {
    let state = if paused { proto::StreamState::Paused } else { proto::StreamState::Active };
    let info = proto::StreamStateInfo { participant_sid, track_sid, state: state as i32 };
    Message::StreamStateUpdate(proto::StreamStateUpdate { stream_states: vec![info] })
}

/// Which layers the publisher should send (dynacast): all up to `top`.
pub(crate) fn subscribed_quality(track_sid: &str, top: usize) -> Message {
    let qualities: Vec<proto::SubscribedQuality> =
        (0..3).map(|q| proto::SubscribedQuality { quality: q, enabled: usize::try_from(q).is_ok_and(|q| q <= top) }).collect();
    #[expect(deprecated, reason = "clients without codec lists read the older field")]
    Message::SubscribedQualityUpdate(proto::SubscribedQualityUpdate {
        track_sid: track_sid.to_string(),
        subscribed_qualities: qualities.clone(),
        subscribed_codecs: vec![proto::SubscribedCodec { codec: "vp8".into(), qualities }],
    })
}
