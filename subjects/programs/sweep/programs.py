"""The ten programs, by name."""

from checks import compiles, encodes, prints, unpacks
from program import Program

WIDTH, HEIGHT = 320, 192
LEAST_DB = 30.0
"""At x264's usual quality every frame of the film is above 35 dB; people call an image at 30 dB fair."""

_X264 = ("--demuxer", "raw", "--input-res", f"{WIDTH}x{HEIGHT}", "--fps", "25", "--threads", "1", "--no-progress")

PROGRAMS = {
    "bzip2": Program(("/usr/bin/bzip2", "-9", "-c"), "text.txt", unpacks("/usr/bin/bzip2", "-d", "-c")),
    "gawk": Program(("/usr/bin/gawk", "-f", "@scripts@/sums.awk"), "log.txt", prints("gawk")),
    "gcc": Program(("/usr/bin/gcc", "-x", "c", "-std=c17", "-O2", "-S", "-o", "-", "-"), "program.c", compiles("gcc")),
    "perl": Program(("/usr/bin/perl", "@scripts@/frequencies.pl"), "text.txt", prints("perl")),
    "python3": Program(("/usr/bin/python3", "-I", "@scripts@/visits.py"), "log.txt", prints("python3")),
    "sort": Program(
        ("/usr/bin/sort", "-t", " ", "-k4,4", "-k6,6nr", "--parallel=1", "-S", "256M"), "log.txt", prints("sort")
    ),
    "sqlite3": Program(
        ("/usr/bin/sqlite3", "-batch", "-init", "/dev/null", ":memory:"), "sales.sql", prints("sqlite3")
    ),
    "x264": Program(
        ("/usr/bin/x264", *_X264, "-o", "-", "-"), "film.yuv", encodes(width=WIDTH, height=HEIGHT, least_db=LEAST_DB)
    ),
    "xz": Program(("/usr/bin/xz", "-2", "-T1", "-c"), "text.txt", unpacks("/usr/bin/xz", "-d", "-c")),
    "zstd": Program(
        ("/usr/bin/zstd", "-12", "--single-thread", "-q", "-c"), "log.txt", unpacks("/usr/bin/zstd", "-d", "-q", "-c")
    ),
}
