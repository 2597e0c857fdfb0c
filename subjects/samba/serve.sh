#!/bin/bash
# serve.sh DIRECTORY: a private smbd in the foreground. Its guests are the user who runs it, so it never needs root.
set -eu
cd "$1"
mkdir -m 700 private client
mkdir share
exec /usr/sbin/smbd --foreground --no-process-group --debug-stdout --configfile="$1/smb.conf" \
    --option="guest account=$(id -un)"
