import type { Attention } from "../attention/attention.ts";
import type { World } from "../world.ts";
import { type RuntimeFilePorts, RuntimeFiles } from "./runtime-files.ts";
import { teamOperations } from "./team-operations.ts";
import { WorkerWatch } from "./worker-watch.ts";
import type { WorkerPorts, WorkerTerminals } from "./workers.ts";

/** What the daemon does for teams. */
export interface TeamService {
  readonly ports: WorkerPorts;
  readonly files: RuntimeFiles;
  readonly terminals: WorkerTerminals;
  readonly operations: ReturnType<typeof teamOperations>;
  /** Called once the daemon listens: writes the runtime files and reports what happened while it was away. */
  begin(): Promise<void>;
  close(): Promise<void>;
}

interface TeamWorld extends WorkerPorts, RuntimeFilePorts, Pick<World, "log" | "configFor"> {}

export function createTeam(
  world: TeamWorld,
  attention: Pick<Attention, "attention" | "lastOutputAt">,
  terminals: WorkerTerminals,
): TeamService {
  const files = new RuntimeFiles(world);
  const watch = new WorkerWatch({ ...world, attention });
  let cancel = () => {};
  const writeFiles = async (): Promise<void> => {
    try {
      await files.writeAll();
    } catch (error) {
      world.log.error("a team's runtime.json could not be written; trying again", { error: String(error) });
      cancel = world.clock.timer(tryAgainMs, () => void writeFiles());
    }
  };
  return {
    ports: world,
    files,
    terminals,
    operations: teamOperations(world, files),
    async begin() {
      await writeFiles();
      watch.catchUp();
    },
    async close() {
      cancel();
      watch.close();
      await files.removeAll();
    },
  };
}

const tryAgainMs = 10_000;
