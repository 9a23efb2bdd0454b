//! The writer thread: muxes what the tap chose and hands the bytes to the sink, so that a slow disk never stops a call.

use super::{RecordOp, RecordTrack, RecordingFile, RecordingSink, RecordingWriter};
use crate::events::EngineEvent;
use atalaya_webm::{AudioTrack, Frame, LiveMuxer, TrackKind, Tracks, VideoTrack};
use std::collections::HashMap;
use std::io;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use tokio::sync::mpsc;

/// Orders waiting for the disk: about ten seconds of a call of four.
const MAX_WAITING: usize = 4_096;
/// What a crash may lose at most.
const FLUSH: Duration = Duration::from_millis(500);

struct OpenFile {
    info: RecordingFile,
    muxer: LiveMuxer,
    writer: Box<dyn RecordingWriter>,
    size: u64,
    last_ms: u64,
}

/// Handle of the writer thread.
pub(crate) struct WriterThread {
    orders: Option<SyncSender<RecordOp>>,
    thread: Option<JoinHandle<()>>,
    /// Files of which video was dropped: nothing until the next keyframe.
    gaps: Vec<u64>,
    dropped: u64,
}

impl WriterThread {
    pub fn start(sink: Arc<dyn RecordingSink>, events: mpsc::Sender<EngineEvent>) -> io::Result<Self> {
        let (orders, inbox) = sync_channel(MAX_WAITING);
        let worker = Worker { sink, events, files: HashMap::new() };
        let thread = std::thread::Builder::new().name("atalaya-recorder".into()).spawn(move || worker.run(&inbox))?;
        Ok(Self { orders: Some(orders), thread: Some(thread), gaps: Vec::new(), dropped: 0 })
    }

    /// Hands over an order without waiting. Frames that do not fit are dropped (video until its next keyframe).
    pub fn order(&mut self, op: RecordOp) {
        let Some(orders) = &self.orders else {
            return;
        };
        let gap = match &op {
            RecordOp::Frame { file, track: RecordTrack::Video, keyframe, .. } => {
                let waits = self.gaps.contains(file) && !keyframe;
                if waits {
                    return;
                }
                self.gaps.retain(|f| f != file);
                Some(*file)
            }
            _ => None,
        };
        match orders.try_send(op) {
            Ok(()) | Err(TrySendError::Disconnected(_)) => {}
            Err(TrySendError::Full(RecordOp::Frame { .. })) => {
                self.gaps.extend(gap);
                self.dropped += 1;
                if self.dropped.is_power_of_two() {
                    tracing::warn!(recording.dropped_frames = self.dropped, "the recording disk is too slow");
                }
            }
            // Opening and closing happen a few times per call; they may wait for a place in the queue.
            Err(TrySendError::Full(op)) => {
                let _ = orders.send(op);
            }
        }
    }

    /// Writes everything out and ends the thread.
    pub fn finish(&mut self) {
        self.orders = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

struct Worker {
    sink: Arc<dyn RecordingSink>,
    events: mpsc::Sender<EngineEvent>,
    files: HashMap<u64, OpenFile>,
}

impl Worker {
    fn run(mut self, inbox: &Receiver<RecordOp>) {
        let mut flushed = Instant::now();
        loop {
            match inbox.recv_timeout(FLUSH.saturating_sub(flushed.elapsed())) {
                Ok(op) => self.apply(op),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            if flushed.elapsed() >= FLUSH {
                self.flush_all();
                flushed = Instant::now();
            }
        }
        let open: Vec<u64> = self.files.keys().copied().collect();
        open.into_iter().for_each(|file| self.close(file));
    }

    fn apply(&mut self, op: RecordOp) {
        match op {
            RecordOp::Open { file, info, width, height } => self.open(file, info, width, height),
            RecordOp::Frame { file, track, timestamp_ms, keyframe, data } => {
                let track = if track == RecordTrack::Video { TrackKind::Video } else { TrackKind::Audio };
                self.on(file, |f| f.push(Frame { track, timestamp_ms, keyframe, data: &data }));
            }
            RecordOp::Close { file } => self.close(file),
        }
    }

    fn open(&mut self, file: u64, info: RecordingFile, width: u16, height: u16) {
        let writer = match self.sink.open(info.clone()) {
            Ok(writer) => writer,
            Err(e) => return tracing::error!(recording.id = %info.recording_id, error = %e, "a recording file cannot be opened"),
        };
        let (muxer, header) = LiveMuxer::new(Tracks {
            video: Some(VideoTrack { width: width.into(), height: height.into() }),
            audio: Some(AudioTrack { channels: 2, rate: 48_000 }),
        });
        self.files.insert(file, OpenFile { info, muxer, writer, size: 0, last_ms: 0 });
        self.on(file, |f| f.append(&header));
    }

    /// Runs an operation on a file; on an error the file is given up, and what was written stays.
    fn on(&mut self, file: u64, work: impl FnOnce(&mut OpenFile) -> io::Result<()>) {
        let Some(open) = self.files.get_mut(&file) else {
            return;
        };
        if let Err(e) = work(open) {
            tracing::error!(recording.id = %open.info.recording_id, error = %e, "a recording file cannot be written");
            self.files.remove(&file);
        }
    }

    fn flush_all(&mut self) {
        let open: Vec<u64> = self.files.keys().copied().collect();
        open.into_iter().for_each(|file| self.on(file, OpenFile::flush));
    }

    fn close(&mut self, file: u64) {
        self.on(file, OpenFile::flush);
        let Some(open) = self.files.remove(&file) else {
            return;
        };
        if let Err(e) = open.writer.finish() {
            return tracing::error!(recording.id = %open.info.recording_id, error = %e, "a recording file cannot be finished");
        }
        let event = EngineEvent::RecordingFile {
            room: open.info.room,
            recording_id: open.info.recording_id,
            identity: open.info.identity,
            source: open.info.source,
            started_at: open.info.started_at,
            duration_ms: open.last_ms,
            size_bytes: open.size,
        };
        if self.events.try_send(event).is_err() {
            tracing::warn!("nobody takes the engine's events");
        }
    }
}

impl OpenFile {
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        if bytes.is_empty() {
            return Ok(());
        }
        self.size += bytes.len() as u64;
        self.writer.append(bytes)
    }

    fn push(&mut self, frame: Frame<'_>) -> io::Result<()> {
        self.last_ms = self.last_ms.max(frame.timestamp_ms);
        let bytes = self.muxer.push(frame);
        self.append(&bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        let bytes = self.muxer.flush();
        self.append(&bytes)?;
        self.writer.flush()
    }
}
