import { freeName, terminalSessionName } from "@paneward/sdk";
import type { TerminalRecord } from "../../model/records.ts";
import type { OpenSpec } from "../ports.ts";
import type { World } from "../world.ts";

/** A program to run in a new terminal. */
export interface RunSpec {
  readonly name: string;
  readonly host: string;
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly keep: boolean;
  readonly keepRunning?: true;
  readonly columns: number;
  readonly rows: number;
  readonly session?: string;
  readonly task?: number;
}

/** Records terminals before tmux is called, so that a crash in between leaves no unknown session behind. */
export function planTerminals({ store, clock, places }: World, specs: readonly RunSpec[]): readonly TerminalRecord[] {
  return store.write((writer) => {
    const taken = new Set(store.terminals().map(({ name }) => name));
    return specs.map((spec) => {
      const id = writer.nextTerminalId();
      const name = freeName(spec.name, (candidate) => taken.has(candidate));
      taken.add(name);
      const record: TerminalRecord = {
        ...spec,
        id,
        name,
        session: spec.session ?? terminalSessionName(id, name),
        env: { ...spec.env, PANEWARD_TERMINAL: id },
        journal: `${places.journals}/${id}`,
        phase: "starting",
        createdAt: clock.now(),
      };
      writer.putTerminal(record);
      return record;
    });
  });
}

export function planTerminal(world: World, spec: RunSpec): TerminalRecord {
  return planTerminals(world, [spec])[0] as TerminalRecord;
}

/** What the terminals port needs to open a recorded terminal. */
export function openSpec(record: TerminalRecord): OpenSpec {
  const { host, session, argv, cwd, env, columns, rows, journal } = record;
  return { host, session, argv, cwd, env, columns, rows, journal };
}
