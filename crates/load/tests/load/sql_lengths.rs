//! Responses and values of any length.

use super::database::{Kind, all};
use super::program::file;
use super::sql::{drive, mix, sha256};

#[test]
fn answers_and_values_may_be_longer_than_any_buffer() {
    let sum = |text: &str| sha256(&format!("{text}\n"));
    let letters = 1_500_000;
    let long = "x".repeat(letters);
    let table = format!(
        "value,checksum,length\n{long},{},{}\n",
        sum(&long),
        sum(&letters.to_string())
    );
    let table = file("sql/long.csv", table.as_bytes());
    for database in &all() {
        let (repeat, length, most) = match database.kind {
            Kind::MariaDb => (
                "SELECT REPEAT('x', 1500000)",
                "SELECT LENGTH(?)",
                "SELECT REPEAT('x', 17000000)",
            ),
            Kind::PostgreSql => (
                "SELECT repeat('x', 1500000)",
                "SELECT length(?::text)",
                "SELECT repeat('x', 17000000)",
            ),
        };
        let answer = format!(
            r#"{{"name":"answer","sql":"{repeat}","rows":1,"checksum":{{"table":{table:?},"column":"checksum"}},"sample":1}}"#
        );
        let value = format!(
            r#"{{"name":"value","sql":"{length}","parameters":[{{"table":{table:?},"column":"value"}}],"rows":1,
            "checksum":{{"table":{table:?},"column":"length"}},"sample":1}}"#
        );
        let passed = format!(r#"{{"name":"passed","sql":"{most}","rows":1,"weight":0.2}}"#);
        let mix = mix(
            &format!("long-{:?}", database.kind),
            &[&answer, &value, &passed],
        );
        for reach in [database.socket(), database.tcp()] {
            let record = drive(
                &reach,
                &mix,
                &[
                    "--connections",
                    "2",
                    "--warm-up",
                    "0s",
                    "--requests",
                    "30",
                    "--timeout",
                    "60s",
                ],
            );
            assert_eq!((record.right, record.sent), (30, 30), "{:?}", record.errors);
        }
    }
}
