import assert from "node:assert/strict";
import { type CapabilityActionName, callText } from "@paneward/sdk/reference";
import { paneward } from "../../cli/support/cli.ts";
import { typed } from "../../cli/support/typed.ts";
import type { TestDaemon } from "../../support/daemon.ts";

// biome-ignore lint/suspicious/noExplicitAny: what a model gets is JSON
export type Data = any;
export type Result = { success: true; data: Data } | { success: false; error: string; suggestion: string };

/** A language model at one of the doors: it writes text and reads JSON. */
export interface Model {
  /** The host to name in calls, if any. */
  readonly host: string | undefined;
  /** The results of all calls in a text. */
  says(text: string): Promise<readonly Result[]>;
  /** The data of one call that works. */
  does(action: CapabilityActionName, params?: Readonly<Record<string, string>>): Promise<Data>;
  /** The refusal of one call that does not. */
  isRefused(action: string, params?: Readonly<Record<string, string>>): Promise<{ error: string; suggestion: string }>;
}

/** `tcp` is HTTP on loopback with its own token. */
export type Door = "http" | "cli" | "tcp";

export function modelAt(door: Door, daemon: TestDaemon, host?: string): Model {
  const says = { http: overHttp, cli: overCli, tcp: overTcp }[door](daemon);
  const there = host === undefined ? {} : { host };
  const one = async (action: string, params: Readonly<Record<string, string>> = {}): Promise<Result> => {
    const [result, ...more] = await says(`I would like ${callText(action, { ...params, ...there })}, please.`);
    assert.deepEqual(more, []);
    assert.ok(result);
    return result;
  };
  return {
    host,
    says,
    async does(action, params) {
      const result = await one(action, params);
      assert.ok(result.success, JSON.stringify(result));
      return result.data;
    },
    async isRefused(action, params) {
      const result = await one(action, params);
      assert.ok(!result.success, JSON.stringify(result));
      assert.deepEqual(Object.keys(result).sort(), ["error", "success", "suggestion"]);
      return result;
    },
  };
}

function overHttp({ client }: TestDaemon): Model["says"] {
  return async (text) => (await client.capability({ text })).results as Result[];
}

function overTcp({ client, port }: TestDaemon): Model["says"] {
  const token = client.token_create({ scope: "send", name: "a model" });
  return async (text) => {
    const response = await fetch(`http://127.0.0.1:${port}/api/capability`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${(await token).token}` },
      body: JSON.stringify({ text }),
    });
    assert.equal(response.status, 200);
    return ((await response.json()) as { results: Result[] }).results;
  };
}

// As documented: 3 for what does not exist, 6 for what is not possible now, 2 for a wrong call.
function exitCodeOf(error: string): number {
  if (/ not found$|^There is no (host|layout|snapshot)/.test(error)) return 3;
  return /^Cannot kill|already being recorded|not being recorded|panes and window/.test(error) ? 6 : 2;
}

// The first call is a process of its own.
function overCli({ env }: TestDaemon): Model["says"] {
  let run = paneward;
  return async (text) => {
    const { code, stdout, stderr } = await run(["capability", "-"], { env, input: text });
    run = typed;
    const results = stdout.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line) as Result]));
    const refusal = results.find(({ success }) => !success);
    assert.equal(code, refusal && "error" in refusal ? exitCodeOf(refusal.error) : 0, stderr);
    return results;
  };
}
