import { takingTurns } from "../../model/keyed-mutex.ts";
import type { Logins } from "../access/logins.ts";
import type { Courier } from "../courier/courier.ts";
import type { Handlers } from "../handlers.ts";
import type { OutputCounts } from "../output/output-counts.ts";
import { WorkAmounts } from "../tasks/work-amounts.ts";
import type { Adopted } from "../terminals/adopted.ts";
import type { Supervisor } from "../terminals/supervisor.ts";
import type { Runtime } from "../world.ts";
import { activityOperations } from "./activity-operations.ts";
import { agentOperations } from "./agent-operations.ts";
import { answerOperations } from "./answer-operations.ts";
import { daemonOperations } from "./daemon-operations.ts";
import { listOperations } from "./list-operations.ts";
import { loginOperations } from "./login-operations.ts";
import { taskOperations } from "./task-operations.ts";
import { terminalOperations } from "./terminal-operations.ts";
import { tokenOperations } from "./token-operations.ts";

/** The operations that the daemon itself serves; doors with operations of their own add theirs. */
export type CoreHandlers = Pick<
  Handlers,
  keyof (ReturnType<typeof daemonOperations> &
    ReturnType<typeof agentOperations> &
    ReturnType<typeof answerOperations> &
    ReturnType<typeof listOperations> &
    ReturnType<typeof terminalOperations> &
    ReturnType<typeof taskOperations> &
    ReturnType<typeof loginOperations> &
    ReturnType<typeof activityOperations> &
    ReturnType<typeof tokenOperations>)
>;

export function createHandlers(
  rt: Runtime,
  supervisor: Supervisor,
  courier: Courier,
  { logins, counts, adopted }: { readonly logins: Logins; readonly counts: OutputCounts; readonly adopted: Adopted },
): CoreHandlers {
  const amounts = new WorkAmounts(rt);
  const turns = takingTurns();
  return {
    ...daemonOperations(rt),
    ...listOperations(rt, amounts),
    ...terminalOperations(rt, supervisor, courier, turns),
    ...taskOperations(rt, supervisor, amounts, turns),
    ...tokenOperations(rt),
    ...loginOperations(rt, logins),
    ...activityOperations(rt, counts),
    ...agentOperations(rt, adopted),
    ...answerOperations(rt, courier),
  };
}
