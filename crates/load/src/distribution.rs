//! What a seed decides: which member of a set is drawn, which kind of request, and when requests arrive.

pub mod arrivals;
pub mod skew;
pub mod weights;
