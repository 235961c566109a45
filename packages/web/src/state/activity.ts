import type { Output } from "@paneward/sdk";
import { client } from "../api/client.ts";
import { openSocket } from "../api/transport.ts";
import { createValue } from "./value.ts";

type TerminalActivity = Output<"activity">["terminals"][number];

/** Recent activity and the last line of each terminal, pushed by the daemon while something prints. */
export const activity = createValue<ReadonlyMap<string, TerminalActivity>>(new Map());

export async function followActivity(signal: AbortSignal): Promise<void> {
  for (let pause = 500; !signal.aborted; pause = Math.min(pause * 2, 10_000)) {
    try {
      const { terminals } = await client.activity({}, { signal });
      activity.set(new Map(terminals.map((one) => [one.id, one])));
      pause = 500;
      await untilClosed(signal);
    } catch {
      // The event stream shows that the daemon is unreachable; this is decoration only.
    }
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}

async function untilClosed(signal: AbortSignal): Promise<void> {
  const socket = await openSocket("/api/activity/ws");
  return new Promise((resolve) => {
    socket.onmessage = ({ data }) => {
      const { terminals } = JSON.parse(String(data)) as Pick<Output<"activity">, "terminals">;
      activity.set(new Map([...activity.get(), ...terminals.map((one) => [one.id, one] as const)]));
    };
    socket.onclose = () => resolve();
    signal.addEventListener("abort", () => socket.close());
  });
}
