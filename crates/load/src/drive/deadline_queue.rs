//! Users in the order in which their time comes: a user enters at the end, or before those who began to wait later, and
//! leaves from any place.

/// No user.
const NOBODY: u32 = u32::MAX;

/// A queue of users, by number, in the order of since when they wait; they may leave from any place. As all wait equally
/// long, the first one's time comes first, and no other needs to be checked. Entering costs a step for each user who has
/// waited for less: none, unless a session had to wait for its connection.
#[derive(Debug)]
pub struct DeadlineQueue {
    places: Vec<Place>,
    first: u32,
    last: u32,
}

#[derive(Clone, Copy, Debug)]
struct Place {
    before: u32,
    behind: u32,
    inside: bool,
    since_ns: u64,
}

const OUTSIDE: Place = Place {
    before: NOBODY,
    behind: NOBODY,
    inside: false,
    since_ns: 0,
};

impl Default for DeadlineQueue {
    fn default() -> Self {
        Self {
            places: Vec::new(),
            first: NOBODY,
            last: NOBODY,
        }
    }
}

impl DeadlineQueue {
    /// Lets a user in, waiting since `since_ns`, behind all who have waited as long. One who is in already leaves first.
    pub fn enter(&mut self, user: u32, since_ns: u64) {
        self.leave(user);
        let at = index(user);
        if at >= self.places.len() {
            self.places.resize(at + 1, OUTSIDE);
        }
        let (mut before, mut behind) = (self.last, NOBODY);
        while let Some(place) = self.places.get(index(before))
            && place.since_ns > since_ns
        {
            (before, behind) = (place.before, before);
        }
        self.places[at] = Place {
            before,
            behind,
            inside: true,
            since_ns,
        };
        match self.places.get_mut(index(before)) {
            Some(before) => before.behind = user,
            None => self.first = user,
        }
        match self.places.get_mut(index(behind)) {
            Some(behind) => behind.before = user,
            None => self.last = user,
        }
    }

    /// Lets a user out who may be in.
    pub fn leave(&mut self, user: u32) {
        let Some(place) = self.places.get_mut(index(user)) else {
            return;
        };
        if !place.inside {
            return;
        }
        let Place { before, behind, .. } = std::mem::replace(place, OUTSIDE);
        match self.places.get_mut(index(before)) {
            Some(before) => before.behind = behind,
            None => self.first = behind,
        }
        match self.places.get_mut(index(behind)) {
            Some(behind) => behind.before = before,
            None => self.last = before,
        }
    }

    /// Since when the first user has waited.
    pub fn first_since_ns(&self) -> Option<u64> {
        self.places
            .get(index(self.first))
            .map(|place| place.since_ns)
    }

    /// Lets the first user out if it has waited since `since_ns` or longer.
    pub fn next_since(&mut self, since_ns: u64) -> Option<u32> {
        let first = self.first;
        let place = self.places.get(index(first))?;
        if place.since_ns > since_ns {
            return None;
        }
        self.leave(first);
        Some(first)
    }
}

fn index(user: u32) -> usize {
    usize::try_from(user).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::DeadlineQueue;

    fn all(queue: &mut DeadlineQueue) -> Vec<u32> {
        std::iter::from_fn(|| queue.next_since(u64::MAX)).collect()
    }

    #[test]
    fn users_come_out_as_they_went_in() {
        let mut queue = DeadlineQueue::default();
        for user in [3, 0, 2] {
            queue.enter(user, 10);
        }
        assert_eq!(all(&mut queue), [3, 0, 2]);
        assert!(all(&mut queue).is_empty());
    }

    #[test]
    fn users_leave_from_anywhere_and_may_come_again() {
        for gone in 0..4 {
            let mut queue = DeadlineQueue::default();
            for user in 0..4 {
                queue.enter(user, 10);
            }
            queue.leave(gone);
            queue.leave(gone);
            queue.leave(77);
            let left: Vec<u32> = (0..4).filter(|&user| user != gone).collect();
            queue.enter(left[0], 11);
            assert_eq!(all(&mut queue), [left[1], left[2], left[0]]);
            queue.enter(gone, 12);
            assert_eq!(all(&mut queue), [gone]);
        }
    }

    #[test]
    fn one_who_has_waited_for_longer_comes_out_before() {
        let mut queue = DeadlineQueue::default();
        for (user, since_ns) in [(0, 100), (1, 300), (2, 200), (3, 50), (4, 300)] {
            queue.enter(user, since_ns);
        }
        assert_eq!(queue.first_since_ns(), Some(50));
        assert_eq!(queue.next_since(250), Some(3));
        assert_eq!(queue.next_since(250), Some(0));
        assert_eq!(queue.next_since(250), Some(2));
        assert_eq!(queue.next_since(250), None);
        queue.leave(1);
        queue.enter(5, 60);
        assert_eq!(all(&mut queue), [5, 4]);
        assert!(all(&mut queue).is_empty());
    }

    #[test]
    fn only_those_who_waited_long_enough_come_out() {
        let mut queue = DeadlineQueue::default();
        for (user, since_ns) in [(0, 100), (1, 200), (2, 300)] {
            queue.enter(user, since_ns);
        }
        assert_eq!(queue.first_since_ns(), Some(100));
        assert_eq!(queue.next_since(99), None);
        assert_eq!(queue.next_since(200), Some(0));
        assert_eq!(queue.next_since(200), Some(1));
        assert_eq!(queue.next_since(200), None);
        assert_eq!(queue.first_since_ns(), Some(300));
        queue.leave(2);
        assert_eq!(queue.first_since_ns(), None);
    }
}
