//! What the tax office has of an invoice, told by all its records so far and not by the last one alone. Pure.

use super::model::{RecordKind, State};
use atalaya_einvoice::verifactu::Correction;

/// Where the tax office stands with an invoice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct History {
    /// It accepted a record of the invoice, which was not annulled since.
    known: bool,
    /// One is on its way.
    expected: bool,
    /// It rejected the last registration.
    refused: bool,
    /// It rejected the last annulment.
    annulment_refused: bool,
}

impl History {
    /// Of the records made in one environment, the oldest first: another environment's office is another one.
    pub fn of(records: impl IntoIterator<Item = (RecordKind, State)>) -> Self {
        records.into_iter().fold(Self::default(), |history, (kind, state)| history.after(kind, state))
    }

    fn after(self, kind: RecordKind, state: State) -> Self {
        match (kind, state) {
            (_, State::Local) | (RecordKind::Annulled, State::Pending | State::Sent) => self,
            (RecordKind::Issued, State::Pending | State::Sent) => Self { expected: true, ..self },
            (RecordKind::Issued, State::Accepted | State::WithErrors) => Self { known: true, refused: false, ..self },
            (RecordKind::Issued, State::Rejected) => Self { refused: true, ..self },
            (RecordKind::Annulled, State::Accepted | State::WithErrors) => Self::default(),
            (RecordKind::Annulled, State::Rejected) => Self { annulment_refused: true, ..self },
        }
    }

    /// What a further registration of the invoice puts right: `Subsanacion` with `RechazoPrevio` S, X or none.
    pub fn correction(self) -> Correction {
        match (self.known || self.expected, self.refused) {
            (true, false) => Correction::Accepted,
            (true, true) => Correction::Refused,
            (false, _) => Correction::Unknown,
        }
    }

    /// An annulment has no record to annul: `SinRegistroPrevio`.
    pub fn without_record(self) -> bool {
        !self.known && !self.expected
    }

    /// An annulment follows one that was rejected: its `RechazoPrevio`.
    pub fn annulment_refused(self) -> bool {
        self.annulment_refused
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Correction::{Accepted as Right, Refused, Unknown};
    use RecordKind::{Annulled, Issued};

    fn state(letter: char) -> State {
        match letter {
            'A' => State::Accepted,
            'E' => State::WithErrors,
            'R' => State::Rejected,
            'P' => State::Pending,
            _ => State::Local,
        }
    }

    fn registrations(letters: &str) -> History {
        History::of(letters.chars().map(|letter| (Issued, state(letter))))
    }

    // FACTU-1
    #[test]
    fn every_sequence_of_accepted_and_rejected() {
        // What the next registration says, and whether an annulment instead has a record.
        let table = [
            ("AAA", Right, false),
            ("AAR", Refused, false),
            ("ARA", Right, false),
            ("ARR", Refused, false),
            ("RAA", Right, false),
            ("RAR", Refused, false),
            ("RRA", Right, false),
            ("RRR", Unknown, true),
            ("AA", Right, false),
            ("AR", Refused, false),
            ("RA", Right, false),
            ("RR", Unknown, true),
            ("A", Right, false),
            ("R", Unknown, true),
            ("", Unknown, true),
            // Accepted with errors is accepted.
            ("ER", Refused, false),
            ("RE", Right, false),
            // What never left the house says nothing.
            ("LL", Unknown, true),
            ("LRL", Unknown, true),
            ("LAL", Right, false),
            // What is on its way will be there before the next one.
            ("P", Right, false),
            ("RP", Refused, false),
        ];
        for (letters, correction, without_record) in table {
            let history = registrations(letters);
            assert_eq!((history.correction(), history.without_record()), (correction, without_record), "{letters:?}");
            assert!(!history.annulment_refused(), "{letters:?}");
        }
    }

    // FACTU-1
    #[test]
    fn every_sequence_with_annulments() {
        // Registrations and annulments (in lower case) so far: whether the next annulment lacks a record and follows a refusal.
        let table = [
            ("Ar", false, true),
            ("Rr", true, true),
            ("Arr", false, true),
            ("ARr", false, true),
            ("RRr", true, true),
            ("RAr", false, true),
            ("Aa", true, false),
            ("Ara", true, false),
            ("Ae", true, false),
            ("Ap", false, false),
        ];
        for (letters, without_record, refused) in table {
            let kind = |letter: char| if letter.is_lowercase() { Annulled } else { Issued };
            let history = History::of(letters.chars().map(|letter| (kind(letter), state(letter.to_ascii_uppercase()))));
            assert_eq!((history.without_record(), history.annulment_refused()), (without_record, refused), "{letters:?}");
        }
    }
}
