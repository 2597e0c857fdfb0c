//! Private instances of real databases: made in a folder of their own, filled, and gone when the last test is done with
//! them.

mod programs;

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::net::TcpListener;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::thread;
use std::time::{Duration, Instant};

use rustix::fs::{Access, access, statvfs};
use rustix::process::{Pid, Signal, kill_process};

use programs::{mariadb, postgresql, programs};

/// Threads of the test data; number `n` (from 1) has `n % 7` messages.
pub const THREADS: u32 = 100;

/// Which database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    MariaDb,
    PostgreSql,
}

/// A database that runs.
#[derive(Debug)]
pub struct Database {
    pub kind: Kind,
    folder: PathBuf,
    port: u16,
    server: Mutex<Child>,
}

static SHARED: [Mutex<Weak<Database>>; 2] = [const { Mutex::new(Weak::new()) }; 2];

/// Both databases, or those that this machine has, which tests running at the same time share. A test holds both as long
/// as it runs (`in &all()`), so that a test that ends leaves the next one what a third still uses.
pub fn all() -> Vec<Arc<Database>> {
    let kinds = [Kind::MariaDb, Kind::PostgreSql];
    kinds.into_iter().filter_map(shared).collect()
}

fn shared(kind: Kind) -> Option<Arc<Database>> {
    let mut shared = SHARED[kind as usize]
        .lock()
        .unwrap_or_else(PoisonError::into_inner);
    if let Some(running) = shared.upgrade() {
        return Some(running);
    }
    let started = Arc::new(Database::start(kind)?);
    *shared = Arc::downgrade(&started);
    Some(started)
}

impl Database {
    /// Starts one; `None`, said on standard error, where the programs are not installed.
    pub fn start(kind: Kind) -> Option<Self> {
        let programs = programs(kind);
        if let Some(missing) = programs.iter().find(|program| !program.exists()) {
            let _ = writeln!(
                std::io::stderr(),
                "skipped with {kind:?}: {} is not installed",
                missing.display()
            );
            return None;
        }
        let port = free_port();
        let folder = roomy().join(format!("h2h-sql-{}-{port}", std::process::id()));
        fs::create_dir(&folder).expect("a folder");
        let server = match kind {
            Kind::MariaDb => mariadb(&folder, port),
            Kind::PostgreSql => postgresql(&folder, port, &programs),
        };
        let database = Self {
            kind,
            folder,
            port,
            server: Mutex::new(server),
        };
        database.wait();
        database.fill();
        Some(database)
    }

    /// The words that reach it over its socket.
    pub fn socket(&self) -> Vec<String> {
        let socket = match self.kind {
            Kind::MariaDb => self.folder.join("sock"),
            Kind::PostgreSql => self.folder.clone(),
        };
        let socket = socket.display().to_string();
        let port = self.port.to_string();
        let mut words = vec!["--socket".to_owned(), socket];
        if self.kind == Kind::PostgreSql {
            words.extend(["--port".to_owned(), port]);
        }
        self.reach(words)
    }

    /// The words that reach it over TCP.
    pub fn tcp(&self) -> Vec<String> {
        let port = self.port.to_string();
        self.reach(
            ["--host", "127.0.0.1", "--port", &port]
                .map(ToOwned::to_owned)
                .to_vec(),
        )
    }

    fn reach(&self, mut words: Vec<String>) -> Vec<String> {
        let protocol = match self.kind {
            Kind::MariaDb => "mysql",
            Kind::PostgreSql => "postgresql",
        };
        words.extend(["--protocol", protocol, "--database", "h2h"].map(ToOwned::to_owned));
        words
    }

    /// Its own client, as the database's owner.
    fn client(&self) -> Command {
        let mut client;
        let _ = match self.kind {
            Kind::MariaDb => {
                client = Command::new("mariadb");
                let socket = format!("--socket={}", self.folder.join("sock").display());
                client.args(["--no-defaults", "-uroot", "-BN", &socket])
            }
            Kind::PostgreSql => {
                client = Command::new("psql");
                let port = self.port.to_string();
                let words = ["-XqAtv", "ON_ERROR_STOP=1", "-Upostgres", "-p", &port, "-h"];
                client.args(words).arg(&self.folder).arg("postgres")
            }
        };
        client
    }

    /// What its own client prints to these statements.
    pub fn run(&self, sql: &str) -> Result<String, String> {
        let mut client = self.client();
        let pipes = client
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut client = pipes.spawn().map_err(|error| error.to_string())?;
        // A client that cannot connect may be gone already: its exit tells.
        let _ = client
            .stdin
            .take()
            .expect("its input")
            .write_all(sql.as_bytes());
        let output = client
            .wait_with_output()
            .map_err(|error| error.to_string())?;
        if output.status.success() {
            Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
        } else {
            Err(String::from_utf8_lossy(&output.stderr).into_owned())
        }
    }

    /// The same for statements in the database of the tests, which must not fail.
    pub fn ask(&self, sql: &str) -> String {
        let enter = match self.kind {
            Kind::MariaDb => "USE h2h;\n",
            Kind::PostgreSql => "\\connect h2h\n",
        };
        self.run(&format!("{enter}{sql}")).expect("an answer")
    }

    /// Ends it at once, with all its connections.
    pub fn kill(&self) {
        let mut server = self.server.lock().unwrap_or_else(PoisonError::into_inner);
        // PostgreSQL's backends are processes of their own: QUIT ends them all.
        let signal = match self.kind {
            Kind::MariaDb => Signal::KILL,
            Kind::PostgreSql => Signal::QUIT,
        };
        if server.try_wait().is_ok_and(|status| status.is_none()) {
            kill_process(Pid::from_child(&server), signal).expect("it runs");
            let _ = server.wait().expect("it ends");
        }
    }

    fn wait(&self) {
        let began = Instant::now();
        while let Err(why) = self.run("SELECT 1;") {
            if began.elapsed() > Duration::from_secs(60) {
                let log = fs::read_to_string(self.folder.join("log")).unwrap_or_default();
                panic!("{:?}: {why}\n{log}", self.kind);
            }
            thread::sleep(Duration::from_millis(50));
        }
    }

    fn fill(&self) {
        let users = match self.kind {
            Kind::MariaDb => {
                "CREATE DATABASE h2h;
                 CREATE USER forum@localhost; CREATE USER forum@'127.0.0.1';
                 GRANT ALL ON h2h.* TO forum@localhost; GRANT ALL ON h2h.* TO forum@'127.0.0.1';
                 CREATE USER secret@localhost IDENTIFIED BY 'secret';
                 CREATE USER other@localhost IDENTIFIED VIA unix_socket;\n"
            }
            Kind::PostgreSql => {
                "CREATE ROLE forum LOGIN SUPERUSER; CREATE ROLE secret LOGIN PASSWORD 'secret';
                 CREATE DATABASE h2h OWNER forum;\n"
            }
        };
        let _ = self.run(users).expect("users");
        let mut sql = "CREATE TABLE message (id INT PRIMARY KEY, thread SMALLINT, score BIGINT, body VARCHAR(100));
                       CREATE TABLE line (id INT PRIMARY KEY, note VARCHAR(20));\n"
            .to_owned();
        for message in messages() {
            let Message {
                id,
                thread,
                score,
                body,
            } = message;
            let body = body.map_or("NULL".to_owned(), |body| format!("'{body}'"));
            let _ = writeln!(
                sql,
                "INSERT INTO message VALUES ({id}, {thread}, {score}, {body});"
            );
        }
        let _ = self.ask(&sql);
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        self.kill();
        // A test that has failed has said enough.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// One row of the test data.
pub struct Message {
    pub id: u32,
    pub thread: u32,
    pub score: i64,
    pub body: Option<String>,
}

/// All rows of the test data.
pub fn messages() -> Vec<Message> {
    let threads = (1..=THREADS).flat_map(|thread| (0..thread % 7).map(move |_| thread));
    let messages = (1..).zip(threads);
    messages
        .map(|(id, thread)| Message {
            id,
            thread,
            score: (i64::from(id) - 150) * 10_000_000_000,
            body: (id % 5 > 0).then(|| format!("message {id}: é")),
        })
        .collect()
}

/// Where the databases are: in memory if it has room for many of them, as making one on a disk takes twice the CPU.
fn roomy() -> PathBuf {
    const ROOM: u64 = 2_000_000_000;
    let memory = PathBuf::from("/dev/shm");
    let there = statvfs(&memory).is_ok_and(|about| about.f_bavail * about.f_frsize > ROOM);
    if there && access(&memory, Access::WRITE_OK).is_ok() {
        memory
    } else {
        std::env::temp_dir()
    }
}

/// A port that is free now, and that this process gave to no other database: a port is given again once it is free.
fn free_port() -> u16 {
    static GIVEN: Mutex<BTreeSet<u16>> = Mutex::new(BTreeSet::new());
    loop {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let mut given = GIVEN.lock().unwrap_or_else(PoisonError::into_inner);
        if given.insert(port) {
            return port;
        }
    }
}
