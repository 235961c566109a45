#!/bin/sh
# Installs Paneward with a Node of its own, for this user and without root, into ~/.local.
# Usage: sh install.sh [--from FOLDER|URL] [--prefix FOLDER]
#        sh install.sh --uninstall [--prefix FOLDER]
# FOLDER or URL holds the files of the release; without it, the folder of this script does. Nothing of an archive is run or
# unpacked before its SHA-256 is the one written here, which `npm run release:dry` does.
set -eu

version='@VERSION@'
archive='@ARCHIVE@'
sha256='@SHA256@'

main() {
  from='' prefix="${HOME:+$HOME/.local}" uninstall=''
  while [ $# -gt 0 ]; do
    case $1 in
      --from | --prefix)
        [ $# -gt 1 ] || fail 2 "$1 needs a value" 'sh install.sh --from FOLDER'
        case $1 in --from) from=$2 ;; *) prefix=$2 ;; esac
        shift
        ;;
      --uninstall) uninstall=yes ;;
      *) fail 2 "unknown option $1" 'sh install.sh [--from FOLDER|URL] [--prefix FOLDER] [--uninstall]' ;;
    esac
    shift
  done
  [ -n "$prefix" ] || fail 2 'HOME is not set' 'give --prefix FOLDER'
  case $prefix in /*) ;; *) prefix=$(pwd)/$prefix ;; esac
  share=$prefix/share/paneward
  link=$prefix/bin/paneward
  manual=$prefix/share/man/man1/paneward.1
  if [ -n "$uninstall" ]; then
    remove
  else
    install
  fi
}

install() {
  case $version in
    @*) fail 2 'this install.sh belongs to no release' 'take the one beside the archive; in a clone: npm run release:dry' ;;
  esac
  check_machine
  if ! is_ours "$link" && { [ -e "$link" ] || [ -L "$link" ]; }; then
    fail 6 "$link exists and was not made by this script" 'move it away, or give --prefix FOLDER'
  fi
  mkdir -p "$share" "$prefix/bin" "${manual%/*}" 2>/dev/null ||
    fail 4 "the folder $share cannot be made" "make $prefix writable, or give --prefix FOLDER"
  rm -rf "$share"/.unfinished-*
  work=$(mktemp -d "$share/.unfinished-XXXXXX" 2>/dev/null) ||
    fail 4 "nothing can be written to $share" "make it writable, or give --prefix FOLDER"
  trap 'rm -rf "$work"' EXIT
  trap 'exit 130' INT TERM HUP
  fetch
  found=$(sum_of "$work/$archive")
  [ "$found" = "$sha256" ] ||
    fail 1 "$archive is not the one of this release: its SHA-256 is $found instead of $sha256; nothing was installed" \
      'fetch archive and install.sh again, from the same release'
  mkdir "$work/new"
  tar -xzf "$work/$archive" -C "$work/new" --strip-components=1 ||
    fail 1 "$archive cannot be unpacked; nothing was installed" 'is there room on the disk?'
  runs=$("$work/new/bin/paneward" --version 2>&1) || runs="it ends with: $runs"
  [ "$runs" = "$version" ] ||
    fail 4 "the Node of this archive does not run here: $runs" \
      'it needs Linux with glibc 2.28 or newer; elsewhere: npm install -g with a Node of yours'
  put_in_place
  report
}

check_machine() {
  on="$(uname -s) $(uname -m)"
  [ "$on" = 'Linux x86_64' ] ||
    fail 4 "there is no archive for $on" 'with Node 22.13 or newer, npm install -g takes the packages of the same release'
  for program in tar gzip mktemp readlink; do
    command -v "$program" >/dev/null 2>&1 || fail 4 "$program is missing" 'install it and try again'
  done
  sum_of /dev/null >/dev/null
}

sum_of() {
  if command -v sha256sum >/dev/null 2>&1; then
    sha256sum <"$1" | cut -d ' ' -f 1
  elif command -v openssl >/dev/null 2>&1; then
    openssl dgst -sha256 -r <"$1" | cut -d ' ' -f 1
  else
    fail 4 'neither sha256sum nor openssl is there to check the archive' 'install one of them and try again'
  fi
}

fetch() {
  if [ -z "$from" ] && [ -f "$0" ]; then from=$(dirname "$0"); fi
  case $from in
    http://* | https://*)
      if command -v curl >/dev/null 2>&1; then
        curl --fail --silent --show-error --location --output "$work/$archive" "$from/$archive" && return
      elif command -v wget >/dev/null 2>&1; then
        wget -q -O "$work/$archive" "$from/$archive" && return
      else
        fail 4 'neither curl nor wget is there' "fetch $archive by other means and give its folder: --from FOLDER"
      fi
      fail 4 "$from/$archive cannot be fetched" 'check the address; or fetch it by other means and give --from FOLDER'
      ;;
    *)
      [ -n "$from" ] && [ -f "$from/$archive" ] ||
        fail 2 "there is no $archive in ${from:-this folder}" 'give its folder or address: --from FOLDER|URL'
      cp "$from/$archive" "$work/$archive" ||
        fail 1 "$archive cannot be copied; nothing was installed" 'is there room on the disk?'
      ;;
  esac
}

# A daemon that runs keeps using the version that it began with: that one stays until the next update.
put_in_place() {
  before=''
  if is_ours "$link"; then before=$(basename "$(dirname "$(dirname "$(readlink "$link")")")"); fi
  [ ! -e "$share/$version" ] || mv "$share/$version" "$work/same"
  mv "$work/new" "$share/$version"
  ln -s "$share/$version/bin/paneward" "$work/link"
  mv -f "$work/link" "$link"
  if is_ours "$manual" || [ ! -e "$manual" ]; then
    ln -s "$share/$version/lib/node_modules/paneward/dist/man/paneward.1" "$work/manual"
    mv -f "$work/manual" "$manual"
  fi
  for old in "$share"/*; do
    case $(basename "$old") in "$version" | "$before") ;; *) remove_release "$old" ;; esac
  done
}

# Something else may be in a folder of this name.
remove_release() {
  case $(basename "$1") in [0-9]*.[0-9]*.[0-9]*) [ -L "$1" ] || [ ! -d "$1/lib/node_modules/paneward" ] || rm -rf "$1" ;; esac
}

report() {
  echo "paneward $version is installed: $link"
  case ":$PATH:" in
    *":$prefix/bin:"*) ;;
    *) echo "put it on your PATH, also in your shell's profile:  export PATH=\"$prefix/bin:\$PATH\"" ;;
  esac
  lacking=''
  for program in tmux git ps; do command -v "$program" >/dev/null 2>&1 || lacking="$lacking $program"; done
  [ -z "$lacking" ] || echo "it also needs these programs; install them with your package manager:$lacking"
  [ -z "$before" ] || [ "$before" = "$version" ] ||
    echo "a daemon that runs is still $before:  paneward $(has_service && echo service install || echo daemon restart)  replaces it; terminals keep running"
  echo "try:  paneward demo"
}

remove() {
  is_ours "$link" || [ -d "$share" ] || fail 3 "nothing is installed in $prefix" 'give the --prefix that it was installed with'
  if is_ours "$link"; then
    ! has_service || "$link" service uninstall >/dev/null 2>&1 || true
    PANEWARD_NO_AUTOSTART=1 "$link" daemon stop >/dev/null 2>&1 || true
    rm -f "$link"
  fi
  case $(readlink "$manual" 2>/dev/null || true) in "$share"/*) rm -f "$manual" ;; esac
  for old in "$share"/*; do remove_release "$old"; done
  rm -rf "$share"/.unfinished-*
  rmdir "$share" 2>/dev/null || echo "kept, as it holds what this script did not make: $share"
  echo 'paneward is removed. Terminals keep running, and your state and configuration are kept:'
  echo '  ~/.local/state/paneward  ~/.config/paneward  ~/.cache/paneward'
}

# Whether systemd runs a daemon from here.
has_service() {
  grep -qsF "$share/" "${HOME:-}/.config/systemd/user/paneward.service"
}

is_ours() {
  case $(readlink "$1" 2>/dev/null || true) in "$share"/*) return 0 ;; *) return 1 ;; esac
}

fail() {
  echo "install.sh: $2" >&2
  echo "hint: $3" >&2
  exit "$1"
}

# The last line, so that a file which was cut while it was fetched does nothing.
main "$@"
