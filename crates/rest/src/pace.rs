//! The pace of request bodies: one guard for every route (EDGE-2), and what happens to bytes that nobody reads (EDGE-3).
//!
//! Only time that a reader spends waiting for the sender counts, so that a slow disk of ours ends nobody's upload.

use crate::edge::keep_headers;
use crate::problem::Problem;
use axum::body::{Body, Bytes, HttpBody};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use futures::StreamExt;
use http_body::{Frame, SizeHint};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::time::{Instant, Sleep};

/// How slowly a body may come.
#[derive(Clone, Copy, Debug)]
pub struct PaceLimits {
    /// How long a sender may be silent.
    pub silence: Duration,
    /// Grace period, and the average that a body must bring afterwards.
    pub grace: Duration,
    pub bytes_per_s: u64,
    /// How long a sender may take in all.
    pub longest: Duration,
    /// How many bytes, and for how long, are still read of a body whose request was answered early.
    pub rest_bytes: u64,
    pub rest_time: Duration,
}

impl Default for PaceLimits {
    fn default() -> Self {
        Self {
            silence: Duration::from_secs(30),
            grace: Duration::from_secs(30),
            bytes_per_s: 1 << 10,
            longest: Duration::from_secs(30 * 60),
            rest_bytes: 32 << 20,
            rest_time: Duration::from_secs(10),
        }
    }
}

/// Middleware: reading a body that arrives too slowly fails, and the request is answered with 408.
///
/// Errors: `UPLOAD_STALLED`, for a JSON body `REQUEST_TIMEOUT`.
pub async fn guard(State(limits): State<PaceLimits>, req: Request, next: Next) -> Response {
    if req.body().is_end_stream() {
        return next.run(req).await;
    }
    let code = if is_json(req.headers()) { "REQUEST_TIMEOUT" } else { "UPLOAD_STALLED" };
    let stalled = Arc::new(AtomicBool::new(false));
    let watched = stalled.clone();
    let response = next.run(req.map(|body| Body::new(Paced::new(body, limits, watched)))).await;
    if !stalled.load(Ordering::Relaxed) || response.status().is_success() {
        return response;
    }
    let mut slow = Problem::new(StatusCode::REQUEST_TIMEOUT, code).into_response();
    keep_headers(response.headers(), slow.headers_mut());
    slow
}

fn is_json(headers: &HeaderMap) -> bool {
    headers.get(header::CONTENT_TYPE).is_some_and(|kind| kind.as_bytes().starts_with(b"application/json"))
}

/// A body whose sender is timed.
struct Paced {
    inner: Body,
    limits: PaceLimits,
    bytes: u64,
    /// Time spent waiting before the current wait.
    waited: Duration,
    since: Option<Instant>,
    alarm: Option<Pin<Box<Sleep>>>,
    stalled: Arc<AtomicBool>,
    ended: bool,
}

impl Paced {
    fn new(inner: Body, limits: PaceLimits, stalled: Arc<AtomicBool>) -> Self {
        Self { inner, limits, bytes: 0, waited: Duration::ZERO, since: None, alarm: None, stalled, ended: false }
    }

    /// How long it may wait in all for the bytes it has.
    fn allowed(&self) -> Duration {
        let earned = Duration::from_secs(self.bytes / self.limits.bytes_per_s.max(1));
        self.limits.grace.max(earned).min(self.limits.longest)
    }

    fn stall(&mut self) -> axum::Error {
        self.stalled.store(true, Ordering::Relaxed);
        self.ended = true;
        self.inner = Body::empty();
        axum::Error::new("the body came too slowly")
    }

    /// Until when the current wait may last.
    fn alarm(&mut self) -> &mut Pin<Box<Sleep>> {
        if self.since.is_none() {
            let now = Instant::now();
            self.since = Some(now);
            let until = now + self.limits.silence.min(self.allowed().saturating_sub(self.waited));
            match &mut self.alarm {
                Some(alarm) => alarm.as_mut().reset(until),
                none => *none = Some(Box::pin(tokio::time::sleep_until(until))),
            }
        }
        self.alarm.get_or_insert_with(|| Box::pin(tokio::time::sleep(Duration::ZERO)))
    }
}

impl HttpBody for Paced {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let this = &mut *self;
        let Poll::Ready(frame) = Pin::new(&mut this.inner).poll_frame(cx) else {
            ready!(this.alarm().as_mut().poll(cx));
            return Poll::Ready(Some(Err(this.stall())));
        };
        if let Some(since) = this.since.take() {
            this.waited += since.elapsed();
        }
        match &frame {
            Some(Ok(frame)) => this.bytes += frame.data_ref().map_or(0, |data| data.len() as u64),
            Some(Err(_)) | None => this.ended = true,
        }
        if !this.ended && this.waited > this.allowed() {
            return Poll::Ready(Some(Err(this.stall())));
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.inner.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.inner.size_hint()
    }
}

/// A client that is answered early is still sending. If the connection closed, its system would discard the answer unread.
impl Drop for Paced {
    fn drop(&mut self) {
        if self.ended || self.inner.is_end_stream() {
            return;
        }
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(discard(std::mem::take(&mut self.inner), self.limits));
        }
    }
}

async fn discard(body: Body, limits: PaceLimits) {
    let mut bytes = body.into_data_stream();
    let mut left = limits.rest_bytes;
    let reading = async {
        while left > 0 {
            let Some(Ok(chunk)) = bytes.next().await else { return };
            left = left.saturating_sub(chunk.len() as u64);
        }
    };
    let _ = tokio::time::timeout(limits.rest_time, reading).await;
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures::stream;

    const QUICK: PaceLimits = PaceLimits {
        silence: Duration::from_millis(200),
        grace: Duration::from_millis(300),
        bytes_per_s: 1 << 10,
        longest: Duration::from_secs(2),
        rest_bytes: 100,
        rest_time: Duration::from_millis(200),
    };

    /// A body of chunks, each after a pause.
    fn slow(chunks: usize, size: usize, pause_ms: u64) -> Body {
        Body::from_stream(stream::iter(0..chunks).then(move |_| async move {
            tokio::time::sleep(Duration::from_millis(pause_ms)).await;
            Ok::<_, std::io::Error>(Bytes::from(vec![0; size]))
        }))
    }

    async fn read(body: Body) -> (bool, bool) {
        let stalled = Arc::new(AtomicBool::new(false));
        let read = axum::body::to_bytes(Body::new(Paced::new(body, QUICK, stalled.clone())), usize::MAX).await;
        (read.is_ok(), stalled.load(Ordering::Relaxed))
    }

    // EDGE-2, FILES-20
    #[tokio::test]
    async fn silence_and_a_trickle_break_and_a_steady_body_does_not() {
        assert_eq!(read(Body::from_stream(stream::pending::<Result<Bytes, std::io::Error>>())).await, (false, true));
        assert_eq!(read(slow(40, 1, 50)).await, (false, true), "twenty bytes a second");
        assert_eq!(read(slow(10, 1000, 50)).await, (true, false));
    }

    // EDGE-2
    #[tokio::test]
    async fn a_slow_reader_is_not_the_senders_fault() {
        let stalled = Arc::new(AtomicBool::new(false));
        let mut body = Body::new(Paced::new(slow(3, 10, 1), QUICK, stalled.clone())).into_data_stream();
        while let Some(chunk) = body.next().await {
            chunk.expect("no error");
            tokio::time::sleep(Duration::from_millis(250)).await;
        }
        assert!(!stalled.load(Ordering::Relaxed));
    }
}
