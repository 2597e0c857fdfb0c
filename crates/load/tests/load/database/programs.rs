//! The databases' own programs, and how private instances are started with them.

use std::fs;
use std::os::unix::fs::chown;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};

use rustix::process::getuid;

use super::Kind;

/// What must be installed.
pub fn programs(kind: Kind) -> Vec<PathBuf> {
    match kind {
        Kind::MariaDb => [
            "/usr/sbin/mariadbd",
            "/usr/bin/mariadb-install-db",
            "/usr/bin/mariadb",
        ]
        .map(PathBuf::from)
        .to_vec(),
        Kind::PostgreSql => {
            let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten();
            let newest = versions.flatten().map(|version| version.path()).max();
            let bin = newest.unwrap_or("/usr/lib/postgresql".into()).join("bin");
            vec![
                bin.join("initdb"),
                bin.join("postgres"),
                "/usr/bin/psql".into(),
            ]
        }
    }
}

/// Makes a `MariaDB` in the folder and starts it.
pub fn mariadb(folder: &Path, port: u16) -> Child {
    let data = format!("--datadir={}", folder.join("data").display());
    // It refuses to run as root unless it is told to.
    let user = if getuid().is_root() {
        "--user=root"
    } else {
        "--skip-symbolic-links"
    };
    // Each server deletes the temporary tables (#sql*) of its folder for such files when it starts, those of other servers
    // too: this one has its own.
    let scratch = folder.join("scratch");
    fs::create_dir(&scratch).expect("a folder for temporary tables");
    let init = ["--auth-root-authentication-method=normal", "--skip-test-db"];
    let made = Command::new("mariadb-install-db")
        .args(["--no-defaults", user, &data])
        .args(init)
        .env("TMPDIR", &scratch)
        .output()
        .expect("mariadb-install-db runs");
    assert!(
        made.status.success(),
        "{}",
        String::from_utf8_lossy(&made.stderr)
    );
    let log = fs::File::create(folder.join("log")).expect("a log");
    Command::new("/usr/sbin/mariadbd")
        .args(["--no-defaults", user, &data])
        .arg(format!("--socket={}", folder.join("sock").display()))
        .arg(format!("--pid-file={}", folder.join("pid").display()))
        .arg(format!("--port={port}"))
        .args([
            "--bind-address=127.0.0.1",
            "--skip-name-resolve",
            "--max-allowed-packet=64M",
        ])
        .args([
            "--innodb-flush-log-at-trx-commit=0",
            "--innodb-buffer-pool-size=32M",
        ])
        .env("TMPDIR", &scratch)
        .stderr(log)
        .spawn()
        .expect("mariadbd starts")
}

/// Makes a `PostgreSQL` in the folder and starts it.
pub fn postgresql(folder: &Path, port: u16, programs: &[PathBuf]) -> Child {
    // It refuses to run as root in any case.
    let (mut init, mut server) = if getuid().is_root() {
        let (user, group) = of_passwd("postgres");
        chown(folder, Some(user), Some(group)).expect("a folder of its own");
        (as_postgres(&programs[0]), as_postgres(&programs[1]))
    } else {
        (Command::new(&programs[0]), Command::new(&programs[1]))
    };
    let data = folder.join("data");
    let words = "-A trust -U postgres --no-locale -E UTF8 -N -D".split(' ');
    let made = init.args(words).arg(&data).output().expect("initdb runs");
    assert!(
        made.status.success(),
        "{}",
        String::from_utf8_lossy(&made.stderr)
    );
    let rules =
        "local h2h secret scram-sha-256\nlocal all all trust\nhost all all 127.0.0.1/32 trust\n";
    fs::write(data.join("pg_hba.conf"), rules).expect("its rules");
    let log = fs::File::create(folder.join("log")).expect("a log");
    let words = "-F -c listen_addresses=127.0.0.1 -c shared_buffers=32MB -p";
    server
        .args(words.split(' '))
        .args([&port.to_string(), "-k"])
        .arg(folder)
        .arg("-D")
        .arg(&data)
        .stderr(log)
        .spawn()
        .expect("postgres starts")
}

fn as_postgres(program: &Path) -> Command {
    let mut command = Command::new("setpriv");
    let words = ["--reuid=postgres", "--regid=postgres", "--clear-groups"];
    let _ = command.args(words).arg(program);
    command
}

/// A user's number and that of the group.
fn of_passwd(user: &str) -> (u32, u32) {
    let users = fs::read_to_string("/etc/passwd").expect("the users");
    let line = users
        .lines()
        .find(|line| line.split(':').next() == Some(user));
    let fields: Vec<&str> = line.expect("the user").split(':').collect();
    (
        fields[2].parse().expect("a number"),
        fields[3].parse().expect("a number"),
    )
}
