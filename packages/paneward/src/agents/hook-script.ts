/**
 * The script that an agent's hooks run: POSIX sh and curl, no Node. It passes the hook's JSON from stdin to the daemon and
 * exits with 0 whatever happens: no daemon, no curl, a daemon that hangs. It always reads all of its input. `ask` waits
 * for the answer to a permission and prints it for the agent; `tell` prints nothing, because agents add what a hook prints
 * to their conversation.
 */
export function hookScript(socket?: string): string {
  const found = socket === undefined ? everyPlace : `socket=\${PANEWARD_SOCKET_PATH:-${quoted(socket)}}`;
  return `#!/bin/sh
# Reports a coding agent's hook to the Paneward daemon. Usage: hook.sh tell|ask AGENT <hook.json
${found}
[ -S "$socket" ] && [ -O "$socket" ] && command -v curl >/dev/null 2>&1 || { cat >/dev/null 2>&1; exit 0; }
case $1 in
  ask) path="permission-request?agent=$2&wait=\${PANEWARD_HOOK_WAIT:-3600}&format=agent"; limit=\${PANEWARD_HOOK_WAIT:-3600} ;;
  *) path="event?agent=$2"; limit=2 ;;
esac
said=$(curl -s -f --connect-timeout 1 --max-time "$limit" --unix-socket "$socket" \\
  -H 'connection: paneward_direct' -H 'paneward_direct: 1' \\
  -H 'content-type: application/json' -H "x-tmux-pane: $TMUX_PANE" -H "x-tmux: $TMUX" -H "x-paneward-hook: $0" \\
  --data-binary @- "http://paneward/hook/$path" 2>/dev/null) || exit 0
[ "$1" = ask ] && [ -n "$said" ] && printf '%s\\n' "$said"
exit 0
`;
}

/**
 * The command line of a hook. It also succeeds when the script is gone, and still reads its input. `:` does nothing; its
 * argument is how we recognise the line.
 */
export function hookCommand(script: string, mode: "tell" | "ask", agent: string): string {
  return hookCommandOf(quoted(script), mode, agent);
}

/** The same for a path that is already quoted for the shell. */
export function hookCommandOf(file: string, mode: "tell" | "ask", agent: string): string {
  return `[ -r ${file} ] && sh ${file} ${mode} ${agent} || cat >/dev/null ${mark}`;
}

/** Whether a hook's command line is one of ours, of whatever version. */
export function isOurs(command: string): boolean {
  return command.endsWith(mark);
}

const mark = "|| : paneward";

const everyPlace = `for socket in "$PANEWARD_SOCKET_PATH" "\${XDG_RUNTIME_DIR:-/nowhere}/paneward/daemon.sock" "$HOME/.local/run/paneward/daemon.sock"; do
  [ -S "$socket" ] && [ -O "$socket" ] && break
done`;

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
