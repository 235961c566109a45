import type { Output } from "@paneward/sdk";
import type { Call } from "./command.ts";
import { isNotRunning } from "./daemon/connection.ts";
import { dataExit, shownText } from "./look/exit.ts";
import type { Out } from "./look/out.ts";

type List = Output<"ps">;
type Lines = (out: Pick<Out, "columns" | "paint">, list: List) => readonly string[];

/** Shows a list and refreshes it on every event; it never polls. */
export async function watchList(call: Call, first: List, ask: () => Promise<List>, linesOf: Lines): Promise<undefined> {
  const { out, options, connection, progress } = call;
  progress.silence();
  const show = listPrinter(call, linesOf);
  show(first);
  let refreshing = false;
  let stale = false;
  const refresh = async () => {
    stale = true;
    if (refreshing) return;
    refreshing = true;
    while (stale) {
      stale = false;
      await ask().then(show, (error: unknown) => {
        if (!isNotRunning(error)) out.note(`paneward: ${(error as Error).message}`);
      });
    }
    refreshing = false;
  };
  const onConnection = (connected: boolean, reason = "no reason given") => {
    if (!connected && !options.flag("json")) out.note(`paneward: the daemon does not answer (${reason}); retrying`);
  };
  for await (const _ of connection.running.follow({ after: first.lastEvent, onConnection })) void refresh();
}

function listPrinter({ out, options }: Call, linesOf: Lines): (list: List) => void {
  if (options.flag("json")) return (list) => out.json(list);
  if (out.isTerminal) return onScreen(out, linesOf);
  return (list) => {
    for (const line of linesOf(out, list)) out.line(line);
    out.line("");
  };
}

/** Draws on the alternate screen, so that quitting restores what was there. */
function onScreen(out: Out, linesOf: Lines): (list: List) => void {
  let shown: List | undefined;
  const draw = () => {
    if (!shown) return;
    const { columns, rows } = dataExit;
    const lines = linesOf({ ...out, columns }, shown);
    const text = [...(lines.length === 0 ? ["nothing is running"] : lines).slice(0, rows - 2), "", "Ctrl-C to quit"];
    out.raw(`\u001b[H${text.map((line) => `${shownText(line)}\u001b[K`).join("\r\n")}\u001b[J`);
  };
  const quit = (signal: "SIGINT" | "SIGTERM") => {
    out.raw(`${showCursor}${normalScreen}`, () => {
      process.removeAllListeners(signal);
      process.kill(process.pid, signal);
    });
  };
  process.once("SIGINT", quit);
  process.once("SIGTERM", quit);
  dataExit.onResize(draw);
  out.raw(`${alternateScreen}${hideCursor}`);
  // Ages change without any event.
  setInterval(draw, 1_000).unref();
  return (list) => {
    shown = list;
    draw();
  };
}

const alternateScreen = "\u001b[?1049h";
const normalScreen = "\u001b[?1049l";
const hideCursor = "\u001b[?25l";
const showCursor = "\u001b[?25h";
