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
   * Always bracket the text, even a single line: some programs read a typed character as a key. tmux itself omits the
   * brackets for a program that has drawn its input line but has not requested them yet. "if asked" leaves it to tmux.
   */
  readonly paste?: boolean | "if asked";
  /** Characters typed in front of the text and keys pressed behind it, in the same command sequence as the text. */
  readonly before?: string;
  readonly keys?: readonly KeyName[];
  /** What to do when the pane is in copy mode. */
  readonly copyMode?: "report" | "leave";
  /** Set on the pane in the same command sequence as the text: it is present if and only if the text was typed. */
  readonly mark?: InputMark;
}

/** A user option of the pane. It survives a crash of the sender, which can check afterwards how far it got. */
export interface InputMark {
  readonly option: `@${string}`;
  readonly value: string;
}

export interface Sent {
  readonly latencyMs: number;
}

/** Types text verbatim. Several lines are one bracketed paste, and are not submitted. */
export async function sendText(
  server: Server,
  pane: PaneId,
  text: string,
  options: SendTextOptions = {},
): Promise<Sent> {
  const startedAt = performance.now();
  const { enter = false, delayMs = 100 } = options;
  const around = aroundText(pane, options);
  await makeReady(server, pane, options.copyMode ?? "report");
  if (text !== "") await type(server, pane, text, around, options.paste);
  if (enter && text === "") await server.run([["send-keys", "-t", pane, "Enter"]]);
  if (enter && text !== "") {
    await delay(delayMs);
    await server.run([["send-keys", "-t", pane, "Enter"]]).catch(halfDelivered);
  }
  return { latencyMs: performance.now() - startedAt };
}

/**
 * Presses named keys in order. All names are checked before the first key is sent. `pause` replaces the driver's own wait
 * between two keys.
 */
export async function sendKeys(
  server: Server,
  pane: PaneId,
  keys: readonly KeyName[],
  options: Pick<SendTextOptions, "delayMs" | "copyMode" | "mark"> & { readonly pause?: () => Promise<void> } = {},
): Promise<Sent> {
  const startedAt = performance.now();
  const checked = keys.map(checkKey);
  const pause = options.pause ?? (() => delay(options.delayMs ?? 150));
  await makeReady(server, pane, options.copyMode ?? "report");
  for (const [at, key] of checked.entries()) {
    if (at > 0) await pause();
    const pressed = server.run([["send-keys", "-t", pane, "--", key], ...marking(pane, options.mark)]);
    await (at === 0 ? pressed : pressed.catch(halfDelivered));
  }
  return { latencyMs: performance.now() - startedAt };
}

/** Sends what a terminal would send: keys as bytes, escape sequences included. */
export async function sendRaw(server: Server, pane: PaneId, bytes: string): Promise<void> {
  await makeReady(server, pane, "leave");
  for (const piece of bytes.match(rawPieces) ?? []) await server.run([rawCommand(pane, piece)]);
}

// `-H` takes one number per key, ASCII only; `-l` takes text of any script but cannot send control characters.
const rawPieces = /[\u0000-\u007f]{1,256}|[^\u0000-\u007f]{1,256}/gu;

function rawCommand(pane: PaneId, piece: string): readonly string[] {
  const first = piece.charCodeAt(0);
  if (first > 0x7f) return ["send-keys", "-t", pane, "-l", "--", piece];
  return ["send-keys", "-t", pane, "-H", ...[...piece].map((key) => key.charCodeAt(0).toString(16))];
}

// Longer lines of octal escapes are slow in control mode, and a spawned tmux refuses 16 KB.
const maxArgumentLength = 4_096;
const beginOfPaste = "\u001b[200~";
const endOfPaste = "\u001b[201~";

async function type(
  server: Server,
  pane: PaneId,
  text: string,
  { before, after }: Around,
  paste: SendTextOptions["paste"] = false,
): Promise<void> {
  if (text.includes("\0")) throw new TmuxError("send_failed", "a NUL character cannot be sent through tmux");
  const pasted = paste === true;
  const lines = paste !== false || /[\r\n]/.test(text);
  if (lines && text.includes(endOfPaste)) {
    throw new TmuxError(
      "send_failed",
      "the text contains the end-of-paste sequence; what follows it would be typed as keys",
    );
  }
  if (!lines && text.length <= maxArgumentLength) {
    await server.run([...before, ["send-keys", "-t", pane, "-l", "--", text], ...after]);
    return;
  }
  const buffer = `paneward_${process.pid}_${++buffers}`;
  // `-p` brackets the paste if the program requested that; `-r` keeps the text of a single line unchanged.
  const flag = pasted ? [] : [lines ? "-p" : "-r"];
  const put = ["paste-buffer", "-d", ...flag, "-b", buffer, "-t", pane];
  const pasting = pasted ? [rawCommand(pane, beginOfPaste), put, rawCommand(pane, endOfPaste)] : [put];
  if (text.length <= maxArgumentLength) {
    await server.run([["set-buffer", "-b", buffer, "--", text], ...before, ...pasting, ...after]);
    return;
  }
  // Load the whole text before pasting, so that a crash while it is transferred leaves no half of it in the pane.
  await server.run([["load-buffer", "-b", buffer, "-"]], { stdin: text, timeoutMs: 30_000 });
  await server.run([...before, ...pasting, ...after], { timeoutMs: 30_000 });
}

interface Around {
  readonly before: readonly (readonly string[])[];
  readonly after: readonly (readonly string[])[];
}

function aroundText(pane: PaneId, { before = "", keys = [], mark }: SendTextOptions): Around {
  const pressed = keys.map((key) => ["send-keys", "-t", pane, "--", checkKey(key)]);
  return {
    before: before === "" ? [] : [["send-keys", "-t", pane, "-l", "--", before]],
    after: [...pressed, ...marking(pane, mark)],
  };
}

// tmux runs a sequence without interruption, so the mark is set if and only if the text before it was typed.
function marking(pane: PaneId, mark: InputMark | undefined): readonly (readonly string[])[] {
  return mark ? [["set-option", "-p", "-t", pane, mark.option, mark.value]] : [];
}

let buffers = 0;

// The last step failed, but the steps before it took effect.
function halfDelivered(error: unknown): never {
  if (!(error instanceof TmuxError)) throw error;
  const { type, message, argv, stderr } = error;
  throw new TmuxError(type, `${message}; the text before it was typed`, {
    argv,
    stderr,
    delivered: "maybe",
    cause: error,
  });
}

// tmux reports success for typing into a dead pane, and in copy mode text would be run as commands.
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
    throw new TmuxError("send_failed", `${pane} is in copy mode; nothing was typed`);
  }
  await server.run([["copy-mode", "-q", "-t", pane]]);
}
