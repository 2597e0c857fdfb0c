//! What is kept of a table, and which tables are refused.

use std::fs;
use std::path::PathBuf;

use super::{Place, Purpose, Tables, Value, Wanted};

fn file(name: &str, text: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("h2h-load-tables-{}-{name}", std::process::id()));
    fs::write(&path, text).expect("a file");
    path
}

fn read(
    name: &str,
    text: &str,
    columns: &[(&str, Purpose)],
) -> Result<(Tables, Vec<Place>), String> {
    let path = file(name, text);
    let mut wanted = Wanted::default();
    let table = wanted.table(&path);
    let places = columns
        .iter()
        .map(|(name, purpose)| wanted.column(table, name, *purpose))
        .collect();
    let tables = wanted.read();
    fs::remove_file(path).expect("the file is there");
    tables.map(|tables| (tables, places))
}

#[test]
fn a_column_of_whole_numbers_has_integers_and_any_other_texts() {
    for (fields, integers) in [
        (["7", "-8", "9223372036854775807"], true),
        (["0", "-9223372036854775808", "10"], true),
        (["7", "8", "9223372036854775808"], false),
        (["7", "8", "nine"], false),
        (["7", "8", ""], false),
        (["7", "8", "09"], false),
        (["7", "8", "+9"], false),
        (["7", "8", "-0"], false),
    ] {
        let text = format!(
            "a,b\n{}\n",
            fields.map(|field| format!("x,{field}")).join("\n")
        );
        let (tables, places) =
            read("numbers.csv", &text, &[("b", Purpose::Values)]).expect("a table");
        for (row, field) in fields.iter().enumerate() {
            let due = match field.parse() {
                Ok(number) if integers => Value::Integer(number),
                _ => Value::Text(field),
            };
            assert_eq!(tables.value(places[0], row), due, "{fields:?}");
        }
    }
}

#[test]
fn a_table_that_several_queries_name_is_read_once_and_a_column_for_each_purpose() {
    let path = file("twice.csv", "id,rows,sum\nä,2,\nö,3,\n");
    let mut wanted = Wanted::default();
    let (one, two) = (wanted.table(&path), wanted.table(&path));
    assert_eq!(one, two);
    let values = wanted.column(one, "rows", Purpose::Values);
    let counts = wanted.column(two, "rows", Purpose::Counts);
    assert_eq!(wanted.column(two, "rows", Purpose::Counts), counts);
    let id = wanted.column(two, "id", Purpose::Values);
    let tables = wanted.read().expect("a table");
    fs::remove_file(path).expect("the file is there");
    assert_eq!(tables.rows(one), 2);
    assert_eq!(tables.value(values, 1), Value::Integer(3));
    assert_eq!(tables.count(counts, 1), 3);
    assert_eq!(
        [0, 1].map(|row| tables.value(id, row)),
        [Value::Text("ä"), Value::Text("ö")]
    );
}

#[test]
fn checksums_are_kept_as_their_bytes() {
    let text = format!("sum\r\n{}\r\n{}\r\n", "00".repeat(32), "Ff".repeat(32));
    let (tables, places) = read("sums.csv", &text, &[("sum", Purpose::Sums)]).expect("a table");
    assert_eq!(tables.sum(places[0], 0), &[0; 32]);
    assert_eq!(tables.sum(places[0], 1), &[255; 32]);
}

#[test]
fn wrong_tables_are_refused_with_the_line_that_is_wrong() {
    let columns = [
        ("id", Purpose::Values),
        ("n", Purpose::Counts),
        ("sum", Purpose::Sums),
    ];
    let sum = "0".repeat(64);
    let good = format!("1,2,{sum}\n");
    for (text, whys) in [
        (String::new(), ["no \"id\"", ""]),
        ("id,n\n1,2\n".to_owned(), ["no \"sum\"", "id,n"]),
        ("id,n,sum\n".to_owned(), ["no rows", ""]),
        (
            format!("id,n,sum\n{good}1,2\n"),
            ["line 3", "2 fields, not 3"],
        ),
        (format!("id,n,sum\n{good}\n"), ["line 3", "1 fields, not 3"]),
        (format!("id,n,sum\n\"1\",2,{sum}\n"), ["line 2", "quote"]),
        (
            format!("id,n,sum\n1,-2,{sum}\n"),
            ["line 2", "n is not a number of rows"],
        ),
        (
            format!("id,n,sum\n{good}1,2,abc\n"),
            ["line 3", "sum is not a SHA-256"],
        ),
    ] {
        let error = read("wrong.csv", &text, &columns).err().unwrap_or_default();
        let all = whys.iter().all(|why| error.contains(why));
        assert!(
            all && error.contains("wrong.csv"),
            "{text:?} gave {error:?}"
        );
    }
    let mut wanted = Wanted::default();
    let _ = wanted.table(&PathBuf::from("/nowhere/at-all.csv"));
    let error = wanted.read().err().unwrap_or_default();
    assert!(error.contains("/nowhere/at-all.csv"), "{error:?}");
}
