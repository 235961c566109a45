import { type CapabilityResult, type ErrorCode, nearest, type Parsed } from "@paneward/sdk";
import { callText, hostParameter } from "@paneward/sdk/reference";
import type { Caller, Handlers } from "../runtime/calls.ts";
import { actionHandlers } from "./actions.ts";
import { type Call, callFrom, callFromTag } from "./call.ts";
import { coerce } from "./coerce.ts";
import { failed, onSameHost, Refusal, succeeded } from "./result.ts";
import { findTags } from "./tags.ts";
import type { Work } from "./work.ts";

type Parts = Pick<Work, "world" | "workspaces" | "typist">;

/** The door for language models: runs calls of the capability `tmux` in order, with one result each. */
export function createCapability(parts: Parts): Pick<Handlers, "capability"> {
  return {
    capability: async (input, caller) => {
      const results: CapabilityResult[] = [];
      let failed: ErrorCode | undefined;
      for (const read of callsIn(input)) {
        if (caller.signal?.aborted) break;
        const { result, code } = await answer(parts, caller, read);
        results.push(result);
        failed ??= code;
      }
      return { results, ...(failed === undefined ? {} : { failed }) };
    },
  };
}

/** A call that is parsed when its turn comes, and the host it names, even if it does not parse. */
interface PendingCall {
  readonly call: () => Call;
  readonly host: unknown;
}

interface Answer {
  readonly result: CapabilityResult;
  /** Why it failed. */
  readonly code?: ErrorCode;
}

async function answer(parts: Parts, caller: Caller, read: PendingCall): Promise<Answer> {
  let call: Call | undefined;
  try {
    call = read.call();
    const work = await workFor(parts, caller, call);
    // TypeScript cannot relate a looked-up action to its parameters.
    const perform = actionHandlers[call.action] as (work: Work, params: object) => Promise<object>;
    return { result: succeeded({ ...(await perform(work, call.params)) }) };
  } catch (error) {
    const { result, code } = failed(error, call?.action);
    return { result: onSameHost(result, hostIn(read.host)), code };
  }
}

async function workFor(parts: Parts, caller: Caller, { host }: Call): Promise<Work> {
  const { capability, tmux_bridge: bridge } = (await parts.world.configFor()).config;
  const wanted = host ?? capability.host;
  const known = parts.workspaces.hosts();
  if (!known.includes(wanted)) throw noSuchHost(wanted, known, capability.host);
  const spec = {
    host: wanted,
    session: capability.session,
    historyLimit: capability.history_limit,
    enterDelayMs: bridge.text_enter_delay_ms,
  };
  return { ...parts, spec, caller };
}

// Only a list is suggested: the call itself was not meant for another host.
function noSuchHost(wanted: string, known: readonly string[], usual: string): Refusal {
  const host = nearest(wanted, known) ?? (known.includes(usual) ? usual : "local");
  const error = `There is no host '${wanted}'; there ${known.length === 1 ? "is" : "are"} ${known.join(", ")}`;
  return new Refusal(error, callText("list", { host }), "not_found");
}

function callsIn({ text, action, params = {} }: Parsed<"capability">): readonly PendingCall[] {
  const tags = (text === undefined ? [] : findTags(text)).map((found): PendingCall => {
    if ("fault" in found) return refusedCall(found.fault);
    const host = found.tag.attributes.find(([name]) => name === "host")?.[1];
    return { call: () => callFromTag(found.tag), host };
  });
  const one: PendingCall[] =
    action === undefined ? [] : [{ call: () => callFrom(action, new Map(Object.entries(params))), host: params.host }];
  const calls = [...tags, ...one];
  return calls.length > 0 ? calls : [refusedCall("There is no <capability …> tag in the text")];
}

function refusedCall(fault: string): PendingCall {
  const call = () => {
    throw new Refusal(fault, example);
  };
  return { call, host: undefined };
}

function hostIn(given: unknown): string | undefined {
  const coerced = given === undefined ? undefined : coerce(hostParameter, given);
  return coerced && "value" in coerced ? String(coerced.value) : undefined;
}

const example = '<capability name="tmux" action="list" />';
