import type { Workbench } from "../support/workbench.ts";
import { arrangingCases } from "./arranging.ts";
import { paneCases } from "./panes.ts";
import { readingCases } from "./reading.ts";
import { refusalCases } from "./refusals.ts";

/** One promise of the capability, kept at every door and on every host. */
export interface Case {
  readonly name: string;
  readonly run: (bench: Workbench) => Promise<void>;
}

export const cases: readonly Case[] = [...paneCases, ...readingCases, ...arrangingCases, ...refusalCases];

const chosen = [
  ...["init makes", "split tells", "list shows", "a window's number", "send tells", "the body of a tag", "read tells"],
  ...["clear empties", "wait ends with the running", "a recording", "a synchronised", "a layout", "a snapshot"],
  ...refusalCases.map(({ name }) => name),
];

/**
 * For doors that hand a call on as it is: every action and every refusal, once. What comes of them is the same
 * everywhere, so all cases are for the long tests there.
 */
export const eachAction: readonly Case[] = cases.filter(
  ({ name }) => process.env.PANEWARD_SOAK !== undefined || chosen.some((beginning) => name.startsWith(beginning)),
);
