//! What a panic does to a program of ours.

use std::panic;
use std::process;

/// Let a panic of any thread end the process at once, after its message: no other thread sees a state left half done.
///
/// `panic = "abort"` would do so too, but tests need dependencies that unwind, and would then build all of them anew.
pub fn end_the_process() {
    let print = panic::take_hook();
    panic::set_hook(Box::new(move |panicked| {
        print(panicked);
        process::abort();
    }));
}

#[cfg(test)]
mod tests {
    use std::env;
    use std::os::unix::process::ExitStatusExt;
    use std::process::Command;
    use std::thread;

    const ABORTED: i32 = 6;
    const IN_A_PROCESS_OF_ITS_OWN: &str = "H2H_TEST_PANICS";

    #[test]
    fn a_panic_of_any_thread_ends_the_process_with_its_message() {
        if env::var_os(IN_A_PROCESS_OF_ITS_OWN).is_some() {
            super::end_the_process();
            let _ = thread::spawn(|| panic!("a thread fell")).join();
            return;
        }
        let name = "panics::tests::a_panic_of_any_thread_ends_the_process_with_its_message";
        let done = Command::new(env::current_exe().expect("this test's program"))
            .args(["--exact", name, "--nocapture"])
            .env(IN_A_PROCESS_OF_ITS_OWN, "1")
            .output()
            .expect("it starts");
        assert_eq!(done.status.signal(), Some(ABORTED));
        assert!(String::from_utf8_lossy(&done.stderr).contains("a thread fell"));
    }
}
