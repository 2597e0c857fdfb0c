//! What `/sys` shows of the hardware: clocks, temperature, throttling, energy. Mostly invisible in virtual machines.

use std::fs;
use std::path::{Path, PathBuf};

use super::monitor::Monitor;
use super::row::Row;
use crate::procfs::open_file::OpenFile;
use crate::procfs::text::number;

/// Everything that is visible here.
#[must_use]
pub fn find_all() -> Vec<Box<dyn Monitor>> {
    find_below(Path::new("/sys"))
}

fn find_below(sys: &Path) -> Vec<Box<dyn Monitor>> {
    let mut found: Vec<Box<dyn Monitor>> = Vec::new();
    let cpus = numbered(&sys.join("devices/system/cpu"), "cpu");
    let clocks: Vec<(usize, OpenFile)> = cpus
        .iter()
        .filter_map(|(cpu, folder)| {
            Some((
                *cpu,
                OpenFile::open_line(folder.join("cpufreq/scaling_cur_freq"))?,
            ))
        })
        .collect();
    if !clocks.is_empty() {
        found.push(Box::new(Clocks(clocks)));
    }
    let temperatures = temperatures(sys);
    if !temperatures.is_empty() {
        found.push(Box::new(Temperature(temperatures)));
    }
    let throttles: Vec<OpenFile> = cpus
        .iter()
        .filter_map(|(_, folder)| {
            OpenFile::open_line(folder.join("thermal_throttle/core_throttle_count"))
        })
        .collect();
    if !throttles.is_empty() {
        found.push(Box::new(Throttles(throttles)));
    }
    let packages = packages(sys);
    if !packages.is_empty() {
        found.push(Box::new(Energy(packages)));
    }
    found
}

/// The clock of each CPU as cpufreq last saw it: the mean over the kernel's last tick on CPUs with APERF and MPERF.
struct Clocks(Vec<(usize, OpenFile)>);

impl Monitor for Clocks {
    fn columns(&self) -> Vec<String> {
        self.0
            .iter()
            .map(|(cpu, _)| format!("cpu{cpu}_hz"))
            .collect()
    }

    fn read(&mut self, _at_ns: u64, row: &mut Row) {
        for (_, file) in &mut self.0 {
            row.add(file.number().map(|khz| khz * 1000));
        }
    }
}

/// The hottest place of a processor.
struct Temperature(Vec<OpenFile>);

impl Monitor for Temperature {
    fn columns(&self) -> Vec<String> {
        vec!["temperature_millic".to_owned()]
    }

    fn read(&mut self, _at_ns: u64, row: &mut Row) {
        row.add(self.0.iter_mut().filter_map(OpenFile::number).max());
    }
}

/// How often a CPU was slowed down for its heat, all CPUs together.
struct Throttles(Vec<OpenFile>);

impl Monitor for Throttles {
    fn columns(&self) -> Vec<String> {
        vec!["throttle_count".to_owned()]
    }

    fn read(&mut self, _at_ns: u64, row: &mut Row) {
        row.add(self.0.iter_mut().map(OpenFile::number).sum::<Option<u64>>());
    }
}

/// A counter of energy that starts again at its highest value.
struct Package {
    energy: OpenFile,
    range_uj: u64,
    last_uj: Option<u64>,
    rounds_uj: u64,
}

impl Package {
    fn total_uj(&mut self) -> Option<u64> {
        let now = self.energy.number()?;
        if self.last_uj.is_some_and(|last| now < last) {
            self.rounds_uj += self.range_uj;
        }
        self.last_uj = Some(now);
        Some(self.rounds_uj + now)
    }
}

/// Energy of all processor packages.
struct Energy(Vec<Package>);

impl Monitor for Energy {
    fn columns(&self) -> Vec<String> {
        vec!["package_energy_uj".to_owned()]
    }

    fn read(&mut self, _at_ns: u64, row: &mut Row) {
        row.add(
            self.0
                .iter_mut()
                .map(Package::total_uj)
                .sum::<Option<u64>>(),
        );
    }
}

/// Folders `cpu0`, `cpu1` ... in the order of their numbers.
fn numbered(folder: &Path, prefix: &str) -> Vec<(usize, PathBuf)> {
    let Ok(entries) = fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut found: Vec<(usize, PathBuf)> = entries
        .filter_map(|entry| {
            let path = entry.ok()?.path();
            let name = path.file_name()?.to_str()?.strip_prefix(prefix)?;
            let index = usize::try_from(number(name.as_bytes())?).ok()?;
            Some((index, path))
        })
        .collect();
    found.sort();
    found
}

/// The processors' own sensors: thermal zones of packages, else the hardware monitors of cores.
fn temperatures(sys: &Path) -> Vec<OpenFile> {
    let kind_is = |path: &Path, file: &str, kinds: &[&str]| {
        fs::read_to_string(path.join(file)).is_ok_and(|kind| kinds.contains(&kind.trim()))
    };
    let zones = numbered(&sys.join("class/thermal"), "thermal_zone");
    let of_zones: Vec<OpenFile> = zones
        .iter()
        .filter(|(_, zone)| {
            kind_is(
                zone,
                "type",
                &["x86_pkg_temp", "cpu-thermal", "cpu_thermal"],
            )
        })
        .filter_map(|(_, zone)| OpenFile::open_line(zone.join("temp")))
        .collect();
    if !of_zones.is_empty() {
        return of_zones;
    }
    let monitors = numbered(&sys.join("class/hwmon"), "hwmon");
    monitors
        .iter()
        .filter(|(_, monitor)| kind_is(monitor, "name", &["coretemp", "k10temp", "zenpower"]))
        .flat_map(|(_, monitor)| (1..=64).map(|input| monitor.join(format!("temp{input}_input"))))
        .filter_map(OpenFile::open_line)
        .collect()
}

/// The packages of powercap, `intel-rapl:0` and so on; those below them (`intel-rapl:0:0`) are parts of them.
fn packages(sys: &Path) -> Vec<Package> {
    let zones = numbered(&sys.join("class/powercap"), "intel-rapl:");
    let found = zones.into_iter().filter_map(|(_, zone)| {
        Some(Package {
            energy: OpenFile::open_line(zone.join("energy_uj"))?,
            range_uj: OpenFile::open_line(zone.join("max_energy_range_uj"))?.number()?,
            last_uj: None,
            rounds_uj: 0,
        })
    });
    found.collect()
}

#[cfg(test)]
mod tests {
    use super::find_below;
    use crate::fake_folder::Folder;
    use crate::watch::row::Row;

    fn read(found: &mut [Box<dyn super::Monitor>]) -> String {
        let mut row = Row::new(8);
        row.begin(0);
        for source in found {
            source.read(0, &mut row);
        }
        String::from_utf8_lossy(row.line()).trim().to_owned()
    }

    fn machine() -> Folder {
        let sys = Folder::new();
        for cpu in 0..2 {
            let folder = format!("devices/system/cpu/cpu{cpu}");
            sys.file(&format!("{folder}/cpufreq/scaling_cur_freq"), "3400000\n");
            sys.file(
                &format!("{folder}/thermal_throttle/core_throttle_count"),
                "4\n",
            );
        }
        sys.file("devices/system/cpu/cpufreq/boost", "1\n");
        sys.file("class/hwmon/hwmon0/name", "nvme\n");
        sys.file("class/hwmon/hwmon0/temp1_input", "99000\n");
        sys.file("class/hwmon/hwmon1/name", "k10temp\n");
        sys.file("class/hwmon/hwmon1/temp1_input", "41000\n");
        sys.file("class/hwmon/hwmon1/temp3_input", "45000\n");
        sys.file("class/powercap/intel-rapl:0/energy_uj", "900\n");
        sys.file("class/powercap/intel-rapl:0/max_energy_range_uj", "1000\n");
        sys.file("class/powercap/intel-rapl:0:0/energy_uj", "5\n");
        sys
    }

    #[test]
    fn what_is_visible_has_a_column_and_its_value() {
        let sys = machine();
        let mut found = find_below(sys.path());
        let columns: Vec<String> = found.iter().flat_map(|source| source.columns()).collect();
        let expected = [
            "cpu0_hz",
            "cpu1_hz",
            "temperature_millic",
            "throttle_count",
            "package_energy_uj",
        ];
        assert_eq!(columns, expected);
        assert_eq!(read(&mut found), "0,3400000000,3400000000,45000,8,900");
    }

    #[test]
    fn an_energy_counter_that_starts_again_goes_on() {
        let sys = machine();
        let mut found = find_below(sys.path());
        assert!(read(&mut found).ends_with(",900"));
        sys.file("class/powercap/intel-rapl:0/energy_uj", "100\n");
        assert!(read(&mut found).ends_with(",1100"));
    }

    #[test]
    fn a_machine_that_shows_nothing_has_no_columns() {
        assert!(find_below(Folder::new().path()).is_empty());
    }
}
