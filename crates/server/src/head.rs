//! The first bytes of a connection (EDGE-6).
//!
//! The HTTP library limits the time of a request's head only once it knows the protocol's version, which takes up to 24
//! bytes. A connection that sends none, or the beginning of the HTTP/2 preface and no more, would stay for ever.

use axum_server::accept::Accept;
use std::future::Future;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::Sleep;

const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/// Accepts as `A` does, and watches what comes first.
#[derive(Clone)]
pub struct Watched<A> {
    inner: A,
    limit: Duration,
}

impl<A> Watched<A> {
    pub fn new(inner: A, limit: Duration) -> Self {
        Self { inner, limit }
    }
}

impl<A, I, S> Accept<I, S> for Watched<A>
where
    A: Accept<I, S>,
    A::Future: Send + 'static,
{
    type Stream = FirstBytes<A::Stream>;
    type Service = A::Service;
    type Future = Pin<Box<dyn Future<Output = io::Result<(Self::Stream, A::Service)>> + Send>>;

    fn accept(&self, stream: I, service: S) -> Self::Future {
        let (accepting, limit) = (self.inner.accept(stream, service), self.limit);
        Box::pin(async move {
            let (inner, service) = accepting.await?;
            Ok((FirstBytes { inner, seen: 0, alarm: Some(Box::pin(tokio::time::sleep(limit))) }, service))
        })
    }
}

/// A connection whose reads fail when its first bytes do not come in time.
pub struct FirstBytes<I> {
    inner: I,
    /// Bytes that came, all of the preface.
    seen: usize,
    /// `None` once the protocol is clear.
    alarm: Option<Pin<Box<Sleep>>>,
}

impl<I: AsyncRead + Unpin> AsyncRead for FirstBytes<I> {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let this = &mut *self;
        let before = buf.filled().len();
        let read = Pin::new(&mut this.inner).poll_read(cx, buf);
        let Some(alarm) = &mut this.alarm else { return read };
        let Poll::Ready(outcome) = read else {
            ready!(alarm.as_mut().poll(cx));
            return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
        };
        let new = &buf.filled()[before..];
        this.seen += new.len();
        let is_preface = PREFACE.get(this.seen - new.len()..this.seen).is_some_and(|expected| expected == new);
        if !is_preface || this.seen == PREFACE.len() {
            this.alarm = None;
        }
        Poll::Ready(outcome)
    }
}

impl<I: AsyncWrite + Unpin> AsyncWrite for FirstBytes<I> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.inner).poll_write(cx, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_shutdown(cx)
    }

    fn poll_write_vectored(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[io::IoSlice<'_>]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.inner).poll_write_vectored(cx, bytes)
    }

    fn is_write_vectored(&self) -> bool {
        self.inner.is_write_vectored()
    }
}
