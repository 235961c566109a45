import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Client } from "@paneward/sdk";
import type { DaemonArena } from "./daemon-arena.ts";
import { interleaved, median, repeated } from "./measure.ts";
import { atMost, type Result, type Row } from "./result.ts";

type Size = "1 KB" | "1 MB" | "100 MB";
const sizes: Readonly<Record<Size, number>> = { "1 KB": 1_000, "1 MB": 1_000_000, "100 MB": 100_000_000 };

/** Whether reading new output costs more after much was printed. */
export async function readCost(arena: DaemonArena): Promise<Result> {
  const printed: Readonly<Record<Size, Printed>> = {
    "1 KB": await print(arena, sizes["1 KB"]),
    "1 MB": await print(arena, sizes["1 MB"]),
    "100 MB": await print(arena, sizes["100 MB"]),
  };
  // For two seconds after a file was added, once per megabyte printed, a journal's folder is listed again on every
  // read.
  await delay(2_500);
  const some = await reading(arena, printed, "beforeTheLast");
  const none = await reading(arena, printed, "end");
  return {
    rows: [...rowsOf("read 200 new bytes", some), ...rowsOf("read nothing new", none)],
    targets: [
      // A read looks back up to 64 KB to know the screen; after 1 KB there is less to look back on.
      atMost("read 200 new bytes, after 100 MB against after 1 KB", some["100 MB"] / some["1 KB"], 2, "x"),
      atMost("read 200 new bytes, after 100 MB against after 1 MB", some["100 MB"] / some["1 MB"], 1.5, "x"),
      atMost("read nothing new, after 100 MB against after 1 KB", none["100 MB"] / none["1 KB"], 1.5, "x"),
    ],
  };
}

/** A terminal in which much was printed, then a little more. */
interface Printed {
  readonly id: string;
  readonly beforeTheLast: string;
  readonly end: string;
}

const last = "y".repeat(199);

// Waits for a file in between, so that a cursor can be taken there.
async function print({ client, folder }: DaemonArena, bytes: number): Promise<Printed> {
  const flag = join(folder, `${bytes}.go`);
  const wait = `until [ -e ${flag} ]; do sleep 0.05; done`;
  const script = `yes ${"x".repeat(98)} | head -c ${bytes}; echo done; ${wait}; echo ${last}; exec sleep 1000000`;
  const { id } = await client.run({ argv: ["sh", "-c", script] });
  const beforeTheLast = await cursorAfter(client, id, "done\n");
  writeFileSync(flag, "");
  return { id, beforeTheLast, end: await cursorAfter(client, id, `${last}\n`) };
}

async function cursorAfter(client: Client, id: string, text: string): Promise<string> {
  for (;;) {
    const { output, cursor } = await client.read({ id, lines: 1 });
    if (output.endsWith(text)) return cursor;
    await delay(50);
  }
}

/** Milliseconds of one read with the cursor that `from` picks. */
async function reading(
  { client }: DaemonArena,
  printed: Readonly<Record<Size, Printed>>,
  from: "beforeTheLast" | "end",
): Promise<Readonly<Record<Size, number>>> {
  const expected = from === "end" ? "" : `${last}\n`;
  const read = async ({ id, [from]: since }: Printed) => {
    const { output } = await client.read({ id, since });
    if (output !== expected) throw new Error(`${output.length} characters read instead of ${expected.length}`);
  };
  const way = (size: Size) => () => repeated(10, () => read(printed[size]));
  const samples = await interleaved(30, { "1 KB": way("1 KB"), "1 MB": way("1 MB"), "100 MB": way("100 MB") });
  return {
    "1 KB": median(samples["1 KB"]),
    "1 MB": median(samples["1 MB"]),
    "100 MB": median(samples["100 MB"]),
  };
}

function rowsOf(question: string, times: Readonly<Record<Size, number>>): readonly Row[] {
  return (Object.keys(sizes) as Size[]).map((size) => ({
    question: `${question}, after ${size}`,
    unit: "ms",
    ours: times[size],
  }));
}
