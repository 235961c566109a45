/**
 * Every command for a team's tmux server, as argv. A `;` argument separates commands; an argument that ends with one is
 * escaped.
 */

export interface NewSession {
  readonly name: string;
  readonly cwd: string;
  readonly command: readonly string[];
  /** Variables copied from the caller's environment into the session's, and kept out of every argv. */
  readonly passed: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly toolCallId: string;
  /** The agent that starts it. */
  readonly leader: string;
}

/**
 * A server that survives without a session until the first one exists. It inherits the caller's environment: keep that
 * small.
 */
export function startServer(socket: string): readonly string[] {
  return sequence(
    socket,
    ["start-server"],
    ["set-option", "-s", "exit-empty", "off"],
    // Set before the first pane, so that a program that exits at once keeps its screen.
    ["set-option", "-g", "remain-on-exit", "on"],
    ["set-option", "-g", "history-limit", "20000"],
    ["set-option", "-s", "extended-keys", "on"],
  );
}

export function newSession(
  socket: string,
  { name, cwd, command, passed, env, toolCallId, leader }: NewSession,
): readonly string[] {
  const variables = Object.entries(env).flatMap(([key, value]) => ["-e", `${key}=${value}`]);
  // tmux would pass a single argument to a shell.
  const program = ["/usr/bin/env", "--", ...command];
  return sequence(
    socket,
    // New sessions copy these from the requesting client: secrets are never in an argv or in the global environment.
    ["set-option", "-g", "update-environment", passed.join(" ")],
    ["new-session", "-d", "-s", name, "-n", name, "-x", "200", "-y", "50", "-c", cwd, ...variables, ...program],
    ["set-option", "-t", `=${name}:`, "remain-on-exit", "on"],
    ["set-option", "-t", `=${name}:`, "@pi_tool_call", toolCallId],
    ["set-option", "-t", `=${name}:`, "@pi_leader", leader],
    ["set-option", "-g", "update-environment", ""],
    ["set-option", "-s", "exit-empty", "on"],
  );
}

export function listSessions(socket: string): readonly string[] {
  return sequence(socket, [
    "list-sessions",
    "-F",
    // The folder last: it may contain blanks.
    "#{session_name} #{session_windows} #{session_created} #{?@pi_tool_call,#{@pi_tool_call},-} #{?@pi_leader,#{@pi_leader},-} #{session_path}",
  ]);
}

export function capturePane(socket: string, name: string, lines: number): readonly string[] {
  return sequence(socket, ["capture-pane", "-p", "-t", `=${name}:`, "-S", `-${lines}`, "-E", "-"]);
}

export function visibleScreen(socket: string, name: string): readonly string[] {
  return sequence(
    socket,
    ["display-message", "-p", "-t", `=${name}:`, "#{pane_dead}"],
    ["capture-pane", "-p", "-t", `=${name}:`],
  );
}

export function typeText(socket: string, name: string, text: string): readonly string[] {
  return sequence(socket, ["send-keys", "-t", `=${name}:`, "-l", "--", text]);
}

/** Several lines as one paste; the text comes from stdin. */
export function pasteInput(socket: string, name: string): readonly string[] {
  return sequence(
    socket,
    ["load-buffer", "-b", "pi-team", "-"],
    ["paste-buffer", "-p", "-d", "-b", "pi-team", "-t", `=${name}:`],
  );
}

export function pressEnter(socket: string, name: string): readonly string[] {
  return sequence(socket, ["send-keys", "-t", `=${name}:`, "Enter"]);
}

export function killSession(socket: string, name: string): readonly string[] {
  return sequence(socket, ["kill-session", "-t", `=${name}`]);
}

/** The command for a person to attach. */
export function attachCommand(socket: string, name: string): string {
  return `tmux -S ${shellWord(socket)} attach -t ${shellWord(name)}`;
}

function sequence(socket: string, ...commands: readonly (readonly string[])[]): readonly string[] {
  const words = commands.flatMap((command, at) => [...(at === 0 ? [] : [";"]), ...command.map(word)]);
  return ["-f", "/dev/null", "-S", socket, ...words];
}

function word(text: string): string {
  return text.endsWith(";") ? `${text.slice(0, -1)}\\;` : text;
}

function shellWord(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
