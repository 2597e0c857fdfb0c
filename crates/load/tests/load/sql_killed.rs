//! A database that is killed while it is asked.

use std::thread;
use std::time::{Duration, Instant};

use wire::LoadRecord;

use super::database::{Database, Kind};
use super::sql::{answers, drive, mix, of_thread, told};

/// Waits until so many connections of the load are there.
fn wait_for_users(database: &Database, least: u64) {
    let count = match database.kind {
        Kind::MariaDb => {
            "SELECT COUNT(*) FROM information_schema.processlist WHERE user = 'forum';"
        }
        Kind::PostgreSql => "SELECT count(*) FROM pg_stat_activity WHERE usename = 'forum';",
    };
    let until = Instant::now() + Duration::from_secs(60);
    while database.ask(count).parse::<u64>().expect("a count") < least {
        assert!(Instant::now() < until, "the load never began");
        thread::sleep(Duration::from_millis(20));
    }
}

/// Loads a database of its own for so long, kills it under way, and returns the record and the dead database.
fn killed(kind: Kind, mix: &str, seconds: u64) -> Option<(LoadRecord, Database)> {
    let database = Database::start(kind)?;
    let duration = format!("{seconds}s");
    let words = [
        "--connections",
        "4",
        "--warm-up",
        "0s",
        "--duration",
        &duration,
    ];
    let socket = database.socket();
    let record = thread::scope(|scope| {
        let load = scope.spawn(|| drive(&socket, mix, &words));
        wait_for_users(&database, 4);
        thread::sleep(Duration::from_millis(400));
        database.kill();
        load.join().expect("it ends")
    });
    // It ends at the window's end, however slow the machine is to begin.
    assert_eq!(record.elapsed_ns, seconds * 1_000_000_000);
    Some((record, database))
}

#[test]
fn a_server_that_is_killed_in_mid_load_ends_what_is_under_way_and_then_refuses() {
    let mix = mix("killed", &[&of_thread(&answers("killed", 0, ""), "")]);
    for kind in [Kind::MariaDb, Kind::PostgreSql] {
        // On a busy machine the blow may come after a short window's end.
        let mut tries = [4, 16, 64]
            .into_iter()
            .map(|seconds| killed(kind, &mix, seconds));
        let met = |tried: &Option<(LoadRecord, Database)>| {
            tried
                .as_ref()
                .is_none_or(|(record, _)| record.errors.contains_key("refused"))
        };
        let Some((record, database)) = tries.find(met).expect("a blow within the window") else {
            continue;
        };
        assert!(record.right > 0, "{:?}", record.errors);
        for kind in record.errors.keys() {
            // PostgreSQL says that it ends where it is not killed itself.
            let known = ["refused", "reset", "closed", "error-answer"];
            assert!(known.contains(&kind.as_str()), "{kind}");
        }
        let (none, _) = told(&database.tcp(), &mix, &["--duration", "1s"]);
        assert_eq!(none, None, "nobody is there when this load begins");
    }
}
