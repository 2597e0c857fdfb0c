//! The servers as programs, asked over real connections.

#[cfg(test)]
mod answers;
#[cfg(test)]
mod arguments;
#[cfg(test)]
mod program;
