//! The JSON that `ip` and `tc` of iproute2 print about a device.

use serde::Deserialize;
use serde_json::Value;

/// Bits per second in one Mbit/s.
const MBIT: u64 = 1_000_000;

/// A device as `ip -j addr show` prints it.
#[derive(Debug, Deserialize, PartialEq, Eq)]
pub struct Device {
    /// The largest packet, in bytes.
    pub mtu: u64,
    /// `UP` once packets pass.
    pub operstate: String,
    #[serde(default)]
    addr_info: Vec<Address>,
}

#[derive(Debug, Deserialize, PartialEq, Eq)]
struct Address {
    local: String,
}

impl Device {
    /// Whether it has that address.
    #[must_use]
    pub fn has(&self, address: &str) -> bool {
        self.addr_info.iter().any(|each| each.local == address)
    }
}

/// The only device that `ip -j addr show dev NAME` printed; `None` if the text is something else.
#[must_use]
pub fn device(text: &[u8]) -> Option<Device> {
    let told: Vec<Device> = serde_json::from_slice(text).ok()?;
    told.into_iter().next()
}

/// A text that is not what we know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownOutput;

/// The rate in Mbit/s of the token bucket that `tc -j qdisc show dev NAME` printed; `None` if it printed none.
///
/// # Errors
/// What is no text of tc's, and a rate of no whole Mbit/s.
pub fn rate_mbit(text: &[u8]) -> Result<Option<u64>, UnknownOutput> {
    let told: Vec<Value> = serde_json::from_slice(text).map_err(|_| UnknownOutput)?;
    let Some(bucket) = told.iter().find(|qdisc| qdisc["kind"] == "tbf") else {
        return Ok(None);
    };
    let bytes = bucket["options"]["rate"].as_u64().ok_or(UnknownOutput)?;
    let bits = bytes.checked_mul(8).ok_or(UnknownOutput)?;
    if bits % MBIT == 0 {
        Ok(Some(bits / MBIT))
    } else {
        Err(UnknownOutput)
    }
}

/// How TCP sends over the one route that `ip -j route show dev NAME` printed; `None` if the route does not set it.
///
/// iproute2 has called it by two names.
#[must_use]
pub fn congestion(text: &[u8]) -> Option<String> {
    let told: Vec<Value> = serde_json::from_slice(text).ok()?;
    let [route] = told.as_slice() else {
        return None;
    };
    let metrics = route["metrics"].as_array()?;
    let named = |name: &str| metrics.iter().find_map(|each| each[name].as_str());
    named("congestion")
        .or_else(|| named("congctl"))
        .map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::{UnknownOutput, congestion, device, rate_mbit};

    #[test]
    fn a_device_has_its_address_and_says_whether_packets_pass() {
        let text = br#"[{"ifindex":2,"link_index":2,"ifname":"h2h0","flags":["BROADCAST","MULTICAST","UP","LOWER_UP"],
            "mtu":1500,"qdisc":"tbf","operstate":"UP","group":"default","txqlen":1000,"link_type":"ether",
            "address":"b2:71:d3:50:b8:3a","broadcast":"ff:ff:ff:ff:ff:ff","link_netnsid":0,
            "addr_info":[{"family":"inet","local":"192.0.2.1","prefixlen":30,"scope":"global","label":"h2h0"}]}]"#;
        let found = device(text).expect("a device");
        assert_eq!((found.mtu, found.operstate.as_str()), (1500, "UP"));
        assert!(found.has("192.0.2.1") && !found.has("192.0.2.2"));
    }

    #[test]
    fn a_device_without_an_address_has_none() {
        let found = device(br#"[{"ifname":"h2h0","mtu":1500,"operstate":"DOWN"}]"#).expect("one");
        assert!(!found.has("192.0.2.1"));
        assert_eq!(device(b"[]"), None);
        assert_eq!(device(b"h2h0: <UP>"), None);
    }

    #[test]
    fn a_rate_is_told_in_bytes_and_given_in_mbit() {
        let text = br#"[{"kind":"tbf","handle":"8001:","root":true,"refcnt":3,
            "options":{"rate":125000000,"burst":262144,"lat":20000}}]"#;
        assert_eq!(rate_mbit(text), Ok(Some(1000)));
        let odd = br#"[{"kind":"tbf","options":{"rate":125000001}}]"#;
        assert_eq!(rate_mbit(odd), Err(UnknownOutput));
    }

    #[test]
    fn no_bucket_is_no_rate_and_no_text_is_no_answer() {
        let plain = br#"[{"kind":"noqueue","handle":"0:","root":true,"refcnt":2,"options":{}}]"#;
        assert_eq!(rate_mbit(plain), Ok(None));
        assert_eq!(rate_mbit(b"[]"), Ok(None));
        assert_eq!(rate_mbit(b""), Err(UnknownOutput));
        assert_eq!(
            rate_mbit(br#"[{"kind":"tbf","options":{"rate":"1Gbit"}}]"#),
            Err(UnknownOutput)
        );
    }

    #[test]
    fn congestion_control_is_the_routes() {
        let told = |metrics: &str| {
            let route = r#"{"dst":"192.0.2.0/30","scope":"link","prefsrc":"192.0.2.1","flags":[]"#;
            congestion(format!("[{route}{metrics}}}]").as_bytes())
        };
        let cubic = Some("cubic".to_owned());
        assert_eq!(told(r#","metrics":[{"congestion":"cubic"}]"#), cubic);
        assert_eq!(
            told(r#","metrics":[{"mtu":1400,"congctl":"cubic"}]"#),
            cubic
        );
        assert_eq!(told(""), None);
        assert_eq!(congestion(b"[]"), None);
    }
}
