import type { Output } from "@paneward/sdk";
import { inStore } from "./database.ts";

/** A question as this browser saw it last: its page shows that at once, and what holds now as soon as it is known. */
export interface KeptQuestion {
  readonly seen: Output<"question">;
  readonly at: number;
}

const maxKept = 20;

export function keptQuestion(id: string): Promise<KeptQuestion | undefined> {
  return inStore("questions", "readonly", (questions) => questions.get(id));
}

export async function keepQuestion(seen: Output<"question">): Promise<void> {
  const kept: KeptQuestion = { seen, at: Date.now() };
  await inStore("questions", "readwrite", (questions) => questions.put(kept, seen.question.id));
  const all = await inStore<readonly KeptQuestion[]>("questions", "readonly", (questions) => questions.getAll());
  const old = all.toSorted((one, other) => other.at - one.at).slice(maxKept);
  for (const { seen: one } of old) await forgetQuestion(one.question.id);
}

async function forgetQuestion(id: string): Promise<void> {
  await inStore("questions", "readwrite", (questions) => questions.delete(id));
}
