import { parseSessionName } from "@paneward/sdk";
import type { FoundPane } from "../ports.ts";
import type { World } from "../world.ts";

/**
 * Ids are never used twice, also when the records that used them are lost: a new terminal must not print into the
 * journal of an older one, nor a new task get its worktree.
 */
export async function reserveIds(
  { store, files, places }: Pick<World, "store" | "files" | "places">,
  found: readonly FoundPane[],
): Promise<void> {
  const sessions = found.flatMap(({ sessionName }) => parseSessionName(sessionName) ?? []);
  const ofSessions = (kind: "task" | "terminal") =>
    sessions.flatMap((one) => (kind in one ? [Number(String(Reflect.get(one, kind)).replace("t", ""))] : []));
  const terminal = Math.max(0, ...ofSessions("terminal"), ...(await numbersIn(files, places.journals, /^t(\d+)$/)));
  const task = Math.max(
    0,
    ...ofSessions("task"),
    ...(await numbersIn(files, places.worktrees, /^(\d+)-/)),
    ...(await numbersIn(files, places.tasks, /^(\d+)$/)),
  );
  store.keep((writer) => {
    writer.reserve("terminal", terminal);
    writer.reserve("task", task);
  });
}

async function numbersIn(files: World["files"], folder: string, name: RegExp): Promise<readonly number[]> {
  const numbers = (await files.folders(folder)).map(({ path }) => Number(name.exec(path.split("/").at(-1) ?? "")?.[1]));
  // A number of more digits is not one of ours.
  return numbers.filter((number) => Number.isSafeInteger(number) && number < 1_000_000_000);
}
