//! Bytes as networks, proxies and mistakes spoil them, at random from a seed: as often as a test says, or longer.

use std::env;
use std::time::Instant;

use base::clock::thread_cpu_ns;
use base::durations::SECOND_NS;
use base::random::Random;

/// How many seconds `make fuzz` and `make test` give each reader, beyond a test's own number of times.
const SECONDS: &str = "H2H_FUZZ_S";

/// The seed of `make fuzz`; a test has one of its own, so that it does the same each time.
const SEED: &str = "H2H_FUZZ_SEED";

/// Changes bytes once; `tokens` are pieces that mean something to their reader, `others` whole examples of them.
pub fn change(random: &mut Random, bytes: &mut Vec<u8>, tokens: &[&[u8]], others: &[Vec<u8>]) {
    let place = random.below(bytes.len() + 1);
    let byte = random.bits().to_le_bytes()[0];
    let kinds = if tokens.is_empty() { 7 } else { 8 };
    match random.below(kinds) {
        0 => bytes.truncate(place),
        1 => bytes.insert(place, byte),
        2 if place < bytes.len() => bytes[place] = byte,
        3 if place < bytes.len() => bytes[place] ^= 1 << random.below(8),
        4 if place < bytes.len() => {
            let _ = bytes.remove(place);
        }
        5 => bytes.extend_from_within(place..),
        7 => {
            let token = tokens[random.below(tokens.len())];
            let _ = bytes.splice(place..place, token.iter().copied());
        }
        _ => {
            let other = &others[random.below(others.len())];
            bytes.truncate(place);
            bytes.extend_from_slice(&other[random.below(other.len() + 1)..]);
        }
    }
}

/// Some places to cut, in order; none or up to eight.
pub fn cuts(random: &mut Random, bytes: usize) -> Vec<usize> {
    let many = random.below(9);
    let mut cuts: Vec<usize> = (0..many).map(|_| random.below(bytes + 1)).collect();
    cuts.sort_unstable();
    cuts
}

/// Runs `once` so many times, and on for the time that the environment sets, and prints how often it ran. It returns what it
/// measured: the CPU time that one reading took, in ns. None may take a second, which is a hang; CPU time, as other
/// programs do not lengthen it.
pub fn repeat(name: &str, times: u32, mut once: impl FnMut(&mut Random, u32) -> u64) {
    let number = |name| -> Option<u64> { env::var(name).ok()?.parse().ok() };
    let (seconds, seed) = (number(SECONDS).unwrap_or(0), number(SEED).unwrap_or(3));
    let (mut random, began, began_ns) = (Random::new(seed), Instant::now(), thread_cpu_ns());
    let (mut done, mut longest_ns) = (0_u32, 0);
    while done < times || began.elapsed().as_secs() < seconds {
        longest_ns = longest_ns.max(once(&mut random, done));
        assert!(
            longest_ns < SECOND_NS,
            "one took {longest_ns} ns, seed {seed}"
        );
        done = done.wrapping_add(1);
    }
    let cpu_ns = (thread_cpu_ns() - began_ns).max(1);
    let each_s = u64::from(done) * SECOND_NS / cpu_ns;
    eprintln!(
        "{name}: {done} spoiled inputs, {each_s} for each second of CPU, the slowest {} us, seed {seed}",
        longest_ns / 1000
    );
}

/// The CPU time that `read` takes, in ns, and what it returns.
pub fn timed<T>(read: impl FnOnce() -> T) -> (u64, T) {
    let before_ns = thread_cpu_ns();
    let found = read();
    (thread_cpu_ns() - before_ns, found)
}
