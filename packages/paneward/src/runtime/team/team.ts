import type { Runtime } from "../world.ts";
import { RuntimeFiles } from "./runtime-files.ts";
import { teamOperations } from "./team-operations.ts";
import { WorkerWatch } from "./worker-watch.ts";
import type { WorkerHands } from "./workers.ts";

/** All that the daemon does for teams. */
export interface TeamService {
  readonly rt: Runtime;
  readonly files: RuntimeFiles;
  readonly hands: WorkerHands;
  readonly operations: ReturnType<typeof teamOperations>;
  /** The daemon listens: teams can be reached, and what happened meanwhile is told. */
  begin(): Promise<void>;
  close(): Promise<void>;
}

export function createTeam(rt: Runtime, hands: WorkerHands): TeamService {
  const files = new RuntimeFiles(rt);
  const watch = new WorkerWatch(rt);
  return {
    rt,
    files,
    hands,
    operations: teamOperations(rt, files),
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
