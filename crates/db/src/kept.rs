//! Copies of what was read, each of an owner in a group, as a session is of a user in a company.
//!
//! *Invariant:* nothing is answered from here that the database would not have answered at the last proof that changes are
//! heard (see [`Changes::are_heard`]); a change of an owner or a group forgets all that is theirs.

use crate::{Change, Changes};
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use uuid::Uuid;

/// Copies at most; one more and all are read again.
const MAX: usize = 8192;
/// How long one is kept at most: what somebody changes by hand in the file of a SQLite database is seen then.
const AGE: Duration = Duration::from_secs(10);

/// What can be kept.
pub trait Keep: Send + Sync + 'static {
    /// The tables whose changes forget copies: of the owners, and of the groups.
    const TABLES: [&'static str; 2];
    fn id(&self) -> Uuid;
    fn owner(&self) -> Uuid;
    fn group(&self) -> Uuid;
}

/// The copies of this process. Cheap to clone.
pub struct Kept<V> {
    changes: Changes,
    copies: Arc<Mutex<Copies<V>>>,
}

impl<V> Clone for Kept<V> {
    fn clone(&self) -> Self {
        Self { changes: self.changes.clone(), copies: self.copies.clone() }
    }
}

struct Copies<V> {
    by_id: HashMap<Uuid, (Instant, Arc<V>)>,
    of_owner: HashMap<Uuid, Vec<Uuid>>,
    of_group: HashMap<Uuid, HashSet<Uuid>>,
    /// Counts what was forgotten, so that nobody keeps what he read before.
    forgotten: u64,
}

/// The moment at which somebody begins to read.
#[derive(Clone, Copy)]
pub struct Moment(u64);

impl<V: Keep> Kept<V> {
    pub fn new(changes: &Changes) -> Self {
        let empty = Copies { by_id: HashMap::new(), of_owner: HashMap::new(), of_group: HashMap::new(), forgotten: 0 };
        let copies = Arc::new(Mutex::new(empty));
        let weak = Arc::downgrade(&copies);
        changes.observe(move |change| {
            if let Some(copies) = weak.upgrade() {
                copies.lock().unwrap_or_else(PoisonError::into_inner).forget(change);
            }
        });
        Self { changes: changes.clone(), copies }
    }

    pub fn find(&self, id: Uuid) -> Option<Arc<V>> {
        self.trusted()?.get(id).cloned()
    }

    /// One of this owner.
    pub fn of_owner(&self, id: Uuid) -> Option<Arc<V>> {
        self.trusted()?.of(id)
    }

    /// One of this group.
    pub fn of_group(&self, id: Uuid) -> Option<Arc<V>> {
        let copies = self.trusted()?;
        copies.of_group.get(&id)?.iter().find_map(|owner| copies.of(*owner))
    }

    pub fn moment(&self) -> Moment {
        Moment(self.lock().forgotten)
    }

    /// Keeps what was read since then, unless something was forgotten meanwhile or changes are not heard.
    pub fn keep(&self, since: Moment, copy: &Arc<V>) {
        let mut copies = self.lock();
        // Heard now: what changed from here on will be told.
        if self.changes.are_heard() && copies.forgotten == since.0 {
            copies.put(copy);
        }
    }

    fn trusted(&self) -> Option<MutexGuard<'_, Copies<V>>> {
        let copies = self.lock();
        self.changes.are_heard().then_some(copies)
    }

    fn lock(&self) -> MutexGuard<'_, Copies<V>> {
        self.copies.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<V: Keep> Copies<V> {
    fn get(&self, id: Uuid) -> Option<&Arc<V>> {
        self.by_id.get(&id).filter(|(since, _)| since.elapsed() < AGE).map(|(_, copy)| copy)
    }

    fn of(&self, owner: Uuid) -> Option<Arc<V>> {
        self.of_owner.get(&owner)?.iter().find_map(|id| self.get(*id)).cloned()
    }

    fn put(&mut self, copy: &Arc<V>) {
        if self.by_id.len() >= MAX {
            self.forget(&Change::Anything);
        }
        if self.by_id.insert(copy.id(), (Instant::now(), copy.clone())).is_none() {
            self.of_owner.entry(copy.owner()).or_default().push(copy.id());
            self.of_group.entry(copy.group()).or_default().insert(copy.owner());
        }
    }

    fn forget(&mut self, change: &Change) {
        let [owners, groups] = V::TABLES;
        match change {
            Change::Of { table, .. } if table != owners && table != groups => return,
            Change::Of { table, key } => match key.parse() {
                Ok(id) if table == owners => self.forget_owner(id),
                Ok(id) => self.of_group.remove(&id).into_iter().flatten().for_each(|owner| self.forget_owner(owner)),
                Err(_) => self.forget_all(),
            },
            Change::Anything => self.forget_all(),
        }
        self.forgotten += 1;
    }

    fn forget_all(&mut self) {
        self.by_id.clear();
        self.of_owner.clear();
        self.of_group.clear();
    }

    fn forget_owner(&mut self, owner: Uuid) {
        for id in self.of_owner.remove(&owner).unwrap_or_default() {
            if let Some((_, copy)) = self.by_id.remove(&id)
                && let Some(owners) = self.of_group.get_mut(&copy.group())
            {
                owners.remove(&owner);
                if owners.is_empty() {
                    self.of_group.remove(&copy.group());
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Token(u128, u128, u128);

    impl Keep for Token {
        const TABLES: [&'static str; 2] = ["app_user", "company"];
        fn id(&self) -> Uuid {
            Uuid::from_u128(self.0)
        }
        fn owner(&self) -> Uuid {
            Uuid::from_u128(self.1)
        }
        fn group(&self) -> Uuid {
            Uuid::from_u128(self.2)
        }
    }

    fn kept() -> (Changes, Kept<Token>) {
        let changes = Changes::on_sqlite();
        let kept = Kept::new(&changes);
        for (id, owner, group) in [(1, 10, 100), (2, 10, 100), (3, 11, 100), (4, 12, 101)] {
            kept.keep(kept.moment(), &Arc::new(Token(id, owner, group)));
        }
        (changes, kept)
    }

    fn left(kept: &Kept<Token>) -> Vec<u128> {
        (1..=4).filter(|id| kept.find(Uuid::from_u128(*id)).is_some()).collect()
    }

    // SESSION-13
    #[test]
    fn a_change_forgets_what_is_its_own_and_nothing_else() {
        let id = Uuid::from_u128;
        for (change, expected) in [
            (Change::of("job", id(10)), vec![1, 2, 3, 4]),
            (Change::of("app_user", id(10)), vec![3, 4]),
            (Change::of("app_user", id(99)), vec![1, 2, 3, 4]),
            (Change::of("company", id(100)), vec![4]),
            (Change::of("company", "?"), vec![]),
            (Change::Anything, vec![]),
        ] {
            let (changes, kept) = kept();
            changes.tell(&change);
            assert_eq!(left(&kept), expected, "{change:?}");
            let groups: Vec<u128> = [100, 101].into_iter().filter(|group| kept.of_group(id(*group)).is_some()).collect();
            assert_eq!(groups.contains(&101), expected.contains(&4), "{change:?}");
            assert_eq!(groups.contains(&100), expected.contains(&3), "{change:?}");
        }
    }

    // SESSION-13
    #[test]
    fn what_was_read_before_something_was_forgotten_is_not_kept() {
        let (changes, kept) = kept();
        let moment = kept.moment();
        changes.tell(&Change::of("app_user", Uuid::from_u128(10)));
        kept.keep(moment, &Arc::new(Token(1, 10, 100)));
        assert_eq!(left(&kept), [3, 4]);
        changes.touch("session");
        assert!(left(&kept).is_empty(), "nothing is answered while a session is being written");
        kept.keep(kept.moment(), &Arc::new(Token(1, 10, 100)));
        changes.settle(&[Change::of("app_user", Uuid::from_u128(11))]);
        assert_eq!(left(&kept), [4], "nor kept");
    }
}
