import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { dirname } from "node:path";
import { fileBack, type OurPart } from "./back.ts";
import { type Block, hasBlock, withBlock, withoutBlock } from "./block.ts";
import { bytesOf, writeBytes } from "./files.ts";
import type { Back, Edit, Step } from "./step.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** The script of a shell in a file, and for shells that do not look there by themselves, lines that read it at their start. */
interface Place {
  readonly script: string;
  readonly startup?: { readonly path: string; readonly line: string };
}

export function completionStep(shell: string, script: string, env: Environment): Step {
  const place = placeOf(shell, env);
  return {
    name: `completion ${shell}`,
    async look() {
      const misled = misledZsh(shell, env);
      if (misled !== undefined) return { state: "not possible", detail: misled };
      const own = await ownLine(place.startup?.path);
      if (own !== undefined) return { state: "in place", detail: `${place.startup?.path}: ${own}` };
      const edits = await editsOf(place, script);
      if (edits.length === 0) return { state: "in place", detail: place.script };
      const isNew = edits.every(
        ({ before, added }) => before === undefined || (added !== undefined && !isOurs(before)),
      );
      return {
        state: isNew && edits.length === (place.startup ? 2 : 1) ? "missing" : "damaged",
        offer: {
          why: `${shell} completes commands, options, ids and names`,
          says: edits.map(saysOf),
          edits,
          advice: `open a new ${shell} to use it`,
        },
      };
    },
    async back({ file }) {
      if (!file) throw new Error("a completion is made of files");
      if (file.added !== undefined) return fileBack(file, linesOfOurs, byHand);
      return fileBack(file, { isIn: isOurScript }, "remove the file by hand if you do not want it");
    },
  };
}

/** Whether a person uses this shell: it has files of theirs. */
export function isUsed(shell: string, env: Environment): boolean {
  const { script, startup } = placeOf(shell, env);
  return existsSync(startup?.path ?? dirname(dirname(script)));
}

/** How a completion is taken away that was not recorded, or by a version that did not record it. */
export async function completionBacks(shell: string, env: Environment): Promise<readonly Back[]> {
  const { script, startup } = placeOf(shell, env);
  const backs: Back[] = [];
  if (isOurScript((await bytesOf(script))?.toString("latin1") ?? "")) {
    backs.push({ kind: "restored", says: `${script}: removed`, perform: () => rm(script) });
  }
  const text = startup && (await bytesOf(startup.path))?.toString("latin1");
  if (!startup || text === undefined || !linesOfOurs.isIn(text)) return backs;
  const rest = withoutBlock(text, blockName);
  const says = `${startup.path}: ${rest === undefined ? byHand : "only our lines are removed"}`;
  const perform = async () => {
    if (rest !== undefined) await writeBytes(startup.path, Buffer.from(rest, "latin1"));
  };
  return [...backs, { kind: rest === undefined ? "left" : "removed our part", says, perform }];
}

/** A line that a person wrote, as the help of `completion` shows it. */
async function ownLine(path: string | undefined): Promise<string | undefined> {
  const text = path && (await bytesOf(path))?.toString("latin1");
  return /^\s*[^#\n]*\bpaneward completion (?:bash|zsh)\b.*$/m.exec(text ?? "")?.[0].trim();
}

async function editsOf({ script, startup }: Place, text: string): Promise<readonly Edit[]> {
  const wanted = Buffer.from(text);
  const there = await bytesOf(script);
  const edits: Edit[] = there?.equals(wanted) ? [] : [{ path: script, before: there, after: wanted }];
  if (!startup) return edits;
  const before = await bytesOf(startup.path);
  const block: Block = { name: blockName, lines: [startup.line] };
  const made = withBlock(before?.toString("latin1") ?? "", block);
  if (!made) return edits;
  return [...edits, { path: startup.path, before, after: Buffer.from(made.text, "latin1"), added: made.added }];
}

function saysOf({ path, before, added }: Edit): string {
  if (added !== undefined) return `${path}: three lines that read that file`;
  return before === undefined ? `${path}: a new file` : `${path}: replaced by the script of this version`;
}

function isOurs(bytes: Buffer): boolean {
  return linesOfOurs.isIn(bytes.toString("latin1"));
}

function isOurScript(text: string): boolean {
  return /^(#compdef paneward\n)?# paneward completion for /.test(text);
}

const blockName = "paneward completion";
const byHand = `remove the lines between "# >>> ${blockName} >>>" and "# <<< ${blockName} <<<" by hand`;
const linesOfOurs: OurPart = {
  isIn: (text) => hasBlock(text, blockName),
  without: (text) => withoutBlock(text, blockName),
};

function placeOf(shell: string, env: Environment): Place {
  const home = env.HOME || "/";
  const data = absolute(env.XDG_DATA_HOME) ?? `${home}/.local/share`;
  if (shell === "fish") {
    return { script: `${absolute(env.XDG_CONFIG_HOME) ?? `${home}/.config`}/fish/completions/paneward.fish` };
  }
  // Where bash-completion looks, too; and a usual place of zsh.
  const below = shell === "zsh" ? "zsh/site-functions/_paneward" : "bash-completion/completions/paneward";
  const path = shell === "zsh" ? `${absolute(env.ZDOTDIR) ?? home}/.zshrc` : `${home}/.bashrc`;
  return { script: `${data}/${below}`, startup: { path, line: reading(below) } };
}

/** zsh takes whatever is there: with an empty ZDOTDIR it reads /.zshrc, and with a relative one a file of the current folder. */
function misledZsh(shell: string, { ZDOTDIR }: Environment): string | undefined {
  if (shell !== "zsh" || ZDOTDIR === undefined || absolute(ZDOTDIR) !== undefined) return undefined;
  const value = ZDOTDIR === "" ? "set and empty" : `the relative path ${ZDOTDIR}`;
  return `ZDOTDIR is ${value}, so zsh does not read your .zshrc: unset it, or set it to the folder of that file`;
}

/** A line that both shells know. A file that was removed does no harm. */
function reading(below: string): string {
  const path = `"\${XDG_DATA_HOME:-$HOME/.local/share}/${below}"`;
  return `if [ -r ${path} ]; then . ${path}; fi`;
}

function absolute(path: string | undefined): string | undefined {
  return path?.startsWith("/") ? path : undefined;
}
