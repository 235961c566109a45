import { appendFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { DaemonArena } from "./daemon-arena.ts";
import { wallClock } from "./dying.ts";
import { median, percentile } from "./measure.ts";
import { atMost, holds, type Result } from "./result.ts";

/** Time from a question's event until a channel has its notice, without the dwell. */
export async function questionToNotice({ client, folder }: DaemonArena): Promise<Result> {
  const arrived = new Map<string, number>();
  const server = createServer((request, response) => {
    const at = wallClock();
    let text = "";
    request.setEncoding("utf8").on("data", (piece: string) => {
      text += piece;
    });
    request.on("end", () => {
      const [, name] = /"title":"(asks-\d+) /.exec(text) ?? [];
      if (name !== undefined && !arrived.has(name)) arrived.set(name, at);
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const channel = `[notify.channels.bench]\nkind = "webhook"\nurl = "http://127.0.0.1:${port}"\n`;
  const rules = `[notify]\ndwell_seconds = ${dwellMs / 1_000}\ndigest = 1000\n${channel}`;
  appendFileSync(join(folder, "config", "paneward", "config.toml"), rules);
  await client.notify_test({ id: "bench" });
  const latencies: number[] = [];
  for (let number = 0; number < count; number++) {
    const name = `asks-${number}`;
    await client.run({ argv: ["sh", "-c", "printf 'Overwrite the file? [y/N] '; read answer"], name });
    await until(() => arrived.has(name));
    const { questions } = await client.questions({});
    const { terminals } = await client.ps({});
    const id = terminals.find((one) => one.name === name)?.id;
    const openedAt = questions.find(({ terminal }) => terminal === id)?.openedAt ?? 0;
    latencies.push((arrived.get(name) ?? Number.NaN) - openedAt - dwellMs);
    await client.rm({ id: name });
  }
  server.closeAllConnections();
  server.close();
  const [middle, p99] = [median(latencies), percentile(latencies, 99)];
  return {
    rows: [
      { question: "question opened to notice at the channel, beyond the dwell, median", unit: "ms", ours: middle },
      { question: "question opened to notice at the channel, beyond the dwell, p99", unit: "ms", ours: p99 },
    ],
    targets: [
      atMost("question opened to notice at the channel, beyond the dwell, median", middle, 50, " ms"),
      holds("every question is told", `${arrived.size} of ${count}`, arrived.size === count),
    ],
  };
}

const dwellMs = 200;
const count = 40;

async function until(isSo: () => boolean): Promise<void> {
  const deadline = performance.now() + 20_000;
  while (!isSo()) {
    if (performance.now() > deadline) throw new Error("a notice did not arrive within 20 s");
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}
