/** What an agent does with a prompt: the steps named by keywords in it, in order. */
export type Step =
  | { readonly kind: "run"; readonly command: string }
  | { readonly kind: "ask" }
  | { readonly kind: "ask_many" }
  | { readonly kind: "plan" }
  | { readonly kind: "slow"; readonly ms: number }
  | { readonly kind: "exit"; readonly code: number }
  | { readonly kind: "say"; readonly text: string };

const words =
  /\bRUN: (?<run>.+)|\bSAY (?<say>.+)|\b(?<many>ASKMANY)\b|\b(?<ask>ASK)\b|\b(?<plan>PLAN)\b|\bSLOW (?<slow>[\d.]+)|\bEXIT (?<exit>\d+)/g;

export function stepsOf(prompt: string): readonly Step[] {
  const steps = [...prompt.matchAll(words)].map(({ groups = {} }): Step => {
    const { run, say, many, ask, plan, slow, exit } = groups;
    if (run !== undefined) return { kind: "run", command: run };
    if (say !== undefined) return { kind: "say", text: say };
    if (many !== undefined) return { kind: "ask_many" };
    if (ask !== undefined) return { kind: "ask" };
    if (plan !== undefined) return { kind: "plan" };
    if (slow !== undefined) return { kind: "slow", ms: Number(slow) * 1_000 };
    return { kind: "exit", code: Number(exit) };
  });
  const [first = ""] = prompt.split("\n");
  return steps.length > 0 ? steps : [{ kind: "say", text: `Echo: ${first.slice(0, 60)}` }];
}
