//! The caches for data, as `/sys/devices/system/cpu/cpu*/cache` shows them.

use std::fs;
use std::path::Path;

use crate::cli::arguments;
use crate::machine::cpus::SYSTEM;

/// A level of cache: what one CPU has of it, and how many such caches some CPUs have between them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cache {
    /// 1 is the nearest.
    pub level: u32,
    /// The size of one.
    pub bytes: u64,
    /// How many there are.
    pub instances: u64,
}

/// What arrays must exceed so that memory is measured: 4 times the last caches of these CPUs, and at least this.
pub const LEAST_BYTES: u64 = 512 << 20;

/// The caches of these CPUs, the nearest first; none if the kernel does not show them.
pub fn of(cpus: &[usize]) -> Vec<Cache> {
    read(Path::new(SYSTEM), cpus)
}

/// How large a working set must be to be in memory: 4 times the last caches, at least `LEAST_BYTES`.
pub fn beyond(caches: &[Cache]) -> u64 {
    let last = caches.last().map_or(0, |last| last.bytes * last.instances);
    (4 * last).max(LEAST_BYTES)
}

fn read(system: &Path, cpus: &[usize]) -> Vec<Cache> {
    let mut found: Vec<(Cache, String)> = Vec::new();
    for cpu in cpus {
        let folder = system.join(format!("cpu{cpu}/cache"));
        let caches = (0..16).filter_map(|index| one(&folder.join(format!("index{index}"))));
        for each in caches {
            if !found.contains(&each) {
                found.push(each);
            }
        }
    }
    let mut levels: Vec<u32> = found.iter().map(|(cache, _)| cache.level).collect();
    levels.sort_unstable();
    levels.dedup();
    let together = |level: u32| {
        let its = || found.iter().filter(move |(cache, _)| cache.level == level);
        Cache {
            level,
            bytes: its().map(|(cache, _)| cache.bytes).max().unwrap_or(0),
            instances: u64::try_from(its().count()).unwrap_or(1),
        }
    };
    levels.into_iter().map(together).collect()
}

/// A cache that holds data, and who shares it; `None` for others and for what cannot be read.
fn one(folder: &Path) -> Option<(Cache, String)> {
    let text = |name: &str| fs::read_to_string(folder.join(name)).ok();
    let kind = text("type")?;
    if kind.trim() == "Instruction" {
        return None;
    }
    let cache = Cache {
        level: text("level")?.trim().parse().ok()?,
        bytes: arguments::bytes(text("size")?.trim()).ok()?,
        instances: 1,
    };
    Some((cache, text("shared_cpu_list").unwrap_or_default()))
}

#[cfg(test)]
pub mod tests {
    use std::fs;
    use std::path::PathBuf;

    use super::{Cache, beyond, read};

    /// Two CPUs with caches of their own and a shared last one, as on the machine on which this was written.
    const TREE: [(&str, &str, &str, &str); 4] = [
        ("1", "Data", "48K", ""),
        ("1", "Instruction", "32K", ""),
        ("2", "Unified", "2048K", ""),
        ("3", "Unified", "307200K", "0-1"),
    ];

    fn tree(name: &str) -> PathBuf {
        let root = std::env::temp_dir().join(format!("h2h-memory-{}-{name}", std::process::id()));
        for cpu in 0..2 {
            for (index, (level, kind, size, shared)) in TREE.iter().enumerate() {
                let folder = root.join(format!("cpu{cpu}/cache/index{index}"));
                fs::create_dir_all(&folder).expect("a folder");
                let own = cpu.to_string();
                let shared = if shared.is_empty() {
                    own.as_str()
                } else {
                    *shared
                };
                let files = [
                    ("level", *level),
                    ("type", *kind),
                    ("size", *size),
                    ("shared_cpu_list", shared),
                ];
                for (file, text) in files {
                    fs::write(folder.join(file), format!("{text}\n")).expect("a file");
                }
            }
        }
        root
    }

    fn cache(level: u32, bytes: u64, instances: u64) -> Cache {
        Cache {
            level,
            bytes,
            instances,
        }
    }

    /// The recorded tree as it is read for both CPUs.
    pub fn recorded() -> Vec<Cache> {
        vec![
            cache(1, 48 << 10, 2),
            cache(2, 2 << 20, 2),
            cache(3, 300 << 20, 1),
        ]
    }

    #[test]
    fn a_recorded_tree_is_read_without_its_caches_for_instructions() {
        let root = tree("caches");
        assert_eq!(read(&root, &[0, 1]), recorded());
        assert_eq!(read(&root, &[0])[1], cache(2, 2 << 20, 1));
        assert_eq!(read(&root, &[7]), []);
        fs::remove_dir_all(root).expect("the tree goes");
    }

    #[test]
    fn memory_begins_at_four_times_the_last_caches() {
        assert_eq!(beyond(&recorded()), 1200 << 20);
        assert_eq!(beyond(&[cache(3, 32 << 20, 2)]), 512 << 20);
        assert_eq!(beyond(&[cache(3, 256 << 20, 2)]), 2 << 30);
        assert_eq!(beyond(&[]), 512 << 20);
    }
}
