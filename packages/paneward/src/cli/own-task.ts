import { PanewardError } from "@paneward/sdk";
import type { Call } from "./command.ts";

/** The given ids, or else the task whose terminal this command runs in. */
export function idsOrOwnTask(call: Call): Call {
  if (call.args.length > 0) return call;
  const own = call.env.PANEWARD_TASK_ID;
  if (own) return { ...call, args: [own] };
  throw new PanewardError("bad_input", "no task given, and this is not a task's terminal", {
    hint: "`paneward ps` lists the ids",
  });
}
