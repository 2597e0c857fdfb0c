//! The self-test as a whole. How fast this machine is, and whether it meets the limits, is not the tests' business: other programs
//! may keep it busy.

use serde_json::Value;

use super::program::output;

/// What the self-test finds within this time for each measurement; what lacks, if the machine was too busy for it.
fn find(duration: &str) -> Result<(), String> {
    let ended = output(&["selftest", "--duration", duration, "--json", "-"]);
    let text = String::from_utf8(ended.stdout).expect("text");
    let complaint = String::from_utf8(ended.stderr).expect("text");
    let found: Value = serde_json::from_str(&text).map_err(|_| complaint.clone())?;
    assert_eq!(found["holds"] == true, ended.status.code() == Some(0));
    assert_eq!(found["holds"] == true, complaint.is_empty());
    let ceiling = found["ceiling"].as_array().expect("a list");
    assert_eq!(ceiling.len(), 3);
    for loop_ in ceiling {
        if loop_["response_rate_per_s"].as_f64() < Some(100.0) {
            return Err(format!("{loop_}"));
        }
        assert!(
            loop_["driver_cpu_per_request_ns"].as_f64() > Some(500.0),
            "{loop_}"
        );
    }
    if found["half"]["scheduled"].as_u64() <= Some(5) {
        return Err(text);
    }
    let arrivals = found["arrivals"].as_array().expect("a list");
    for (spacing, line) in ["poisson", "uniform"].iter().zip(arrivals) {
        if line["sent"].as_u64() <= Some(5) {
            return Err(format!("{line}"));
        }
        assert_eq!(line["arrivals"], *spacing);
        assert_eq!(line["gaps_distance"].is_f64(), *spacing == "poisson");
        // A driver without its CPU sends after the window too.
        if line["instants_distance"].as_f64() > Some(1.0) {
            return Err(format!("{line}"));
        }
    }
    Ok(())
}

#[test]
fn the_self_test_finds_a_ceiling_and_says_whether_the_machine_holds_the_bars() {
    let mut lacking = Vec::new();
    for duration in ["150ms", "600ms", "2s", "5s"] {
        match find(duration) {
            Ok(()) => return,
            Err(lacks) => lacking.push(lacks),
        }
    }
    panic!("{lacking:?}");
}

#[test]
fn the_help_says_what_the_self_test_is() {
    let help = output(&["selftest", "--help"]);
    insta::assert_snapshot!("help", String::from_utf8_lossy(&help.stdout));
}
