//! The memory that loads wander through, on small pages and on huge ones.

use base::error::Error;
use base::random::Random;

use crate::access::mapping::{Mapping, Pages};
use crate::access::pointer_chase::{Cycle, WARM_NS, WalkResult, order_bytes};
use crate::latency::{PAGES, PlannedCase};
use crate::machine::available_memory;
use crate::numbers::size;

/// From this share of huge pages on a working set counts as lying on them; below the other it does not.
const HUGE: f64 = 0.9;
const NOT_HUGE: f64 = 0.05;

/// The memory that cases are measured in, a map for each kind of pages.
pub struct WorkingMemory {
    maps: Vec<(Pages, Mapping)>,
}

/// The result of a case's sizes, and the share of huge pages that they used.
pub struct Measured {
    /// A walk for each size, in their order.
    pub walks: Vec<WalkResult>,
    /// The share of huge pages, read back after each.
    pub huge_shares: Vec<Option<f64>>,
}

impl Measured {
    /// The share in the end, with the pages of all sizes.
    pub fn huge_share(&self) -> Option<f64> {
        self.huge_shares.last().copied().flatten()
    }
}

impl WorkingMemory {
    /// Asks for what the largest case of each kind of pages needs.
    ///
    /// # Errors
    /// The memory is not available.
    pub fn make(wanted: &[PlannedCase]) -> Result<Self, Error> {
        let largest = |pages: Pages| {
            let its = wanted.iter().filter(|each| each.pages == pages);
            its.flat_map(|each| each.sizes.iter().copied()).max()
        };
        let kinds: Vec<(Pages, u64)> = PAGES
            .iter()
            .filter_map(|&(_, pages)| Some((pages, largest(pages)?)))
            .collect();
        let all: u64 = kinds.iter().map(|(_, bytes)| bytes).sum();
        let order = kinds.iter().map(|(_, bytes)| order_bytes(*bytes)).max();
        available_memory::need(
            all + order.unwrap_or(0),
            "the working sets of all cases",
            "Name a smaller --to or fewer cases, or end what holds the memory.",
        )?;
        let maps = kinds
            .into_iter()
            .map(|(pages, bytes)| Ok((pages, Mapping::new(size(bytes), pages)?)));
        Ok(Self {
            maps: maps.collect::<Result<_, Error>>()?,
        })
    }

    /// Walks through each size of a case for this long.
    pub fn measure(
        &mut self,
        wanted: &PlannedCase,
        lasting_ns: u64,
        random: &mut Random,
    ) -> Measured {
        let mut measured = Measured {
            walks: Vec::new(),
            huge_shares: Vec::new(),
        };
        let its = |(pages, _): &&mut (Pages, Mapping)| *pages == wanted.pages;
        let Some((_, map)) = self.maps.iter_mut().find(its) else {
            return measured;
        };
        for &bytes in &wanted.sizes {
            let cycle = Cycle::lay(map, bytes, random);
            if !obtained(wanted.pages, map.huge_share()) {
                map.collapse(size(bytes));
            }
            measured.walks.push(cycle.walk(lasting_ns, WARM_NS));
            measured.huge_shares.push(map.huge_share());
        }
        measured
    }
}

/// Whether the working set used the requested pages; if nothing shows it, small ones are assumed.
pub fn obtained(pages: Pages, huge_share: Option<f64>) -> bool {
    match pages {
        Pages::Huge => huge_share.is_some_and(|share| share >= HUGE),
        Pages::Small => huge_share.is_none_or(|share| share <= NOT_HUGE),
        Pages::System => true,
    }
}

#[cfg(test)]
mod tests {
    use super::{Pages, obtained};

    #[test]
    fn pages_are_what_was_read_back_and_not_what_was_asked_for() {
        assert!(obtained(Pages::Huge, Some(0.97)));
        assert!(!obtained(Pages::Huge, Some(0.5)));
        assert!(!obtained(Pages::Huge, None));
        assert!(obtained(Pages::Small, Some(0.0)));
        assert!(!obtained(Pages::Small, Some(1.0)));
        assert!(obtained(Pages::Small, None));
    }
}
