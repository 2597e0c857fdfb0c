#!/bin/sh
# serve.sh DIRECTORY LIBRARY: NFS-Ganesha as an ordinary user, exporting DIRECTORY/export.
# The library does what otherwise needs root (private.c). The server gets no message bus: it must not use the machine's.
set -e
mkdir "$1/export"
exec env LD_PRELOAD="$2" DBUS_SYSTEM_BUS_ADDRESS="unix:path=$1/none" \
    ganesha.nfsd -F -f "$1/ganesha.conf" -L STDERR -p "$1/ganesha.pid" -N NIV_EVENT
