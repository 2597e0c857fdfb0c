#!/bin/bash
# serve.sh DIRECTORY: php-fpm and httpd as children of this one process; on TERM, or if one of them ends, both end.
set -u
run=$1
asked=no
end_both() { kill -TERM $(jobs -p) 2>/dev/null; }
trap 'asked=yes; end_both' TERM INT

/usr/sbin/php-fpm8.2 -n -c "$run/php.ini" -y "$run/fpm.conf" --nodaemonize &
/usr/sbin/apache2 -f "$run/httpd.conf" -DFOREGROUND &

wait -n
ended=$?
end_both
wait
[ "$asked" = yes ] && exit 0
echo "php-fpm or httpd ended by itself, with $ended" >&2
exit 1
