import assert from "node:assert/strict";
import type { Machine, User } from "./machine.ts";

/** Starts a program that prints for ever, in a terminal named prog. */
export const runProgram =
  "paneward run --name prog -- sh -c 'i=0; while :; do i=$((i+1)); echo tick $i; sleep 1; done' && paneward wait prog --for output=tick";

export interface Status {
  readonly running?: string;
  readonly problem: string | null;
  readonly active: string;
  readonly isEnabled: boolean;
  readonly isLingering: boolean;
  readonly pid?: number;
  readonly exitStatus: number;
  readonly tmux: { readonly pid: number; readonly hasOwnScope: boolean; readonly endsWithManager: boolean } | null;
}

export async function statusOf(user: User): Promise<Status> {
  const { stdout, stderr } = await user.here("paneward service status --json; paneward service status >&2");
  assert.match(stdout, /^\{/, stderr);
  const running = /^running +(.*)$/m.exec(stderr)?.[1];
  return { ...JSON.parse(stdout), ...(running === undefined ? {} : { running }) };
}

/** The pid of the daemon that systemd runs; 0: none. */
export async function daemonOf(user: User): Promise<number> {
  const { stdout } = await user.here(
    "systemctl --user is-active --quiet paneward && systemctl --user show -p MainPID --value paneward",
  );
  return Number(stdout.trim()) || 0;
}

/** The pid of the program in the terminal named prog. */
export async function programOf(user: User): Promise<number> {
  const { stdout } = await user.here(
    "tmux -S $XDG_RUNTIME_DIR/paneward/tmux.sock list-panes -a -F '#{pane_pid} #{session_name}' | grep -v keeper",
  );
  const pid = Number(stdout.split(" ")[0]);
  assert.ok(pid > 0, stdout);
  return pid;
}

export async function alive(machine: Machine, ...pids: readonly number[]): Promise<readonly boolean[]> {
  return Promise.all(pids.map(async (pid) => (await machine.tryRoot(`kill -0 ${pid}`)).code === 0));
}
