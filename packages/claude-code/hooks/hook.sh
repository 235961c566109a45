#!/bin/sh
# Reports a coding agent's hook to the Paneward daemon. Usage: hook.sh tell|ask AGENT <hook.json
for socket in "$PANEWARD_SOCKET_PATH" "${XDG_RUNTIME_DIR:-/nowhere}/paneward/daemon.sock" "$HOME/.local/run/paneward/daemon.sock"; do
  [ -S "$socket" ] && [ -O "$socket" ] && break
done
[ -S "$socket" ] && [ -O "$socket" ] && command -v curl >/dev/null 2>&1 || { cat >/dev/null 2>&1; exit 0; }
case $1 in
  ask) path="permission-request?agent=$2&wait=${PANEWARD_HOOK_WAIT:-3600}&format=agent"; limit=${PANEWARD_HOOK_WAIT:-3600} ;;
  *) path="event?agent=$2"; limit=2 ;;
esac
said=$(curl -s -f --connect-timeout 1 --max-time "$limit" --unix-socket "$socket" \
  -H 'connection: paneward_direct' -H 'paneward_direct: 1' \
  -H 'content-type: application/json' -H "x-tmux-pane: $TMUX_PANE" -H "x-tmux: $TMUX" -H "x-paneward-hook: $0" \
  --data-binary @- "http://paneward/hook/$path" 2>/dev/null) || exit 0
[ "$1" = ask ] && [ -n "$said" ] && printf '%s\n' "$said"
exit 0
