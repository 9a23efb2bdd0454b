//! A media socket that reads and sends in runs: what has already arrived in one call, and equal datagrams to one
//! destination in one call (UDP_GRO, UDP_SEGMENT; one at a time where the kernel has neither).
//!
//! Called by `driver`. *Invariant:* nothing waits for a run to grow.

use quinn_udp::{BATCH_SIZE, RecvMeta, Transmit, UdpSocketState};
use std::io::{self, IoSliceMut};
use std::net::SocketAddr;
use std::task::{Context, Poll};
use tokio::io::Interest;
use tokio::net::UdpSocket;

/// Wanted of the kernel, which gives what it is set to give.
const SOCKET_BUFFER: usize = 8 * 1024 * 1024;
/// Bytes of one call at most: a UDP datagram's limit.
const MAX_RUN: usize = 64_000;
/// Room for what the kernel joined.
const SLOT: usize = 65_536;

pub(super) struct Port {
    socket: UdpSocket,
    state: UdpSocketState,
    /// The announced address its datagrams count as arriving at.
    pub address: SocketAddr,
}

impl Port {
    pub fn new(socket: std::net::UdpSocket, address: SocketAddr) -> io::Result<Self> {
        let socket = UdpSocket::from_std(socket)?;
        let state = UdpSocketState::new((&socket).into())?;
        // Less than wanted is not an error.
        let _ = state.set_recv_buffer_size((&socket).into(), SOCKET_BUFFER);
        let _ = state.set_send_buffer_size((&socket).into(), SOCKET_BUFFER);
        Ok(Self { socket, state, address })
    }

    pub fn poll_readable(&self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.socket.poll_recv_ready(cx)
    }

    /// Reads what has arrived, as far as the inbox takes it.
    pub fn read(&self, inbox: &mut Inbox) -> io::Result<()> {
        inbox.filled = 0;
        let mut slots = inbox.bytes.chunks_exact_mut(SLOT);
        let mut slices: [IoSliceMut<'_>; BATCH_SIZE] = std::array::from_fn(|_| IoSliceMut::new(slots.next().unwrap_or_default()));
        let read = || self.state.recv((&self.socket).into(), &mut slices, &mut inbox.metas);
        inbox.filled = self.socket.try_io(Interest::READABLE, read)?;
        Ok(())
    }

    /// Datagrams one run may have.
    pub fn longest_run(&self) -> usize {
        self.state.max_gso_segments()
    }

    /// Sends a run. A full socket buffer loses it, as any network may.
    pub fn send(&self, run: &Run) {
        let transmit = Transmit {
            destination: run.destination,
            ecn: None,
            contents: &run.bytes,
            segment_size: (run.count > 1).then_some(run.segment),
            src_ip: None,
        };
        let _ = self.socket.try_io(Interest::WRITABLE, || self.state.try_send((&self.socket).into(), &transmit));
    }
}

/// Datagrams read in one call.
pub(super) struct Inbox {
    bytes: Vec<u8>,
    metas: [RecvMeta; BATCH_SIZE],
    filled: usize,
}

impl Default for Inbox {
    fn default() -> Self {
        Self { bytes: vec![0; SLOT * BATCH_SIZE], metas: [RecvMeta::default(); BATCH_SIZE], filled: 0 }
    }
}

impl Inbox {
    pub fn datagrams(&self) -> impl Iterator<Item = (SocketAddr, &[u8])> {
        let read = self.metas.iter().zip(self.bytes.chunks_exact(SLOT)).take(self.filled);
        read.flat_map(|(meta, slot)| {
            let bytes = slot.get(..meta.len).unwrap_or_default();
            bytes.chunks(meta.stride.max(1)).map(move |datagram| (meta.addr, datagram))
        })
    }
}

/// Datagrams of one length to one destination; the last may be shorter.
pub(super) struct Run {
    pub source: SocketAddr,
    destination: SocketAddr,
    segment: usize,
    count: usize,
    bytes: Vec<u8>,
}

impl Run {
    pub fn empty() -> Self {
        let nowhere = SocketAddr::from(([0, 0, 0, 0], 0));
        Self { source: nowhere, destination: nowhere, segment: 0, count: 0, bytes: Vec::with_capacity(MAX_RUN) }
    }

    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    pub fn begin(&mut self, source: SocketAddr, destination: SocketAddr, datagram: &[u8]) {
        (self.source, self.destination) = (source, destination);
        (self.segment, self.count) = (datagram.len(), 1);
        self.bytes.clear();
        self.bytes.extend_from_slice(datagram);
    }

    pub fn clear(&mut self) {
        self.count = 0;
    }

    /// Takes a datagram into the run; `false` = it does not fit, send the run first.
    pub fn takes(&mut self, source: SocketAddr, destination: SocketAddr, datagram: &[u8], longest: usize) -> bool {
        let whole = self.bytes.len() == self.segment * self.count;
        let fits = !self.is_empty()
            && whole
            && (self.source, self.destination) == (source, destination)
            && (1..=self.segment).contains(&datagram.len())
            && self.count < longest
            && self.bytes.len() + datagram.len() <= MAX_RUN;
        if fits {
            self.bytes.extend_from_slice(datagram);
            self.count += 1;
        }
        fits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(text: &str) -> SocketAddr {
        text.parse().expect("an address")
    }

    // ENGINE-35
    #[test]
    fn equal_datagrams_to_one_destination_make_a_run_and_a_shorter_one_ends_it() {
        let (here, there, other) = (address("10.0.0.1:1"), address("10.0.0.2:2"), address("10.0.0.3:3"));
        let mut run = Run::empty();
        assert!(!run.takes(here, there, &[0; 10], 64), "an empty run has no length");
        run.begin(here, there, &[0; 10]);
        assert!(run.takes(here, there, &[1; 10], 64));
        assert!(!run.takes(here, other, &[1; 10], 64) && !run.takes(other, there, &[1; 10], 64));
        assert!(!run.takes(here, there, &[1; 11], 64), "longer");
        assert!(!run.takes(here, there, &[1; 10], 2), "as many as the kernel takes");
        assert!(run.takes(here, there, &[1; 4], 64));
        assert!(!run.takes(here, there, &[1; 4], 64), "it has ended");
        assert_eq!((run.count, run.bytes.len()), (3, 24));
    }

    // ENGINE-35
    #[tokio::test]
    async fn runs_arrive_as_the_datagrams_they_were() {
        let bind = || std::net::UdpSocket::bind("127.0.0.1:0").and_then(|s| s.set_nonblocking(true).map(|()| s)).expect("a port");
        let (one, two) = (bind(), bind());
        let (from, to) = (one.local_addr().expect("bound"), two.local_addr().expect("bound"));
        let (one, two) = (Port::new(one, from).expect("a socket"), Port::new(two, to).expect("a socket"));
        let mut run = Run::empty();
        run.begin(from, to, &[7; 100]);
        let longest = one.longest_run();
        let taken = run.takes(from, to, &[8; 100], longest) && run.takes(from, to, &[9; 30], longest);
        one.socket.writable().await.expect("writable");
        one.send(&run);
        if !taken {
            run.begin(from, to, &[9; 30]);
            one.send(&run);
        }
        let (mut inbox, mut seen) = (Inbox::default(), Vec::new());
        while seen.last() != Some(&(from, vec![9; 30])) {
            two.socket.readable().await.expect("readable");
            if two.read(&mut inbox).is_ok() {
                seen.extend(inbox.datagrams().map(|(a, b)| (a, b.to_vec())));
            }
        }
        if taken {
            assert_eq!(seen, [(from, vec![7; 100]), (from, vec![8; 100]), (from, vec![9; 30])]);
        }
    }
}
