//! One thread's share of three arrays, and their expected content after N passes.

use base::error::Error;

use crate::access::mapping::{Mapping, Pages};
use crate::access::vector::{Operation, Pass, Width};

/// Numbers between two arrays, so that no two of them begin at the same place of a page: a store would hold up
/// loads that only look alike.
const APART: usize = 168;

/// What the arrays hold before the first pass.
const BEFORE: [f64; 3] = [1.0, 2.0, 3.0];

/// A thread's share: three arrays of one or two parts, each part with passes of its own.
#[derive(Debug)]
pub struct Arrays {
    map: Mapping,
    share: usize,
    passes: Vec<u64>,
}

impl Arrays {
    /// Asks for the memory and touches all of it. The thread that will use it calls this, on its CPU.
    ///
    /// # Errors
    /// The kernel does not give it, or not on the node that is named.
    pub fn touch(share: usize, parts: usize, node: Option<u32>) -> Result<Self, Error> {
        let numbers = 3 * (share * parts + APART);
        let map = Mapping::new(numbers * size_of::<f64>(), Pages::System)?;
        if let Some(node) = node {
            map.bind(node)?;
        }
        let mut arrays = Self {
            map,
            share,
            // Some number of passes that is not 0, so that they begin.
            passes: vec![1; parts],
        };
        arrays.begin();
        Ok(arrays)
    }

    /// Writes the arrays' initial content, if passes were made since.
    pub fn begin(&mut self) {
        if self.passes.iter().all(|&made| made == 0) {
            return;
        }
        self.passes.fill(0);
        for (array, value) in self.whole().into_iter().zip(BEFORE) {
            array.fill(value);
        }
    }

    /// Does one pass over the first part, or over both.
    pub fn pass(&mut self, parts: usize, operation: Operation, streams: bool, width: Width) {
        let share = self.share;
        for part in 0..parts {
            let number = self.passes[part];
            self.passes[part] += 1;
            let roles = roles(operation, number);
            let mut arrays = self
                .whole()
                .map(|array| &mut array[part * share..][..share]);
            let Ok([to, one, two]) = arrays.get_disjoint_mut(roles) else {
                return;
            };
            Pass {
                operation,
                streams,
                to,
                one,
                two,
                scalar: scalar(operation),
            }
            .run(width);
        }
    }

    /// How many numbers are not what they must be after the passes that were made.
    pub fn wrong(&mut self, operation: Operation) -> usize {
        let (share, passes) = (self.share, self.passes.clone());
        let mut wrong = 0;
        for (part, &made) in passes.iter().enumerate() {
            for (array, right) in self.whole().into_iter().zip(after(operation, made)) {
                let its = &array[part * share..][..share];
                let differs = |value: &&f64| value.to_bits() != right.to_bits();
                wrong += its.iter().filter(differs).count();
            }
        }
        wrong
    }

    /// How many parts it has.
    pub fn parts(&self) -> usize {
        self.passes.len()
    }

    /// The share of huge pages among their pages.
    pub fn huge_share(&self) -> Option<f64> {
        self.map.huge_share()
    }

    /// The share of its pages that are on this node.
    pub fn node_share(&self, node: u32) -> Option<f64> {
        self.map.node_share(node)
    }

    fn whole(&mut self) -> [&mut [f64]; 3] {
        let length = self.share * self.passes.len();
        let (first, rest) = self.map.floats().split_at_mut(length + APART);
        let (second, third) = rest.split_at_mut(length + APART);
        [
            &mut first[..length],
            &mut second[..length],
            &mut third[..length],
        ]
    }
}

/// Which array is written by a pass, and which are read. They change from pass to pass, so that each pass leaves
/// another state and none could be left out unseen: copy and scale go round all three, add and triad to and fro between
/// two.
fn roles(operation: Operation, pass: u64) -> [usize; 3] {
    match operation {
        Operation::Copy | Operation::Scale => match pass % 3 {
            0 => [2, 0, 1],
            1 => [0, 1, 2],
            _ => [1, 2, 0],
        },
        Operation::Add | Operation::Triad if pass.is_multiple_of(2) => [1, 0, 2],
        Operation::Add | Operation::Triad => [0, 1, 2],
    }
}

/// The operation's s. Scaling by -1 keeps all values exact, however many passes are made; the processor multiplies all
/// the same.
fn scalar(operation: Operation) -> f64 {
    if operation == Operation::Scale {
        -1.0
    } else {
        3.0
    }
}

/// The value in each array after N passes: the same arithmetic on one number of each.
fn after(operation: Operation, passes: u64) -> [f64; 3] {
    let mut held = BEFORE;
    for pass in 0..passes {
        let [to, one, two] = roles(operation, pass);
        let scalar = scalar(operation);
        held[to] = match operation {
            Operation::Copy => held[one],
            Operation::Scale => scalar * held[one],
            Operation::Add => held[one] + held[two],
            Operation::Triad => held[one] + scalar * held[two],
        };
    }
    held
}

#[cfg(test)]
mod tests {
    use super::{Arrays, after};
    use crate::access::vector::{BLOCK, Operation, Width};

    const ALL: [Operation; 4] = [
        Operation::Copy,
        Operation::Scale,
        Operation::Add,
        Operation::Triad,
    ];

    fn passed(operation: Operation, passes: u64) -> Arrays {
        let mut arrays = Arrays::touch(4 * BLOCK, 2, None).expect("some pages");
        for number in 0..passes {
            let parts = if number % 3 == 2 { 2 } else { 1 };
            arrays.pass(parts, operation, false, Width::widest());
        }
        arrays
    }

    #[test]
    fn after_any_number_of_passes_every_value_is_known() {
        for operation in ALL {
            for passes in [0, 1, 2, 7, 40] {
                assert_eq!(
                    passed(operation, passes).wrong(operation),
                    0,
                    "{operation:?}"
                );
            }
        }
    }

    #[test]
    fn a_spoiled_value_is_counted() {
        let mut arrays = passed(Operation::Triad, 5);
        arrays.whole()[2][BLOCK] = 7.0;
        arrays.whole()[0][5 * BLOCK] += 1.0;
        assert_eq!(arrays.wrong(Operation::Triad), 2);
    }

    #[test]
    fn a_pass_that_was_left_out_is_seen() {
        for operation in ALL {
            let mut arrays = passed(operation, 7);
            arrays.passes[0] += 1;
            assert!(arrays.wrong(operation) >= 4 * BLOCK, "{operation:?}");
        }
    }

    #[test]
    fn no_pass_leaves_what_the_one_before_it_left() {
        for operation in ALL {
            for passes in 0..50 {
                assert_ne!(
                    after(operation, passes).map(f64::to_bits),
                    after(operation, passes + 1).map(f64::to_bits),
                    "{operation:?} {passes}"
                );
            }
        }
    }
}
