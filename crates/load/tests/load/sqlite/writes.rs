//! Queries that write: their rows are counted, their keys are their own, and what SQLite refuses is said.

use super::database::{Database, only};
use crate::program::record;

const INSERT: &str = r#"{"name":"insert","sql":"INSERT INTO written VALUES (?, 'x')","parameters":[{"counts_from":1000}],
                         "rows":1,"writes":true}"#;

fn written(database: &Database) -> u64 {
    let count = "SELECT COUNT(*) FROM written";
    let number: i64 = database
        .connect()
        .query_row(count, [], |row| row.get(0))
        .expect("a number");
    u64::try_from(number).expect("a number of rows")
}

#[test]
fn rows_are_written_beside_reading_and_no_two_have_the_same_key() {
    let database = Database::make("writes");
    database.execute("PRAGMA journal_mode = WAL");
    let mix = format!("{},{INSERT}", database.thread(r#","weight":3"#));
    let record = database.ask(&mix, "--connections 4 --think 1ms --requests 200");
    only(&record, "");
    let queries = record.queries.expect("the queries");
    let inserts = queries["insert"].right;
    // What was under way at the window's end may be written too.
    assert!(
        inserts > 5 && (inserts..=inserts + 4).contains(&written(&database)),
        "{inserts}"
    );
    assert!(queries["thread"].right > inserts);
    let mode: String = database
        .connect()
        .query_row("PRAGMA journal_mode", [], |row| row.get(0))
        .expect("a mode");
    assert_eq!(mode, "wal", "the journal is the file's own matter");
}

#[test]
fn another_number_of_affected_rows_than_the_right_one_is_found() {
    let database = Database::make("affected");
    let update = |rows: u64| {
        format!(
            r#"{{"name":"update","sql":"UPDATE message SET subject = 'x' WHERE thread = 12","rows":{rows},"writes":true}}"#
        )
    };
    let one = "--connections 1 --requests 20";
    let record = database.ask(&update(5), one);
    only(&record, "");
    assert_eq!(record.rows, Some(0), "rows are those that were read");
    only(&database.ask(&update(6), one), "wrong-rows");
}

#[test]
fn what_sqlite_refuses_is_an_error_answer_and_its_words_are_said() {
    let database = Database::make("refuses");
    database.execute("INSERT INTO written VALUES (1003, 'first')");
    let words = "--connections 1 --requests 10 --json -";
    let output = database.program(INSERT, words).output().expect("it runs");
    let record = record(&output);
    assert_eq!(
        (record.right, record.errors.get("error-answer")),
        (9, Some(&1))
    );
    let said = String::from_utf8(output.stderr).expect("text");
    assert!(
        said.contains("\"insert\"") && said.contains("UNIQUE constraint failed"),
        "{said}"
    );
}

#[test]
fn a_mix_that_does_not_write_cannot() {
    let database = Database::make("reads");
    let reads = format!(
        "{},{}",
        database.thread(""),
        INSERT.replace("\"writes\"", "\"weight\":0,\"writes\"")
    );
    only(&database.ask(&reads, "--connections 2 --requests 200"), "");
    assert_eq!(written(&database), 0);
}
