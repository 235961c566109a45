import type { Output } from "@paneward/sdk";
import type { Call } from "./command.ts";
import { isNotThere } from "./daemon/connection.ts";
import type { Out } from "./look/out.ts";

type List = Output<"ps">;
type Lines = (out: Pick<Out, "columns" | "paint">, list: List) => readonly string[];

/** Shows a list, and shows it again when something happened. Nothing is asked while nothing happens. */
export async function watchList(call: Call, first: List, ask: () => Promise<List>, linesOf: Lines): Promise<undefined> {
  const { out, options, connection, progress } = call;
  progress.silence();
  const show = showerOf(call, linesOf);
  show(first);
  let asking = false;
  let stale = false;
  const refresh = async () => {
    stale = true;
    if (asking) return;
    asking = true;
    while (stale) {
      stale = false;
      await ask().then(show, (error: unknown) => {
        if (!isNotThere(error)) out.note(`paneward: ${(error as Error).message}`);
      });
    }
    asking = false;
  };
  const onConnection = (connected: boolean, reason = "no reason was given") => {
    if (!connected && !options.flag("json")) out.note(`paneward: no daemon answers (${reason}); trying again`);
  };
  for await (const _ of connection.running.follow({ after: first.lastEvent, onConnection })) void refresh();
}

function showerOf({ out, options }: Call, linesOf: Lines): (list: List) => void {
  if (options.flag("json")) return (list) => out.json(list);
  if (out.isTerminal) return onScreen(out, linesOf);
  return (list) => {
    for (const line of linesOf(out, list)) out.line(line);
    out.line("");
  };
}

/** Draws on the terminal's second screen, so that the first is as it was when somebody leaves. */
function onScreen(out: Out, linesOf: Lines): (list: List) => void {
  let shown: List | undefined;
  const draw = () => {
    if (!shown) return;
    const { columns = 80, rows = 24 } = process.stdout;
    const lines = linesOf({ ...out, columns }, shown);
    const text = [...(lines.length === 0 ? ["nothing runs"] : lines).slice(0, rows - 2), "", "Ctrl-C leaves"];
    out.raw(`\u001b[H${text.map((line) => `${line}\u001b[K`).join("\r\n")}\u001b[J`);
  };
  const leave = (signal: "SIGINT" | "SIGTERM") => {
    process.stdout.write(`${showCursor}${firstScreen}`, () => {
      process.removeAllListeners(signal);
      process.kill(process.pid, signal);
    });
  };
  process.once("SIGINT", leave);
  process.once("SIGTERM", leave);
  process.stdout.on("resize", draw);
  out.raw(`${secondScreen}${hideCursor}`);
  // Ages grow although nothing happens.
  setInterval(draw, 1_000).unref();
  return (list) => {
    shown = list;
    draw();
  };
}

const secondScreen = "\u001b[?1049h";
const firstScreen = "\u001b[?1049l";
const hideCursor = "\u001b[?25l";
const showCursor = "\u001b[?25h";
