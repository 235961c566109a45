import type { Agent, ShownQuestion, ScreenView } from "../../src/agents/agent.ts";
import type { Detail, Says } from "../../src/model/attention/evidence.ts";

/** All that an agent's reader makes of a screen and its title. Without the rules, whose wording may change. */
export interface Reading {
  readonly says: Says;
  readonly detail?: Detail;
  readonly draft?: string;
  readonly question?: Omit<ShownQuestion, "region" | "drawn" | "rows">;
  readonly title?: Says;
}

export function readingOf(agent: Agent, view: ScreenView & { readonly title: string }): Reading {
  const { says = "unknown", detail, draft, question } = agent.readScreen?.(view) ?? {};
  const title = agent.readTitle?.(view.title);
  const { region: _region, drawn: _drawn, rows: _rows, ...asked } = question ?? ({ region: "" } as ShownQuestion);
  return {
    says,
    ...(detail && { detail }),
    ...(draft !== undefined && { draft }),
    ...(question && { question: asked }),
    ...(title && { title: title.says }),
  };
}
