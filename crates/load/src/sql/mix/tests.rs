//! What is drawn and sent, what is correct, and which files are refused.

mod wrong;

use std::fs;
use std::path::{Path, PathBuf};

use base::random::Random;

use super::{Answer, Drawn, Draws, Queries, Value};
use crate::tally::fault::Fault;

/// A file of this process's own, which the test takes away again.
fn file(name: &str, text: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("h2h-load-queries-{}-{name}", std::process::id()));
    fs::write(&path, text).expect("a file");
    path
}

/// Reads a file of the queries between these brackets.
fn read(name: &str, queries: &str) -> Result<Queries, String> {
    let path = file(
        &format!("{name}.json"),
        &format!(r#"{{"queries":[{queries}]}}"#),
    );
    let queries = Queries::read(&path).map_err(|error| error.to_string());
    fs::remove_file(path).expect("the file is there");
    queries
}

/// A table of `count` threads: id 100 and up, subject `s<id>`, as many messages as the row's number, a sum of that
/// byte.
fn threads(name: &str, count: u8) -> PathBuf {
    let rows = (0..count).map(|row| {
        let id = 100 + u32::from(row);
        format!("{id},s{id},{row},{}\n", format!("{row:02x}").repeat(32))
    });
    let text = format!("id,subject,messages,checksum\n{}", rows.collect::<String>());
    file(&format!("{name}.csv"), &text)
}

/// One query with two parameters of one row, its number of rows and its checksum, and the rest of the line.
fn thread(table: &Path, first: &str, more: &str) -> String {
    format!(
        r#"{{"name":"thread","sql":"SELECT ? FROM t WHERE s = ?","parameters":[{{"table":{table:?},"column":"id"{first}}},
        {{"table":{table:?},"column":"subject"}}],"rows":{{"table":{table:?},"column":"messages"}},
        "checksum":{{"table":{table:?},"column":"checksum"}}{more}}}"#
    )
}

fn ids(queries: &Queries, thread: &mut Draws, count: usize) -> Vec<i64> {
    let id = |drawn: Drawn| match queries.values(&drawn).next() {
        Some(Value::Integer(id)) => id,
        other => panic!("{other:?} is no id"),
    };
    (0..count).map(|_| id(queries.draw(thread))).collect()
}

#[test]
fn parameters_of_one_table_come_from_one_row_and_its_answer_is_the_right_one() {
    let table = threads("one-row", 50);
    let queries = read("one-row", &thread(&table, "", r#","sample":1"#)).expect("queries");
    fs::remove_file(table).expect("the file is there");
    assert_eq!((queries.len(), queries.writes()), (1, false));
    assert_eq!(
        (queries.query(0).name.as_str(), queries.query(0).parameters),
        ("thread", 2)
    );
    let mut thread = queries.draws(Random::new(1), 0, 1);
    let mut seen = [false; 50];
    for _ in 0..1000 {
        let drawn = queries.draw(&mut thread);
        let values: Vec<Value> = queries.values(&drawn).collect();
        let (Value::Integer(id), Value::Text(subject)) = (values[0], values[1]) else {
            panic!("{values:?}");
        };
        assert_eq!(subject, format!("s{id}"));
        let row = u8::try_from(id - 100).expect("a row");
        assert_eq!(queries.rows(&drawn), Some(u64::from(row)));
        let right = Answer {
            rows: u64::from(row),
            sum: Some([row; 32]),
            ..Answer::default()
        };
        assert_eq!(queries.judge(&drawn, &right), None);
        let stated = Answer {
            stated: true,
            ..right
        };
        let none_came = (row > 0).then_some(Fault::WrongRows);
        assert_eq!(queries.judge(&drawn, &stated), none_came);
        seen[usize::from(row)] = true;
    }
    assert!(seen.iter().all(|&seen| seen), "1000 draws of 50 rows");
}

#[test]
fn the_gravest_wrong_is_the_one_that_counts() {
    let table = threads("judge", 1);
    let queries = read("judge", &thread(&table, "", r#","sample":1"#)).expect("queries");
    let unsampled = read("judge-not", &thread(&table, "", r#","sample":0"#)).expect("queries");
    fs::remove_file(table).expect("the file is there");
    let drawn = queries.draw(&mut queries.draws(Random::new(1), 0, 1));
    let judge = |answer| queries.judge(&drawn, &answer);
    let right = Answer {
        rows: 0,
        sum: Some([0; 32]),
        ..Answer::default()
    };
    let spoiled = Answer {
        sum: Some([1; 32]),
        ..right
    };
    let longer = Answer { rows: 1, ..spoiled };
    let failed = Answer {
        error: true,
        ..longer
    };
    assert_eq!(judge(right), None);
    assert_eq!(judge(spoiled), Some(Fault::WrongChecksum));
    assert_eq!(
        judge(Answer { sum: None, ..right }),
        Some(Fault::WrongChecksum)
    );
    assert_eq!(judge(longer), Some(Fault::WrongRows));
    let unseen = Answer {
        stated: true,
        ..longer
    };
    assert_ne!(
        judge(unseen),
        Some(Fault::WrongRows),
        "none is due, and none came, whatever the server states"
    );
    assert_eq!(judge(failed), Some(Fault::ErrorAnswer));
    let drawn = unsampled.draw(&mut unsampled.draws(Random::new(1), 0, 1));
    assert!(!drawn.sampled);
    assert_eq!(unsampled.judge(&drawn, &spoiled), None);
}

#[test]
fn a_query_that_draws_nothing_has_its_answer_in_the_only_row_of_a_table() {
    let only = threads("only", 1);
    let line = format!(
        r#"{{"name":"all","sql":"SELECT 1","rows":{{"table":{only:?},"column":"messages"}},
        "checksum":{{"table":{only:?},"column":"checksum"}},"sample":1}},{{"name":"any","sql":"SELECT 2","rows":null}}"#
    );
    let queries = read("only", &line).expect("queries");
    fs::remove_file(only).expect("the file is there");
    let mut thread = queries.draws(Random::new(3), 0, 1);
    for _ in 0..20 {
        let drawn = queries.draw(&mut thread);
        let due = (drawn.query == 0).then_some(0);
        assert_eq!(queries.rows(&drawn), due);
        assert_eq!(
            (drawn.sampled, queries.values(&drawn).count()),
            (due.is_some(), 0)
        );
    }
}

#[test]
fn a_sample_of_the_checksums_is_looked_at() {
    let table = threads("sample", 5);
    let share = |line: &str| {
        let queries = read("sample", &thread(&table, "", line)).expect("queries");
        let mut thread = queries.draws(Random::new(5), 0, 1);
        (0..10_000)
            .filter(|_| queries.draw(&mut thread).sampled)
            .count()
    };
    assert!((2_300..2_700).contains(&share(r#","sample":0.25"#)));
    assert!((50..200).contains(&share("")), "1 % where nothing is said");
    fs::remove_file(table).expect("the file is there");
}

#[test]
fn rows_are_drawn_by_their_skew_and_walked_in_order_by_all_threads_together() {
    let table = threads("skew", 5);
    let queries = |skew: &str| read("skew", &thread(&table, skew, "")).expect("queries");
    let ordered = queries(r#","skew":"sequential""#);
    let mut pair = [0, 1].map(|thread| ordered.draws(Random::new(1), thread, 2));
    let walked = pair.each_mut().map(|draws| ids(&ordered, draws, 5));
    assert_eq!(
        walked,
        [[100, 102, 104, 101, 103], [101, 103, 100, 102, 104]]
    );
    let first = |queries: &Queries| {
        let ids = ids(queries, &mut queries.draws(Random::new(2), 0, 1), 10_000);
        ids.into_iter().filter(|&id| id == 100).count()
    };
    assert!((1_800..2_200).contains(&first(&queries(""))), "a fifth");
    // 1 / (1 + 1/2 + 1/3 + 1/4 + 1/5) = 0.438.
    assert!((4_180..4_580).contains(&first(&queries(r#","skew":"zipf""#))));
    assert!((1_800..2_200).contains(&first(&queries(r#","skew":"zipf","exponent":0"#))));
    fs::remove_file(table).expect("the file is there");
}

#[test]
fn rows_of_different_tables_are_drawn_apart() {
    let (one, two) = (threads("apart-1", 7), threads("apart-2", 5));
    let line = format!(
        r#"{{"name":"both","sql":"? ?","parameters":[{{"table":{one:?},"column":"id"}},{{"table":{two:?},"column":"messages",
        "skew":"sequential"}}],"rows":{{"table":{two:?},"column":"messages"}}}}"#
    );
    let queries = read("apart", &line).expect("queries");
    let mut thread = queries.draws(Random::new(4), 0, 1);
    let mut ids = [0; 7];
    for number in 0..700 {
        let drawn = queries.draw(&mut thread);
        let values: Vec<Value> = queries.values(&drawn).collect();
        assert_eq!(values[1], Value::Integer(number % 5));
        assert_eq!(queries.rows(&drawn), u64::try_from(number % 5).ok());
        let Value::Integer(id) = values[0] else {
            panic!("{values:?}")
        };
        ids[usize::try_from(id - 100).expect("a row")] += 1;
    }
    assert!(
        ids.iter().all(|&count| (60..140).contains(&count)),
        "{ids:?}"
    );
    for path in [one, two] {
        fs::remove_file(path).expect("the file is there");
    }
}

#[test]
fn no_two_requests_of_all_threads_have_the_same_number() {
    let line = r#"{"name":"a","sql":"? ?","parameters":[{"counts_from":1000},{"counts_from":5000}],"rows":1,"writes":true},
                  {"name":"b","weight":3,"sql":"?","parameters":[{"counts_from":1000}],"rows":1,"writes":true},
                  {"name":"c","sql":"SELECT 1","rows":1}"#;
    let queries = read("counts", line).expect("queries");
    assert!(queries.writes());
    let mut numbers = Vec::new();
    for context in 0..3 {
        let mut thread = queries.draws(
            Random::stream(1, context),
            usize::try_from(context).expect("a number"),
            3,
        );
        for _ in 0..400 {
            let drawn = queries.draw(&mut thread);
            let values: Vec<Value> = queries.values(&drawn).collect();
            if let Some(&Value::Integer(number)) = values.first() {
                assert!(values.len() == 1 || values[1] == Value::Integer(number + 4000));
                assert_eq!(u64::try_from(number - 1000).expect("a number") % 3, context);
                numbers.push(number);
            }
        }
    }
    let all = numbers.len();
    numbers.sort_unstable();
    numbers.dedup();
    assert!((800..1100).contains(&all), "{all} of 1200 were written");
    assert_eq!((numbers.len(), numbers[0]), (all, 1000));
}

#[test]
fn queries_are_drawn_by_weight_and_one_without_weight_is_not_there() {
    let line = r#"{"name":"a","weight":3,"sql":"A","rows":1},{"name":"never","weight":0,"sql":"N","rows":1,"writes":true,
                  "parameters":[]},{"name":"b","weight":1,"sql":"B","rows":1}"#;
    let queries = read("weights", line).expect("queries");
    let names: Vec<&str> = queries.iter().map(|query| query.name.as_str()).collect();
    assert_eq!((names, queries.writes()), (vec!["a", "b"], false));
    let draw = |seed| {
        let mut thread = queries.draws(Random::new(seed), 0, 1);
        (0..10_000)
            .map(|_| queries.draw(&mut thread).query)
            .collect::<Vec<_>>()
    };
    let drawn = draw(1);
    let first = drawn.iter().filter(|&&query| query == 0).count();
    assert!((7_300..7_700).contains(&first), "{first} of 10000");
    assert_eq!(drawn, draw(1));
    assert_ne!(drawn, draw(2));
}
