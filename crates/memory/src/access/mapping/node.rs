//! Which memory node pages are on: how it is requested from the kernel, and what the kernel reports.

use crate::numbers::{count, float};

/// So many nodes the kernel knows at most.
const NODES: usize = 1024;
const WORD_BITS: usize = 64;

/// A mask of one node, and its length in bits as the kernel expects it: one more than it reads.
pub fn mask(node: u32) -> ([u64; NODES / WORD_BITS], usize) {
    let mut mask = [0; NODES / WORD_BITS];
    let node = usize::try_from(node).unwrap_or(NODES);
    if let Some(word) = mask.get_mut(node / WORD_BITS) {
        *word = 1 << (node % WORD_BITS);
    }
    (mask, NODES + 1)
}

/// The share of the pages on a node, of those that are on any: numbers below 0 are pages that were not touched.
pub fn share(lie: &[i32], node: u32) -> Option<f64> {
    let there: Vec<u32> = lie
        .iter()
        .filter_map(|&on| u32::try_from(on).ok())
        .collect();
    let own = there.iter().filter(|&&on| on == node).count();
    (!there.is_empty()).then(|| float(count(own)) / float(count(there.len())))
}

#[cfg(test)]
mod tests {
    use super::{mask, share};

    #[test]
    fn a_mask_has_the_bit_of_its_node_alone() {
        assert_eq!(mask(3).0[0], 8);
        assert_eq!((mask(65).0[0], mask(65).0[1]), (0, 2));
        assert!(mask(5000).0.iter().all(|&word| word == 0));
    }

    #[test]
    fn pages_that_were_not_touched_do_not_count() {
        let half = share(&[1, 0, -2, 1, 0], 1).expect("some pages");
        assert!((half - 0.5).abs() < 1e-12);
        assert_eq!(share(&[-2, -14], 0), None);
    }
}
