//! Reads a file from its beginning, one block at a time, up to its end or the place where it is torn.

use crate::WebmError;
use crate::ebml::{self, id};
use crate::tracks::{Numbers, TrackKind, Tracks, parse_tracks};
use std::io::{ErrorKind, Read};

/// No frame of a call is larger; a larger size is damage and would only cost memory.
const MAX_BLOCK_BYTES: u64 = 16 << 20;
/// Bytes of the file's beginning that are kept at most.
const MAX_HEADER_BYTES: u64 = 64 << 10;

/// A cluster later than this (some 8,900 years) is damage; the bound keeps sums from overflowing.
const MAX_TIMESTAMP_MS: u64 = 1 << 48;

/// What comes next in the file.
#[derive(Debug)]
pub enum Event<'a> {
    /// A cluster begins.
    Cluster,
    /// A complete block.
    Block(Block<'a>),
}

/// One frame in its place.
#[derive(Debug)]
pub struct Block<'a> {
    pub track: TrackKind,
    /// Milliseconds from the beginning of the recording. Negative only in damaged or foreign files.
    pub timestamp_ms: i64,
    pub keyframe: bool,
    /// The frame's bytes.
    pub data: &'a [u8],
    /// The timestamp of the cluster it is in, in milliseconds, and the number of its track in this file.
    pub(crate) cluster_ms: u64,
    pub(crate) number: u64,
    /// Where the element around the frame begins and ends in the file, in bytes.
    pub start: u64,
    pub end: u64,
}

/// Reads a WebM file forwards only. A torn or damaged tail ends the reading as the file's end does.
#[derive(Debug)]
pub struct Reader<R> {
    source: Source<R>,
    tracks: Tracks,
    numbers: Numbers,
    cluster: Option<Cluster>,
    /// The element that was read to find out that the cluster before it ended.
    held: Option<Element>,
    payload: Vec<u8>,
    torn: bool,
}

#[derive(Debug, Clone, Copy)]
struct Cluster {
    timestamp_ms: u64,
    end: Option<u64>,
}

#[derive(Debug, Clone, Copy)]
struct Element {
    id: u32,
    start: u64,
    size: Option<u64>,
}

impl<R: Read> Reader<R> {
    /// Reads the file's beginning, up to its tracks.
    ///
    /// Errors: `WEBM_INVALID`, `WEBM_UNSUPPORTED`, `WEBM_READ_FAILED`.
    pub fn new(source: R) -> Result<Self, WebmError> {
        let mut reader = Self {
            source: Source { inner: source, position: 0 },
            tracks: Tracks::default(),
            numbers: Numbers::default(),
            cluster: None,
            held: None,
            payload: Vec::new(),
            torn: false,
        };
        reader.read_head()?;
        Ok(reader)
    }

    /// The tracks as the file declares them.
    pub fn tracks(&self) -> Tracks {
        self.tracks
    }

    /// After the walk: whether the file ended in the middle of something.
    pub fn is_torn(&self) -> bool {
        self.torn
    }

    pub(crate) fn numbers(&self) -> Numbers {
        self.numbers
    }

    /// The next thing in the file; `None` at its end. Errors: `WEBM_READ_FAILED` only.
    pub fn next_event(&mut self) -> Result<Option<Event<'_>>, WebmError> {
        loop {
            if self.torn {
                return Ok(None);
            }
            if self.cluster.is_some_and(|cluster| cluster.end == Some(self.source.position)) {
                self.cluster = None;
            }
            let Some(element) = self.next_element()? else { return Ok(None) };
            let Some(cluster) = self.cluster else {
                if self.enter_top_level(element)? {
                    return Ok(Some(Event::Cluster));
                }
                continue;
            };
            if cluster.end.is_none() && ebml::is_top_level(element.id) {
                self.cluster = None;
                self.held = Some(element);
                continue;
            }
            if let Some((kind, parsed)) = self.read_in_cluster(element, cluster)? {
                let cluster_ms = cluster.timestamp_ms;
                return Ok(Some(Event::Block(Block {
                    track: kind,
                    timestamp_ms: cluster_ms as i64 + i64::from(parsed.relative_ms),
                    cluster_ms,
                    number: parsed.track,
                    keyframe: parsed.keyframe,
                    data: &self.payload[parsed.from..parsed.to],
                    start: element.start,
                    end: self.source.position,
                })));
            }
        }
    }

    /// Reads on until the Tracks element has been understood.
    fn read_head(&mut self) -> Result<(), WebmError> {
        let head = self.next_element()?.ok_or(WebmError::Invalid("too short"))?;
        if head.id != id::EBML || !self.read_payload(head, MAX_HEADER_BYTES)? {
            return Err(WebmError::Invalid("no EBML header"));
        }
        let segment = self.next_element()?.ok_or(WebmError::Invalid("no segment"))?;
        if segment.id != id::SEGMENT {
            return Err(WebmError::Invalid("no segment"));
        }
        while let Some(element) = self.next_element()? {
            match element.id {
                id::INFO => self.read_info(element)?,
                id::TRACKS => {
                    if !self.read_payload(element, MAX_HEADER_BYTES)? {
                        break;
                    }
                    (self.tracks, self.numbers) = parse_tracks(&self.payload)?;
                    return Ok(());
                }
                id::CLUSTER => break,
                _ if !self.skip(element)? => break,
                _ => {}
            }
        }
        Err(WebmError::Invalid("no tracks"))
    }

    fn read_info(&mut self, element: Element) -> Result<(), WebmError> {
        if !self.read_payload(element, MAX_HEADER_BYTES)? {
            return Err(WebmError::Invalid("damaged segment information"));
        }
        let scale = ebml::children(&self.payload).find(|(child, _)| *child == id::TIMESTAMP_SCALE);
        match scale.and_then(|(_, value)| ebml::uint(value)) {
            None | Some(1_000_000) => Ok(()),
            Some(_) => Err(WebmError::Unsupported("a time unit that is not the millisecond")),
        }
    }

    /// Whether a cluster was entered; anything else is stepped over.
    fn enter_top_level(&mut self, element: Element) -> Result<bool, WebmError> {
        if element.id == id::CLUSTER {
            let end = element.size.map(|size| self.source.position.saturating_add(size));
            self.cluster = Some(Cluster { timestamp_ms: 0, end });
            return Ok(true);
        }
        let known = ebml::is_top_level(element.id) || element.id == 0xEC;
        if !known || !self.skip(element)? {
            self.torn = true;
        }
        Ok(false)
    }

    fn read_in_cluster(&mut self, element: Element, cluster: Cluster) -> Result<Option<(TrackKind, Parsed)>, WebmError> {
        let fits = match (element.size, cluster.end) {
            (None, _) => false,
            (Some(size), Some(end)) => self.source.position.saturating_add(size) <= end,
            (Some(_), None) => true,
        };
        if !fits || !self.read_payload(element, MAX_BLOCK_BYTES)? {
            self.torn = true;
            return Ok(None);
        }
        let parsed = match element.id {
            id::TIMESTAMP => {
                let timestamp_ms = ebml::uint(&self.payload).unwrap_or(0).min(MAX_TIMESTAMP_MS);
                self.cluster = Some(Cluster { timestamp_ms, ..cluster });
                return Ok(None);
            }
            id::SIMPLE_BLOCK => parse_block(&self.payload, 0, self.payload.len(), None),
            id::BLOCK_GROUP => parse_group(&self.payload),
            // Void, Position, PrevSize and the like say nothing that the final file needs.
            0xEC | 0xBF | 0xA7 | 0xAB | 0x5854 => return Ok(None),
            _ => None,
        };
        let found = parsed.and_then(|parsed| Some((self.numbers.kind(parsed.track)?, parsed)));
        self.torn = found.is_none();
        Ok(found)
    }

    fn next_element(&mut self) -> Result<Option<Element>, WebmError> {
        if let Some(element) = self.held.take() {
            return Ok(Some(element));
        }
        let start = self.source.position;
        let mut head = [0; 12];
        if !self.source.fill(&mut head[..1])? {
            return Ok(None);
        }
        let id_length = head[0].leading_zeros() as usize + 1;
        if id_length > 4 || !self.source.fill(&mut head[1..=id_length])? {
            return Ok(self.tear());
        }
        let size_length = head[id_length].leading_zeros() as usize + 1;
        if size_length > 8 || !self.source.fill(&mut head[id_length + 1..id_length + size_length])? {
            return Ok(self.tear());
        }
        let (Some((id, _)), Some((size, _))) = (ebml::take_id(&head), ebml::take_size(&head[id_length..])) else {
            return Ok(self.tear());
        };
        Ok(Some(Element { id, start, size }))
    }

    fn tear(&mut self) -> Option<Element> {
        self.torn = true;
        None
    }

    /// Reads an element's value into `payload`; `false` when it is not all there, or larger than `limit`.
    fn read_payload(&mut self, element: Element, limit: u64) -> Result<bool, WebmError> {
        self.payload.clear();
        let Some(size) = element.size.filter(|size| *size <= limit) else { return Ok(false) };
        let read = self.source.read_up_to(size, &mut self.payload)?;
        Ok(read == size)
    }

    fn skip(&mut self, element: Element) -> Result<bool, WebmError> {
        let Some(size) = element.size else { return Ok(false) };
        Ok(self.source.skip(size)? == size)
    }
}

/// A block's header, and where in the payload its frame lies.
#[derive(Debug, Clone, Copy)]
struct Parsed {
    track: u64,
    relative_ms: i16,
    keyframe: bool,
    from: usize,
    to: usize,
}

/// `keyframe` overrides the flag, which only simple blocks have.
fn parse_block(payload: &[u8], from: usize, to: usize, keyframe: Option<bool>) -> Option<Parsed> {
    let block = payload.get(from..to)?;
    let (track, length) = ebml::take_size(block)?;
    let &[high, low, flags] = block.get(length..length + 3)?.first_chunk::<3>()?;
    // Laced blocks hold several frames; we never write them, and WebM's own tools do not either for these codecs.
    if flags & 0x06 != 0 {
        return None;
    }
    Some(Parsed {
        track: track?,
        relative_ms: i16::from_be_bytes([high, low]),
        keyframe: keyframe.unwrap_or(flags & 0x80 != 0),
        from: from + length + 3,
        to,
    })
}

fn parse_group(payload: &[u8]) -> Option<Parsed> {
    let keyframe = !ebml::children(payload).any(|(child, _)| child == id::REFERENCE_BLOCK);
    let (_, block) = ebml::children(payload).find(|(child, _)| *child == id::BLOCK)?;
    let from = block.as_ptr() as usize - payload.as_ptr() as usize;
    parse_block(payload, from, from + block.len(), Some(keyframe))
}

/// The file, with the number of bytes already read.
#[derive(Debug)]
struct Source<R> {
    inner: R,
    position: u64,
}

impl<R: Read> Source<R> {
    /// Fills `buffer`; `false` when the file ends before.
    fn fill(&mut self, buffer: &mut [u8]) -> Result<bool, WebmError> {
        let mut done = 0;
        while done < buffer.len() {
            match self.inner.read(&mut buffer[done..]) {
                Ok(0) => return Ok(false),
                Ok(read) => {
                    done += read;
                    self.position += read as u64;
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(true)
    }

    /// Appends up to `size` bytes. Grows as bytes arrive, so that a false size costs nothing.
    fn read_up_to(&mut self, size: u64, into: &mut Vec<u8>) -> Result<u64, WebmError> {
        let read = (&mut self.inner).take(size).read_to_end(into)? as u64;
        self.position += read;
        Ok(read)
    }

    fn skip(&mut self, size: u64) -> Result<u64, WebmError> {
        let skipped = std::io::copy(&mut (&mut self.inner).take(size), &mut std::io::sink())?;
        self.position += skipped;
        Ok(skipped)
    }
}
