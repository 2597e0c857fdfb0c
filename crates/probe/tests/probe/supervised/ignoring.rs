//! A supervise whose starter ignores signals.

use std::process::{Command, Stdio};

use super::{Greeted, PROBE, Supervised, command, new_id};

impl Supervised {
    /// Start one by a shell that ignores these signals, as `nohup` and a script's `&` do, and greet it.
    pub fn start_ignoring(signals: &str) -> Greeted {
        let id = new_id();
        let plain = command(&id, &[]);
        let mut shell = Command::new("sh");
        let _ = shell
            .args([
                "-c",
                &format!("trap '' {signals}; exec \"$@\""),
                "sh",
                PROBE,
            ])
            .args(plain.get_args())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped());
        Self::greet(shell, id)
    }
}
