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
