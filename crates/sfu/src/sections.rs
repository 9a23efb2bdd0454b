//! The receiving sections of one client's connection: which are free, carry a track, or must be inactive.
//!
//! Called by `hub::negotiation`. Pure.
//! *Invariant:* a section that carried a track is answered inactive once before it carries another (ENGINE-6), and
//! nothing is asked of the client before its first offer (ENGINE-7).

use crate::sdp::Kind;
use std::time::{Duration, Instant};

/// A requirement not followed by an offer in this time is repeated.
const PATIENCE: Duration = Duration::from_secs(5);

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SectionState {
    Free,
    Carries(String),
    /// Its track is gone; the client has not yet seen it inactive.
    Rests,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    pub mid: String,
    pub kind: Kind,
    pub state: SectionState,
}

/// Asks for an offer with so many more sections; (0, 0) asks for an offer without more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Requirement {
    pub audios: u32,
    pub videos: u32,
}

#[derive(Debug, Default)]
pub struct Sections {
    list: Vec<Section>,
    offered: bool,
    asked: Option<(Requirement, Instant)>,
}

impl Sections {
    /// An offer came with these receiving sections. Inactive ones are free after its answer; returns the mids that were
    /// free before.
    pub fn offer(&mut self, receiving: &[(String, Kind)]) -> Vec<String> {
        self.offered = true;
        self.asked = None;
        for (mid, kind) in receiving {
            if !self.list.iter().any(|s| s.mid == *mid) {
                self.list.push(Section { mid: mid.clone(), kind: *kind, state: SectionState::Free });
            }
        }
        let free = self.list.iter().filter(|s| s.state == SectionState::Free).map(|s| s.mid.clone()).collect();
        for section in &mut self.list {
            if section.state == SectionState::Rests {
                section.state = SectionState::Free;
            }
        }
        free
    }

    /// Puts a track into one of the `usable` free sections; its mid.
    pub fn assign(&mut self, track: &str, kind: Kind, usable: &[String]) -> Option<String> {
        let section =
            self.list.iter_mut().find(|s| s.kind == kind && s.state == SectionState::Free && usable.contains(&s.mid))?;
        section.state = SectionState::Carries(track.to_string());
        Some(section.mid.clone())
    }

    /// The track is gone; the mid it had.
    pub fn release(&mut self, track: &str) -> Option<String> {
        let section = self.list.iter_mut().find(|s| s.state == SectionState::Carries(track.to_string()))?;
        section.state = SectionState::Rests;
        Some(section.mid.clone())
    }

    /// Mid and track of every section in use.
    pub fn carried(&self) -> impl Iterator<Item = (&str, &str)> {
        self.list.iter().filter_map(|s| match &s.state {
            SectionState::Carries(track) => Some((s.mid.as_str(), track.as_str())),
            _ => None,
        })
    }

    /// What to ask of the client when tracks of these kinds wait; `None` = nothing, or it was asked already.
    pub fn requirement(&mut self, waiting: &[Kind], now: Instant) -> Option<Requirement> {
        let resting = self.list.iter().any(|s| s.state == SectionState::Rests);
        if !self.offered || (waiting.is_empty() && !resting) {
            return None;
        }
        let needed = Requirement { audios: self.missing(Kind::Audio, waiting), videos: self.missing(Kind::Video, waiting) };
        if let Some((asked, at)) = self.asked
            && now.saturating_duration_since(at) < PATIENCE
            && asked.audios >= needed.audios
            && asked.videos >= needed.videos
        {
            return None;
        }
        let before = self.asked.filter(|(_, at)| now.saturating_duration_since(*at) < PATIENCE).map(|(r, _)| r);
        let before = before.unwrap_or(Requirement { audios: 0, videos: 0 });
        let more = Requirement {
            audios: needed.audios.saturating_sub(before.audios),
            videos: needed.videos.saturating_sub(before.videos),
        };
        self.asked =
            Some((Requirement { audios: needed.audios.max(before.audios), videos: needed.videos.max(before.videos) }, now));
        Some(more)
    }

    fn missing(&self, kind: Kind, waiting: &[Kind]) -> u32 {
        let wanted = waiting.iter().filter(|k| **k == kind).count();
        let there = self.list.iter().filter(|s| s.kind == kind && !matches!(s.state, SectionState::Carries(_))).count();
        u32::try_from(wanted.saturating_sub(there)).unwrap_or(u32::MAX)
    }

    /// The signalling was replaced: what was asked is forgotten.
    pub fn forget_asked(&mut self) {
        self.asked = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first() -> Vec<(String, Kind)> {
        [("0", Kind::Audio), ("1", Kind::Video)].map(|(m, k)| (m.to_string(), k)).to_vec()
    }

    // ENGINE-6
    #[test]
    fn a_section_is_answered_inactive_once_before_it_is_used_again() {
        let mut sections = Sections::default();
        let free = sections.offer(&first());
        assert_eq!(sections.assign("TR_a", Kind::Video, &free).as_deref(), Some("1"));
        assert_eq!(sections.release("TR_a").as_deref(), Some("1"));
        let free = sections.offer(&first());
        assert_eq!(sections.assign("TR_b", Kind::Video, &free), None, "this answer shows it inactive");
        let free = sections.offer(&first());
        assert_eq!(sections.assign("TR_b", Kind::Video, &free).as_deref(), Some("1"));
        assert_eq!(sections.carried().collect::<Vec<_>>(), [("1", "TR_b")]);
    }

    // ENGINE-7
    #[test]
    fn nothing_is_asked_before_the_first_offer() {
        let mut sections = Sections::default();
        let now = Instant::now();
        assert_eq!(sections.requirement(&[Kind::Video], now), None);
        sections.offer(&first());
        assert_eq!(sections.requirement(&[Kind::Video], now), Some(Requirement { audios: 0, videos: 0 }));
        assert_eq!(sections.requirement(&[Kind::Video], now), None, "asked once");
    }

    // ENGINE-7
    #[test]
    fn only_what_is_missing_is_asked_for_and_again_after_five_seconds() {
        let mut sections = Sections::default();
        let now = Instant::now();
        sections.offer(&first());
        let two = [Kind::Video, Kind::Video];
        assert_eq!(sections.requirement(&two, now), Some(Requirement { audios: 0, videos: 1 }));
        let three = [Kind::Video, Kind::Video, Kind::Video, Kind::Audio];
        assert_eq!(sections.requirement(&three, now), Some(Requirement { audios: 0, videos: 1 }), "one more than asked");
        assert_eq!(sections.requirement(&three, now), None);
        let late = now + PATIENCE;
        assert_eq!(sections.requirement(&three, late), Some(Requirement { audios: 0, videos: 2 }));
        assert_eq!(sections.requirement(&[], late), None);
    }
}
