//! Subject and driver in networks of their own: they reach each other, nothing else, and nothing of it is left.

use std::fs;
use std::net::TcpListener;
use std::process::Command;
use std::time::Duration;

use super::supervised::{Greeted, Supervised, root_for, within};
use serde_json::{Value, json};

/// How much the driver sends.
const SENT_BYTES: u64 = 2_000_000;

/// Takes one connection at the address and port given, and tells how many bytes came, and in how many milliseconds.
const TAKES: &str = "
import socket, sys, time
listener = socket.create_server((sys.argv[1], 7000))
print('ready', flush=True)
taken, _ = listener.accept()
began, count = time.monotonic(), 0
while part := taken.recv(65536):
    count += len(part)
print(count, round(1000 * (time.monotonic() - began)), flush=True)
";

/// Sends this many bytes there.
const SENDS: &str = "
import socket, sys
with socket.create_connection((sys.argv[1], 7000), timeout=10) as out:
    out.sendall(bytes(int(sys.argv[2])))
    congestion = out.getsockopt(socket.IPPROTO_TCP, socket.TCP_CONGESTION, 16)
    print(congestion.rstrip(bytes(1)).decode(), flush=True)
";

/// Says whether the port of 127.0.0.1 can be reached.
const KNOCKS: &str = "
import socket, sys
try:
    socket.create_connection(('127.0.0.1', int(sys.argv[1])), timeout=10).close()
    print('open', flush=True)
except OSError as error:
    print(type(error).__name__, flush=True)
";

/// A supervise with both groups, and a link where root may make one.
fn linked(rate_mbit: Option<u64>) -> Option<(Greeted, Value)> {
    if !root_for("make a link") {
        return None;
    }
    let mut run = Supervised::start(&[]);
    run.group("subject");
    run.group("driver");
    let link = run.ask(&json!({"do": "link", "rate_mbit": rate_mbit}));
    assert!(link.get("error").is_none(), "{link}");
    Some((run, link))
}

fn python(run: &mut Supervised, (name, group): (&str, &str), words: &[&str]) -> i32 {
    let mut request = run.start_request(name, &[&["python3", "-c"], words].concat());
    request["group"] = json!(group);
    let answer = run.ask(&request);
    let pid = answer["pid"].as_i64().unwrap_or_else(|| panic!("{answer}"));
    i32::try_from(pid).expect("a pid")
}

fn network_of(run: &mut Supervised, group: &str) -> Value {
    run.ask(&json!({"do": "read_back", "group": group}))["network"].clone()
}

/// The two columns of the link, from the first reading to the last.
fn carried(table: &str) -> [u64; 2] {
    let rows: Vec<Vec<&str>> = table
        .lines()
        .map(|line| line.split(',').collect())
        .collect();
    ["link_sent_bytes", "link_received_bytes"].map(|name| {
        let place = rows[0].iter().position(|&each| each == name);
        let place = place.unwrap_or_else(|| panic!("no column {name}"));
        let count = |row: &[&str]| row[place].parse::<u64>().expect("a count");
        count(&rows[rows.len() - 1]) - count(&rows[1])
    })
}

#[test]
fn both_ends_talk_over_the_link_no_faster_than_was_asked() {
    for rate_mbit in [None, Some(100)] {
        let Some((mut run, link)) = linked(rate_mbit) else {
            return;
        };
        assert_eq!(
            (
                &link["device"],
                &link["mtu"],
                &link["congestion"],
                &link["rate_mbit"]
            ),
            (
                &json!("h2h0"),
                &json!(1500),
                &json!("cubic"),
                &json!(rate_mbit)
            )
        );
        let address = link["subject"].as_str().expect("an address").to_owned();
        let path = run.file("readings.csv");
        let watch = json!({"do": "watch", "to": path, "every_ms": 20});
        assert!(run.ask(&watch).get("error").is_none());
        let _ = python(&mut run, ("takes", "subject"), &[TAKES, &address]);
        assert_eq!(run.text_of("takes.out"), "ready");
        assert_eq!(network_of(&mut run, "subject"), json!("own"));
        let _ = python(
            &mut run,
            ("sends", "driver"),
            &[SENDS, &address, &SENT_BYTES.to_string()],
        );
        let ended = run.ask(&json!({"do": "wait", "name": "takes", "within_s": 20}));
        assert_eq!(ended["code"], json!(0), "{ended}");
        let told = run.text_of("takes.out");
        let mut numbers = told.lines().last().expect("a line").split(' ');
        let mut number = || numbers.next().and_then(|word| word.parse::<u64>().ok());
        assert_eq!(number(), Some(SENT_BYTES), "{told}");
        assert_eq!(run.text_of("sends.out"), "cubic");
        // At 100 Mbit/s 2 MB take 160 ms, less what the bucket holds at first (262 kB, 21 ms).
        assert!(rate_mbit.is_none() || number() >= Some(135), "{told}");
        assert!(run.ask(&json!({"do": "unwatch"})).get("error").is_none());
        let [sent, received] = carried(&fs::read_to_string(&path).expect("a table"));
        assert!(
            (SENT_BYTES..SENT_BYTES * 11 / 10).contains(&received),
            "{received}"
        );
        assert!((1..SENT_BYTES / 10).contains(&sent), "{sent}");
    }
}

#[test]
fn the_hosts_own_address_is_out_of_reach_from_either_end() {
    let Some((mut run, _)) = linked(None) else {
        return;
    };
    run.group("other");
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener
        .local_addr()
        .expect("an address")
        .port()
        .to_string();
    let said = ["subject", "driver", "other"].map(|group| {
        let _ = python(&mut run, (group, group), &[KNOCKS, &port]);
        run.text_of(&format!("{group}.out"))
    });
    assert_eq!(
        said,
        ["ConnectionRefusedError", "ConnectionRefusedError", "open"]
    );
    let mut request = run.start_request("stays", &["sleep", "300"]);
    request["group"] = json!("other");
    assert!(run.ask(&request)["pid"].is_i64());
    assert_eq!(network_of(&mut run, "other"), json!("host"));
    // Who has printed its last line may still be on its way out.
    assert!(
        within(Duration::from_secs(60), || network_of(&mut run, "driver")
            .is_null()),
        "a process is left there"
    );
}

/// Whatever keeps that namespace (`net:[4026532001]`): processes in it, descriptors and mounts of it.
fn keepers(namespace: &str) -> Vec<String> {
    let mounts = fs::read_to_string("/proc/self/mountinfo").expect("readable");
    let mounted = mounts.lines().filter(|line| line.contains(namespace));
    let mut found: Vec<String> = mounted.map(str::to_owned).collect();
    let entries = fs::read_dir("/proc").expect("/proc").filter_map(Result::ok);
    for process in entries.map(|entry| entry.path()) {
        let descriptors = fs::read_dir(process.join("fd")).into_iter().flatten();
        let descriptors = descriptors.filter_map(Result::ok).map(|entry| entry.path());
        let links = descriptors.chain([process.join("ns/net")]);
        let keep = |path: &std::path::PathBuf| {
            fs::read_link(path).is_ok_and(|target| target.as_os_str() == namespace)
        };
        found.extend(links.filter(keep).map(|path| path.display().to_string()));
    }
    found
}

/// The namespaces of a sleeper at either end.
fn sleepers(run: &mut Supervised) -> [String; 2] {
    ["subject", "driver"].map(|group| {
        let pid = python(run, (group, group), &["import time; time.sleep(300)"]);
        let namespace = fs::read_link(format!("/proc/{pid}/ns/net")).expect("its namespace");
        namespace.to_string_lossy().into_owned()
    })
}

fn assert_no_network_left(namespaces: &[String; 2]) {
    for namespace in namespaces {
        let gone = within(Duration::from_secs(60), || keepers(namespace).is_empty());
        assert!(gone, "{:?}", keepers(namespace));
    }
    let devices = Command::new("ip")
        .args(["-o", "link"])
        .output()
        .expect("iproute2");
    let names = Command::new("ip")
        .args(["netns", "list"])
        .output()
        .expect("iproute2");
    for said in [devices, names] {
        let text = String::from_utf8_lossy(&said.stdout).into_owned();
        assert!(said.status.success() && !text.contains("h2h0"), "{text}");
    }
}

#[test]
fn nothing_of_a_link_outlives_its_run_even_a_killed_one() {
    for killed in [false, true] {
        let Some((mut run, _)) = linked(Some(1000)) else {
            return;
        };
        let namespaces = sleepers(&mut run);
        assert_ne!(namespaces[0], namespaces[1]);
        assert!(namespaces.iter().all(|each| keepers(each).len() >= 2));
        if killed {
            run.child.kill().expect("it runs");
            let _ = run.ends();
            let gone = within(Duration::from_secs(60), || run.processes().is_empty());
            assert!(gone, "its programs die with it");
        } else {
            assert!(run.ask(&json!({"do": "end"})).get("error").is_none());
            assert_eq!(run.ends().0, Some(0));
        }
        assert_no_network_left(&namespaces);
        // A killed one leaves these to the sweep.
        let _ = fs::remove_dir_all(&run.run_dir);
        for cgroup in run.cgroups() {
            // The kernel may hold it for a moment after its last process has ended, as the sweep knows.
            let gone = within(Duration::from_secs(2), || fs::remove_dir(&cgroup).is_ok());
            assert!(gone, "an empty cgroup");
        }
    }
}

#[test]
fn a_link_that_cannot_be_is_refused_in_three_sentences() {
    if !root_for("make a link") {
        return;
    }
    let mut run = Supervised::start(&[]);
    let link = |rate: Value| json!({"do": "link", "rate_mbit": rate});
    let mut said = vec![refused(&mut run, &link(json!(null)))];
    run.group("subject");
    run.group("driver");
    said.push(refused(&mut run, &link(json!(0))));
    said.push(refused(&mut run, &link(json!(1_000_000))));
    assert!(run.ask(&link(json!(null)))["subject"].is_string());
    said.push(refused(&mut run, &link(json!(null))));
    let mut late = Supervised::start(&[]);
    late.group("subject");
    late.group("driver");
    let _ = late.shell("a", "sleep 300");
    said.push(refused(&mut late, &link(json!(null))));
    insta::assert_snapshot!(said.join("\n"));
    assert_eq!(
        network_of(&mut late, "subject"),
        json!("host"),
        "the run goes on"
    );
}

fn refused(run: &mut Supervised, request: &Value) -> String {
    let answer = run.ask(request);
    let word = |name: &str| {
        let text = answer["error"][name].as_str();
        text.unwrap_or_else(|| panic!("{request} gave {answer}"))
            .to_owned()
    };
    format!("{}: {} {}", word("what"), word("why"), word("remedy"))
}
