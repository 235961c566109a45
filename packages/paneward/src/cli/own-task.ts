import { PanewardError } from "@paneward/sdk";
import type { Call } from "./command.ts";

/** The ids that were given, or the task whose terminal this command runs in. */
export function idsOrOwnTask(call: Call): Call {
  if (call.args.length > 0) return call;
  const own = call.env.PANEWARD_TASK_ID;
  if (own) return { ...call, args: [own] };
  throw new PanewardError("bad_input", "which task? None was named, and this is not a task's terminal", {
    hint: "`paneward ps` lists the ids",
  });
}
