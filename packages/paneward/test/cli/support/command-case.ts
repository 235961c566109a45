import assert from "node:assert/strict";
import { test } from "node:test";
import type { OperationName } from "@paneward/sdk";
import { fakeAnswers } from "./fake-answers.ts";
import { fakeDaemon } from "./fake-daemon.ts";
import { typed as run } from "./typed.ts";

/** A typed command, the operation and input it results in, and what it prints. */
export interface Case {
  readonly typed: readonly string[];
  readonly operation: OperationName;
  readonly input: Readonly<Record<string, unknown>>;
  readonly prints: RegExp;
  readonly notes?: RegExp;
  readonly code?: number;
  readonly stdin?: string;
  /** What --json prints; by default the operation's output. */
  readonly json?: unknown;
}

/** A command calls one operation and prints its result as text; with --json, exactly that result. */
export function testCase({ typed, operation, input, prints, ...more }: Case): void {
  const { notes = /^/, code = 0, stdin = "", json = fakeAnswers[operation] } = more;
  test(`paneward ${typed.join(" ")}`, async (t) => {
    const { env, asked } = await fakeDaemon(t);
    const forPeople = await run(typed, { env, input: stdin });
    assert.match(forPeople.stdout, prints);
    assert.match(forPeople.stderr, notes);
    assert.equal(forPeople.code, code, forPeople.stderr);
    assert.equal(asked.length, 1);
    assert.equal(asked[0]?.operation, operation);
    const { timeout: _, ...seen } = asked[0]?.input ?? {};
    assert.deepEqual(withAnyKey(seen, input), input);

    const forPrograms = await run(withJson(typed), { env, input: stdin });
    assert.deepEqual(JSON.parse(forPrograms.stdout), json);
    assert.equal(forPrograms.stdout.split("\n").length, 2, "one line");
    assert.equal(forPrograms.code, code);
  });
}

/** Right after the command's name: `run` passes on everything after its first argument. */
function withJson(typed: readonly string[]): readonly string[] {
  const words = typed[0] === "daemon" || typed[0] === "token" ? 2 : 1;
  return [...typed.slice(0, words), "--json", ...typed.slice(words)];
}

/** In place of a key that the command line makes up. */
export const anyKey = "(a UUID)";

function withAnyKey(seen: unknown, wanted: unknown): unknown {
  const { idempotency_key: key } = Object(seen) as { readonly idempotency_key?: unknown };
  const isAny = (Object(wanted) as { readonly idempotency_key?: unknown }).idempotency_key === anyKey;
  if (!isAny) return seen;
  assert.match(String(key), /^[0-9a-f-]{36}$/);
  return { ...Object(seen), idempotency_key: anyKey };
}
