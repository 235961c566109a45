import { randomBytes } from "node:crypto";
import { isQuestion, readPrompt } from "@paneward/sdk/prompt";
import { type Command, TmuxError } from "@paneward/tmux";
import { type Row, rowFormat, rowOf } from "./row.ts";
import type { PlainServer } from "./server.ts";
import { nothing, type ScreenPrompt, type Snapshot, type TaskSnapshot } from "./snapshot.ts";

/** Screens by pane, from the same process as the listing. */
type Screens = ReadonlyMap<string, readonly string[]>;

/**
 * Looks at the task session: one tmux process lists the windows and reads the screens of known ones; a second one runs
 * only when there are new windows.
 */
export async function look(
  server: PlainServer,
  session: string,
  known: readonly TaskSnapshot[],
  now: () => number = Date.now,
): Promise<Snapshot> {
  const remembered = known.flatMap(({ paneId }) => (paneId ? [paneId] : []));
  let { rows, screens } = await read(server, session, remembered);
  if (rows.some(({ paneId }) => !screens.has(paneId))) {
    const panes = rows.map(({ paneId }) => paneId);
    ({ rows, screens } = await read(server, session, panes));
  }
  const [first] = rows;
  if (!first) return nothing(now());
  return {
    exists: true,
    at: now(),
    server: first.server,
    tasks: rows.map((row) => taskOf(row, screens.get(row.paneId))).sort(byName),
  };
}

async function read(
  server: PlainServer,
  session: string,
  panes: readonly string[],
): Promise<{ readonly rows: readonly Row[]; readonly screens: Screens }> {
  // A separator that no program can print, because none knows it.
  const seal = randomBytes(12).toString("hex");
  const captures = panes.flatMap((pane): Command[] => [
    // Without the pane's %: tmux expands that as a date format.
    ["display-message", "-p", `${seal} ${pane.slice(1)}`],
    ["capture-pane", "-p", "-t", pane],
  ]);
  try {
    const lines = await server.run([["list-panes", "-s", "-t", `=${session}`, "-F", rowFormat], ...captures], {
      readOnly: true,
    });
    return parted(lines, seal);
  } catch (error) {
    if (!(error instanceof TmuxError)) throw error;
    // A pane that is gone since the last look fails the sequence: list again without screens.
    if (panes.length > 0 && goneTypes.has(error.type)) return read(server, session, []);
    if (goneTypes.has(error.type) || error.type === "server_lost") return { rows: [], screens: new Map() };
    throw error;
  }
}

const goneTypes = new Set(["pane_not_found", "session_not_found"]);

function parted(lines: readonly string[], seal: string): { readonly rows: readonly Row[]; readonly screens: Screens } {
  const screens = new Map<string, string[]>();
  const listed: string[] = [];
  let into = listed;
  for (const line of lines) {
    if (line.startsWith(seal)) {
      into = [];
      screens.set(`%${line.slice(seal.length + 1)}`, into);
    } else into.push(line);
  }
  const rows = listed.map(rowOf);
  // The first pane of a window is the task's.
  return {
    rows: rows.filter((row, at) => rows.findIndex(({ windowId }) => windowId === row.windowId) === at),
    screens,
  };
}

function taskOf({ server: _, cursor, historySize, size, ...row }: Row, screen: readonly string[] = []): TaskSnapshot {
  const prompt = row.dead || !row.paneStateKnown ? undefined : promptOn(screen, cursor, historySize, size);
  const text = screen.map((line) => line.trimEnd()).filter((line) => line !== "");
  return {
    ...row,
    ...(text.length === 0 ? {} : { outputPreview: text.slice(-previewLines).join("\n") }),
    ...(prompt ? { prompt } : {}),
  };
}

const previewLines = 20;

function promptOn(
  screen: readonly string[],
  cursor: Row["cursor"],
  historySize: number,
  size: string,
): ScreenPrompt | undefined {
  const prompt = readPrompt(screen, cursor);
  return prompt && isQuestion(prompt) ? { text: prompt.text, row: historySize + cursor.row, size } : undefined;
}

function byName(a: TaskSnapshot, b: TaskSnapshot): number {
  return a.windowName.localeCompare(b.windowName) || Number(a.windowId.slice(1)) - Number(b.windowId.slice(1));
}
