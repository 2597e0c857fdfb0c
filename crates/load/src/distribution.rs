//! How often each member of a set is drawn.

pub mod skew;
pub mod weights;
