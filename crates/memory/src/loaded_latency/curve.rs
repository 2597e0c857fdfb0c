//! Latency against bandwidth: some points, and what is read off between them.

use std::collections::BTreeMap;

use crate::numbers::most;
use crate::record::figures;

/// Memory is saturated if a load waits this many times as long as in idle memory; below, more traffic would show more.
const SATURATED: f64 = 1.5;

/// The time of a load at this much traffic.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// What the traffic moved.
    pub bytes_per_s: f64,
    /// How long a load took.
    pub load_ns: f64,
}

/// All points of one mix of traffic.
#[derive(Clone, Debug)]
pub struct Curve {
    idle_ns: f64,
    /// In the order in which they were measured.
    pub points: Vec<Point>,
}

impl Curve {
    /// A curve that begins at idle memory.
    pub fn new(idle_ns: f64) -> Self {
        Self {
            idle_ns,
            points: Vec::new(),
        }
    }

    /// The most that the traffic moved.
    pub fn most_bytes_per_s(&self) -> f64 {
        let rates: Vec<f64> = self.points.iter().map(|point| point.bytes_per_s).collect();
        most(&rates)
    }

    /// Whether the traffic was too little to saturate the memory: one thread never does.
    pub fn is_partial(&self, threads: usize) -> bool {
        let highest = self.latency_at(1.0).unwrap_or(0.0);
        threads < 2 || highest < SATURATED * self.idle_ns
    }

    /// The time of a load at this share of the most that the traffic moved, on the straight line between two points.
    pub fn latency_at(&self, share: f64) -> Option<f64> {
        let wanted = share * self.most_bytes_per_s();
        let idle = Point {
            bytes_per_s: 0.0,
            load_ns: self.idle_ns,
        };
        let mut sorted = self.points.clone();
        sorted.sort_by(|one, other| one.bytes_per_s.total_cmp(&other.bytes_per_s));
        let mut before = idle;
        for point in sorted {
            if point.bytes_per_s >= wanted {
                let width = point.bytes_per_s - before.bytes_per_s;
                let along = if width > 0.0 {
                    (wanted - before.bytes_per_s) / width
                } else {
                    1.0
                };
                return Some(before.load_ns + along * (point.load_ns - before.load_ns));
            }
            before = point;
        }
        None
    }

    /// The curve's figures, and every point of it.
    pub fn metrics(&self) -> BTreeMap<String, f64> {
        let mut found = figures([
            ("idle_latency_ns", Some(self.idle_ns)),
            ("latency_at_half_ns", self.latency_at(0.5)),
            ("latency_at_90_percent_ns", self.latency_at(0.9)),
            ("traffic_most_bytes_per_s", Some(self.most_bytes_per_s())),
        ]);
        for (number, point) in self.points.iter().enumerate() {
            found.extend([
                (format!("point_{number:02}_bytes_per_s"), point.bytes_per_s),
                (format!("point_{number:02}_load_ns"), point.load_ns),
            ]);
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::{Curve, Point};

    fn curve() -> Curve {
        let point = |bytes_per_s, load_ns| Point {
            bytes_per_s,
            load_ns,
        };
        let mut curve = Curve::new(100.0);
        // Measured from little to much, except for one that random error put before its neighbor.
        curve.points = vec![
            point(2e9, 110.0),
            point(8e9, 140.0),
            point(6e9, 130.0),
            point(10e9, 200.0),
        ];
        curve
    }

    fn near(left: Option<f64>, right: f64) -> bool {
        left.is_some_and(|left| (left - right).abs() < 1e-9)
    }

    #[test]
    fn latency_is_read_off_between_the_points_on_both_sides() {
        assert!(near(curve().latency_at(0.5), 125.0));
        assert!(near(curve().latency_at(0.9), 170.0));
        assert!(near(curve().latency_at(0.1), 105.0));
        assert!(near(curve().latency_at(1.0), 200.0));
        assert!(Curve::new(100.0).latency_at(0.5).is_none());
    }

    #[test]
    fn one_thread_never_saturates_and_two_do_where_loads_wait() {
        assert!(curve().is_partial(1));
        assert!(!curve().is_partial(2));
        let mut flat = curve();
        flat.points.truncate(3);
        assert!(flat.is_partial(2));
    }

    #[test]
    fn every_point_is_told_with_what_they_come_to() {
        let metrics = curve().metrics();
        assert_eq!(metrics.len(), 4 + 2 * 4);
        assert!((metrics["point_03_load_ns"] - 200.0).abs() < 1e-9);
        assert!((metrics["traffic_most_bytes_per_s"] - 10e9).abs() < 1e-3);
    }
}
