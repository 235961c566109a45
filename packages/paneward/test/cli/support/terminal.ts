import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { compileCache } from "../../support/compile-cache.ts";
import { afterwards, type Cleanup } from "../../support/folder.ts";
import { until } from "../../support/until.ts";
import { cliArgv } from "./cli.ts";

/** A `paneward` on a real terminal, provided by tmux. */
export interface TerminalCli {
  /** The current screen, with colours as escape sequences. */
  screen(): Promise<string>;
  press(...keys: readonly string[]): Promise<void>;
  /** Waits until the screen shows it. */
  shows(text: string | RegExp): Promise<string>;
  ended(): Promise<number>;
}

const run = promisify(execFile);

export async function panewardInTerminal(
  t: Cleanup,
  argv: readonly string[],
  env: Readonly<Record<string, string>>,
  size = { columns: 100, rows: 30 },
): Promise<TerminalCli> {
  const folder = mkdtempSync(join(tmpdir(), "pw-tty-"));
  const tmux = async (...args: readonly string[]) => (await run("tmux", ["-S", join(folder, "s"), ...args])).stdout;
  afterwards(t, async () => {
    await tmux("kill-server").catch(() => {});
    rmSync(folder, { recursive: true, force: true });
  });
  const script = join(folder, "run.sh");
  const variables = Object.entries({ NODE_COMPILE_CACHE: compileCache, TERM: "xterm-256color", ...env });
  const words = ["env", "-i", ...variables.map(([name, value]) => `${name}=${value}`), ...cliArgv, ...argv];
  const code = join(folder, "code");
  writeFileSync(
    script,
    `trap : INT\n${words.map(quoted).join(" ")}\necho $? > ${code}.new\nmv ${code}.new ${code}\nexec sleep 1000\n`,
  );
  await run(
    "tmux",
    [
      "-S",
      join(folder, "s"),
      "-f",
      "/dev/null",
      "new-session",
      "-d",
      "-x",
      `${size.columns}`,
      "-y",
      `${size.rows}`,
    ].concat(["sh", script]),
  );
  const screen = () => tmux("capture-pane", "-p", "-e", "-t", ":0.0");
  return {
    screen,
    press: async (...keys) => void (await tmux("send-keys", "-t", ":0.0", ...keys)),
    shows: (text) =>
      until(`the screen shows ${text}`, async () => {
        const now = await screen();
        return (typeof text === "string" ? now.includes(text) : text.test(now)) && now;
      }),
    ended: async () => Number(await until("the command ends", () => existsSync(code) && readFileSync(code, "utf8"))),
  };
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
