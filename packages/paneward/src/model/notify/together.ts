import type { Outcome } from "./message.ts";

/** One outcome for a notice that went to several addresses of a channel: the worst, and what came back from each. */
export function together(outcomes: ReadonlyMap<string, Outcome>): Outcome {
  const all = [...outcomes.values()];
  const worst = ranks.flatMap((kind) => all.find((outcome) => outcome.kind === kind) ?? [])[0];
  if (!worst) return { kind: "refused", said: "the channel has no address yet" };
  if (outcomes.size === 1) return worst;
  const said = [...outcomes].map(([to, outcome]) => `${to.split("/")[1] ?? to}: ${outcome.said}`).join("; ");
  if (worst.kind !== "sent") return { kind: worst.kind, said };
  return { kind: "sent", said, delivered: all.every((one) => one.kind === "sent" && one.delivered === true) };
}

const ranks = ["refused", "later", "unknown", "sent"] as const satisfies readonly Outcome["kind"][];
