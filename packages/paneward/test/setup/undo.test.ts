import assert from "node:assert/strict";
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, test } from "node:test";
import { amount } from "../../../tmux/test/support/amount.ts";
import { fuzz, type Random } from "../../../tmux/test/support/random.ts";
import { makeOffer } from "../../src/setup/make.ts";
import { allSteps, type Setting } from "../../src/setup/steps.ts";
import { undo } from "../../src/setup/undo.ts";
import { type Cleanup, temporaryFolder } from "../support/folder.ts";
import { killedAfter } from "./support/killed.ts";
import { treeOf } from "./support/tree.ts";

/** Text of a shell, of other tools, and with every way to end a line. */
function shellText({ below, pick }: Random): string {
  const end = pick(["\n", "\n", "\n", "\r\n"]);
  const lines = Array.from({ length: below(8) }, () =>
    pick([
      "alias ll='ls -l'",
      "\texport A=1\t",
      "# >>> conda initialize >>>\n# <<< conda initialize <<<",
      "# paneward completion",
      "",
      "  ",
      "PS1='\u001b[0m> '",
      "# ä € 🙂",
    ]),
  );
  const text = `${pick(["", "", "\ufeff"])}${lines.join(end)}`;
  return text + (below(3) === 0 ? "" : end);
}

/** Settings of an agent, as people and other tools write them. */
function settingsText({ below, pick }: Random): string {
  const indent = pick(["  ", "\t", "    ", ""]);
  const end = pick(["\n", "\n", "\r\n"]);
  const others = '"Stop": [{ "hooks": [{ "type": "command", "command": "notify-send done" }] }]';
  const parts = [
    `"model": "opus"${pick(["", " // mine"])}`,
    ...(below(2) ? [`"env": { "A": "/* no comment */", "B": "\\u00e4" }`] : []),
    ...(below(2) ? [pick([`"hooks": {}`, `"hooks": {${end}${indent}${indent}${others}${end}${indent}}`])] : []),
    ...(below(3) ? [] : [`/* a comment${end}   of two lines */ "x": [1,2 , 3]`]),
  ];
  // A comment up to the end of the line must not take the comma.
  const body = parts
    .map((part, at) =>
      at === parts.length - 1 ? part : part.includes(" // ") ? part.replace(" // ", ", // ") : `${part},`,
    )
    .join(end + indent);
  return `{${end}${indent}${body}${end}}${pick(["", end, end, end + end])}`;
}

const configText = ({ pick }: Random) =>
  pick(["", '# mine\nagent = "codex"', '# mine\r\nagent = "codex"\r\n', "\n\n[web]\nport = 0\n", "[tasks] # \u00e4\n"]);

const files: Readonly<Record<string, (random: Random) => string>> = {
  ".bashrc": shellText,
  ".zshrc": shellText,
  ".config/fish/config.fish": shellText,
  ".claude/settings.json": settingsText,
  ".codex/hooks.json": settingsText,
  ".gemini/settings.json": settingsText,
  ".config/paneward/config.toml": configText,
};

/** A home in which some of the files are there: plain, not writable, or behind links. */
function fill(home: string, random: Random): void {
  const { below, pick } = random;
  for (const [path, text] of Object.entries(files)) {
    if (below(4) === 0) continue;
    const file = join(home, path);
    mkdirSync(dirname(file), { recursive: true, mode: pick([0o700, 0o755]) });
    const kind = pick(["plain", "plain", "plain", "link", "links", "nowhere"] as const);
    const kept = `dotfiles/${path.replaceAll("/", "_")}`;
    if (kind !== "plain") {
      mkdirSync(join(home, "dotfiles"), { recursive: true });
      const up = "../".repeat(path.split("/").length - 1);
      if (kind === "links") symlinkSync(kept.replace("dotfiles/", ""), join(home, `${kept}.link`));
      symlinkSync(kind === "links" ? `${up}${kept}.link` : `${up}${kept}`, file);
    }
    if (kind === "nowhere") continue;
    const place = kind === "plain" ? file : join(home, kept);
    writeFileSync(place, text(random));
    chmodSync(place, pick([0o644, 0o600, 0o444]));
  }
}

function settingOf(home: string): Setting {
  const env = { HOME: home, DISPLAY: ":0", DBUS_SESSION_BUS_ADDRESS: "unix:path=/nowhere" };
  const places = {
    home: join(home, "state"),
    socket: join(home, "run/daemon.sock"),
    tmuxSocket: join(home, "run/tmux.sock"),
    log: join(home, "state/daemon.log"),
    userConfig: join(home, ".config/paneward/config.toml"),
  };
  return {
    env,
    places,
    platform: "linux",
    scripts: Object.fromEntries(
      ["bash", "zsh", "fish"].map((shell) => [shell, `# paneward completion for ${shell}\n`]),
    ),
    phones: { origins: [], pair: async () => undefined, revoke: async () => {} },
    service: { env, places, argv: ["paneward", "daemon", "run"], version: "0.0.0", replaceDaemon: async () => {} },
  };
}

/** What `paneward init --yes` does. Returns the steps that had something to do. */
async function init(setting: Setting, now: number): Promise<readonly string[]> {
  const made: string[] = [];
  for (const step of allSteps(setting)) {
    const look = await step.look().catch(() => undefined);
    if (!look || !("offer" in look)) continue;
    await makeOffer(look.offer, { step: step.name, by: "init", places: setting.places, now: now++ });
    made.push(step.name);
  }
  return made;
}

const takeBack = (setting: Setting) => undo(allSteps(setting), setting.places, () => true);

/** The home without our own state. */
const tree = (home: string) => treeOf(home, (path) => path !== "state");

async function filled(t: Cleanup, random: Random, number: number) {
  const home = join(await roots(t), String(number));
  mkdirSync(home);
  fill(home, random);
  return { home, setting: settingOf(home), before: tree(home) };
}

const folders = new WeakMap<Cleanup, Promise<string>>();

function roots(t: Cleanup): Promise<string> {
  const known = folders.get(t) ?? temporaryFolder(t);
  folders.set(t, known);
  return known;
}

describe("undo", () => {
  test("gives every byte, mode, link and folder back, whatever was there", async (t) => {
    let number = 0;
    await fuzz(
      async (random) => {
        const { home, setting, before } = await filled(t, random, number++);
        const made = await init(setting, 1_000);
        assert.ok(made.length > 0);
        assert.notDeepEqual(tree(home), before);
        assert.deepEqual(await init(setting, 2_000), [], "again it finds nothing to do");
        assert.deepEqual(await takeBack(setting), []);
        assert.deepEqual(tree(home), before);
      },
      amount(25, 5_000),
    );
  });

  test("keeps what others wrote before, behind and beside our part, and nothing of ours", async (t) => {
    let number = 0;
    await fuzz(
      async (random) => {
        const { home, setting } = await filled(t, random, number++);
        const edit = random.pick(edits);
        const before = texts(home);
        await init(setting, 1_000);
        const there = texts(home);
        for (const [path, text] of there) rewrite(join(home, path), edit(text, path));
        assert.deepEqual(await takeBack(setting), []);
        const wanted = [...there.keys()].map((path) => [path, edit(before.get(path) ?? "", path)] as const);
        assert.deepEqual(texts(home), new Map(wanted.filter(([path, text]) => before.has(path) || text !== "")));
      },
      amount(25, 5_000),
    );
  });

  test("after a kill between any two changes it gives every byte back, also when init was run again before", async (t) => {
    let number = 0;
    await fuzz(
      async (random) => {
        const { home, setting, before } = await filled(t, random, number++);
        const isKilled = await killedAfter(random.below(70), () => init(setting, 1_000));
        const repairs = random.below(2) === 0;
        if (repairs) await init(setting, 2_000);
        if (repairs) assert.deepEqual(await init(setting, 3_000), [], "it is repaired");
        if (random.below(2) === 0) await killedAfter(random.below(30), () => takeBack(setting));
        assert.deepEqual(await takeBack(setting), []);
        assert.deepEqual(
          tree(home),
          before,
          `${isKilled ? "killed" : "not killed"}, ${repairs ? "repaired" : "not repaired"}`,
        );
      },
      amount(40, 10_000),
    );
  });
});

/** What is in the files that are there. */
function texts(home: string): ReadonlyMap<string, string> {
  const there = Object.keys(files).filter((path) => existsSync(join(home, path)));
  return new Map(there.map((path) => [path, readFileSync(join(home, path), "latin1")]));
}

function rewrite(path: string, text: string): void {
  chmodSync(path, 0o644);
  writeFileSync(path, text, "latin1");
}

/** What a person or another tool does to such a file, whether our part is in it or not. */
const edits: readonly ((text: string, path: string) => string)[] = [
  (text, path) => (isShell(path) ? `${text}${text === "" || text.endsWith("\n") ? "" : "\n"}alias x=y\n` : text),
  (text, path) => (isShell(path) || path.endsWith(".toml") ? `# new\n${text}` : text),
  (text) => text.replace('"opus"', '"haiku"').replace("agent =", "agent  ="),
];

const isShell = (path: string) => path.endsWith("rc") || path.endsWith(".fish");
