//! The program as a whole: what it starts, limits, watches and refuses, and that nothing of it is left.

#[cfg(test)]
mod command_line;
#[cfg(test)]
mod confinement;
#[cfg(test)]
mod lease;
#[cfg(test)]
mod lifetime;
#[cfg(test)]
mod limits;
#[cfg(test)]
mod link;
#[cfg(test)]
mod monitors;
#[cfg(test)]
mod remote;
#[cfg(test)]
mod settings;
#[cfg(test)]
mod supervised;
#[cfg(test)]
mod userland;
