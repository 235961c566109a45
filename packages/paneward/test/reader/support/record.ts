import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { until } from "../../support/until.ts";
import { recordedSize, recordingsFolder } from "./recordings.ts";

/** What to run, in a shell in an empty folder, and what to press when the screen shows something. */
export interface Program {
  readonly name: string;
  readonly command: string;
  readonly keys?: readonly (readonly [seen: string, keys: readonly string[]])[];
  /** The recording is complete when the screen shows this; without it, when the program has ended. */
  readonly until?: string;
}

const imitations = new URL("imitations.ts", import.meta.url).pathname;
const imitated = ["docker", "cargo", "pip", "apt", "agent", "agent-fullscreen", "agent-fullscreen-left", "colours"];
const lines = "seq -f 'line %g of the file' 300 > file.txt";
const edit = [
  "i",
  "hello",
  "Escape",
  "G",
  "o",
  "the end",
  "Escape",
  ":",
  "set number",
  "Enter",
  "C-b",
  "C-f",
  "d",
  "d",
];

export const programs: readonly Program[] = [
  ...[...imitated, "characters"].map((name) => ({ name, command: `node ${imitations} ${name}` })),
  {
    name: "npm",
    command: [
      `for n in a b c d e; do mkdir dep-$n; echo '{"name":"dep-'$n'","version":"1.0.0"}' > dep-$n/package.json; done`,
      `mkdir app; cd app; echo '{"name":"app","scripts":{"prepare":"sleep 2"}}' > package.json`,
      "npm install --offline --no-audit --no-fund --progress=true ../dep-a ../dep-b ../dep-c ../dep-d ../dep-e",
    ].join("; "),
  },
  {
    name: "vim",
    command: `${lines}; vim -n -i NONE -u DEFAULTS file.txt`,
    keys: [["line 1 of", edit]],
    until: "line 29[0-9] of",
  },
  {
    name: "vim-left",
    command: `${lines}; echo before; vim -n -i NONE -u DEFAULTS file.txt; echo after`,
    keys: [["line 1 of", [...edit, ":q!", "Enter"]]],
  },
  {
    name: "less-left",
    command: `${lines}; echo before; less file.txt; echo after`,
    keys: [["line 1 of", ["Space", "Space", "b", "j", "j", "G", "k", "/line 25", "Enter", "q"]]],
  },
  {
    name: "less",
    command: `${lines}; less file.txt`,
    keys: [["line 1 of", ["Space", "Space", "j"]]],
    until: "line 60 of",
  },
  { name: "top", command: "echo before; top -d 0.2 -n 12 -p $$; echo after" },
];

/** Records a program in its own tmux. Numbers are replaced, so that nothing about this machine is recorded. */
export async function record({ name, command, keys = [], until: last }: Program): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "rec-"));
  const raw = join(folder, "output");
  try {
    const pane = openPane(folder, "live", `cd ${folder}/work; ${command}; touch ${folder}/done; exec sleep 1000`, raw);
    for (const [seen, pressed] of keys) {
      await until(`${name} shows ${seen}`, () => pane.screen().includes(seen));
      for (const key of pressed) {
        const before = readFileSync(raw).length;
        pane.press(key);
        await until(`${name} draws after ${key}`, () => readFileSync(raw).length > before);
      }
    }
    const isDone =
      last === undefined ? () => isThere(join(folder, "done")) : () => new RegExp(last).test(pane.screen());
    await until(`${name} is done`, isDone, 60_000);
    const bytes = name === "top" ? withoutNumbers(settled(raw)) : settled(raw);
    writeFileSync(join(folder, "bytes"), bytes);
    const replay = `stty raw -echo; cat ${folder}/bytes; touch ${folder}/replayed; exec sleep 1000`;
    const shown = openPane(folder, "replay", replay, join(folder, "again"));
    await until(`${name} is replayed`, () => isThere(join(folder, "replayed")));
    settled(join(folder, "again"));
    writeFileSync(`${recordingsFolder}${name}.gz`, gzipSync(bytes, { level: 9 }));
    writeFileSync(`${recordingsFolder}${name}.txt`, shown.screen().replace(/ +$/gm, ""));
  } finally {
    tmux(folder, "kill-server");
    rmSync(folder, { recursive: true, force: true });
  }
}

function openPane(folder: string, session: string, script: string, output: string) {
  mkdirSync(join(folder, "work"), { recursive: true });
  const { columns, rows } = recordedSize;
  const size = ["-x", String(columns), "-y", String(rows)];
  const open = ["new-session", "-d", "-s", session, ...size, "sh", "-c", script];
  tmux(folder, ...open, ";", "pipe-pane", "-O", "-t", `=${session}:`, `exec cat > ${output}`);
  return {
    screen: () => tmux(folder, "capture-pane", "-p", "-J", "-t", `=${session}:`),
    press: (key: string) => tmux(folder, "send-keys", "-t", `=${session}:`, key),
  };
}

function tmux(folder: string, ...args: readonly string[]): string {
  const env = { PATH: process.env.PATH ?? "", HOME: folder, LANG: "C.UTF-8", SHELL: "/bin/sh" };
  return execFileSync("tmux", ["-f", "/dev/null", "-S", join(folder, "tmux.sock"), ...args], { env, encoding: "utf8" });
}

// There is no signal for an empty pipe, so wait until its file has not grown for half a second.
function settled(file: string): Buffer {
  for (let before = -1; ; ) {
    const now = readFileSync(file);
    if (now.length === before) return now;
    before = now.length;
    execFileSync("sleep", ["0.5"]);
  }
}

function isThere(file: string): boolean {
  return execFileSync("sh", ["-c", `test -e '${file}' && echo yes || true`], { encoding: "utf8" }) === "yes\n";
}

function withoutNumbers(bytes: Buffer): Buffer {
  const text = bytes.toString("latin1");
  const sequence = /\u001b\[[0-?]*[ -/]*[@-~]|\u001b[()].|[1-9]/g;
  return Buffer.from(
    text.replace(sequence, (found) => (found.length > 1 ? found : "7")),
    "latin1",
  );
}
