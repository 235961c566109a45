import { hookScript } from "../../agents/hook-script.ts";
import type { World } from "../world.ts";
import { hookScriptPath } from "./hook-facts.ts";

type ScriptWorld = Pick<World, "files" | "log" | "machine" | "places">;

/** Writes the script that hooks run, unless it is there. A running hook may be reading the old one: it is replaced, not overwritten. */
export async function writeHookScript({ files, log, places }: Omit<ScriptWorld, "machine">): Promise<boolean> {
  const path = hookScriptPath(places);
  const script = hookScript(places.socket);
  try {
    if ((await files.text(path)) !== script) await files.replacePrivate(path, script);
    return true;
  } catch (error) {
    log.error("the hook script could not be written; hooks of agents do not arrive", { path, error: String(error) });
    return false;
  }
}

/** Writes it again if others remove it: agents that run call it at any moment. Nothing is made in place of a state folder that is gone. */
export function keepHookScript(world: ScriptWorld & Pick<World, "clock">): { stop(): void } {
  const { clock, machine, places } = world;
  let failed = false;
  const look = async () => {
    if (!machine.isFolder(places.home) || (await machine.mode(hookScriptPath(places))) !== undefined) return;
    // What cannot be written is reported once.
    const log = failed ? { ...world.log, error() {} } : world.log;
    failed = !(await writeHookScript({ ...world, log }));
  };
  return { stop: clock.interval(lookEveryMs, () => void look()) };
}

const lookEveryMs = 3_000;
