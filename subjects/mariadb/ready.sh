#!/bin/bash
# Runs until MariaDB is ready. If its buffer must be in huge pages, it is not ready without them: MariaDB itself would
# fall back to small pages with only a line in its log.
#
#     ready.sh RUN_DIRECTORY USER off|on
set -euo pipefail
ask=(/usr/bin/mariadb --no-defaults --socket="$1/mariadb.sock" --user="$2" --batch --skip-column-names)

wanted_kib=$("${ask[@]}" --execute="
    SELECT CASE @@default_storage_engine
           WHEN 'InnoDB' THEN @@innodb_buffer_pool_size
           WHEN 'Aria'   THEN @@aria_pagecache_buffer_size
           ELSE               @@key_buffer_size END DIV 1024")
[[ $3 == on ]] || exit 0

# Small pages have 4 KiB, 16 or 64 on some processors; huge ones 2 MiB or more.
huge_kib=$(awk '$1 == "Size:" { size = $2 }
                $1 == "KernelPageSize:" && $2 >= 1024 { sum += size }
                END { print sum + 0 }' "/proc/$(< "$1/mariadb.pid")/smaps")
if ((huge_kib < wanted_kib)); then
    echo "huge_pages = on: $huge_kib KiB of MariaDB's memory are in huge pages, its buffer alone has $wanted_kib KiB." \
         "Reserve more of them (/proc/sys/vm/nr_hugepages), or ask for huge_pages = off." >&2
    exit 1
fi
