import { setTimeout as delay } from "node:timers/promises";
import { TmuxError } from "./protocol/errors.ts";
import { checkKey, type KeyName } from "./protocol/keys.ts";
import type { PaneId } from "./protocol/names.ts";
import type { Server } from "./server.ts";

export interface SendTextOptions {
  /** Press Enter after the text. */
  readonly enter?: boolean;
  /** Pause before Enter: a full-screen program reads one burst as a paste, in which Enter is a newline. */
  readonly delayMs?: number;
  /**
   * Bracket it in any case, one line too: some programs take a typed character for a key. tmux would leave the brackets out
   * while a program that has drawn its input line has not asked for them yet.
   */
  readonly paste?: boolean;
  /** What to do when somebody scrolls in the pane. */
  readonly copyMode?: "report" | "leave";
  /** Left in the pane by the same command sequence as the text: it is there if and only if the text was typed. */
  readonly mark?: InputMark;
}

/** A user option of the pane. It outlives whoever types, who can look afterwards how far he came. */
export interface InputMark {
  readonly option: `@${string}`;
  readonly value: string;
}

export interface Sent {
  readonly latencyMs: number;
}

/** Types text as it is. Several lines go as one bracketed paste and are not submitted by themselves. */
export async function sendText(
  server: Server,
  pane: PaneId,
  text: string,
  options: SendTextOptions = {},
): Promise<Sent> {
  const began = performance.now();
  const { enter = false, delayMs = 100 } = options;
  await makeReady(server, pane, options.copyMode ?? "report");
  if (text !== "") await type(server, pane, text, marking(pane, options.mark), options.paste);
  if (enter && text === "") await server.run([["send-keys", "-t", pane, "Enter"]]);
  if (enter && text !== "") {
    await delay(delayMs);
    await server.run([["send-keys", "-t", pane, "Enter"]]).catch(halfDelivered);
  }
  return { latencyMs: performance.now() - began };
}

/** Presses named keys one after the other. All names are checked before the first is sent. */
export async function sendKeys(
  server: Server,
  pane: PaneId,
  keys: readonly KeyName[],
  options: Pick<SendTextOptions, "delayMs" | "copyMode" | "mark"> = {},
): Promise<Sent> {
  const began = performance.now();
  const checked = keys.map(checkKey);
  await makeReady(server, pane, options.copyMode ?? "report");
  for (const [at, key] of checked.entries()) {
    if (at > 0) await delay(options.delayMs ?? 150);
    const pressed = server.run([["send-keys", "-t", pane, "--", key], ...marking(pane, options.mark)]);
    await (at === 0 ? pressed : pressed.catch(halfDelivered));
  }
  return { latencyMs: performance.now() - began };
}

/** Types what a terminal would send: keys as their bytes, escape sequences and all. */
export async function sendRaw(server: Server, pane: PaneId, bytes: string): Promise<void> {
  await makeReady(server, pane, "leave");
  for (const piece of bytes.match(rawPieces) ?? []) await server.run([rawCommand(pane, piece)]);
}

// `-H` takes one number per key, but only ASCII; `-l` takes letters of any script, but makes a key name of no control.
const rawPieces = /[\u0000-\u007f]{1,256}|[^\u0000-\u007f]{1,256}/gu;

function rawCommand(pane: PaneId, piece: string): readonly string[] {
  const first = piece.charCodeAt(0);
  if (first > 0x7f) return ["send-keys", "-t", pane, "-l", "--", piece];
  return ["send-keys", "-t", pane, "-H", ...[...piece].map((key) => key.charCodeAt(0).toString(16))];
}

// Beyond this a line of octal escapes is slow in control mode, and a spawned tmux refuses 16 KB.
const longestArgument = 4_096;
const beginOfPaste = "\u001b[200~";
const endOfPaste = "\u001b[201~";

async function type(
  server: Server,
  pane: PaneId,
  text: string,
  mark: readonly (readonly string[])[],
  pasted = false,
): Promise<void> {
  if (text.includes("\0")) throw new TmuxError("send_failed", "a NUL character cannot be sent through tmux");
  const lines = pasted || /[\r\n]/.test(text);
  if (lines && text.includes(endOfPaste)) {
    throw new TmuxError("send_failed", "the text holds the sequence that ends a paste; what follows it would be typed");
  }
  if (!lines && text.length <= longestArgument) {
    await server.run([["send-keys", "-t", pane, "-l", "--", text], ...mark]);
    return;
  }
  const buffer = `paneward_${process.pid}_${++buffers}`;
  // `-p` brackets the paste if the program asked for that; `-r` keeps the text of a single line as it is.
  const flag = pasted ? [] : [lines ? "-p" : "-r"];
  const put = ["paste-buffer", "-d", ...flag, "-b", buffer, "-t", pane];
  const paste = pasted ? [rawCommand(pane, beginOfPaste), put, rawCommand(pane, endOfPaste)] : [put];
  if (text.length <= longestArgument) {
    await server.run([["set-buffer", "-b", buffer, "--", text], ...paste, ...mark]);
    return;
  }
  // Whoever dies while the text travels must not leave half of it in the pane: first all of it, then the paste.
  await server.run([["load-buffer", "-b", buffer, "-"]], { stdin: text, timeoutMs: 30_000 });
  await server.run([...paste, ...mark], { timeoutMs: 30_000 });
}

// tmux runs a sequence as one: the mark stands behind what it marks, and no death of ours comes between them.
function marking(pane: PaneId, mark: InputMark | undefined): readonly (readonly string[])[] {
  return mark ? [["set-option", "-p", "-t", pane, mark.option, mark.value]] : [];
}

let buffers = 0;

// The last step failed, but what went before it has arrived.
function halfDelivered(error: unknown): never {
  if (!(error instanceof TmuxError)) throw error;
  const { type, message, argv, stderr } = error;
  throw new TmuxError(type, `${message}; what was typed before it has arrived`, {
    argv,
    stderr,
    delivered: "maybe",
    cause: error,
  });
}

// tmux calls it a success to type into a dead pane, and in copy mode the text would be commands.
async function makeReady(server: Server, pane: PaneId, copyMode: "report" | "leave"): Promise<void> {
  const [state = ""] = await server.run(
    [["display-message", "-p", "-t", pane, "#{pane_id} #{pane_dead} #{pane_in_mode}"]],
    {
      readOnly: true,
    },
  );
  const [id, dead, mode] = state.split(" ");
  // display-message falls back to another pane when the target is gone.
  if (id !== pane) throw new TmuxError("pane_not_found", `can't find pane: ${pane}`);
  if (dead === "1") {
    throw new TmuxError("send_failed", `the program in ${pane} has ended; nothing was typed`, { argv: ["-t", pane] });
  }
  if (mode === "0" || mode === "") return;
  if (copyMode === "report") {
    throw new TmuxError("send_failed", `${pane} is in copy mode: somebody is reading there; nothing was typed`);
  }
  await server.run([["copy-mode", "-q", "-t", pane]]);
}
