import { PanewardError, type Places } from "@paneward/sdk";
import { bytesOf, hashOf, missingFolders, writeBytes } from "./files.ts";
import { readRecord, writeRecord } from "./record.ts";
import type { Edit, Made, MadeFile, Offer } from "./step.ts";

interface Making {
  readonly step: string;
  readonly by: Made["by"];
  readonly places: Pick<Places, "home">;
  readonly now: number;
}

/** Makes what was offered. It is recorded before it is made, so that a kill in between leaves nothing unknown. */
export async function makeOffer(offer: Offer, { step, by, places, now }: Making): Promise<void> {
  const record = async (one: Omit<Made, "step" | "by" | "at">) =>
    writeRecord(places, [...(await readRecord(places)), { step, by, at: now, ...one }]);
  for (const edit of offer.edits) await requireUnchanged(edit);
  await offer.first?.();
  if (offer.firstMakes) await record(offer.firstMakes);
  for (const edit of offer.edits) await record({ file: await madeOf(edit) });
  if (offer.write) await offer.write();
  else for (const edit of offer.edits) await writeBytes(edit.path, edit.after);
  if (offer.makes) await record(offer.makes);
  const made = await offer.make?.();
  if (made) await record(made);
}

async function madeOf({ path, before, after, added }: Edit): Promise<MadeFile> {
  return {
    path,
    before: before?.toString("base64") ?? null,
    hashBefore: hashOf(before),
    hashAfter: hashOf(after) ?? "",
    ...(added === undefined ? {} : { added }),
    folders: await missingFolders(path),
  };
}

async function requireUnchanged({ path, before }: Edit): Promise<void> {
  if (hashOf(await bytesOf(path)) === hashOf(before)) return;
  throw new PanewardError("conflict", `${path} has changed since it was shown; nothing in it was changed`, {
    hint: "run the same command again",
  });
}
