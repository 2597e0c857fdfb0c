//! How a database is reached, according to the options.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use base::error::Error;

use super::client::Login;
use super::password::Password;
use crate::cli::{Protocol, Sql};
use crate::connection::peer::Peer;
use crate::connection::transport::Endpoint;

const MYSQL_PORT: u16 = 3306;
const POSTGRESQL_PORT: u16 = 5432;

/// How a database is reached.
#[derive(Debug)]
pub enum DatabaseEndpoint {
    /// In MySQL's protocol.
    MySql(Endpoint, Login),
    /// In PostgreSQL's.
    PostgreSql(Endpoint, Login),
    /// In this program.
    Sqlite(PathBuf),
}

impl DatabaseEndpoint {
    /// The endpoint that the options give.
    ///
    /// # Errors
    /// Some are missing, or are for another protocol.
    pub fn of(options: &Sql) -> Result<Self, Error> {
        match (options.protocol, &options.file) {
            (Protocol::Mysql, None) => {
                let port = options.port.unwrap_or(MYSQL_PORT);
                let endpoint = endpoint(options, port, Path::to_path_buf)?;
                Ok(Self::MySql(endpoint, login(options)?))
            }
            (Protocol::Postgresql, None) => {
                let port = options.port.unwrap_or(POSTGRESQL_PORT);
                let file = |folder: &Path| folder.join(format!(".s.PGSQL.{port}"));
                let endpoint = endpoint(options, port, file)?;
                Ok(Self::PostgreSql(endpoint, login(options)?))
            }
            (Protocol::Sqlite, Some(file)) => Ok(Self::Sqlite(file.clone())),
            (Protocol::Sqlite, None) => Err(missing(
                "--file is not there",
                "Write --file with the file that sqlite's database is in.",
            )),
            (_, Some(_)) => Err(missing(
                "--file is for sqlite, and the protocol is another",
                "Write --socket or --host.",
            )),
        }
    }
}

/// Where the server listens; `file` returns the socket's file.
fn endpoint(options: &Sql, port: u16, file: impl Fn(&Path) -> PathBuf) -> Result<Endpoint, Error> {
    let peer = match (&options.socket, options.host) {
        (Some(socket), _) => Peer::unix(&file(socket))?,
        (None, Some(host)) => Peer::Tcp(SocketAddr::new(host, port)),
        (None, None) => {
            return Err(missing(
                "neither --socket nor --host is given",
                "Write --socket with a path, or --host 127.0.0.1 and --port.",
            ));
        }
    };
    Ok(Endpoint { peer, tls: None })
}

fn login(options: &Sql) -> Result<Login, Error> {
    let (Some(user), Some(database)) = (options.user.clone(), options.database.clone()) else {
        return Err(missing(
            "--user or --database is not there",
            "Write both: the user who logs in, and the database.",
        ));
    };
    if user.contains('\0') || database.contains('\0') {
        return Err(missing(
            "a name has a NUL in it",
            "Write names as the server knows them.",
        ));
    }
    let password = match &options.password_file {
        Some(file) => Password::read(file)?,
        None => Password::default(),
    };
    Ok(Login {
        user,
        database,
        password,
    })
}

fn missing(why: &str, remedy: &str) -> Error {
    Error::usage("how the database is reached", why, remedy)
}
