#!/bin/sh
# Runs a command with the project's own Node first on PATH and the source condition on,
# whatever Node started npm. PANEWARD_NODE names the folder of another Node to use instead.
root=$(cd "$(dirname "$0")/.." && pwd)
PATH="${PANEWARD_NODE:+$PANEWARD_NODE:}$root/node_modules/.bin:$PATH"
NODE_OPTIONS="${NODE_OPTIONS:-} --conditions=@paneward/source"
# The first ones of 22 read TypeScript only when they are asked to, and call it an experiment.
case ${PANEWARD_NODE:+$("$PANEWARD_NODE/node" --version)} in
  v22.*) NODE_OPTIONS="$NODE_OPTIONS --experimental-strip-types --disable-warning=ExperimentalWarning" ;;
esac
export PATH NODE_OPTIONS
exec "$@"
