//! The first bytes of a connection (EDGE-6), and who gets it by them: the web server, or TURN (TURN-1).
//!
//! The HTTP library limits the time of a request's head only once it knows the protocol's version, which takes up to 24
//! bytes. A connection that sends none, or the beginning of the HTTP/2 preface and no more, would stay for ever.

use atalaya_sfu::TurnDoor;
use axum_server::accept::Accept;
use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::Sleep;

const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
/// Messages of STUN begin with a byte up to this one, HTTP with a letter.
const LAST_OF_STUN: u8 = 3;

/// Accepts as `A` does, and watches what comes first.
#[derive(Clone)]
pub struct Watched<A> {
    inner: A,
    limit: Duration,
    turn: Option<TurnDoor>,
}

impl<A> Watched<A> {
    /// `turn`: where connections go that begin as TURN does.
    pub fn new(inner: A, limit: Duration, turn: Option<TurnDoor>) -> Self {
        Self { inner, limit, turn }
    }
}

impl<A, S> Accept<TcpStream, S> for Watched<A>
where
    A: Accept<TcpStream, S>,
    A::Future: Send + 'static,
{
    type Stream = FirstBytes<A::Stream>;
    type Service = A::Service;
    type Future = Pin<Box<dyn Future<Output = io::Result<(Self::Stream, A::Service)>> + Send>>;

    fn accept(&self, stream: TcpStream, service: S) -> Self::Future {
        let turn = self.turn.clone().zip(stream.peer_addr().ok());
        let (accepting, limit) = (self.inner.accept(stream, service), self.limit);
        Box::pin(async move {
            let (inner, service) = accepting.await?;
            let alarm = Some(Box::pin(tokio::time::sleep(limit)));
            Ok((FirstBytes { inner: Some(inner), seen: 0, alarm, turn }, service))
        })
    }
}

/// A connection whose reads fail when its first bytes do not come in time, and which ends for its reader when TURN gets it.
pub struct FirstBytes<I> {
    /// `None`: TURN has it.
    inner: Option<I>,
    /// Bytes that came, all of the preface.
    seen: usize,
    /// `None` once the protocol is clear.
    alarm: Option<Pin<Box<Sleep>>>,
    turn: Option<(TurnDoor, SocketAddr)>,
}

impl<I: AsyncRead + AsyncWrite + Unpin + Send + 'static> FirstBytes<I> {
    /// Gives the connection to TURN if it begins as one; whether it did.
    fn hand_over(&mut self, first: &[u8]) -> bool {
        let is_stun = self.seen == first.len() && first.first().is_some_and(|byte| *byte <= LAST_OF_STUN);
        if !is_stun || self.turn.is_none() {
            return false;
        }
        if let (Some((door, peer)), Some(inner)) = (self.turn.take(), self.inner.take()) {
            let first = first.to_vec();
            tokio::spawn(async move { door.serve_tls(inner, peer, &first).await });
        }
        true
    }
}

impl<I: AsyncRead + AsyncWrite + Unpin + Send + 'static> AsyncRead for FirstBytes<I> {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let this = &mut *self;
        let before = buf.filled().len();
        let Some(inner) = &mut this.inner else { return Poll::Ready(Ok(())) };
        let read = Pin::new(inner).poll_read(cx, buf);
        let Some(alarm) = &mut this.alarm else { return read };
        let Poll::Ready(outcome) = read else {
            ready!(alarm.as_mut().poll(cx));
            return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
        };
        let new = &buf.filled()[before..];
        this.seen += new.len();
        if this.hand_over(new) {
            this.alarm = None;
            buf.set_filled(before);
            return Poll::Ready(Ok(()));
        }
        let is_preface = PREFACE.get(this.seen - new.len()..this.seen).is_some_and(|expected| expected == new);
        if !is_preface || this.seen == PREFACE.len() {
            this.alarm = None;
        }
        Poll::Ready(outcome)
    }
}

impl<I: AsyncWrite + Unpin> AsyncWrite for FirstBytes<I> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        match &mut self.inner {
            Some(inner) => Pin::new(inner).poll_write(cx, bytes),
            None => Poll::Ready(Err(io::ErrorKind::BrokenPipe.into())),
        }
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.inner.as_mut().map_or(Poll::Ready(Ok(())), |inner| Pin::new(inner).poll_flush(cx))
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.inner.as_mut().map_or(Poll::Ready(Ok(())), |inner| Pin::new(inner).poll_shutdown(cx))
    }

    fn poll_write_vectored(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[io::IoSlice<'_>]) -> Poll<io::Result<usize>> {
        match &mut self.inner {
            Some(inner) => Pin::new(inner).poll_write_vectored(cx, bytes),
            None => Poll::Ready(Err(io::ErrorKind::BrokenPipe.into())),
        }
    }

    fn is_write_vectored(&self) -> bool {
        self.inner.as_ref().is_some_and(AsyncWrite::is_write_vectored)
    }
}
