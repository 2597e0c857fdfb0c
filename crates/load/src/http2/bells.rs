//! Wakers without an executor: each rings a bell, and the thread goes through the bells that rang.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Wake, Waker};

/// The bells of one thread that have rung, in their order, by number.
#[derive(Clone, Debug, Default)]
pub struct Bells(Arc<Mutex<VecDeque<u32>>>);

/// One bell.
#[derive(Debug)]
struct Bell {
    number: u32,
    rung: Bells,
}

impl Bells {
    /// A waker that rings the bell of this number.
    pub fn waker(&self, number: u32) -> Waker {
        let rung = self.clone();
        Waker::from(Arc::new(Bell { number, rung }))
    }

    /// Rings the bell of this number.
    pub fn ring(&self, number: u32) {
        self.rung().push_back(number);
    }

    /// The first bell that has rung.
    pub fn next(&self) -> Option<u32> {
        self.rung().pop_front()
    }

    fn rung(&self) -> MutexGuard<'_, VecDeque<u32>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Wake for Bell {
    fn wake(self: Arc<Self>) {
        self.rung.ring(self.number);
    }

    fn wake_by_ref(self: &Arc<Self>) {
        self.rung.ring(self.number);
    }
}

#[cfg(test)]
mod tests {
    use super::Bells;

    #[test]
    fn bells_are_heard_once_in_the_order_in_which_they_rang() {
        let bells = Bells::default();
        let (second, first) = (bells.waker(2), bells.waker(1));
        first.wake_by_ref();
        second.wake();
        assert_eq!(
            [bells.next(), bells.next(), bells.next()],
            [Some(1), Some(2), None]
        );
    }
}
