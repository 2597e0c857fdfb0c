//! What watches over a run on its host.

fn main() {}
