//! Settings of the system that a run changes: found, written down, set, looked at, and put back as they were found.

pub mod journal;
mod names;

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use base::error::{Error, kernel_text};
use rustix::fs::{FlockOperation, flock};
use serde_json::{Value, json};

use self::journal::{Journal, put};
use self::names::{Wanted, resolve};

/// What a run has changed.
#[derive(Debug)]
pub struct Settings {
    journal: PathBuf,
    wanted: BTreeMap<String, Vec<Wanted>>,
}

/// Where settings and journals are.
#[derive(Clone, Debug)]
pub struct Places {
    /// `/`, or what stands for it in tests.
    pub root: PathBuf,
    /// The folder of the journals.
    pub journals: PathBuf,
}

impl Settings {
    /// Set them all: what cannot be set puts back those that were.
    ///
    /// # Errors
    /// A name or value that cannot be set here, one that another run varies, or one that does not hold once set.
    pub fn set(asked: &BTreeMap<String, String>, places: &Places, id: &str) -> Result<Self, Error> {
        let mut wanted = BTreeMap::new();
        for (name, value) in asked {
            let _ = wanted.insert(name.clone(), resolve(name, value, &places.root)?);
        }
        let made = Self::keep(wanted, places, id)?;
        for (name, files) in &made.wanted {
            for each in files {
                if let Err(error) = put(&each.path, &each.value) {
                    let refused = cannot(&format!("{name} = {}", asked[name]), &error);
                    return Err(made.put_back().err().unwrap_or(refused));
                }
            }
        }
        Ok(made)
    }

    /// Write the journal, while no other run may.
    fn keep(
        wanted: BTreeMap<String, Vec<Wanted>>,
        places: &Places,
        id: &str,
    ) -> Result<Self, Error> {
        let what = names_of(&wanted);
        let failed = |error: io::Error| cannot(&what, &error);
        let found = Journal::of(wanted.values().flatten().map(|each| each.path.as_path()))
            .map_err(failed)?;
        let _held = lock(&places.journals).map_err(failed)?;
        for (path, other) in journal::all(&places.journals) {
            let varied = Journal::read(&path).map_err(failed)?;
            if let Some(both) = varied.and_then(|its| {
                let theirs = |one: &journal::Found| {
                    let same = |other: &journal::Found| {
                        (&other.path, other.network) == (&one.path, one.network)
                    };
                    its.found.iter().any(same)
                };
                found.found.iter().find(|one| theirs(one)).cloned()
            }) {
                return Err(Error::failure(
                    format!("{what} cannot be set"),
                    format!("Run {other} varies {} now.", both.path.display()),
                    "Wait until it is over; if it is dead, run headtohead clean.",
                ));
            }
        }
        let journal = found.keep(&places.journals, id).map_err(failed)?;
        Ok(Self { journal, wanted })
    }

    /// What holds now, by name: the level that was asked for, if every file of it has that; else what the first other holds.
    pub fn read_back(&self, asked: &BTreeMap<String, String>) -> Value {
        let now = |(name, files): (&String, &Vec<Wanted>)| {
            let other = files.iter().find_map(|each| {
                let holds = names::read(&each.path).unwrap_or_else(|error| kernel_text(&error));
                (holds != each.value).then_some(holds)
            });
            (name.clone(), other.unwrap_or_else(|| asked[name].clone()))
        };
        json!(self.wanted.iter().map(now).collect::<BTreeMap<_, _>>())
    }

    /// Put everything back as it was found.
    ///
    /// # Errors
    /// What could not be; the journal then stays for the next sweep.
    pub fn put_back(&self) -> Result<(), Error> {
        journal::settle(&self.journal).map_err(|error| {
            Error::failure(
                format!("{} could not be put back", names_of(&self.wanted)),
                kernel_text(&error),
                "The next command sweeps it.",
            )
        })
    }
}

/// Hold the journals' lock as long as the file lives.
fn lock(folder: &Path) -> io::Result<File> {
    journal::make_folder(folder)?;
    let file = OpenOptions::new()
        .create(true)
        .truncate(false)
        .write(true)
        .open(folder.join("lock"))?;
    flock(&file, FlockOperation::LockExclusive)?;
    Ok(file)
}

fn names_of(wanted: &BTreeMap<String, Vec<Wanted>>) -> String {
    let names: Vec<&str> = wanted.keys().map(String::as_str).collect();
    names.join(", ")
}

fn cannot(what: &str, error: &io::Error) -> Error {
    Error::failure(
        format!("{what} cannot be set"),
        kernel_text(error),
        "See /proc/sys and /sys, or leave the factor out here.",
    )
}

#[cfg(test)]
mod tests {
    use super::{Places, Settings, journal};
    use crate::fake_folder::Folder;
    use std::collections::BTreeMap;
    use std::fs;

    fn machine() -> (Folder, Places) {
        let folder = Folder::new();
        folder.file("proc/sys/vm/swappiness", "37\n");
        folder.file("proc/sys/vm/dirty_ratio", "20\n");
        let places = Places {
            root: folder.path().to_path_buf(),
            journals: folder.path().join("journals"),
        };
        (folder, places)
    }

    fn asked(names: &[(&str, &str)]) -> BTreeMap<String, String> {
        let owned = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        names.iter().map(owned).collect()
    }

    fn holds(folder: &Folder, name: &str) -> String {
        let text = fs::read_to_string(folder.path().join("proc/sys/vm").join(name));
        text.expect("a setting").trim().to_owned()
    }

    #[test]
    fn what_was_found_is_put_back_not_the_default() {
        let (folder, places) = machine();
        let want = asked(&[("sysctl.vm.swappiness", "10")]);
        let made = Settings::set(&want, &places, "7-8-9").expect("set");
        assert_eq!(holds(&folder, "swappiness"), "10");
        assert_eq!(made.read_back(&want)["sysctl.vm.swappiness"], "10");
        folder.file("proc/sys/vm/swappiness", "11\n");
        assert_eq!(made.read_back(&want)["sysctl.vm.swappiness"], "11");
        made.put_back().expect("put back");
        assert_eq!(holds(&folder, "swappiness"), "37");
        assert!(journal::all(&places.journals).is_empty());
    }

    #[test]
    fn the_journal_is_there_before_the_first_change_and_settles_without_us() {
        let (folder, places) = machine();
        let want = asked(&[("sysctl.vm.swappiness", "10")]);
        let _killed = Settings::set(&want, &places, "7-8-9").expect("set");
        let left = journal::all(&places.journals);
        assert_eq!(left[0].1, "7-8-9");
        journal::settle(&left[0].0).expect("settled");
        assert_eq!(holds(&folder, "swappiness"), "37");
    }

    #[test]
    fn a_journal_that_never_became_whole_is_removed_and_changes_nothing() {
        let (folder, places) = machine();
        journal::make_folder(&places.journals).expect("a folder");
        let half = places.journals.join("headtohead-7-8-9.settings.new");
        fs::write(&half, r#"{"boot":"#).expect("a file");
        assert!(journal::all(&places.journals).is_empty());
        assert_eq!(
            journal::left(&places.journals),
            [(half.clone(), "7-8-9".to_owned())]
        );
        journal::settle(&half).expect("removed");
        assert!(journal::left(&places.journals).is_empty());
        assert_eq!(holds(&folder, "swappiness"), "37");
    }

    #[test]
    fn one_that_cannot_be_set_puts_back_the_others() {
        let (folder, places) = machine();
        let read_only = folder.path().join("proc/sys/vm/zone_reclaim_mode");
        std::os::unix::fs::symlink("/proc/sys/kernel/ostype", read_only).expect("a link");
        let want = asked(&[
            ("sysctl.vm.swappiness", "10"),
            ("sysctl.vm.zone_reclaim_mode", "1"),
        ]);
        let refused = Settings::set(&want, &places, "7-8-9").expect_err("read-only");
        assert!(refused.what.contains("zone_reclaim_mode = 1"), "{refused}");
        assert_eq!(holds(&folder, "swappiness"), "37");
        assert!(journal::all(&places.journals).is_empty());
    }

    #[test]
    fn two_runs_do_not_vary_the_same_setting() {
        let (folder, places) = machine();
        let want = asked(&[("sysctl.vm.swappiness", "10")]);
        let first = Settings::set(&want, &places, "7-8-9").expect("set");
        let refused = Settings::set(&want, &places, "7-8-10").expect_err("varied already");
        assert!(refused.why.contains("7-8-9"), "{refused}");
        let other = asked(&[("sysctl.vm.dirty_ratio", "30")]);
        let second = Settings::set(&other, &places, "7-8-10").expect("another");
        first.put_back().expect("put back");
        second.put_back().expect("put back");
        assert_eq!(
            (
                holds(&folder, "swappiness").as_str(),
                holds(&folder, "dirty_ratio").as_str()
            ),
            ("37", "20")
        );
    }

    #[test]
    fn a_journal_of_an_earlier_boot_or_of_a_stranger_changes_nothing() {
        let (folder, places) = machine();
        fs::create_dir(&places.journals).expect("a folder");
        let path = places.journals.join("headtohead-1-2-3.settings");
        let target = folder.path().join("proc/sys/vm/swappiness");
        let text = format!(
            r#"{{"boot":"another","found":[{{"path":{target:?},"value":"99","network":null}}]}}"#
        );
        fs::write(&path, &text).expect("a file");
        journal::settle(&path).expect("removed");
        assert_eq!(holds(&folder, "swappiness"), "37");
        fs::write(&path, &text).expect("a file");
        let open = <fs::Permissions as std::os::unix::fs::PermissionsExt>::from_mode(0o777);
        fs::set_permissions(&places.journals, open).expect("open to all");
        assert!(journal::settle(&path).is_err());
    }
}
