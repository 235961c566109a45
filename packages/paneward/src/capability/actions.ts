import type { CapabilityActionName, capabilityActions, ParametersOf } from "@paneward/sdk/reference";
import { init, list } from "./init-list.ts";
import { kill } from "./kill.ts";
import { arrangeLayout, synchronize } from "./layout.ts";
import { read } from "./read.ts";
import { record } from "./record.ts";
import { send } from "./send.ts";
import { snapshot } from "./snapshot.ts";
import { openWindow, split } from "./split-window.ts";
import { wait } from "./wait.ts";
import type { Work } from "./work.ts";

/** The function of each action; returns the result's `data`. */
export const actionHandlers: {
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
