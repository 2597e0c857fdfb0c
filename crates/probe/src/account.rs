//! The user that programs run as, looked up in `/etc/passwd` itself: a static program has no NSS.

use std::path::Path;

use base::error::Error;
use rustix::process::geteuid;
use rustix::thread::{Gid, Uid};

/// Who subjects run as when root starts supervise without saying who.
pub const DEFAULT: &str = "headtohead";

/// An ordinary user's numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Account {
    /// The user.
    pub uid: Uid,
    /// Its own group.
    pub gid: Gid,
}

/// Who programs are to be started as: `None` is "as we are", for an ordinary user.
///
/// # Errors
/// Root without such a user, a user who is root, or an ordinary user who requests another.
pub fn choose(asked: Option<&str>) -> Result<Option<Account>, Error> {
    if geteuid().is_root() {
        return find(asked.unwrap_or(DEFAULT), Path::new("/etc/passwd")).map(Some);
    }
    match asked {
        None => Ok(None),
        Some(name) => Err(Error::failure(
            format!("programs cannot be started as {name}"),
            "Only root may start them as another user.",
            "Leave --user out.",
        )),
    }
}

/// The user of that name in a file such as `/etc/passwd`.
fn find(name: &str, passwd: &Path) -> Result<Account, Error> {
    let text = std::fs::read_to_string(passwd).map_err(|error| {
        Error::io(
            format!("{} cannot be read", passwd.display()),
            &error,
            "Check the machine's users.",
        )
    })?;
    let found = text
        .lines()
        .find_map(|line| account_of(name, line))
        .ok_or_else(|| {
            Error::failure(
                format!("there is no user {name}"),
                format!("{} does not name it.", passwd.display()),
                format!("Create it: useradd --system --no-create-home {name}."),
            )
        })?;
    if found.uid.is_root() {
        return Err(Error::failure(
            format!("{name} is root"),
            "No subject is ever started as root.",
            "Name an ordinary user.",
        ));
    }
    Ok(found)
}

fn account_of(name: &str, line: &str) -> Option<Account> {
    let mut fields = line.split(':');
    if fields.next()? != name {
        return None;
    }
    let uid = fields.nth(1)?.parse().ok()?;
    let gid = fields.next()?.parse().ok()?;
    Some(Account {
        uid: Uid::from_raw(uid),
        gid: Gid::from_raw(gid),
    })
}

#[cfg(test)]
mod tests {
    use super::{account_of, find};
    use std::path::Path;

    #[test]
    fn a_line_of_passwd_gives_user_and_group() {
        let account = account_of(
            "headtohead",
            "headtohead:x:999:995::/nonexistent:/usr/sbin/nologin",
        );
        let account = account.expect("an account");
        assert_eq!((account.uid.as_raw(), account.gid.as_raw()), (999, 995));
    }

    #[test]
    fn a_name_is_matched_whole() {
        assert_eq!(account_of("head", "headtohead:x:999:995::/:/bin/sh"), None);
    }

    #[test]
    fn root_is_refused() {
        let problem =
            find("root", Path::new("/etc/passwd")).expect_err("root is no subject's user");
        assert_eq!(problem.what, "root is root");
    }
}
