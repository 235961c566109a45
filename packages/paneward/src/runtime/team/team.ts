import type { Attention } from "../attention/attention.ts";
import type { World } from "../world.ts";
import { RuntimeFiles } from "./runtime-files.ts";
import { teamOperations } from "./team-operations.ts";
import { WorkerWatch } from "./worker-watch.ts";
import type { WorkerHands } from "./workers.ts";

/** All that the daemon does for teams. */
export interface TeamService {
  readonly world: World;
  readonly files: RuntimeFiles;
  readonly hands: WorkerHands;
  readonly operations: ReturnType<typeof teamOperations>;
  /** The daemon listens: teams can be reached, and what happened meanwhile is told. */
  begin(): Promise<void>;
  close(): Promise<void>;
}

export function createTeam(world: World, attention: Attention, hands: WorkerHands): TeamService {
  const files = new RuntimeFiles(world);
  const watch = new WorkerWatch({ ...world, attention });
  return {
    world,
    files,
    hands,
    operations: teamOperations(world, files),
    async begin() {
      await files.writeAll();
      watch.catchUp();
    },
    async close() {
      watch.close();
      await files.removeAll();
    },
  };
}
