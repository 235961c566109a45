import { PanewardError, type Places } from "@paneward/sdk";
import { readRecord, writeRecord } from "./record.ts";
import type { Back, Made, Step } from "./step.ts";

/** How all that was made would be taken back, the newest first. What was made twice is shown once. */
export async function planUndo(
  steps: readonly Step[],
  places: Pick<Places, "home">,
  which: (made: Made) => boolean,
): Promise<readonly Back[]> {
  const newest = new Map<string, Made>();
  for (const made of (await readRecord(places)).filter(which)) {
    const key = partOf(made);
    newest.delete(key);
    newest.set(key, made);
  }
  return Promise.all([...newest.values()].toReversed().map((made) => stepOf(made, steps).back(made)));
}

/** Takes all of it back, and forgets what is back. Returns what only a person can do. */
export async function undo(
  steps: readonly Step[],
  places: Pick<Places, "home">,
  which: (made: Made) => boolean,
): Promise<readonly Back[]> {
  const left: Back[] = [];
  for (const made of (await readRecord(places)).filter(which).toReversed()) {
    const back = await stepOf(made, steps).back(made);
    await back.perform();
    if (back.kind === "left") left.push(back);
    else await forget(places, made);
  }
  return left;
}

async function forget(places: Pick<Places, "home">, made: Made): Promise<void> {
  const isThis = (one: Made) => one.at === made.at && partOf(one) === partOf(made);
  await writeRecord(
    places,
    (await readRecord(places)).filter((one) => !isThis(one)),
  );
}

/** What was made, apart from when. */
function partOf({ step, file, login, linger, service }: Made): string {
  return file?.path ?? JSON.stringify([step, login, linger, service !== undefined]);
}

function stepOf(made: Made, steps: readonly Step[]): Step {
  const step = steps.find(({ name }) => name === made.step);
  if (step) return step;
  throw new PanewardError("bad_input", `"${made.step}" was made by another version of Paneward`, {
    hint: "take it back with that version: `paneward init --undo`",
  });
}
