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
    const key = made.file?.path ?? `${made.step} ${made.login}`;
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

async function forget(places: Pick<Places, "home">, { at, step, file, login }: Made): Promise<void> {
  const isThis = (one: Made) =>
    one.at === at && one.step === step && one.file?.path === file?.path && one.login === login;
  await writeRecord(
    places,
    (await readRecord(places)).filter((one) => !isThis(one)),
  );
}

function stepOf(made: Made, steps: readonly Step[]): Step {
  const step = steps.find(({ name }) => name === made.step);
  if (step) return step;
  throw new PanewardError("bad_input", `"${made.step}" was made by another version of Paneward`, {
    hint: "take it back with that version: `paneward init --undo`",
  });
}
