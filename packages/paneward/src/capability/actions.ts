import type { CapabilityActionName, capabilityActions, ParametersOf } from "@paneward/sdk";
import { arrangeLayout, synchronize } from "./arranging.ts";
import { kill } from "./killing.ts";
import { openWindow, split } from "./opening.ts";
import { read } from "./reading.ts";
import { record } from "./recording.ts";
import { init, list } from "./showing.ts";
import { snapshot } from "./snapshot.ts";
import { send } from "./typing.ts";
import { wait } from "./waiting.ts";
import type { Work } from "./work.ts";

/** What each action of the table does; answers with its `data`. */
export const performers: {
  readonly [Name in CapabilityActionName]: (
    work: Work,
    params: ParametersOf<(typeof capabilityActions)[Name]>,
  ) => Promise<object>;
} = {
  init,
  send,
  read,
  split,
  list,
  kill,
  window: openWindow,
  wait,
  record,
  sync: synchronize,
  layout: arrangeLayout,
  snapshot,
};
