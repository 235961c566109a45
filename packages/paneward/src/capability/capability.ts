import type { CapabilityResult, Parsed } from "@paneward/sdk";
import type { Handlers } from "../runtime/handlers.ts";
import type { Caller, Runtime } from "../runtime/runtime.ts";
import type { Workspaces } from "../runtime/workspaces-port.ts";
import { performers } from "./actions.ts";
import { type Call, callFrom, callFromTag } from "./call.ts";
import { failed, Refusal, succeeded } from "./result.ts";
import { findTags } from "./tags.ts";
import type { Work } from "./work.ts";

/** The door for language models: calls of the capability `tmux` in, one result for each out, in their order. */
export function createCapability(rt: Runtime, workspaces: Workspaces): Pick<Handlers, "capability"> {
  return {
    capability: async (input, caller) => {
      const results: CapabilityResult[] = [];
      for (const read of callsIn(input)) {
        if (caller.signal?.aborted) break;
        results.push(await answer(rt, workspaces, caller, read));
      }
      return { results };
    },
  };
}

type ReadCall = () => Call;

async function answer(rt: Runtime, workspaces: Workspaces, caller: Caller, read: ReadCall): Promise<CapabilityResult> {
  let call: Call | undefined;
  try {
    call = read();
    const work = await workFor(rt, workspaces, caller, call);
    // The table ties each action to its parameters; a lookup by name cannot.
    const perform = performers[call.action] as (work: Work, params: object) => Promise<object>;
    return succeeded({ ...(await perform(work, call.params)) });
  } catch (error) {
    return failed(error, call?.action);
  }
}

async function workFor(rt: Runtime, workspaces: Workspaces, caller: Caller, { host }: Call): Promise<Work> {
  const { capability, tmux_bridge: bridge } = (await rt.configFor()).config;
  const spec = {
    host: host ?? capability.host,
    session: capability.session,
    historyLimit: capability.history_limit,
    enterDelayMs: bridge.text_enter_delay_ms,
  };
  return { rt, workspaces, spec, caller };
}

function callsIn({ text, action, params }: Parsed<"capability">): readonly ReadCall[] {
  const one = action === undefined ? [] : [() => callFrom(action, new Map(Object.entries(params ?? {})))];
  const tags = text === undefined ? [] : findTags(text);
  const calls: ReadCall[] = [
    ...tags.map((found) => () => {
      if ("fault" in found) throw new Refusal(found.fault, example);
      return callFromTag(found.tag);
    }),
    ...one,
  ];
  if (calls.length > 0) return calls;
  return [
    () => {
      throw new Refusal("There is no <capability …> tag in the text", example);
    },
  ];
}

const example = '<capability name="tmux" action="list" />';
