//! A small world without sockets: the hub, str0m as its clients, a network with delay and seeded loss, and a clock
//! that only the tests move.

use atalaya_kernel::Sources;
use atalaya_sfu::hub::{Hub, HubConfig, HubOutput, JoinInput};
use atalaya_sfu::proto::signal_request::Message as Request;
use atalaya_sfu::proto::signal_response::Message;
use atalaya_sfu::proto::{self, JoinRequest};
use atalaya_sfu::{Claims, EngineEvent, RecordOp, RelayOffer, Route, TokenKeys, VideoGrants};
use std::collections::{BTreeMap, VecDeque};
use std::net::SocketAddr;
use std::time::{Duration, Instant};
use str0m::change::{SdpAnswer, SdpPendingOffer};
use str0m::channel::ChannelId;
use str0m::format::Codec;
use str0m::media::{Direction, KeyframeRequest, MediaData, MediaKind, MediaTime, Mid};
use str0m::net::{Protocol, Receive};
use str0m::{Candidate, Event, Input, Output, Rtc};

pub const SERVER: &str = "10.0.0.1:7900";
const STEP: Duration = Duration::from_millis(1);

/// A client's media connection and what it was told and sent.
pub struct Client {
    pub conn: u64,
    pub rtc: Rtc,
    pub address: SocketAddr,
    pub inbox: Vec<Message>,
    pub closed: Option<&'static str>,
    pub frames: Vec<MediaData>,
    pub keyframe_requests: Vec<KeyframeRequest>,
    pub data: Vec<(ChannelId, Vec<u8>)>,
    pub channels: Vec<(ChannelId, String)>,
    pub answers: Vec<proto::SessionDescription>,
    pub connected: bool,
    pub connected_at: Option<Instant>,
    /// Everything to and from this client is lost.
    pub cut: bool,
    pending: Option<SdpPendingOffer>,
    next_offer: u32,
    pub receiving: Vec<Mid>,
}

struct Packet {
    at: Instant,
    to_server: bool,
    client: usize,
    bytes: Vec<u8>,
}

pub struct World {
    pub hub: Hub,
    pub now: Instant,
    pub clients: Vec<Client>,
    pub events: Vec<EngineEvent>,
    pub recorded: Vec<RecordOp>,
    wire: VecDeque<Packet>,
    /// Packets of a hundred that are lost on media (each way).
    pub loss: u32,
    pub delay: Duration,
    seed: u64,
    /// Media packets to the server that are lost next, beginning with one that ends a frame.
    pub lose_ends: u32,
    /// Packets the clients sent, by client and payload type.
    pub published: BTreeMap<(usize, u8), usize>,
    /// Packets the server sent, by client and payload type.
    pub sent: BTreeMap<(usize, u8), usize>,
    /// Clients whose packets come by our TURN, inside TLS.
    pub relayed: Vec<usize>,
    /// Where the server sent packets that are no client's.
    pub astray: Vec<SocketAddr>,
}

pub fn claims(room: &str, identity: &str) -> Claims {
    Claims {
        sub: identity.into(),
        name: format!("{identity}'s name"),
        video: VideoGrants { room_join: true, room: room.into(), ..Default::default() },
        ..Default::default()
    }
}

pub fn world() -> World {
    world_with(None)
}

/// The same, where clients are told of a TURN server.
pub fn world_with(relay: Option<RelayOffer>) -> World {
    let filter = tracing_subscriber::EnvFilter::from_default_env();
    let _ = tracing_subscriber::fmt().with_env_filter(filter).with_test_writer().try_init();
    let now = Instant::now();
    let cert = str0m::crypto::from_feature_flags().dtls_provider.generate_certificate().expect("a certificate");
    let config = HubConfig {
        candidates: vec![Candidate::host(SERVER.parse().expect("an address"), "udp").expect("a candidate")],
        keys: TokenKeys::new("key".into(), "secret".to_string().into()),
        relay,
        empty_room_timeout: Duration::from_secs(10),
        sources: Sources::system(),
        cert,
    };
    World {
        hub: Hub::new(config, now),
        now,
        clients: Vec::new(),
        events: Vec::new(),
        recorded: Vec::new(),
        wire: VecDeque::new(),
        loss: 0,
        delay: Duration::from_millis(10),
        seed: 0x9e37_79b9_7f4a_7c15,
        lose_ends: 0,
        published: BTreeMap::new(),
        sent: BTreeMap::new(),
        relayed: Vec::new(),
        astray: Vec::new(),
    }
}

impl Client {
    pub fn sid(&self) -> String {
        self.inbox
            .iter()
            .find_map(|m| match m {
                Message::Join(join) => join.participant.as_ref().map(|p| p.sid.clone()),
                _ => None,
            })
            .expect("joined")
    }

    pub fn leave(&self) -> Option<(i32, i32)> {
        self.inbox.iter().find_map(|m| match m {
            Message::Leave(leave) => Some((leave.reason, leave.action)),
            _ => None,
        })
    }

    pub fn channel(&self, label: &str) -> ChannelId {
        self.channels.iter().find(|(_, l)| l == label).expect("an open channel").0
    }

    /// The latest picture of a participant.
    pub fn known(&self, identity: &str) -> Option<proto::ParticipantInfo> {
        let mut found = None;
        for message in &self.inbox {
            let infos = match message {
                Message::Update(update) => update.participants.clone(),
                Message::Join(join) => join.other_participants.clone(),
                _ => continue,
            };
            found = infos.into_iter().rfind(|p| p.identity == identity).or(found);
        }
        found
    }

    pub fn video_frames(&self) -> usize {
        self.frames.iter().filter(|f| f.params.spec().codec == Codec::Vp8).count()
    }

    pub fn audio_frames(&self) -> usize {
        self.frames.iter().filter(|f| f.params.spec().codec == Codec::Opus).count()
    }
}

impl World {
    /// Joins with `audios` and `videos` receiving sections in the first offer, as Chromium does.
    pub fn join(&mut self, claims: Claims, audios: usize, videos: usize) -> usize {
        self.join_as(claims, audios, videos, |offer| offer)
    }

    /// The same, with an offer that is changed on its way.
    pub fn join_as(&mut self, claims: Claims, audios: usize, videos: usize, change: impl FnOnce(String) -> String) -> usize {
        let index = self.clients.len();
        let address: SocketAddr = format!("10.0.1.{}:5000", index + 1).parse().expect("an address");
        let mut rtc =
            Rtc::builder().clear_codecs().enable_opus(true, true).enable_vp8(true).set_reordering_size_video(400).build(self.now);
        rtc.add_local_candidate(Candidate::host(address, "udp").expect("a candidate"));
        let mut changes = rtc.sdp_api();
        let kinds = std::iter::repeat_n(MediaKind::Audio, audios).chain(std::iter::repeat_n(MediaKind::Video, videos));
        let receiving: Vec<Mid> = kinds.map(|kind| changes.add_media(kind, Direction::RecvOnly, None, None, None)).collect();
        for label in ["_reliable", "_lossy", "_data_track"] {
            changes.add_channel(label.into());
        }
        let (offer, pending) = changes.apply().expect("an offer");
        let request = JoinRequest {
            publisher_offer: Some(description(change(offer.to_sdp_string()), 1)),
            connection_settings: Some(proto::ConnectionSettings { auto_subscribe: true, ..Default::default() }),
            ..Default::default()
        };
        self.clients.push(Client {
            conn: 100 + index as u64,
            rtc,
            address,
            inbox: Vec::new(),
            closed: None,
            frames: Vec::new(),
            keyframe_requests: Vec::new(),
            data: Vec::new(),
            channels: Vec::new(),
            answers: Vec::new(),
            connected: false,
            connected_at: None,
            cut: false,
            pending: Some(pending),
            next_offer: 2,
            receiving,
        });
        let conn = self.clients[index].conn;
        let _ = self.hub.join(self.now, JoinInput { conn, claims, request });
        self.carry();
        index
    }

    /// Joins and waits for media and data to be open.
    pub fn connect(&mut self, claims: Claims, audios: usize, videos: usize) -> usize {
        let index = self.join(claims, audios, videos);
        self.run(Duration::from_millis(1_500));
        assert!(self.clients[index].connected, "connected");
        assert_eq!(self.clients[index].channels.len(), 3, "channels are open");
        index
    }

    pub fn request(&mut self, client: usize, request: Request) {
        let conn = self.clients[client].conn;
        self.hub.signal(self.now, conn, request);
        self.carry();
    }

    /// Announces a track, offers its section, and gives the section and the track's sid.
    pub fn publish(&mut self, client: usize, kind: MediaKind, source: proto::TrackSource) -> (Mid, String) {
        let c = &mut self.clients[client];
        let mut changes = c.rtc.sdp_api();
        let cid = format!("cid-{}-{}", source.as_str_name(), c.next_offer);
        let mid = changes.add_media(kind, Direction::SendOnly, Some("stream".into()), Some(cid.clone()), None);
        let wire = if kind == MediaKind::Audio { proto::TrackType::Audio } else { proto::TrackType::Video };
        let (offer, pending) = changes.apply().expect("an offer");
        c.pending = Some(pending);
        let id = c.next_offer;
        c.next_offer += 1;
        let add = proto::AddTrackRequest {
            cid: cid.clone(),
            r#type: wire as i32,
            source: source as i32,
            width: 640,
            height: 360,
            ..Default::default()
        };
        self.request(client, Request::AddTrack(add));
        self.request(client, Request::Offer(description(offer.to_sdp_string(), id)));
        self.run(Duration::from_millis(300));
        let published = self.clients[client].inbox.iter().find_map(|m| match m {
            Message::TrackPublished(t) if t.cid == cid => t.track.clone(),
            _ => None,
        });
        (mid, published.map(|t| t.sid).unwrap_or_default())
    }

    /// Offers with changed directions (what a client does after a requirement, or to unpublish).
    pub fn offer(&mut self, client: usize, directions: &[(Mid, Direction)]) {
        let c = &mut self.clients[client];
        let mut changes = c.rtc.sdp_api();
        for (mid, direction) in directions {
            changes.set_direction(*mid, *direction);
        }
        let Some((offer, pending)) = changes.apply() else {
            return;
        };
        c.pending = Some(pending);
        let id = c.next_offer;
        c.next_offer += 1;
        self.request(client, Request::Offer(description(offer.to_sdp_string(), id)));
    }

    /// Sends `seconds` of 50 audio packets and 25 video frames a second in the given sections.
    pub fn stream(&mut self, client: usize, audio: Option<Mid>, video: Option<Mid>, seconds: u64, from_ms: u64) {
        self.stream_ms(client, audio, video, seconds * 1_000, from_ms, true);
    }

    /// The same for so many milliseconds; `begins` = the first frame is a keyframe.
    pub fn stream_ms(&mut self, client: usize, audio: Option<Mid>, video: Option<Mid>, for_ms: u64, from_ms: u64, begins: bool) {
        for ms in 0..for_ms {
            let at = from_ms + ms;
            if let Some(mid) = audio.filter(|_| at.is_multiple_of(20)) {
                self.write(client, mid, Codec::Opus, at * 48, vec![0x78; 80], true);
            }
            if let Some(mid) = video.filter(|_| at.is_multiple_of(40)) {
                let wants = !self.clients[client].keyframe_requests.is_empty();
                self.clients[client].keyframe_requests.clear();
                let key = (begins && at == from_ms) || wants;
                self.write(client, mid, Codec::Vp8, at * 90, picture(key, 2_000), key);
            }
            self.step();
        }
    }

    pub fn write(&mut self, client: usize, mid: Mid, codec: Codec, time: u64, data: Vec<u8>, _key: bool) {
        let now = self.now;
        let c = &mut self.clients[client];
        let Some(writer) = c.rtc.writer(mid) else {
            return;
        };
        let pt = writer.payload_params().find(|p| p.spec().codec == codec).map(|p| p.pt()).expect("negotiated");
        let time = if codec == Codec::Opus {
            MediaTime::new(time, str0m::media::Frequency::FORTY_EIGHT_KHZ)
        } else {
            MediaTime::from_90khz(time)
        };
        let writer = if codec == Codec::Opus { writer.audio_level(-20, true) } else { writer };
        writer.write(pt, now, time, data).expect("written");
        self.poll(client);
    }

    pub fn send_data(&mut self, client: usize, label: &str, bytes: &[u8]) {
        let id = self.clients[client].channel(label);
        let sent = self.clients[client].rtc.channel(id).expect("open").write(true, bytes).expect("written");
        assert!(sent, "there is room");
        self.poll(client);
    }

    /// VP8 packets the server sent to a client (the payload type is str0m's default for VP8).
    pub fn video_sent(&self, client: usize) -> usize {
        self.sent.get(&(client, 96)).copied().unwrap_or(0)
    }

    pub fn run(&mut self, time: Duration) {
        let end = self.now + time;
        while self.now < end {
            self.step();
        }
    }

    pub fn step(&mut self) {
        self.now += STEP;
        while let Some(at) = self.wire.iter().position(|p| p.at <= self.now) {
            let packet = self.wire.remove(at).expect("found");
            self.deliver(packet);
        }
        if self.hub.deadline() <= self.now {
            self.hub.tick(self.now);
        }
        self.carry();
        for client in 0..self.clients.len() {
            let now = self.now;
            let _ = self.clients[client].rtc.handle_input(Input::Timeout(now));
            self.poll(client);
        }
    }

    /// A DTLS packet of this client that has not arrived yet.
    pub fn dtls_on_the_wire(&self, client: usize) -> Option<Vec<u8>> {
        let is_dtls = |p: &&Packet| p.to_server && p.client == client && p.bytes.first().is_some_and(|b| (20..64).contains(b));
        self.wire.iter().find(is_dtls).map(|p| p.bytes.clone())
    }

    fn deliver(&mut self, packet: Packet) {
        let server: SocketAddr = SERVER.parse().expect("an address");
        let address = self.clients[packet.client].address;
        if packet.to_server && self.relayed.contains(&packet.client) {
            self.hub.relayed(self.now, Route::RelayTls, address, server, &packet.bytes);
            self.carry();
        } else if packet.to_server {
            self.hub.datagram(self.now, Protocol::Udp, address, server, &packet.bytes);
            self.carry();
        } else {
            let now = self.now;
            let rtc = &mut self.clients[packet.client].rtc;
            if let Ok(receive) = Receive::new(Protocol::Udp, server, address, &packet.bytes) {
                rtc.handle_input(Input::Receive(now, receive)).expect("a good packet");
            }
            self.poll(packet.client);
        }
    }

    /// Whether the network loses this packet. Media only, so that set-up is quick.
    fn loses(&mut self, bytes: &[u8]) -> bool {
        let is_media = bytes.first().is_some_and(|b| (128..192).contains(b));
        self.seed = self.seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        is_media && (self.seed >> 33) % 100 < u64::from(self.loss)
    }

    /// Whether what a client sends gets onto the wire.
    fn sends(&mut self, client: usize, bytes: &[u8]) -> bool {
        if let [128..192, second, ..] = *bytes {
            *self.published.entry((client, second & 0x7f)).or_default() += 1;
            if self.lose_ends > 0 && second == 96 | 0x80 {
                self.lose_ends -= 1;
                return false;
            }
        }
        !self.clients[client].cut && !self.loses(bytes)
    }

    /// Takes what the hub wants to send and to tell.
    pub fn carry(&mut self) {
        while let Some(output) = self.hub.poll() {
            match output {
                HubOutput::Transmit(t) => {
                    let Some(client) = self.clients.iter().position(|c| c.address == t.destination) else {
                        self.astray.push(t.destination);
                        continue;
                    };
                    // Source 0 is a probe of the path.
                    if let [128..192, second, _, _, _, _, _, _, source @ .., _] = &t.contents[..]
                        && !source.starts_with(&[0; 4])
                    {
                        *self.sent.entry((client, *second & 0x7f)).or_default() += 1;
                    }
                    if !self.clients[client].cut && !self.loses(&t.contents) {
                        let at = self.now + self.delay;
                        self.wire.push_back(Packet { at, to_server: false, client, bytes: t.contents.to_vec() });
                    }
                }
                HubOutput::Signal { conn, message } => self.told(conn, *message),
                HubOutput::CloseSignal { conn, reason } => {
                    if let Some(c) = self.clients.iter_mut().find(|c| c.conn == conn) {
                        c.closed = Some(reason);
                    }
                }
                HubOutput::Event(event) => self.events.push(event),
                HubOutput::Record(op) => self.recorded.push(op),
            }
        }
    }

    fn told(&mut self, conn: u64, message: Message) {
        let Some(client) = self.clients.iter().position(|c| c.conn == conn) else {
            return;
        };
        let c = &mut self.clients[client];
        let asks = matches!(message, Message::MediaSectionsRequirement(_));
        if let Message::Answer(answer) = &message {
            c.answers.push(answer.clone());
            if let Some(pending) = c.pending.take() {
                let answer = SdpAnswer::from_sdp_string(&answer.sdp).expect("a readable answer");
                c.rtc.sdp_api().accept_answer(pending, answer).expect("a fitting answer");
            }
        }
        c.inbox.push(message);
        self.poll(client);
        if asks {
            let directions: Vec<(Mid, Direction)> =
                self.clients[client].receiving.iter().map(|m| (*m, Direction::RecvOnly)).collect();
            self.offer(client, &directions);
        }
    }

    fn poll(&mut self, client: usize) {
        for _ in 0..10_000 {
            let output = self.clients[client].rtc.poll_output().expect("a sound client");
            match output {
                Output::Timeout(at) if at > self.now => return,
                Output::Timeout(_) => {
                    let now = self.now;
                    self.clients[client].rtc.handle_input(Input::Timeout(now)).expect("a sound client");
                    if !self.clients[client].rtc.is_alive() {
                        return;
                    }
                }
                Output::Transmit(t) => {
                    if self.sends(client, &t.contents) {
                        let at = self.now + self.delay;
                        self.wire.push_back(Packet { at, to_server: true, client, bytes: t.contents.to_vec() });
                    }
                }
                Output::Event(event) => self.happened(client, event),
            }
        }
    }

    fn happened(&mut self, client: usize, event: Event) {
        let c = &mut self.clients[client];
        match event {
            Event::Connected => {
                c.connected = true;
                c.connected_at = Some(self.now);
            }
            Event::MediaData(data) => c.frames.push(data),
            Event::KeyframeRequest(request) => c.keyframe_requests.push(request),
            Event::ChannelOpen(id, label) => c.channels.push((id, label)),
            Event::ChannelData(data) => c.data.push((data.id, data.data)),
            _ => {}
        }
    }
}

pub fn description(sdp: String, id: u32) -> proto::SessionDescription {
    proto::SessionDescription { r#type: "offer".into(), sdp, id, ..Default::default() }
}

/// Bytes that begin like a VP8 frame of 640×360 (RFC 6386 §9.1).
pub fn picture(key: bool, length: usize) -> Vec<u8> {
    let mut frame = if key { vec![0x10, 0, 0, 0x9d, 0x01, 0x2a, 0x80, 0x02, 0x68, 0x01] } else { vec![0x11, 0, 0] };
    frame.resize(length, 0x5a);
    frame
}
