import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ScreenView } from "../../src/agents/agent.ts";
import type { Reading } from "./reading.ts";

/** A screen of a real agent, and what it means. */
export interface Recorded {
  readonly name: string;
  readonly view: ScreenView & { readonly title: string };
  readonly expected: Reading;
}

const here = new URL(".", import.meta.url).pathname;

export function agentsRecorded(): readonly string[] {
  return readdirSync(here, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
}

export function recordedOf(agent: string): readonly Recorded[] {
  return readdirSync(join(here, agent)).map((name) => {
    const read = (file: string) => readFileSync(join(here, agent, name, file), "utf8");
    const lines = read("screen.txt").replace(/\n$/, "").split("\n");
    return { name, view: { ...JSON.parse(read("view.json")), lines }, expected: JSON.parse(read("expected.json")) };
  });
}
