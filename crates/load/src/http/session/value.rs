//! Values that a session draws at its beginning, from the seed.

use std::io::Write as _;

use base::random::Random;

/// How a value is drawn, anew for each session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// This many small letters.
    Letters(usize),
    /// A whole number: the least, and how many there are.
    Number {
        /// The least.
        from: u64,
        /// How many there are, at least one.
        count: usize,
    },
}

impl Source {
    /// Draws a value in place of the one in `value`.
    pub fn draw(self, random: &mut Random, value: &mut Vec<u8>) {
        value.clear();
        match self {
            Self::Letters(count) => {
                value.extend((0..count).map(|_| letter(random.below(26))));
            }
            Self::Number { from, count } => {
                let number = from + u64::try_from(random.below(count)).unwrap_or(0);
                // A vector has room for it.
                let _ = write!(value, "{number}");
            }
        }
    }
}

fn letter(number: usize) -> u8 {
    b'a' + u8::try_from(number).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use base::random::Random;

    use super::Source;

    #[test]
    fn values_are_drawn_from_the_seed() {
        let draw = |source: Source, seed| {
            let (mut value, mut random) = (b"old".to_vec(), Random::new(seed));
            source.draw(&mut random, &mut value);
            String::from_utf8(value).expect("text")
        };
        let letters = Source::Letters(40);
        assert_eq!(draw(letters, 1), draw(letters, 1));
        assert_ne!(draw(letters, 1), draw(letters, 2));
        assert_eq!(draw(letters, 1).len(), 40);
        assert!(
            draw(letters, 1)
                .bytes()
                .all(|byte| byte.is_ascii_lowercase())
        );
        let number = Source::Number { from: 7, count: 3 };
        let drawn: Vec<u64> = (0..100)
            .map(|seed| draw(number, seed).parse().expect("a number"))
            .collect();
        assert_eq!(drawn.iter().min(), Some(&7));
        assert_eq!(drawn.iter().max(), Some(&9));
    }
}
