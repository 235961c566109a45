import type { Client } from "@paneward/sdk";
import type { Effect } from "../state/effects.ts";
import type { Pages } from "../state/state.ts";

/** Everything that a terminal printed, or what a task changed, to be looked through. */
export async function pagesOf(client: Client, effect: Extract<Effect, { kind: "journal" | "diff" }>): Promise<Pages> {
  const page = { kind: "pages", of: effect.kind, top: 0, search: undefined, isTyped: false } as const;
  if (effect.kind === "diff") {
    const { base, diff, truncated } = await client.diff({ id: effect.id });
    const lines = [...linesOf(diff), ...(truncated ? ["… the rest is too long"] : [])];
    return { ...page, title: `${effect.title} against ${base}`, lines };
  }
  const { output, missed } = await client.read({ id: effect.id, lines: mostLines, max_bytes: mostBytes });
  const lines = [...(missed > 0 ? [`… ${missed} bytes before this are no longer kept`] : []), ...linesOf(output)];
  return { ...page, title: `${effect.title}: what it printed`, lines, top: Number.MAX_SAFE_INTEGER };
}

const mostLines = 20_000;
const mostBytes = 4_194_304;

function linesOf(text: string): readonly string[] {
  return text === "" ? [] : text.replace(/\n$/, "").replaceAll("\t", "    ").split("\n");
}
