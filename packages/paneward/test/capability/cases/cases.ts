import type { Workbench } from "../support/workbench.ts";
import { layoutCases } from "./layouts-recordings.ts";
import { paneCases } from "./panes.ts";
import { readingCases } from "./reading.ts";
import { refusalCases } from "./refusals.ts";

/** One behaviour of the capability, tested at every door and on every host. */
export interface Case {
  readonly name: string;
  readonly run: (bench: Workbench) => Promise<void>;
}

export const cases: readonly Case[] = [...paneCases, ...readingCases, ...layoutCases, ...refusalCases];

const chosen = [
  ...[
    "init creates",
    "split returns",
    "list shows",
    "a window's number",
    "send returns",
    "the body of a tag",
    "read returns",
  ],
  ...["clear empties", "wait ends with the running", "a recording", "a synchronised", "a layout", "a snapshot"],
  ...refusalCases.map(({ name }) => name),
];

/**
 * For doors that pass a call on unchanged: every action and every refusal once. All cases only in the soak tests,
 * because the results are the same at every door.
 */
export const eachAction: readonly Case[] = cases.filter(
  ({ name }) => process.env.PANEWARD_SOAK !== undefined || chosen.some((prefix) => name.startsWith(prefix)),
);
