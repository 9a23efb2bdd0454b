//! One participant of the load: str0m in RTP mode, a UDP socket and a signalling websocket.

use crate::{Case, Failure, Seen, Target};
use atalaya_kernel::Sources;
use atalaya_sfu::proto::signal_request::Message as Request;
use atalaya_sfu::proto::signal_response::Message;
use atalaya_sfu::proto::{self, JoinRequest, WrappedJoinRequest};
use atalaya_sfu::{Claims, VideoGrants};
use base64::Engine as _;
use futures::{SinkExt, StreamExt};
use prost::Message as _;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use str0m::change::{SdpAnswer, SdpPendingOffer};
use str0m::format::Codec;
use str0m::media::{Direction, MediaKind, Mid};
use str0m::net::{Protocol, Receive};
use str0m::rtp::{RtpPacket, RtpWrite, Vp8Descriptor};
use str0m::{Candidate, Event, Input, Output, Rtc};
use tokio::net::UdpSocket;
use tokio_tungstenite::tungstenite;

type Socket = tokio_tungstenite::WebSocketStream<tokio_tungstenite::MaybeTlsStream<tokio::net::TcpStream>>;

/// Bytes of a video packet's payload.
const PAYLOAD: usize = 1_150;
const VOICE: usize = 80;
const MAGIC: [u8; 8] = *b"atalaya!";

pub struct Client {
    rtc: Rtc,
    udp: UdpSocket,
    local: SocketAddr,
    signal: Socket,
    pending: Option<SdpPendingOffer>,
    next_offer: u32,
    receiving: Vec<Mid>,
    voice: Option<Mid>,
    camera: Option<Mid>,
    case: Case,
    seen: Arc<Mutex<Seen>>,
    /// Numbers of the next packets and pictures.
    sequence: (u64, u64),
    picture: u64,
    connected: bool,
    wants_key: bool,
    current: Option<(u32, Instant)>,
    origin: Instant,
}

impl Client {
    pub async fn join(
        target: &Target,
        room: &str,
        name: &str,
        publishes: bool,
        case: Case,
        seen: Arc<Mutex<Seen>>,
        origin: Instant,
    ) -> Result<Self, Failure> {
        let udp = UdpSocket::bind("127.0.0.1:0").await?;
        let local = udp.local_addr()?;
        let mut rtc =
            Rtc::builder().clear_codecs().enable_opus(true, true).enable_vp8(true).set_rtp_mode(true).build(Instant::now());
        rtc.add_local_candidate(Candidate::host(local, "udp")?);
        let mut changes = rtc.sdp_api();
        let mut receiving = Vec::new();
        if case.calls || !publishes {
            receiving.push(changes.add_media(MediaKind::Video, Direction::RecvOnly, None, None, None));
        }
        if case.calls {
            receiving.push(changes.add_media(MediaKind::Audio, Direction::RecvOnly, None, None, None));
        }
        let mut tracks = Vec::new();
        let mut publish = |kind: MediaKind, cid: &str| {
            let (wire, source) = match kind {
                MediaKind::Audio => (proto::TrackType::Audio, proto::TrackSource::Microphone),
                MediaKind::Video => (proto::TrackType::Video, proto::TrackSource::Camera),
            };
            tracks.push(proto::AddTrackRequest {
                cid: cid.into(),
                r#type: wire as i32,
                source: source as i32,
                width: 1280,
                height: 720,
                ..Default::default()
            });
            changes.add_media(kind, Direction::SendOnly, Some("stream".into()), Some(cid.into()), None)
        };
        let camera = publishes.then(|| publish(MediaKind::Video, "camera"));
        let voice = (publishes && case.calls).then(|| publish(MediaKind::Audio, "voice"));
        changes.add_channel("_reliable".into());
        let (offer, pending) = changes.apply().ok_or("an empty offer")?;
        let request = JoinRequest {
            publisher_offer: Some(description(offer.to_sdp_string(), 1)),
            connection_settings: Some(proto::ConnectionSettings { auto_subscribe: true, ..Default::default() }),
            add_track_requests: tracks,
            ..Default::default()
        };
        let wrapped = WrappedJoinRequest { compression: 0, join_request: request.encode_to_vec() };
        let claims = Claims {
            sub: name.into(),
            video: VideoGrants { room_join: true, room: room.into(), ..Default::default() },
            ..Default::default()
        };
        let token = target.keys.mint(claims, Sources::system().now().timestamp(), 3_600)?;
        let request = base64::engine::general_purpose::URL_SAFE.encode(wrapped.encode_to_vec()).replace('=', "%3D");
        let url = format!("{}/rtc/v1?access_token={token}&join_request={request}", target.url);
        let (signal, _) = tokio_tungstenite::connect_async(url).await?;
        Ok(Self {
            rtc,
            udp,
            local,
            signal,
            pending: Some(pending),
            next_offer: 2,
            receiving,
            voice,
            camera,
            case,
            seen,
            sequence: (1, 1),
            picture: 0,
            connected: false,
            wants_key: true,
            current: None,
            origin,
        })
    }

    pub async fn live(mut self) -> Result<(), Failure> {
        let frames = Duration::from_nanos(1_000_000_000 / self.case.video.0);
        let (mut video, mut voice) = (tokio::time::interval(frames), tokio::time::interval(Duration::from_millis(20)));
        let mut ping = tokio::time::interval(Duration::from_secs(5));
        let (films, talks) = (self.camera.is_some(), self.voice.is_some());
        loop {
            let deadline = self.drain()?;
            tokio::select! {
                biased;
                ready = self.udp.readable() => { ready?; self.read()?; }
                _ = video.tick(), if films => self.film(),
                _ = voice.tick(), if talks => self.talk(),
                frame = self.signal.next() => match frame {
                    Some(Ok(tungstenite::Message::Binary(bytes))) => self.told(&bytes).await?,
                    Some(Ok(_)) => {}
                    _ => return Err("the signalling ended".into()),
                },
                _ = ping.tick() => self.ask(Request::PingReq(proto::Ping::default())).await?,
                () = tokio::time::sleep_until(deadline.into()) => self.rtc.handle_input(Input::Timeout(Instant::now()))?,
            }
        }
    }

    fn read(&mut self) -> Result<(), Failure> {
        let mut buffer = [0; 2_048];
        for _ in 0..64 {
            let Ok((count, source)) = self.udp.try_recv_from(&mut buffer) else {
                break;
            };
            if let Ok(receive) = Receive::new(Protocol::Udp, source, self.local, &buffer[..count]) {
                self.rtc.handle_input(Input::Receive(Instant::now(), receive))?;
            }
            self.drain()?;
        }
        Ok(())
    }

    fn drain(&mut self) -> Result<Instant, Failure> {
        loop {
            match self.rtc.poll_output()? {
                Output::Timeout(at) if at > Instant::now() => return Ok(at),
                Output::Timeout(_) => self.rtc.handle_input(Input::Timeout(Instant::now()))?,
                Output::Transmit(t) => drop(self.udp.try_send_to(&t.contents, t.destination)),
                Output::Event(Event::Connected) => self.connected = true,
                Output::Event(Event::KeyframeRequest(_)) => self.wants_key = true,
                Output::Event(Event::RtpPacket(packet)) => self.watch(&packet),
                Output::Event(_) => {}
            }
        }
    }

    /// One frame: all its packets at once, as an encoder gives them.
    fn film(&mut self) {
        let (Some(mid), true) = (self.camera, self.connected) else {
            return;
        };
        let Some(pt) = self.rtc.codec_config().params().iter().find(|p| p.spec().codec == Codec::Vp8).map(|p| p.pt()) else {
            return;
        };
        let now = Instant::now();
        let key = std::mem::take(&mut self.wants_key);
        self.picture += 1;
        let time = (now.duration_since(self.origin).as_micros() * 9 / 100) as u32;
        let count = self.case.video.1;
        for index in 0..count {
            let mut payload = vec![if index == 0 { 0x90 } else { 0x80 }, 0x80];
            payload.extend(((self.picture as u16 & 0x7fff) | 0x8000).to_be_bytes());
            if index == 0 {
                payload.extend(if key { &[0x10, 0, 0, 0x9d, 0x01, 0x2a, 0, 5, 0xd0, 2][..] } else { &[0x11, 0, 0] });
                payload.extend(MAGIC);
                payload.extend((now.duration_since(self.origin).as_nanos() as u64).to_be_bytes());
            }
            payload.resize(PAYLOAD, 0x5a);
            let packet = RtpWrite::new(pt, self.sequence.0.into(), time, now, payload).marker(index + 1 == count).nackable(true);
            self.sequence.0 += 1;
            if let Some(stream) = self.rtc.direct_api().stream_tx_by_mid(mid, None) {
                stream.write_rtp(packet);
            }
        }
    }

    fn talk(&mut self) {
        let (Some(mid), true) = (self.voice, self.connected) else {
            return;
        };
        let Some(pt) = self.rtc.codec_config().params().iter().find(|p| p.spec().codec == Codec::Opus).map(|p| p.pt()) else {
            return;
        };
        let (sequence, now) = (self.sequence.1, Instant::now());
        self.sequence.1 += 1;
        if let Some(stream) = self.rtc.direct_api().stream_tx_by_mid(mid, None) {
            stream.write_rtp(RtpWrite::new(pt, sequence.into(), (sequence * 960) as u32, now, vec![0x78; VOICE]));
        }
    }

    /// Counts in packets as the publisher cut them: a server may cut a frame anew.
    fn watch(&mut self, packet: &RtpPacket) {
        let now = Instant::now();
        let Ok(mut seen) = self.seen.lock() else {
            return;
        };
        if packet.time.denom() != 90_000 {
            seen.voice += u64::from(seen.measuring);
            return;
        }
        if let Some(sent) = stamp(&packet.payload).map(|nanos| self.origin + Duration::from_nanos(nanos)) {
            self.current = Some((packet.header.timestamp, sent));
            if seen.measuring {
                seen.first.push(now.saturating_duration_since(sent));
            }
        }
        if packet.header.marker
            && let Some((_, sent)) = self.current.take_if(|(time, _)| *time == packet.header.timestamp)
            && seen.measuring
        {
            seen.frame.push(now.saturating_duration_since(sent));
            seen.video += self.case.video.1;
        }
    }

    async fn told(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        match proto::SignalResponse::decode(bytes)?.message {
            Some(Message::Answer(answer)) => {
                if let Some(pending) = self.pending.take() {
                    self.rtc.sdp_api().accept_answer(pending, SdpAnswer::from_sdp_string(&answer.sdp)?)?;
                }
            }
            Some(Message::MediaSectionsRequirement(_)) => {
                let mut changes = self.rtc.sdp_api();
                for mid in &self.receiving {
                    changes.set_direction(*mid, Direction::RecvOnly);
                }
                if let Some((offer, pending)) = changes.apply() {
                    self.pending = Some(pending);
                    let id = self.next_offer;
                    self.next_offer += 1;
                    self.ask(Request::Offer(description(offer.to_sdp_string(), id))).await?;
                }
            }
            Some(Message::Leave(leave)) => return Err(format!("told to leave: {leave:?}").into()),
            _ => {}
        }
        Ok(())
    }

    async fn ask(&mut self, message: Request) -> Result<(), Failure> {
        let bytes = proto::SignalRequest { message: Some(message) }.encode_to_vec();
        Ok(self.signal.send(tungstenite::Message::Binary(bytes.into())).await?)
    }
}

fn description(sdp: String, id: u32) -> proto::SessionDescription {
    proto::SessionDescription { r#type: "offer".into(), sdp, id, ..Default::default() }
}

/// When a frame was sent, if this is its first packet.
fn stamp(payload: &[u8]) -> Option<u64> {
    Vp8Descriptor::parse(payload).ok()?;
    let head = payload.get(..64)?;
    let at = head.windows(MAGIC.len()).position(|w| w == MAGIC)? + MAGIC.len();
    Some(u64::from_be_bytes(head.get(at..at + 8)?.try_into().ok()?))
}
