//! What the program says: its help, and its errors with thing, cause and remedy.

use super::program::{cpus, file, output, program};
use super::scratch::scratch;

fn said(words: &[&str]) -> String {
    let output = output(words);
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
    let code = output.status.code().expect("a code");
    format!(
        "exit {code}\n{}{}",
        text(output.stdout),
        text(output.stderr)
    )
    .replace(&*scratch().to_string_lossy(), "[tmp]")
}

#[test]
fn the_help_says_what_each_word_means() {
    insta::assert_snapshot!("help", said(&["--help"]));
    insta::assert_snapshot!("help_bandwidth", said(&["bandwidth", "--help"]));
    insta::assert_snapshot!("help_latency", said(&["latency", "--help"]));
    insta::assert_snapshot!("help_loaded", said(&["loaded-latency", "--help"]));
    insta::assert_snapshot!("help_nodes", said(&["nodes", "--help"]));
    insta::assert_snapshot!("help_core_to_core", said(&["core-to-core", "--help"]));
}

#[test]
fn wrong_words_end_with_2_and_say_what_is_right() {
    insta::assert_snapshot!("no_time", said(&["latency", "--seconds", "0"]));
    insta::assert_snapshot!("no_size", said(&["bandwidth", "--size", "1T"]));
    insta::assert_snapshot!(
        "small_size",
        said(&["bandwidth", "--size", "100", "--threads", "1"])
    );
    insta::assert_snapshot!("no_width", said(&["bandwidth", "--vector-bits", "100"]));
    insta::assert_snapshot!(
        "many_copies",
        said(&["bandwidth", "--copies", "100000"]).replace(&format!("{} CPUs", cpus()), "N CPUs")
    );
    insta::assert_snapshot!("no_cases", said(&["bandwidth", "--cases", "/nowhere"]));
}

/// What the program says to a file that holds this case.
fn asked(command: &str, case: &str) -> String {
    let name = format!("wrong-{command}-{}", case.replace(['=', ','], "-"));
    said(&[command, "--cases", &file(&name, case)])
}

#[test]
fn wrong_cases_end_with_2_before_anything_is_measured() {
    insta::assert_snapshot!(
        "no_operation",
        asked("bandwidth", "operation=daxpy,stores=ordinary")
    );
    insta::assert_snapshot!("no_stores", asked("bandwidth", "operation=copy"));
    insta::assert_snapshot!(
        "unknown_field",
        asked("bandwidth", "operation=copy,stores=ordinary,x=1")
    );
    insta::assert_snapshot!("neither_level_nor_size", asked("latency", "pages=small"));
    insta::assert_snapshot!("no_level", asked("latency", "pages=small,level=L9"));
    insta::assert_snapshot!("giant_size", said(&["latency", "--to", "512G"]));
    insta::assert_snapshot!("tiny_size", asked("latency", "pages=small,size_bytes=64"));
    insta::assert_snapshot!("no_traffic", asked("loaded-latency", "traffic=0r1w"));
    insta::assert_snapshot!("no_pair", asked("core-to-core", "from=0,to=99999"));
}

#[test]
fn memory_that_is_not_there_is_refused_before_it_is_asked_for() {
    for command in ["bandwidth", "loaded-latency"] {
        let said = said(&[command, "--size", "65536G"]);
        let refused = said.contains("are available here. Name a smaller --size");
        let alone = command == "loaded-latency" && said.contains("one for the traffic");
        assert!(said.starts_with("exit 2\n") && (refused || alone), "{said}");
    }
}

#[test]
fn one_cpu_has_nobody_to_talk_to() {
    let status = std::fs::read_to_string("/proc/self/status").expect("a status");
    let listed = status
        .lines()
        .find_map(|line| line.strip_prefix("Cpus_allowed_list:"));
    let first = listed.and_then(|list| list.trim().split([',', '-']).next());
    let mut alone = std::process::Command::new("taskset");
    let told = program(&["core-to-core"]);
    let _ = alone
        .args(["--cpu-list", first.expect("a CPU")])
        .arg(told.get_program())
        .args(told.get_args());
    let output = alone.output().expect("taskset of util-linux");
    assert_eq!(output.status.code(), Some(2));
    insta::assert_snapshot!("one_cpu", String::from_utf8_lossy(&output.stderr));
}
