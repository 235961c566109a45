import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { cliArgv, compileCache } from "../../cli/support/cli.ts";
import { afterwards, type Cleanup } from "../../support/folder.ts";
import { until } from "../../support/until.ts";

/** A person's terminal: a shell in a pane of a tmux server of its own, real keys, and eyes. */
export interface Pane {
  /** What is to be seen, without colours. */
  screen(): Promise<string>;
  /** The same with escape sequences. */
  colours(): Promise<string>;
  /** Keys as tmux names them. */
  press(...keys: readonly string[]): Promise<void>;
  /** Letters exactly as they are; a line break is the Enter key. */
  type(text: string): Promise<void>;
  /** Waits until all of these are to be seen. */
  shows(...wanted: readonly (string | RegExp)[]): Promise<string>;
  lacks(text: string | RegExp): Promise<string>;
  resize(columns: number, rows: number): Promise<void>;
  click(column: number, row: number): Promise<void>;
  /** What the terminal is set to: line settings, and the modes that a program can leave behind. */
  modes(): Promise<string>;
  /** The process that runs in the shell now. */
  child(): Promise<number>;
}

const run = promisify(execFile);

export async function openPane(
  t: Cleanup,
  env: Readonly<Record<string, string>>,
  options: { readonly folder: string; readonly columns?: number; readonly rows?: number },
): Promise<Pane> {
  const folder = mkdtempSync(join(tmpdir(), "pw-tui-"));
  const socket = join(folder, "s");
  const tmux = async (...args: readonly string[]) => (await run("tmux", ["-S", socket, ...args])).stdout;
  afterwards(t, async () => {
    await tmux("kill-server").catch(() => {});
    rmSync(folder, { recursive: true, force: true });
  });
  const script = join(folder, "paneward");
  writeFileSync(script, `#!/bin/sh\nexec ${cliArgv.map(quoted).join(" ")} "$@"\n`, { mode: 0o755 });
  const variables = { NODE_COMPILE_CACHE: compileCache, TERM: "screen-256color", PS1: "ready> ", ...env };
  const path = `${folder}:${env.PATH ?? ""}`;
  const words = Object.entries({ ...variables, PATH: path }).map(([name, value]) => `${name}=${value}`);
  const size = ["-x", `${options.columns ?? 140}`, "-y", `${options.rows ?? 40}`];
  const place = ["new-session", "-d", ...size, "-c", options.folder];
  await run("tmux", ["-S", socket, "-f", "/dev/null", ...place, "env", "-i", ...words, "sh", "-i"]);
  const screen = () => tmux("capture-pane", "-p", "-t", ":0.0");
  const fits = (text: string, wanted: string | RegExp) =>
    typeof wanted === "string" ? text.includes(wanted) : wanted.test(text);
  const pane: Pane = {
    screen,
    colours: () => tmux("capture-pane", "-p", "-e", "-t", ":0.0"),
    press: async (...keys) => void (await tmux("send-keys", "-t", ":0.0", ...keys)),
    type: async (text) => void (await tmux("send-keys", "-t", ":0.0", "-l", text.replaceAll("\n", "\r"))),
    shows: async (...wanted) => {
      let last = "";
      const seen = until(`the screen shows ${wanted.join(" and ")}`, async () => {
        last = await screen();
        return wanted.every((one) => fits(last, one)) && last;
      });
      return seen.catch((cause) => {
        throw new Error(`${(cause as Error).message}; it shows\n${last}`, { cause });
      });
    },
    lacks: (text) =>
      until(`the screen no longer shows ${text}`, async () => {
        const now = await screen();
        return !fits(now, text) && now;
      }),
    resize: async (columns, rows) => void (await tmux("resize-window", "-x", `${columns}`, "-y", `${rows}`)),
    click: async (column, row) => {
      const at = `${column + 1};${row + 1}`;
      await tmux("send-keys", "-t", ":0.0", "-l", `\u001b[<0;${at}M\u001b[<0;${at}m`);
    },
    async modes() {
      const file = join(folder, "modes");
      rmSync(file, { force: true });
      await pane.type(`stty -a > ${file}.new; mv ${file}.new ${file}\n`);
      const settings = await until("the shell answers", () => existsSync(file) && readFileSync(file, "utf8"));
      const flags = ["alternate_on", "cursor_flag", "wrap_flag", "mouse_any_flag", "mouse_sgr_flag", "insert_flag"];
      return `${settings}${await tmux("display-message", "-p", "-t", ":0.0", flags.map((flag) => `#{${flag}}`).join(" "))}`;
    },
    async child() {
      const shell = (await tmux("display-message", "-p", "-t", ":0.0", "#{pane_pid}")).trim();
      const children = await until("the shell has a child", () =>
        readFileSync(`/proc/${shell}/task/${shell}/children`, "utf8").trim(),
      );
      return Number(children.split(" ")[0]);
    },
  };
  await pane.shows("ready>");
  return pane;
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

/** A daemon outlives the terminals that look at it. */
export function lastFirst(t: Cleanup): Cleanup {
  return { after: (clean) => afterwards(t, clean) };
}

/** A part of a long test that builds on the parts before it: the first that fails ends it, by its name. */
export async function step(name: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (cause) {
    throw new Error(`${name}: ${(cause as Error).message}`, { cause });
  }
}
