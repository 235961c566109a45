import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { killServer, openPrivateServer } from "@paneward/tmux";
import { cliArgv } from "../../cli/support/cli.ts";
import { compileCache } from "../../support/compile-cache.ts";
import { afterwards, type Cleanup } from "../../support/folder.ts";
import { until } from "../../support/until.ts";

/** A user's terminal: a shell in a pane of its own tmux server, with real keys and a real screen. */
export interface Pane {
  /** The screen, without colours. */
  screen(): Promise<string>;
  /** The screen with its scrollback. */
  everything(): Promise<string>;
  /** The screen, with escape sequences. */
  colours(): Promise<string>;
  /** Keys as tmux names them. */
  press(...keys: readonly string[]): Promise<void>;
  /** Literal text; a line break is the Enter key. */
  type(text: string): Promise<void>;
  /** Waits until the screen shows all of these. */
  shows(...wanted: readonly (string | RegExp)[]): Promise<string>;
  lacks(text: string | RegExp): Promise<string>;
  resize(columns: number, rows: number): Promise<void>;
  click(column: number, row: number): Promise<void>;
  /** Line settings, and the modes that a program can leave behind. */
  modes(): Promise<string>;
  /** The process that runs in the shell now. */
  child(): Promise<number>;
}

/** Uses one connection, so that reading the screen costs no process. */
export async function openPane(
  t: Cleanup,
  env: Readonly<Record<string, string>>,
  options: { readonly folder: string; readonly columns?: number; readonly rows?: number },
): Promise<Pane> {
  const folder = mkdtempSync(join(tmpdir(), "pw-tui-"));
  const server = await openPrivateServer({ socketPath: join(folder, "s") });
  const tmux = async (...command: readonly string[]) => (await server.run([command], slowTimeout)).join("\n");
  afterwards(t, async () => {
    await killServer(server);
    rmSync(folder, { recursive: true, force: true });
  });
  const script = join(folder, "paneward");
  writeFileSync(script, `#!/bin/sh\nexec ${cliArgv.map(quoted).join(" ")} "$@"\n`, { mode: 0o755 });
  const variables = { NODE_COMPILE_CACHE: compileCache, TERM: "screen-256color", PS1: "ready> ", ...env };
  const path = `${folder}:${env.PATH ?? ""}`;
  const words = Object.entries({ ...variables, PATH: path }).map(([name, value]) => `${name}=${value}`);
  const size = ["-x", `${options.columns ?? 140}`, "-y", `${options.rows ?? 40}`];
  await tmux("new-session", "-d", "-s", "person", ...size, "-c", options.folder, "env", "-i", ...words, "sh", "-i");
  const target = ["-t", "person:"];
  const screen = () => tmux("capture-pane", "-p", ...target);
  const fits = (text: string, wanted: string | RegExp) =>
    typeof wanted === "string" ? text.includes(wanted) : wanted.test(text);
  const seen = async (name: string, isRight: (text: string) => boolean) => {
    let last = "";
    const looked = until(name, async () => {
      if (last !== "") await delay(pollMs);
      last = await screen();
      return isRight(last) && `${last}\n`;
    });
    return looked.catch((cause) => {
      throw new Error(`${(cause as Error).message}; it shows\n${last}`, { cause });
    });
  };
  const pane: Pane = {
    screen,
    everything: () => tmux("capture-pane", "-p", "-S", "-", ...target),
    colours: () => tmux("capture-pane", "-p", "-e", "-N", ...target),
    press: async (...keys) => void (await tmux("send-keys", ...target, ...keys)),
    type: async (text) => void (await tmux("send-keys", ...target, "-l", text.replaceAll("\n", "\r"))),
    shows: (...wanted) =>
      seen(`the screen shows ${wanted.join(" and ")}`, (text) => wanted.every((one) => fits(text, one))),
    lacks: (text) => seen(`the screen no longer shows ${text}`, (now) => !fits(now, text)),
    resize: async (columns, rows) => void (await tmux("resize-window", ...target, "-x", `${columns}`, "-y", `${rows}`)),
    click: async (column, row) => {
      const at = `${column + 1};${row + 1}`;
      await tmux("send-keys", ...target, "-l", `\u001b[<0;${at}M\u001b[<0;${at}m`);
    },
    async modes() {
      const file = join(folder, "modes");
      rmSync(file, { force: true });
      await pane.type(`stty -a > ${file}.new; mv ${file}.new ${file}\n`);
      const settings = await until("the shell answers", () => existsSync(file) && readFileSync(file, "utf8"));
      const flags = ["alternate_on", "cursor_flag", "wrap_flag", "mouse_any_flag", "mouse_sgr_flag", "insert_flag"];
      return `${settings}${await tmux("display-message", "-p", ...target, flags.map((flag) => `#{${flag}}`).join(" "))}`;
    },
    async child() {
      const shell = (await tmux("display-message", "-p", ...target, "#{pane_pid}")).trim();
      const children = await until("the shell has a child", () =>
        readFileSync(`/proc/${shell}/task/${shell}/children`, "utf8").trim(),
      );
      return Number(children.split(" ")[0]);
    },
  };
  await pane.shows("ready>");
  return pane;
}

const pollMs = 60;
/** tmux may be slow on a busy machine. */
const slowTimeout = { timeoutMs: 30_000 };

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

/** Cleans the daemon up after the terminals that use it. */
export function cleanUpLast(t: Cleanup): Cleanup {
  return { after: (clean) => afterwards(t, clean) };
}

/** A step of a long test that builds on earlier steps: the first failure ends the test and names the step. */
export async function step(name: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (cause) {
    throw new Error(`${name}: ${(cause as Error).message}`, { cause });
  }
}
