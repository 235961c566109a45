import { callText, type capabilityActions, type ParametersOf } from "@paneward/sdk/reference";
import { cursorKept, keptCursor } from "../runtime/output/workspace-output.ts";
import type { JournalCursor, WorkspacePane } from "../runtime/ports.ts";
import { CastWriter, type Piece } from "./asciicast.ts";
import { Refusal } from "./result.ts";
import { momentOf, paneAt, type Work } from "./work.ts";

interface Started {
  readonly name: string;
  readonly cursor: string;
  readonly startedAtMs: number;
  readonly columns: number;
  readonly rows: number;
  readonly title: string;
  readonly screen: string;
}

/** Starts a recording by storing the journal position, or stops it by writing the journal since then as asciicast. */
export async function record(
  work: Work,
  { pane: wanted, mode, name }: ParametersOf<(typeof capabilityActions)["record"]>,
): Promise<object> {
  const pane = await paneAt(work, wanted);
  const { address } = pane;
  const { workspaces: store } = work.world.store;
  const started = store.kept<Started>("recording", pane.journal, "now");
  if (mode === "start") {
    if (started) {
      throw new Refusal(
        `Pane ${address} is already being recorded`,
        callText("record", { pane: address, mode: "stop" }),
        "wrong_state",
      );
    }
    return start(work, pane, name);
  }
  if (!started) {
    const start = callText("record", { pane: address, mode: "start" });
    throw new Refusal(`Pane ${address} is not being recorded`, start, "wrong_state");
  }
  return stop(work, pane, started);
}

/** Killing a pane deletes its journal, so write its recording first. */
export async function finishRecording(work: Work, pane: WorkspacePane): Promise<void> {
  const started = work.world.store.workspaces.kept<Started>("recording", pane.journal, "now");
  if (started) await stop(work, pane, started);
}

async function start(work: Work, pane: WorkspacePane, name: string | undefined): Promise<object> {
  const { world, spec } = work;
  const { title } = pane;
  const picture = await world.terminals.picture(spec.host, pane.place, pane.journal, 0);
  const { columns, rows, text: screen } = picture;
  const cursor = keptCursor(picture.cursor);
  const startedAtMs = world.clock.now();
  const recording = name ?? `pane-${pane.address}-${momentOf(startedAtMs).replace(/[^0-9TZ]/g, "")}`;
  const started: Started = { name: recording, cursor, startedAtMs, columns, rows, title, screen };
  world.store.workspaces.keep("recording", pane.journal, "now", started);
  const file = fileOf(work, recording);
  return { pane: pane.address, recording, file, started_at: momentOf(startedAtMs) };
}

async function stop(work: Work, pane: WorkspacePane, started: Started): Promise<object> {
  const cast = new CastWriter(started, started.screen);
  for await (const piece of printed(work, pane, started.cursor)) cast.write(piece);
  const file = fileOf(work, started.name);
  await work.world.files.writePrivate(file, cast.finish());
  work.world.store.workspaces.drop("recording", pane.journal, "now");
  return { pane: pane.address, recording: started.name, file, seconds: cast.seconds, events: cast.events };
}

// The journal's time index lists offsets with times; each stretch between two entries is one piece.
async function* printed({ world, workspaces, spec }: Work, pane: WorkspacePane, from: string): AsyncGenerator<Piece> {
  let atMs = 0;
  for (let cursor = cursorKept(from); ; ) {
    const next = await nextEntry(cursor);
    const chunk = await world.terminals.read(
      spec.host,
      pane.journal,
      cursor,
      Math.min(next?.length ?? maxPieceBytes, maxPieceBytes),
    );
    atMs = next?.atMs ?? (atMs || world.clock.now());
    if (chunk.bytes.length > 0) yield { atMs, bytes: chunk.bytes };
    if (chunk.atEnd || (chunk.cursor.epoch === cursor?.epoch && chunk.cursor.offset === cursor.offset)) return;
    cursor = chunk.cursor;
  }

  async function nextEntry(cursor: JournalCursor | undefined) {
    if (cursor === undefined) return undefined;
    const { epoch, offset: at } = cursor;
    const entry = (await workspaces.times(spec, pane, epoch)).find(([offset]) => offset > at);
    return entry && { length: entry[0] - at, atMs: entry[1] };
  }
}

const maxPieceBytes = 65_536;

function fileOf({ world }: Work, name: string): string {
  return `${world.places.home}/recordings/${name}.cast`;
}
