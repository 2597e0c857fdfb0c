//! Files that are refused, with the query that is wrong and why.

use std::fs;
use std::path::{Path, PathBuf};

use super::{read, thread, threads};

/// Each of these files is refused, with the reason.
fn refused(name: &str, files: &[(&str, &str)]) {
    for (queries, why) in files {
        let error = read(&format!("wrong-{name}"), queries);
        let error = error.err().unwrap_or_default();
        assert!(error.contains(why), "{queries} gave {error:?}");
    }
}

/// A query with these parameters.
fn of(parameters: &str, more: &str) -> String {
    let marks = vec!["?"; parameters.matches('{').count()].join(" ");
    format!(r#"{{"name":"q","sql":"{marks}","parameters":[{parameters}]{more}}}"#)
}

/// A parameter from the table's ids.
fn id(table: &Path) -> String {
    format!(r#"{{"table":{table:?},"column":"id"}}"#)
}

fn rows(table: &Path) -> String {
    format!(r#","rows":{{"table":{table:?},"column":"messages"}}"#)
}

fn remove(tables: &[PathBuf]) {
    for table in tables {
        fs::remove_file(table).expect("the file is there");
    }
}

#[test]
fn wrong_words_are_refused_with_the_query_that_has_them() {
    let nothing = "the weights do not add up";
    let files = [
        ("", nothing),
        (r#"{"name":"q","sql":"A","weight":0}"#, nothing),
        (
            r#"{"name":"q","sql":"A","weight":-1}"#,
            "query \"q\": the weight",
        ),
        (
            r#"{"name":"q","sql":"A"},{"name":"q","sql":"B"}"#,
            "another query has its name",
        ),
        (
            r#"{"name":"q","sql":"A","sample":2}"#,
            "the sample is not a share",
        ),
        (
            r#"{"name":"q","sql":"A ?"}"#,
            "its sql has 1 ?, and it has 0 parameters",
        ),
        (
            r#"{"name":"q","sql":"A","rows":"many"}"#,
            "neither a number nor a table",
        ),
        (r#"{"name":"q","sql":"A","row":1}"#, "unknown field"),
    ];
    refused("words", &files);
}

#[test]
fn wrong_parameters_are_refused() {
    let t = threads("wrong-t", 3);
    let skewed = format!(
        r#"{},{{"table":{t:?},"column":"subject","skew":"zipf"}}"#,
        id(&t)
    );
    let no_column = format!(r#"{{"table":{t:?}}}"#);
    let other_column = id(&t).replace("\"id\"", "\"ids\"");
    let neither = "either a table with a column, or counts_from";
    let files = [
        (of("{}", ""), neither),
        (of(&no_column, ""), neither),
        (of(r#"{"counts_from":-1}"#, ""), "counts_from is not from 0"),
        (
            of(r#"{"counts_from":1,"skew":"zipf"}"#, ""),
            "are for tables",
        ),
        (of(&skewed, ""), "are for the first parameter"),
        (thread(&t, r#","exponent":2"#, ""), "for the skew zipf"),
        (
            thread(&t, r#","skew":"zipf","exponent":11"#, ""),
            "from 0 to 10",
        ),
        (thread(&t, r#","skew":"normal""#, ""), "unknown variant"),
        (
            of(&id(Path::new("/nowhere/t.csv")), ""),
            "the table /nowhere/t.csv",
        ),
        (of(&other_column, ""), "no \"ids\""),
    ];
    let files = files.each_ref().map(|(file, why)| (file.as_str(), *why));
    refused("parameters", &files);
    remove(&[t]);
}

#[test]
fn a_query_draws_from_four_tables_at_most() {
    let tables: Vec<PathBuf> = (0..5)
        .map(|number| threads(&format!("wrong-{number}"), 2))
        .collect();
    let parameters: Vec<String> = tables.iter().map(|table| id(table)).collect();
    refused(
        "tables",
        &[(&of(&parameters.join(","), ""), "more than 4 tables")],
    );
    assert!(read("four", &of(&parameters[1..].join(","), "")).is_ok());
    remove(&tables);
}

#[test]
fn right_answers_that_nobody_could_find_are_refused() {
    let [many, one] = [threads("wrong-many", 3), threads("wrong-one", 1)];
    let files = [
        (thread(&many, "", r#","writes":true"#), "have no checksum"),
        (of("", &rows(&many)), "it has 3 rows, not one"),
        (of(&id(&one), &rows(&many)), "from which no parameter draws"),
    ];
    let files = files.each_ref().map(|(file, why)| (file.as_str(), *why));
    refused("answers", &files);
    let counted = of(r#"{"counts_from":1}"#, &rows(&one));
    assert!(
        read("counted", &counted).is_ok(),
        "what is counted is not drawn"
    );
    remove(&[many, one]);
}
