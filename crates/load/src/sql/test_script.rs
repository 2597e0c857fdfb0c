//! What both protocols are tested with: responses cut at any place, and corrupted at random from a seed.

use std::fs;

use super::client::{Client, ConnectionSetup, Login};
use super::mix::{Answer, Queries, Rows};
use super::password::Password;
use crate::dialogue::{Malformed, Refusal};
use crate::spoiled::{change, cuts, repeat, timed};

/// Two queries: one with two parameters, and one that writes.
const QUERIES: &str = r#"{"queries":[
    {"name":"one","sql":"SELECT a, b FROM t WHERE a = ? AND c > ?","parameters":[{"counts_from":7},{"counts_from":8}]},
    {"name":"two","sql":"DELETE FROM t","writes":true}]}"#;

/// Everything that a connection starts with, by the name of the test.
pub struct Scene {
    login: Login,
    queries: Queries,
}

impl Scene {
    /// The two queries, and the user forum at the database h2h.
    pub fn new(test: &str) -> Self {
        let file = format!("h2h-load-{}-{test}.json", std::process::id());
        let path = std::env::temp_dir().join(file);
        fs::write(&path, QUERIES).expect("a file");
        let queries = Queries::read(&path).expect("queries");
        fs::remove_file(path).expect("the file is there");
        Self {
            login: Login {
                user: "forum".to_owned(),
                database: "h2h".to_owned(),
                password: Password::default(),
            },
            queries,
        }
    }

    /// The same, with a password.
    pub fn with_password(mut self, password: &str) -> Self {
        self.login.password = Password::of(password);
        self
    }

    /// What a connection starts with.
    pub fn hello(&self) -> ConnectionSetup<'_> {
        ConnectionSetup {
            login: &self.login,
            queries: &self.queries,
        }
    }

    /// How a start ends: queries may be sent (0), more must come (1), a refusal in words (2), malformed (3).
    fn outcome<C: Client>(&self, server: &[Vec<u8>], piece: usize) -> usize {
        let (mut client, mut say) = (C::default(), Vec::new());
        client.open(&self.login, &mut say);
        let mut welcome = false;
        for came in server.iter().flat_map(|turn| turn.chunks(piece)) {
            match client.greet(&self.hello(), came, &mut say) {
                Ok(now) => welcome = now,
                Err(Refusal::Malformed) => return 3,
                Err(Refusal::Said(_)) => return 2,
            }
        }
        usize::from(!welcome)
    }

    /// A connection on which the server has sent all this, in pieces of this many bytes, each time that it was waited
    /// for.
    pub fn begun<C: Client>(&self, server: &[Vec<u8>], piece: usize) -> StartupOutcome<C> {
        let (mut client, mut said, mut welcome) = (C::default(), Vec::new(), false);
        let mut say = Vec::new();
        client.open(&self.login, &mut say);
        for turn in server {
            said.push(std::mem::take(&mut say));
            for came in turn.chunks(piece) {
                assert!(!welcome, "it is in already");
                match client.greet(&self.hello(), came, &mut say) {
                    Ok(now) => welcome = now,
                    Err(Refusal::Malformed) => return StartupOutcome::Malformed,
                    Err(Refusal::Said(error)) => return StartupOutcome::Refused(error.to_string()),
                }
            }
        }
        said.push(say);
        StartupOutcome::Said {
            client,
            said,
            welcome,
        }
    }
}

/// The result of the start.
pub enum StartupOutcome<C> {
    /// What was sent before each of the server's turns and after the last, and whether queries may be sent.
    Said {
        /// The connection.
        client: C,
        /// Its messages.
        said: Vec<Vec<u8>>,
        /// Whether queries may be sent.
        welcome: bool,
    },
    Refused(String),
    Malformed,
}

impl<C: Client> StartupOutcome<C> {
    /// The connection, on which queries may be sent.
    pub fn ready(self) -> C {
        match self {
            Self::Said {
                client,
                welcome: true,
                ..
            } => client,
            Self::Said { .. } => panic!("it waits for more"),
            Self::Refused(why) => panic!("{why}"),
            Self::Malformed => panic!("it is malformed"),
        }
    }

    /// Why queries may not be sent.
    pub fn refused(self) -> String {
        match self {
            Self::Refused(why) => why,
            Self::Malformed => "malformed".to_owned(),
            Self::Said { .. } => "not refused".to_owned(),
        }
    }
}

/// The response of two rows, (1, "é") and (NULL, "").
pub fn two_rows(sampled: bool) -> Answer {
    let mut rows = Rows::default();
    rows.begin(sampled);
    for row in [[Some("1"), Some("é")], [None, Some("")]] {
        for field in row {
            match field {
                Some(field) => rows.field(field.as_bytes()),
                None => rows.null(),
            }
        }
        rows.end_row();
    }
    rows.finish()
}

/// The result of a response that comes in the pieces that end at `cuts`.
pub fn read<C: Client>(
    mut client: C,
    sampled: bool,
    bytes: &[u8],
    cuts: &[usize],
) -> Result<Option<Answer>, Malformed> {
    client.begin(sampled);
    let (mut from, mut answer) = (0, None);
    for &to in cuts.iter().chain([&bytes.len()]) {
        let piece = &bytes[from..to];
        from = to;
        if !piece.is_empty() {
            answer = match (answer, client.feed(piece)?) {
                (None, whole) => whole,
                (answer, None) => answer,
                _ => return Err(Malformed),
            };
        }
    }
    Ok(answer)
}

/// The response is the same wherever it is cut; cut short, it is none.
pub fn hold_together<C: Client>(ready: impl Fn() -> C, bytes: &[u8], due: Answer) {
    let sampled = due.sum.is_some();
    for cut in 0..bytes.len() {
        let got = read(ready(), sampled, bytes, &[cut]);
        assert_eq!(got, Ok(Some(due)), "cut at {cut}");
        let got = read(ready(), sampled, &bytes[..cut], &[]);
        assert_eq!(got, Ok(None), "the first {cut} bytes");
    }
    let every: Vec<usize> = (1..bytes.len()).collect();
    assert_eq!(
        read(ready(), sampled, bytes, &every),
        Ok(Some(due)),
        "byte by byte"
    );
}

/// Corrupted responses neither crash nor depend on their pieces, and none takes long; how many were correct, an error,
/// not whole or malformed.
pub fn spoil<C: Client>(
    name: &str,
    ready: impl Fn() -> C,
    answers: &[Vec<u8>],
    times: u32,
) -> [u32; 4] {
    let mut kinds = [0; 4];
    repeat(name, times, |random, number| {
        let mut bytes = answers[random.below(answers.len())].clone();
        for _ in 0..=number % 3 {
            change(random, &mut bytes, &[], answers);
        }
        let sampled = random.share() < 0.5;
        let cuts = cuts(random, bytes.len());
        let (took_ns, whole) = timed(|| read(ready(), sampled, &bytes, &[]));
        let cut = read(ready(), sampled, &bytes, &cuts);
        assert_eq!(cut, whole, "{}, cut at {cuts:?}", bytes.escape_ascii());
        kinds[match whole {
            Ok(Some(answer)) if !answer.error => 0,
            Ok(Some(_)) => 1,
            Ok(None) => 2,
            Err(Malformed) => 3,
        }] += 1;
        took_ns
    });
    kinds
}

/// Corrupted starts of a connection neither crash nor depend on their pieces, and none takes long; how many ended with
/// queries allowed, with more to come, with a refusal in words, or malformed.
pub fn spoil_startup<C: Client>(
    name: &str,
    scene: &Scene,
    server: &[Vec<u8>],
    times: u32,
) -> [u32; 4] {
    let mut kinds = [0; 4];
    repeat(name, times, |random, number| {
        let mut turns = server.to_vec();
        let spoiled = random.below(turns.len());
        for _ in 0..=number % 3 {
            change(random, &mut turns[spoiled], &[], server);
        }
        let (took_ns, whole) = timed(|| scene.outcome::<C>(&turns, usize::MAX));
        let piece = 1 + random.below(16);
        assert_eq!(
            scene.outcome::<C>(&turns, piece),
            whole,
            "in pieces of {piece}: {turns:?}"
        );
        kinds[whole] += 1;
        took_ns
    });
    kinds
}
