//! Processes that ran before this run and outlive it: they count as a group's, and nothing limits, signals or ends them.

use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use base::clock::now_ns;
use base::error::Error;

use super::Tree;
use crate::procfs::process::Stat;

/// The only name in a tree of attached processes.
const ATTACHED: &str = "attached";

/// The attached processes of a group; monitors that began before there were any find them here.
pub type AttachedSlot = Arc<OnceLock<Attached>>;

/// Attached processes with their descendants, and the CPU time that they had used before.
#[derive(Clone, Debug)]
pub struct Attached {
    tree: Arc<Mutex<Tree>>,
    before_ns: u64,
}

impl Attached {
    /// Attach to these processes.
    ///
    /// # Errors
    /// A process that does not run.
    pub fn to(pids: &[i32]) -> Result<Self, Error> {
        let mut tree = Tree::new(None);
        for &pid in pids {
            if Stat::read(pid).is_none_or(|stat| !stat.runs()) {
                return Err(Error::failure(
                    format!("process {pid} cannot be counted"),
                    "It does not run.",
                    "Name the process of a server that runs.",
                ));
            }
            tree.add(pid, ATTACHED, ATTACHED);
        }
        tree.read_all(now_ns());
        let before_ns = tree.usage(ATTACHED).unwrap_or_default().cpu_ns;
        Ok(Self {
            tree: Arc::new(Mutex::new(tree)),
            before_ns,
        })
    }

    /// The processes that run now.
    #[must_use]
    pub fn processes(&self) -> Vec<i32> {
        let mut tree = self.locked();
        tree.search();
        tree.of_group(ATTACHED)
    }

    /// CPU time since they were attached, and the memory that they hold; `None` while a large tree rests.
    #[must_use]
    pub fn read(&self, at_ns: u64, whole: bool) -> Option<(u64, u64)> {
        let mut tree = self.locked();
        if whole {
            tree.read_all(at_ns);
        } else if !tree.read(at_ns) {
            return None;
        }
        let usage = tree.usage(ATTACHED).unwrap_or_default();
        Some((
            usage.cpu_ns.saturating_sub(self.before_ns),
            usage.memory_bytes,
        ))
    }

    /// Forget that they were read at that instant.
    pub fn forget(&self, at_ns: u64) {
        self.locked().forget(at_ns);
    }

    fn locked(&self) -> MutexGuard<'_, Tree> {
        self.tree.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::Attached;
    use base::clock::now_ns;
    use std::process::{Command, Stdio};

    #[test]
    fn a_process_counts_from_its_attachment_on_with_what_it_forks() {
        let mut command = Command::new("sh");
        let busy = "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done; echo done; read x";
        let _ = command
            .args(["-c", &format!("{busy}; sh -c '{busy}; read y'")])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped());
        let mut child = command.spawn().expect("sh starts");
        let mut said = std::io::BufReader::new(child.stdout.take().expect("a pipe"));
        let mut line = String::new();
        let _ = std::io::BufRead::read_line(&mut said, &mut line).expect("it has worked");
        let attached = Attached::to(&[i32::try_from(child.id()).expect("a pid")]).expect("it runs");
        let (before_ns, _) = attached.read(now_ns(), true).expect("a reading");
        assert!(
            before_ns < 20_000_000,
            "what was used before counts: {before_ns}"
        );
        let mut input = child.stdin.take().expect("a pipe");
        std::io::Write::write_all(&mut input, b"go\n").expect("it reads");
        let _ = std::io::BufRead::read_line(&mut said, &mut line).expect("its child has worked");
        let (after_ns, memory) = attached.read(now_ns(), true).expect("a reading");
        assert!(after_ns > before_ns && memory > 0);
        drop(input);
        let _ = child.wait();
    }

    #[test]
    fn a_process_that_does_not_run_is_refused() {
        let problem = Attached::to(&[1 << 22]).expect_err("no process has this number");
        assert_eq!(problem.what, "process 4194304 cannot be counted");
    }
}
