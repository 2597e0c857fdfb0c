//! The servers as programs, asked over real connections.

#[cfg(test)]
mod answers;
#[cfg(test)]
mod program;
#[cfg(test)]
mod words;
