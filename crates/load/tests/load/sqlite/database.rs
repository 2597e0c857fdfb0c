//! A small database of SQLite's own making, with the correct responses to what is asked of it.

use std::fmt::Write;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use rusqlite::Connection;
use sha2::{Digest, Sha256};
use wire::LoadRecord;

use crate::program::{file, program, record};
use crate::scratch::scratch;

/// How many threads of messages there are.
const THREADS: i64 = 40;

/// A database file in a folder of its own, and the table of its responses.
pub struct Database {
    /// The folder.
    pub name: String,
    /// The file.
    pub path: PathBuf,
}

impl Database {
    /// Makes it: thread `t` has `t % 7` messages, `<t * 10 + number>, <t>, "subject <t>" or NULL`.
    pub fn make(name: &str) -> Self {
        let path = file(&format!("sqlite-{name}/h2h.sqlite"), b"");
        let database = Self {
            name: format!("sqlite-{name}"),
            path,
        };
        let mut sql = "CREATE TABLE message (id INTEGER PRIMARY KEY, thread INTEGER, subject TEXT);
                       CREATE INDEX of_thread ON message (thread);
                       CREATE TABLE written (id INTEGER PRIMARY KEY, text TEXT);"
            .to_owned();
        let mut answers = "id,messages,checksum\n".to_owned();
        for thread in 1..=THREADS {
            let mut rows = String::new();
            for number in 0..thread % 7 {
                let (id, subject) = (thread * 10 + number, format!("subject {thread}"));
                let text = if number == 3 {
                    "NULL".to_owned()
                } else {
                    format!("'{subject}'")
                };
                let _ = write!(sql, "INSERT INTO message VALUES ({id}, {thread}, {text});");
                let text = if number == 3 { "\\N" } else { &subject };
                let _ = writeln!(rows, "{id}\t{text}");
            }
            let _ = write!(answers, "{thread},{},", thread % 7);
            for byte in Sha256::digest(&rows) {
                let _ = write!(answers, "{byte:02x}");
            }
            answers.push('\n');
        }
        database
            .connect()
            .execute_batch(&format!("BEGIN;{sql}COMMIT;"))
            .expect("a database");
        let _ = database.file("thread.csv", &answers);
        database
    }

    /// The test's own connection.
    pub fn connect(&self) -> Connection {
        Connection::open(&self.path).expect("a connection")
    }

    /// Runs statements on it.
    pub fn execute(&self, sql: &str) {
        self.connect().execute_batch(sql).expect("SQLite does it");
    }

    /// A file beside it.
    pub fn file(&self, name: &str, text: &str) -> String {
        file(&format!("{}/{name}", self.name), text.as_bytes())
            .display()
            .to_string()
    }

    /// The query for a thread's messages, all of whose responses are checked, with what else the line says.
    pub fn thread(&self, more: &str) -> String {
        let table = self.path.with_file_name("thread.csv");
        format!(
            r#"{{"name":"thread","sql":"SELECT id, subject FROM message WHERE thread = ? ORDER BY id",
            "parameters":[{{"table":{table:?},"column":"id"}}],"rows":{{"table":{table:?},"column":"messages"}},
            "checksum":{{"table":{table:?},"column":"checksum"}},"sample":1{more}}}"#
        )
    }

    /// The program, not started yet, that sends these queries to it, with more words. It will run in the database's folder.
    pub fn program(&self, queries: &str, words: &str) -> Command {
        let mix = self.file("mix.json", &format!(r#"{{"queries":[{queries}]}}"#));
        let path = self.path.display().to_string();
        let mut command = program(&["sql", "--protocol", "sqlite", "--warm-up", "0s"]);
        let _ = command.args(["--file", &path, "--mix", &mix]);
        let _ = command.args(words.split_whitespace());
        let _ = command.current_dir(self.path.parent().expect("a folder"));
        command
    }

    /// Asks them and gives the record.
    pub fn ask(&self, queries: &str, words: &str) -> LoadRecord {
        record(
            &self
                .program(queries, words)
                .args(["--json", "-"])
                .output()
                .expect("it runs"),
        )
    }

    /// What the program says when it will not ask them like this, and how it ends.
    pub fn said(&self, queries: &str, words: &str) -> String {
        let output = self.program(queries, words).output().expect("it runs");
        assert!(output.stdout.is_empty());
        let code = output.status.code().expect("a code");
        let text = String::from_utf8(output.stderr).expect("text");
        format!("exit {code}\n{text}").replace(&*scratch().to_string_lossy(), "[tmp]")
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        let folder = self.path.parent().expect("a folder");
        fs::remove_dir_all(folder).expect("the folder is there");
    }
}

/// All that went wrong was of this kind, and something did; for an empty kind all was right.
pub fn only(record: &LoadRecord, kind: &str) {
    let errors: Vec<&str> = record.errors.keys().map(String::as_str).collect();
    let due: Vec<&str> = Some(kind)
        .into_iter()
        .filter(|kind| !kind.is_empty())
        .collect();
    assert_eq!(errors, due, "{:?}", record.errors);
}
