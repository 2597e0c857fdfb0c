//! The network of a run: two namespaces without names, and the link between them.

mod iproute2;
mod link;
mod link_end;
mod namespace;

pub use self::link::{Link, LinkFiles};
pub use self::link_end::DEVICE;
pub use self::namespace::{Id, Namespace, enter, id_of};
