//! The nodes of memory, as `/sys/devices/system/node` shows them.

use std::fs;
use std::path::Path;

/// The folder in which the kernel describes its nodes.
const SYSTEM: &str = "/sys/devices/system/node";

/// A node: the CPUs of it that this program may use, and whether it has memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// The kernel's number for it.
    pub number: u32,
    /// Those of its CPUs that are ours, in our order.
    pub cpus: Vec<usize>,
    /// Whether memory can come from it.
    pub has_memory: bool,
}

/// The nodes of this machine; one with all CPUs if the kernel shows none.
pub fn of(cpus: &[usize]) -> Vec<Node> {
    read(Path::new(SYSTEM), cpus)
}

fn read(system: &Path, cpus: &[usize]) -> Vec<Node> {
    let text = |name: &str| fs::read_to_string(system.join(name)).unwrap_or_default();
    let with_memory = listed(&text("has_memory"));
    let numbers = listed(&text("online"));
    let nodes = numbers.iter().map(|&number| {
        let its = listed(&text(&format!("node{number}/cpulist")));
        Node {
            number: u32::try_from(number).unwrap_or(u32::MAX),
            cpus: cpus
                .iter()
                .copied()
                .filter(|cpu| its.contains(cpu))
                .collect(),
            has_memory: with_memory.contains(&number),
        }
    });
    let found: Vec<Node> = nodes.collect();
    if found
        .iter()
        .any(|node| node.has_memory && !node.cpus.is_empty())
    {
        return found;
    }
    vec![Node {
        number: 0,
        cpus: cpus.to_vec(),
        has_memory: true,
    }]
}

/// The numbers of a list as the kernel writes it: `0-3,8`.
fn listed(text: &str) -> Vec<usize> {
    let mut found = Vec::new();
    for part in text.trim().split(',') {
        let (from, to) = part.split_once('-').unwrap_or((part, part));
        if let (Ok(from), Ok(to)) = (from.parse::<usize>(), to.parse::<usize>()) {
            // No machine has more; a list that is none must not fill the memory.
            found.extend(from..=to.min(from.saturating_add(8192)));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::PathBuf;

    use super::{Node, listed, read};

    fn tree(name: &str, files: &[(&str, &str)]) -> PathBuf {
        let root = std::env::temp_dir().join(format!("h2h-nodes-{}-{name}", std::process::id()));
        for (path, text) in files {
            let file = root.join(path);
            fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
            fs::write(file, format!("{text}\n")).expect("a file");
        }
        root
    }

    fn node(number: u32, cpus: &[usize], has_memory: bool) -> Node {
        Node {
            number,
            cpus: cpus.to_vec(),
            has_memory,
        }
    }

    #[test]
    fn two_sockets_are_read_with_the_cpus_that_we_may_use() {
        let root = tree(
            "two",
            &[
                ("online", "0-1"),
                ("has_memory", "0-1"),
                ("node0/cpulist", "0-3,8-11"),
                ("node1/cpulist", "4-7,12-15"),
            ],
        );
        let found = read(&root, &[0, 1, 4, 5, 12]);
        assert_eq!(found, [node(0, &[0, 1], true), node(1, &[4, 5, 12], true)]);
        fs::remove_dir_all(root).expect("the tree goes");
    }

    #[test]
    fn memory_without_cpus_is_a_node_too() {
        let root = tree(
            "far",
            &[
                ("online", "0,2"),
                ("has_memory", "0,2"),
                ("node0/cpulist", "0-1"),
                ("node2/cpulist", ""),
            ],
        );
        let found = read(&root, &[0, 1]);
        assert_eq!(found, [node(0, &[0, 1], true), node(2, &[], true)]);
        fs::remove_dir_all(root).expect("the tree goes");
    }

    #[test]
    fn a_kernel_that_tells_of_no_nodes_has_one_with_all_cpus() {
        let root = tree("none", &[("other", "")]);
        assert_eq!(read(&root, &[0, 3]), [node(0, &[0, 3], true)]);
        assert_eq!(listed("0-2,7"), [0, 1, 2, 7]);
        assert_eq!(listed("x,-"), Vec::<usize>::new());
        fs::remove_dir_all(root).expect("the tree goes");
    }
}
