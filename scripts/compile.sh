#!/bin/sh
# Compiles packages into their dist, in the given order: the types of one come from the dist of another.
set -eu
cd "$(dirname "$0")/.."
for name; do
  rm -rf "packages/$name/dist"
  # One checker: several check much of the same twice, which costs more than they gain on few cores.
  tsc -p "packages/$name/tsconfig.build.json" --checkers 1
  case $name in
    sdk) node scripts/join-modules.ts packages/sdk ;;
    paneward) node scripts/join-product.ts packages/paneward ;;
  esac
done
