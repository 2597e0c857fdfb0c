#!/bin/bash
# serve.sh DIRECTORY: a private smbd in the foreground. Its one account is the user who runs it, so it never needs root.
# The account's password is new in every run; clients read it in DIRECTORY/credentials.
set -eu
cd "$1"
umask 077
mkdir private client share
user=$(id -un)
password=$(od --address-radix=n --read-bytes=16 --format=x1 /dev/urandom | tr -d ' \n')
printf '%s\n%s\n' "$password" "$password" |
    /usr/bin/pdbedit --configfile="$1/smb.conf" --create --password-from-stdin --user="$user" > pdbedit.log
printf 'username = %s\npassword = %s\n' "$user" "$password" > credentials
exec /usr/sbin/smbd --foreground --no-process-group --debug-stdout --configfile="$1/smb.conf"
