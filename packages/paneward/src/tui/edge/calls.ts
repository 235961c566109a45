import type { Client } from "@paneward/sdk";
import type { Call } from "../state/effects.ts";

/** Calls one operation and returns a line for the log. */
export async function runCall(client: Client, call: Call, folder: string): Promise<string> {
  switch (call.operation) {
    case "start": {
      const { slug, status } = await client.start({ id: call.id });
      return `start ${call.id}: ${slug} is ${status}`;
    }
    case "stop": {
      const { stopped } = await client.stop({ id: call.id });
      return `stop ${call.id}: ${stopped ? "stopped" : "it was not running"}`;
    }
    case "restart": {
      const { status } = await client.restart({ id: call.id });
      return `restart ${call.id}: ${status}`;
    }
    case "merge": {
      const { base, commits } = await client.merge({ id: call.id });
      return `merge ${call.id}: ${base} advanced by ${commits} ${commits === 1 ? "commit" : "commits"}`;
    }
    case "complete":
      await client.complete({ id: call.id });
      return `complete ${call.id}: done`;
    case "rm": {
      const { removed, rescue } = await client.rm({ id: call.id });
      return `rm ${call.id}: ${removed} removed${rescue === undefined ? "" : "; u restores its work"}`;
    }
    case "undo": {
      const { undone, task } = await client.undo({});
      return `undo: ${undone} of ${task.id} ${task.slug} is undone`;
    }
    case "new": {
      const { text, draft, root = folder } = call;
      const { id, slug, status } = await client.new({ root, text, draft });
      return `new: ${id} ${slug} is ${status}`;
    }
    case "send": {
      const { id, text, command } = call;
      const { state, reason, changed } = await client.send({ id, text, command });
      const more = [reason, changed].filter((part) => part !== undefined).map((part) => `, ${part}`);
      return `send ${id}: ${state}${more.join("")}`;
    }
    case "respond": {
      const { id, question, answer, seenScreen } = call;
      const given = "several" in answer ? { answers: [{ option_indices: [...answer.several] }] } : answer;
      const { status } = await client.respond({
        ...{ id, question, ...given },
        ...(seenScreen === undefined ? {} : { seen_screen: seenScreen }),
      });
      return `respond ${call.id}: ${status === "ok" ? "answered" : "queued"}`;
    }
  }
}
