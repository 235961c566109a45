#!/bin/sh
# Runs a command where only loopback exists, so that no packet of a real agent leaves the machine.
if [ "$(id -u)" = 0 ]; then unshare=unshare; else unshare='unshare -r'; fi
# shellcheck disable=SC2016 # the inner shell expands it
exec $unshare -n sh -c 'PATH=$PATH:/usr/sbin:/sbin ip link set lo up && exec "$@"' offline "$@"
