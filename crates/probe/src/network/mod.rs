//! The network of a run: two namespaces without names, and the link between them.

mod end;
mod link;
mod namespace;
mod said;

pub use self::end::DEVICE;
pub use self::link::{Link, LinkFiles};
pub use self::namespace::{Id, Namespace, enter, id_of};
