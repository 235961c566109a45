import type { Client } from "@paneward/sdk";
import type { Effect } from "../state/effects.ts";
import type { Pages } from "../state/state.ts";

/** Loads a terminal's output or a task's diff for the pager. */
export async function pagesOf(client: Client, effect: Extract<Effect, { kind: "journal" | "diff" }>): Promise<Pages> {
  const page = { kind: "pages", of: effect.kind, top: 0, search: undefined, isTyped: false } as const;
  if (effect.kind === "diff") {
    const { base, diff, truncated } = await client.diff({ id: effect.id });
    const lines = [...linesOf(diff), ...(truncated ? ["… the rest was cut off"] : [])];
    return { ...page, title: `${effect.title} against ${base}`, lines };
  }
  const { output, missed } = await client.read({ id: effect.id, lines: maxLines, max_bytes: maxBytes });
  const lines = [...(missed > 0 ? [`… ${missed} bytes before this are no longer kept`] : []), ...linesOf(output)];
  return { ...page, title: `${effect.title}: output`, lines, top: Number.MAX_SAFE_INTEGER };
}

const maxLines = 20_000;
const maxBytes = 4_194_304;

function linesOf(text: string): readonly string[] {
  return text === "" ? [] : text.replace(/\n$/, "").replaceAll("\t", "    ").split("\n");
}
