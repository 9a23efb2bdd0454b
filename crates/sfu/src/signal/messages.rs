//! The messages the server sends, in one place.

use crate::config::RelayOffer;
use crate::sections::Requirement;
use atalaya_turn::Credentials;
use livekit_protocol as proto;
use livekit_protocol::signal_response::Message;

/// The version sent to the client, which expects one of LiveKit's and enables features by it.
const SERVER_VERSION: &str = "1.9.0";
/// Seconds for which TURN credentials may begin something new; they come again with each join and each resumption.
const RELAY_TTL_S: i64 = 6 * 3_600;
/// Signalling protocol we speak.
const PROTOCOL: i32 = 16;

pub(crate) fn server_info() -> proto::ServerInfo {
    proto::ServerInfo { version: SERVER_VERSION.into(), protocol: PROTOCOL, node_id: "ND_atalaya".into(), ..Default::default() }
}

pub(crate) fn codecs() -> Vec<proto::Codec> {
    ["video/VP8", "audio/opus", "audio/red"].map(|mime| proto::Codec { mime: mime.into(), fmtp_line: String::new() }).to_vec()
}

/// The TURN servers for a participant, with credentials of its own (TURN-3).
pub(crate) fn ice_servers(offer: Option<&RelayOffer>, participant_sid: &str, now_s: i64) -> Vec<proto::IceServer> {
    let wire = |offer: &RelayOffer| {
        let Credentials { username, password } = offer.secret.issue(participant_sid, now_s, RELAY_TTL_S);
        proto::IceServer { urls: offer.urls.clone(), username, credential: password }
    };
    offer.map(wire).into_iter().collect()
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
