#!/bin/sh
# serve.sh DIRECTORY LIBRARY: NFS-Ganesha as an ordinary user, exporting DIRECTORY/export.
# The library does what else is root's (private.c). No message bus is asked for: the machine's is none of this server's.
set -e
mkdir "$1/export"
exec env LD_PRELOAD="$2" DBUS_SYSTEM_BUS_ADDRESS="unix:path=$1/none" \
    ganesha.nfsd -F -f "$1/ganesha.conf" -L STDERR -p "$1/ganesha.pid" -N NIV_EVENT
